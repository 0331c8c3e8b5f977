//! `-v` and `RUST_LOG` become lines on standard error: the events of calls and runs (SPEC 7.6).

use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Prints events from here on: what `RUST_LOG` names (`skills=debug,reqwest=info`), else as much as `verbose` says: nothing,
/// what happens, and every item of it.
///
/// # Errors
/// `RUST_LOG` is set and no such list.
pub(super) fn listen(verbose: u8) -> Result<(), String> {
    let told = std::env::var("RUST_LOG").ok().filter(|told| !told.is_empty());
    let filter = match (told, verbose) {
        (Some(told), _) => told.parse::<Targets>().map_err(|error| format!("RUST_LOG: {error}"))?,
        (None, 0) => return Ok(()),
        (None, 1) => Targets::new().with_target("skills", LevelFilter::INFO),
        (None, _) => Targets::new().with_target("skills", LevelFilter::DEBUG),
    };
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false);
    tracing_subscriber::registry()
        .with(lines.with_filter(filter))
        .try_init()
        .map_err(|error| error.to_string())
}
