//! Passes the errors found by the build script to the macro, in a file beside the generated one.

use skills_text::json::make::{array, object, string};
use skills_text::json::{self, Node};

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
        let text = |node: &Node| node.as_str().map(str::to_owned);
        let errors = root.get("errors")?.items().iter().map(text).collect::<Option<_>>()?;
        Some(Self { options: text(root.get("options")?)?, errors })
    }
}

#[cfg(test)]
mod tests {
    use super::BundleProblems;

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
