//! Pipelines without an engine: decides which step runs next and with which input, and builds the output from
//! the results.
//!
//! ```text
//! PipelineRun::poll -> Attempt | Wait -> the driver -> PipelineRun::finish | PipelineRun::wake -> … -> PipelineRun::take_output
//! ```
//!
//! [`Runner`](super::Runner) drives pipelines inside the future of a call. A durable engine, which records
//! results and continues in another process after a crash, drives a [`PipelineRun`] itself: it takes all questions,
//! starts each under its [`Key`] or [place](Attempt::place), and delivers the answers in the order of its
//! journal. Questions depend only on the answers, so a run that receives the recorded answers asks the same
//! questions again, and then continues.
//!
//! ```
//! use std::collections::VecDeque;
//! use skills_call::CallError;
//! use skills_call::pipeline::{Caller, PipelineLimits, Pipeline, Question, PipelineRun};
//!
//! /// Drives a pipeline: one answer at a time, the oldest question first.
//! fn drive(pipeline: &Pipeline, input: &str) -> Result<String, CallError> {
//!     let caller = Caller { skill: "greet_all", place: "monday", depth: 0 };
//!     let mut run = PipelineRun::new(caller, pipeline, input, PipelineLimits::default(), &|_skill| true)?;
//!     let mut asked = VecDeque::new();
//!     loop {
//!         while let Some(question) = run.poll() {
//!             asked.push_back(question);
//!         }
//!         // A step that fails ends the run, even if other questions have no answer yet.
//!         if let Some(output) = run.take_output() {
//!             return output;
//!         }
//!         let answered = match asked.pop_front().expect("a run that is not over waits for an answer") {
//!             Question::Attempt(attempt) => {
//!                 // An engine would call another process here, or look up the recorded result of the place.
//!                 println!("{}: {} {}", attempt.place(), attempt.skill(), attempt.input);
//!                 run.finish(attempt.key, Ok(attempt.input.replace("you", "me").into()))
//!             }
//!             // An engine would set a durable timer here.
//!             Question::Wait { key, .. } => run.wake(key),
//!         };
//!         answered.expect("it was asked");
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let root = tempfile::tempdir()?;
//! # std::fs::create_dir_all(root.path().join("greet"))?;
//! # std::fs::create_dir_all(root.path().join("greet_all"))?;
//! # std::fs::write(root.path().join("greet/skill.json"), r#"{"name": "greet", "description": "Greets.",
//! #     "category": "test", "mode": "code", "input": {"type": "object"}, "output": {"type": "object"}}"#)?;
//! # std::fs::write(root.path().join("greet_all/skill.json"), r#"{"name": "greet_all", "description": "Greets all.",
//! #     "category": "test", "mode": "composite", "input": {"type": "object"}, "output": {"type": "object"},
//! #     "calls": ["greet"], "pipeline": [{"step": "each", "skill": "greet", "input": {"to": "{{item}}"},
//! #     "foreach": "{{input.names}}"}]}"#)?;
//! # let loaded = skills_core::load(root.path(), "skills", &Default::default());
//! # let skills = loaded.catalog.skills().iter();
//! # let pipeline = skills.filter_map(|skill| skill.signature.as_ref()?.plan.clone()).next().ok_or("one")?;
//! // The pipeline of `greet_all` calls `greet` for each of `input.names`.
//! let output = drive(&pipeline, r#"{"names": ["you", "all of you"]}"#)?;
//! assert_eq!(output, r#"{"results":[{"to":"me"},{"to":"all of me"}]}"#);
//! # Ok(())
//! # }
//! ```
//!
//! A custom driver looks up the pipeline in [`Layers`](super::Layers). It calls
//! [`Function::check_input`](super::Function::check_input) before the run, applies the skill's own time limit
//! and attempts, and calls [`Function::check_output`](super::Function::check_output) afterwards. To make an
//! attempt, it uses [`Runner::call_text`](super::Runner::call_text) with the
//! [`timeout`](super::CallOptions::timeout) and [`depth`](super::CallOptions::depth) of the attempt. A
//! failure from another process is a [`CallError::Remote`](super::CallError::Remote).

mod dependencies;
mod drive;
pub(super) mod journal;
mod machine;
mod question;

pub use dependencies::{has_effects, predecessors};
pub(super) use drive::{make_attempt, run};
pub use machine::PipelineRun;
pub use question::{Answer, Attempt, Caller, Key, NotAsked, PipelineEvent, PipelineLimits, Question};
pub use skills_template::pipeline::Pipeline;
