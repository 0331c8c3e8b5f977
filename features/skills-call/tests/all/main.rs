//! The crate from outside, in one program, since linking each costs seconds. Tests that count the threads, descriptors or
//! subscribers of their process are programs of their own.

mod builder_order;
mod call_bounds;
mod call_callable;
mod call_code;
#[cfg(unix)]
mod call_event;
mod call_journal;
mod call_kill;
mod call_layers;
mod call_llm;
mod call_mcp;
mod call_nested;
mod call_on_demand;
mod call_pipeline;
mod call_program;
mod call_toolbox;
mod durable;
mod echo;
mod exchanged;
mod exec_runner;
#[path = "../functions/mod.rs"]
mod functions;
mod load_layers;
mod machine;
#[path = "../../../skills-load/tests/planted/mod.rs"]
mod planted;
mod signatures;
#[cfg(unix)]
#[path = "../../../skills-exec/tests/support/mod.rs"]
mod support;
mod trust;
