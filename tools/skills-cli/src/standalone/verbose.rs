//! Prints the events of calls and runs on standard error for `-v` and `RUST_LOG`, and exports their spans for
//! `--otlp`.

use tracing_subscriber::Layer;
use tracing_subscriber::filter::{FilterExt, LevelFilter, Targets, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::Registry;
use tracing_subscriber::util::SubscriberInitExt;

use super::Command;

/// Prints events from now on. `RUST_LOG` selects them (`skills=debug,reqwest=info`). Otherwise `verbose` sets
/// the level: no events, the main events, or every event.
pub(super) fn listen(verbose: u8, command: &Command) -> Result<Listening, String> {
    let told = std::env::var("RUST_LOG").ok().filter(|told| !told.is_empty());
    let filter = match (told, verbose) {
        (Some(told), _) => Some(told.parse::<Targets>().map_err(|error| format!("RUST_LOG: {error}"))?),
        (None, 0) => None,
        (None, 1) => Some(Targets::new().with_target("skills", LevelFilter::INFO)),
        (None, _) => Some(Targets::new().with_target("skills", LevelFilter::DEBUG)),
    };
    let lines = filter.map(|filter| {
        let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false);
        // The printed lines are events. Spans repeat the same data and go to collectors only.
        let lines = lines.with_filter(filter.and(filter_fn(|data| data.is_event())));
        Box::new(lines) as Box<dyn Layer<Registry> + Send + Sync>
    });
    #[cfg_attr(not(feature = "otlp"), expect(unused_mut, reason = "only an exporter adds to them"))]
    let mut parts: Vec<Box<dyn Layer<Registry> + Send + Sync>> = lines.into_iter().collect();
    #[cfg(feature = "otlp")]
    let exporting = match command.otlp() {
        Some(otlp) => otlp.start()?,
        None => None,
    }
    .map(|(exporting, gathered)| {
        parts.extend(gathered);
        exporting
    });
    #[cfg(not(feature = "otlp"))]
    let _ = command;
    if !parts.is_empty() {
        tracing_subscriber::registry().with(parts).try_init().map_err(|error| error.to_string())?;
    }
    Ok(Listening {
        #[cfg(feature = "otlp")]
        _exporting: exporting,
    })
}

/// The trace export, which lasts until the command has ended.
pub(super) struct Listening {
    #[cfg(feature = "otlp")]
    _exporting: Option<crate::otlp::Exporting>,
}
