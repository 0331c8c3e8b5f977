//! Passes the errors found by the build script to the macro, in a file beside the generated one.

/// The errors of a bundle, and the options used for its check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Problems {
    /// The options in the syntax of the macro.
    pub(crate) options: String,
    /// The errors, as texts for `compile_error!`.
    pub(crate) errors: Vec<String>,
}

impl Problems {
    /// Formats the file: a line with the options, then each error after a line with its length in bytes.
    pub(crate) fn to_text(&self) -> String {
        let mut text = format!("{}\n", self.options);
        for error in &self.errors {
            text.push_str(&format!("{}\n{error}\n", error.len()));
        }
        text
    }

    /// Parses the output of [`to_text`](Self::to_text). Returns `None` for any other text.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let (options, mut rest) = text.split_once('\n')?;
        let mut errors = Vec::new();
        while !rest.is_empty() {
            let (len, from) = rest.split_once('\n')?;
            let len: usize = len.parse().ok()?;
            errors.push(from.get(..len)?.to_owned());
            rest = from.get(len..)?.strip_prefix('\n')?;
        }
        Some(Self { options: options.to_owned(), errors })
    }
}

#[cfg(test)]
mod tests {
    use super::Problems;

    #[test]
    fn errors_are_returned_completely() {
        let errors = ["[a]: b\n  --> c:1:2\n".to_owned(), String::new(), "é\n\n7\n".to_owned()];
        for count in 0..=errors.len() {
            let problems = Problems { options: "deny(a)".to_owned(), errors: errors[..count].to_vec() };
            let text = problems.to_text();
            assert_eq!(Problems::from_text(&text).as_ref(), Some(&problems));
            assert_eq!(Problems::from_text(&format!("{text}x")), None);
        }
        for broken in ["", "x", "x\n3\nab", "x\n1\né\n", "x\n-1\n", "x\n99999999999999999999\n\n"] {
            assert_eq!(Problems::from_text(broken), None, "{broken:?}");
        }
    }
}
