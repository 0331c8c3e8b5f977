//! Whether skills work: cases are asked of a model, or replayed from a cassette, and graded into a report (SPEC 16.10).
//!
//! ```text
//! evals/*.json -> Suite -> Trial (Runner, model | Cassette) -> Report -> text | JSON | JUnit | page
//! ```
//!
//! A program tests its bundle in a `#[test]`, offline, with the answers that `skills eval --record` wrote down:
//!
//! ```no_run
//! use skills_runtime::eval::{Cassette, Suite, Trial};
//! # use skills_runtime::call::{Functions, Runner};
//! # use skills_runtime::{Registry, Tables};
//! # static SKILLS: Registry = Registry::new(Tables::fixed(&[], &[]));
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let runner = Runner::new(Functions::new(&SKILLS, &[]));
//! let suite = Suite::read("skills".as_ref())?;
//! let cassette = Cassette::replay("skills/cassette.jsonl")?;
//! let report = Trial::new(runner).cassette(cassette).run(&suite).await?; // `SKILLS.with(Host)` is a runner
//! assert!(report.passes(0.9, false), "{}", report.text());
//! # Ok(())
//! # }
//! ```

mod against;
mod answers;
mod canonical;
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
mod scratch;
mod suite;
mod talk;
mod tell;
mod text;
mod trial;
mod triggers;

pub use against::{Change, Difference};
pub use case::{Ask, Case, Query};
pub use cassette::Cassette;
pub use check::{Check, Mark, Verdict};
pub use files::Unread;
pub use interval::Interval;
pub use report::{Arm, CaseReport, Price, Report, Run, State, Statistic};
pub use suite::{Suite, Tests};
pub use trial::{Progress, Trial};
pub use triggers::{Choice, Confusion, QueryReport};
