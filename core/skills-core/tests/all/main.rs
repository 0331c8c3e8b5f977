//! Skills are read, checked, fixed and lowered through the public API; all in one program, because linking
//! each takes seconds.

#[cfg(unix)]
mod arguments;
mod claims;
mod claude;
mod corpus;
#[cfg(unix)]
#[path = "../disk/mod.rs"]
mod disk;
mod evals;
mod examples;
mod exchange;
mod faults;
mod field;
mod fitting;
#[cfg(unix)]
mod flow;
mod foreign_templates;
mod frontmatter;
mod in_package;
mod links;
#[path = "../manifests/mod.rs"]
mod manifests;
mod meta;
mod mutation;
mod operations;
mod oracle;
#[cfg(unix)]
mod origins;
mod own;
mod parsed;
#[cfg(unix)]
mod permissions;
mod pipelines;
mod plan;
#[cfg(unix)]
mod planted;
#[cfg(unix)]
mod problems;
mod projects;
mod read;
#[cfg(unix)]
mod restrict;
mod schemas;
mod skillignore;
mod standard;
mod survey;
mod text;
mod toml;
mod tools;
#[cfg(unix)]
mod unwanted;
mod yaml_faults;
mod yaml_values;
