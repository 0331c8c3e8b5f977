//! The output of a build script: lines for cargo, and the file that passes errors to the macro.

use skills_text::json;
use skills_text::json::make::{array, object, string};
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

/// The errors of a bundle, and the options used for its check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BundleProblems {
    /// The options in the syntax of the macro.
    pub(crate) options: String,
    /// The errors, as texts for `compile_error!`.
    pub(crate) errors: Vec<String>,
}

impl BundleProblems {
    /// Formats the file, which is JSON.
    pub(crate) fn to_text(&self) -> String {
        let errors = array(self.errors.iter().map(string));
        object([("options", string(&self.options)), ("errors", errors)]).one_line()
    }

    /// Parses the output of [`to_text`](Self::to_text). Returns `None` for any other text.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let root = json::parse(text).ok()?;
        let options = root.get("options")?.as_str()?.to_owned();
        let errors = root.get("errors")?.items().iter();
        let errors = errors.map(|error| error.as_str().map(str::to_owned)).collect::<Option<_>>()?;
        Some(Self { options, errors })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn errors_are_returned_completely() {
        let errors = ["[a]: b\n  --> c:1:2\n".to_owned(), String::new(), "é\n\n7\n".to_owned()];
        for count in 0..=errors.len() {
            let problems = BundleProblems { options: "deny(a)".to_owned(), errors: errors[..count].to_vec() };
            let text = problems.to_text();
            assert_eq!(BundleProblems::from_text(&text).as_ref(), Some(&problems));
            assert_eq!(BundleProblems::from_text(&format!("{text}x")), None);
        }
        for broken in ["", "x", "{}", r#"{"options":"","errors":[1]}"#, r#"{"options":1,"errors":[]}"#] {
            assert_eq!(BundleProblems::from_text(broken), None, "{broken:?}");
        }
    }
}
