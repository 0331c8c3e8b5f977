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
    pub fn new(kind: &'static str, name: &str, names: &[&'static str]) -> Self {
        Self { kind, name: name.to_owned(), names: names.to_vec() }
    }
}

/// ```
/// let unknown = skills_text::UnknownName::new("mode", "code-host", &["code", "llm"]);
/// assert_eq!(unknown.to_string(), "`code-host` is not a mode; known are `code`, `llm`");
/// ```
impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.names.iter().map(|name| format!("`{name}`")).collect();
        write!(f, "`{}` is not a {}; known are {}", self.name, self.kind, names.join(", "))
    }
}

impl std::error::Error for UnknownName {}

/// Names the values of an enum: adds the constant `ALL`, the method `as_str`, `Display` and `FromStr`. The text is the noun
/// for the values in the error. After `|`, a value may have other spellings, which only `FromStr` accepts.
///
/// With only the type, implements `Display` for an enum that has its own method `as_str`.
#[doc(hidden)]
#[macro_export]
macro_rules! __named {
    ($type:ty) => {
        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
    ($type:ident, $kind:literal, { $($value:ident = $name:literal $(| $other:literal)*),+ $(,)? }) => {
        impl $type {
            /// All values, in the order in which they are listed.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$value),+];

            /// Returns the name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }
        }

        $crate::__named!($type);

        impl ::std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> ::std::result::Result<Self, $crate::UnknownName> {
                match name {
                    $($name $(| $other)* => Ok(Self::$value),)+
                    _ => Err($crate::UnknownName::new($kind, name, &[$($name),+])),
                }
            }
        }
    };
}
