//! Prints instructions for cargo in a syntax that the cargo of the package accepts.

use std::env;

/// One instruction for cargo.
#[derive(Debug)]
pub(crate) enum CargoLine {
    /// A key with its value: `warning`, `rerun-if-changed` or `rustc-env`.
    Key(String),
    /// An error, which fails the build.
    Error(String),
}

/// The minor version of the first Rust release whose cargo supports `cargo::error`.
const ERRORS_SINCE: u32 = 84;

impl CargoLine {
    /// Prints the line. If cargo does not support `cargo::error`, an error ends the build script.
    ///
    /// Cargo refuses the syntax `cargo::KEY` in a package whose `rust-version` is older than this syntax, so keys
    /// are printed in the older syntax `cargo:KEY`.
    #[allow(clippy::print_stdout, clippy::print_stderr, reason = "cargo reads what a build script prints")]
    pub(crate) fn print(&self) {
        match self {
            Self::Key(line) => println!("cargo:{line}"),
            Self::Error(text) if knows_errors(&env::var("CARGO_PKG_RUST_VERSION").unwrap_or_default()) => {
                println!("cargo::error={text}");
            }
            Self::Error(text) => {
                eprintln!("error: {text}");
                std::process::exit(1);
            }
        }
    }
}

/// Returns `true` if errors are allowed in a package with this `rust-version`, which may be empty.
fn knows_errors(rust_version: &str) -> bool {
    let mut parts = rust_version.split(['.', '-', '+']).map(|part| part.parse::<u32>().ok());
    match (parts.next().flatten(), parts.next().flatten()) {
        (Some(1), Some(minor)) => minor >= ERRORS_SINCE,
        (Some(1), None) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::knows_errors;

    // SPEC 18.17
    #[test]
    fn an_older_package_gets_no_newer_syntax() {
        for old in ["1", "1.75", "1.75.0", "1.83.1"] {
            assert!(!knows_errors(old), "{old}");
        }
        for new in ["", "1.84", "1.88.0", "1.90.0-beta.1", "2.0"] {
            assert!(knows_errors(new), "{new}");
        }
    }
}
