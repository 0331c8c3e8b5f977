//! Tests of schemas and JSON through the public API, in one program, since linking each costs seconds.

mod bounds;
mod generated;
#[path = "../instances/mod.rs"]
mod instances;
#[path = "../../../skills-core/tests/manifests/mod.rs"]
mod manifests;
mod meta;
mod oracle;
mod problems;
#[path = "../random/mod.rs"]
mod random;
mod reader;
#[path = "../shared/mod.rs"]
mod shared;
mod skill_meta;
mod suite;
mod tables;
mod tools;
mod uri;
mod values;
mod violations;
