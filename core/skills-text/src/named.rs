//! Enums whose values have names, which are written and parsed in one spelling.

use std::fmt;

/// The error for a text that is not the name of any value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    kind: &'static str,
    name: String,
    names: Vec<&'static str>,
}

impl UnknownName {
    /// Creates the error for a name. `kind` is the noun for the values, such as `mode`; `names` are their names.
    pub fn new(kind: &'static str, name: &str, names: impl IntoIterator<Item = &'static str>) -> Self {
        Self { kind, name: name.to_owned(), names: names.into_iter().collect() }
    }
}

/// ```
/// let unknown = skills_text::UnknownName::new("mode", "code-host", ["code", "llm"]);
/// assert_eq!(unknown.to_string(), "`code-host` is not a mode; known are `code`, `llm`");
/// ```
impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.names.iter().map(|name| format!("`{name}`")).collect();
        write!(f, "`{}` is not a {}; known are {}", self.name, self.kind, names.join(", "))
    }
}

impl std::error::Error for UnknownName {}

/// Implements `Display` and `FromStr` for an enum with the constant `ALL` and the method `as_str`.
#[doc(hidden)]
#[macro_export]
macro_rules! __named {
    ($type:ty, $kind:literal) => {
        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> ::std::result::Result<Self, $crate::UnknownName> {
                let found = Self::ALL.into_iter().find(|value| value.as_str() == name);
                found.ok_or_else(|| $crate::UnknownName::new($kind, name, Self::ALL.map(Self::as_str)))
            }
        }
    };
}
