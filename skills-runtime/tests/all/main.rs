//! The crate from outside, in one program, since linking each costs seconds.

mod cache;
mod call_bounds;
mod call_callable;
mod call_code;
#[cfg(unix)]
mod call_event;
mod call_journal;
mod call_kill;
mod call_layers;
mod call_llm;
mod call_nested;
mod call_on_demand;
mod call_pipeline;
mod call_program;
mod call_toolbox;
mod compat;
mod durable;
mod echo;
mod eval;
mod exec_host;
mod exec_outcome;
mod exec_runner;
mod exec_sandbox;
#[cfg(unix)]
mod exec_skill;
mod exec_values;
#[path = "../functions/mod.rs"]
mod functions;
mod install_agent;
mod load_corpus;
mod load_faults;
mod load_layers;
mod load_live;
mod load_watch;
mod machine;
mod planted;
mod projects;
mod search;
mod shared;
mod tools;
mod typed_convert;
mod typed_serde;
