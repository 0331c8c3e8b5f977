//! Evaluates skills: cases are sent to a model, or replayed from a cassette, and graded into a report.
//!
//! ```text
//! evals/*.json -> Suite -> Trial (Runner, model | Cassette) -> Report -> text | JSON | JUnit | page
//! ```
//!
//! A program can test its bundle offline in a `#[test]`, with answers recorded by the same test when a model
//! was set: `SKILLS_MODEL=gpt-5 cargo test`. Recordings of `skills eval --record` only work with `skills eval
//! --replay`: the command tells the model the paths of the files, which a bundle does not have, so the
//! requests differ.
//!
//! ```no_run
//! use skills_eval::{Cassette, Suite, Trial};
//! # use skills_call::Runner;
//! # use skills_call::testing::ScriptedModel;
//! # use skills_runtime::{Registry, Tables};
//! # static SKILLS: Registry = Registry::new(Tables::fixed(&[], &[]));
//! # fn model(_: &str) -> ScriptedModel { ScriptedModel::default() }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let runner = Runner::new(&SKILLS); // `SKILLS.runner()`, or `SKILLS.with(Host).untyped()`
//! let file = "tests/evals.jsonl";
//! let (runner, cassette) = match std::env::var("SKILLS_MODEL") {
//!     Ok(name) => (runner.model(model(&name)), Cassette::record(file)?), // recorded answers are not requested again
//!     Err(_) => (runner, Cassette::replay(file)?),
//! };
//! let suite = Suite::read("skills".as_ref())?; // `evals/*.json`, which are not part of the bundle
//! let report = Trial::new(runner).cassette(cassette.clone()).run(&suite).await?;
//! cassette.save()?; // nothing is written by a replay
//! assert!(report.passes(0.9, false), "{}", report.text());
//! # Ok(())
//! # }
//! ```

mod against;
mod case;
mod cassette;
mod check;
mod files;
mod interval;
mod job;
mod judge;
mod junit;
mod mask;
mod page;
mod recorder;
mod report;
mod report_json;
mod schedule;
mod scratch;
mod servers;
mod suite;
mod talk;
mod text;
mod trial;
mod triggers;

pub use against::{CaseChange, Difference};
pub use case::{Ask, Case, Query};
pub use cassette::Cassette;
pub use check::{Check, Mark, State, Verdict};
pub use files::Unread;
pub use interval::Interval;
pub use report::{Arm, CaseReport, CaseRun, Price, Report, Statistic};
pub use suite::{Suite, Tests};
pub use trial::{Progress, Trial};
pub use triggers::{Choice, Confusion, QueryReport};
