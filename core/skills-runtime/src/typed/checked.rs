//! Reads text that the engine has just checked as a typed value, without a second check. Called by generated
//! code.

use super::{Checker, Decode, Invalid, from_json, of_decoded};

/// The tables that a text was checked with, so that the same check need not be repeated.
///
/// The default is for a text that was not checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// The address of the tables. It is only compared with the addresses of static tables, which are not
    /// reused.
    place: Option<usize>,
}

impl Checked {
    /// Notes the tables.
    #[doc(hidden)]
    pub fn by(tables: &Checker) -> Self {
        Self { place: Some(std::ptr::from_ref(tables).addr()) }
    }
}

/// Reads a value from JSON text, and checks it unless it was already checked with these tables.
///
/// # Errors
/// See [`from_json`].
pub fn from_checked<T: Decode>(tables: &'static Checker, checked: Checked, text: &str) -> Result<T, Invalid> {
    if checked == Checked::by(tables) {
        return of_decoded(&skills_schema::parse_str(text)?);
    }
    from_json(tables, text)
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::{Checked, Checker, Invalid, from_checked};

    static SHORT: LazyLock<Checker> = LazyLock::new(|| tables(r#"{"type": "string", "maxLength": 1}"#));
    static OTHER: LazyLock<Checker> = LazyLock::new(|| tables(r#"{"type": "string"}"#));

    fn tables(schema: &str) -> Checker {
        skills_schema::lower::lower(schema, &skills_schema::lower::DocumentOptions::default()).tables
    }

    // SPEC 6.4: a text that was not checked, or was checked by other tables, is checked.
    #[test]
    fn only_the_same_tables_are_trusted() {
        let read = |checked, text| from_checked::<String>(&SHORT, checked, text);
        assert!(read(Checked::default(), "\"long\"").is_err());
        assert!(read(Checked::by(&OTHER), "\"long\"").is_err());
        assert_eq!(read(Checked::by(&SHORT), "\"long\"").ok().as_deref(), Some("long"));
    }

    // SPEC 6.4: a false claim that a text was checked causes an error, not a panic.
    #[test]
    fn values_that_do_not_fit_the_type_are_refused_even_if_unchecked() {
        let read = |text| from_checked::<String>(&SHORT, Checked::by(&SHORT), text);
        assert!(matches!(read("1"), Err(Invalid::Violations(_))));
        assert!(matches!(read("\"x"), Err(Invalid::Malformed(_))));
    }
}
