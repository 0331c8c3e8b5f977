//! Prints the events of calls and runs on standard error for `-v` and `RUST_LOG`, and exports their spans for
//! `--otlp`.

use tracing_subscriber::Layer;
use tracing_subscriber::filter::{FilterExt, LevelFilter, Targets, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::Registry;
use tracing_subscriber::util::SubscriberInitExt;

use skills_commands::failure::CommandError;

use super::Command;
use super::otlp::Exporting;

/// A layer of a `tracing` subscriber.
pub(crate) type Part = Box<dyn Layer<Registry> + Send + Sync>;

/// Prints events from now on. `RUST_LOG` selects them (`skills=debug,reqwest=info`). Otherwise `verbose` sets
/// the level: no events (the errors of `serve`), the main events, or every event. Returns the trace export, which lasts until it is dropped.
pub(super) fn listen(verbose: u8, command: &Command) -> Result<Option<Exporting>, CommandError> {
    let variable = std::env::var("RUST_LOG").ok().filter(|variable| !variable.is_empty());
    let filter = match (variable, verbose) {
        (Some(variable), _) => {
            Some(variable.parse::<Targets>().map_err(|error| format!("RUST_LOG: {error}"))?)
        }
        // A server prints errors by default, because it tells its clients that its log has the details.
        (None, 0) if matches!(command, Command::Serve(_)) => {
            Some(Targets::new().with_target("skills", LevelFilter::ERROR))
        }
        (None, 0) => None,
        (None, 1) => Some(Targets::new().with_target("skills", LevelFilter::INFO)),
        (None, _) => Some(Targets::new().with_target("skills", LevelFilter::DEBUG)),
    };
    let lines = filter.map(|filter| {
        let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false);
        // The printed lines are events. Spans repeat the same data and go to collectors only.
        let lines = lines.with_filter(filter.and(filter_fn(|data| data.is_event())));
        Box::new(lines) as Part
    });
    let mut parts: Vec<Part> = lines.into_iter().collect();
    let exporting = match command.otlp() {
        Some(otlp) => otlp.start()?,
        None => None,
    };
    let exporting = exporting.map(|(exporting, gathered)| {
        parts.extend(gathered);
        exporting
    });
    if !parts.is_empty() {
        tracing_subscriber::registry().with(parts).try_init().map_err(CommandError::new)?;
    }
    Ok(exporting)
}
