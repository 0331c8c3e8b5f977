//! Tests of the bundler through the public API, in one program, since linking each costs seconds.

mod choices;
#[path = "../../../skills-schema/tests/instances/mod.rs"]
mod instances;
mod made;
mod merge;
mod package;
mod prompt;
#[path = "../../../skills-schema/tests/random/mod.rs"]
mod random;
mod shape;
mod shapes;
#[path = "../../../skills-schema/tests/shared/mod.rs"]
mod shared;
mod suite;
mod tools;
mod unions;
