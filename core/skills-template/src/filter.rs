//! The filters: their names, input types and arguments.

/// The type of a value in a template. A missing value counts as null.
pub use skills_text::json::reader::ValueType as Type;

/// The kind of a filter argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterArgument {
    /// The name of a field: a bare word, several separated by dots, or a string.
    Field,
    /// An integer.
    Integer,
    /// A string.
    Text,
    /// Any value.
    Any,
}

/// The syntax, input types and arguments of a filter.
struct Signature {
    usage: &'static str,
    accepts: &'static [Type],
    takes: &'static [FilterArgument],
    required: usize,
}

const ANY: &[Type] = &[Type::Null, Type::Bool, Type::Number, Type::String, Type::Array, Type::Object];
const ARRAY: &[Type] = &[Type::Null, Type::Array];
const STRING: &[Type] = &[Type::Null, Type::String];
const NUMBER: &[Type] = &[Type::Null, Type::Number];
const ROW: &[Type] = &[Type::Null, Type::Array, Type::String];
const SIZED: &[Type] = &[Type::Null, Type::Array, Type::String, Type::Object];

/// Declares the filters: name, syntax, input types, kinds of arguments, and number
/// of required arguments.
macro_rules! filters {
    ($(#[doc = $doc:literal] $filter:ident: $name:literal $(| $other:literal)?, $usage:literal, $accepts:ident, $takes:expr, $required:literal;)+) => {
        /// A filter. `docs/GRAMMAR.md` has the rules for special values.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Filter {
            $(#[doc = $doc] $filter,)+
        }

        skills_text::__named!(Filter, "filter", { $($filter = $name $(| $other)?),+ });

        static SIGNATURES: [Signature; Filter::ALL.len()] = [$(
            Signature { usage: $usage, accepts: $accepts, takes: $takes, required: $required },
        )+];
    };
}

filters! {
    /// `map: field`, also `pluck`: the field of each element, null where it has none.
    Map: "map" | "pluck", "map: field", ARRAY, &[FilterArgument::Field], 1;
    /// `join`, `join: separator`: one string, with "," by default; null counts as "".
    Join: "join", "join, join: separator", ARRAY, &[FilterArgument::Text], 0;
    /// `slice: from: to`: the elements or characters `from` to before `to`; negative counts from the end.
    Slice: "slice", "slice: from: to", ROW, &[FilterArgument::Integer, FilterArgument::Integer], 2;
    /// `default: value`: the value, if the input is null, missing or "".
    Default: "default", "default: value", ANY, &[FilterArgument::Any], 1;
    /// `json`: the value as JSON text.
    Json: "json", "json", ANY, &[], 0;
    /// `first`: the first element or character, or missing if the input is empty.
    First: "first", "first", ROW, &[], 0;
    /// `last`: the last element or character, or missing if the input is empty.
    Last: "last", "last", ROW, &[], 0;
    /// `size`: the number of elements, characters or members.
    Size: "size", "size", SIZED, &[], 0;
    /// `sort`, `sort: field`: sorted, stable.
    Sort: "sort", "sort, sort: field", ARRAY, &[FilterArgument::Field], 0;
    /// `uniq`, `uniq: field`: without duplicates; the first of equal elements is kept.
    Uniq: "uniq", "uniq, uniq: field", ARRAY, &[FilterArgument::Field], 0;
    /// `where: field: value`: the elements whose field equals the value.
    Where: "where", "where: field: value", ARRAY, &[FilterArgument::Field, FilterArgument::Any], 2;
    /// `upcase`: in upper case.
    Upcase: "upcase", "upcase", STRING, &[], 0;
    /// `downcase`: in lower case.
    Downcase: "downcase", "downcase", STRING, &[], 0;
    /// `strip`: without whitespace at both ends.
    Strip: "strip", "strip", STRING, &[], 0;
    /// `truncate: n`: at most n characters, including the `…`.
    Truncate: "truncate", "truncate: characters", STRING, &[FilterArgument::Integer], 1;
    /// `round`, `round: digits`: rounded, halves away from zero.
    Round: "round", "round, round: digits", NUMBER, &[FilterArgument::Integer], 0;
}

impl Filter {
    /// Finds a filter by its name in Jinja, Handlebars or a shell.
    pub(crate) fn called_elsewhere(name: &str) -> Option<Self> {
        Some(match name {
            "upper" | "uppercase" => Self::Upcase,
            "lower" | "lowercase" => Self::Downcase,
            "trim" => Self::Strip,
            "length" | "len" | "count" => Self::Size,
            "unique" => Self::Uniq,
            "tojson" | "to_json" => Self::Json,
            "selectattr" | "filter" => Self::Where,
            _ => return None,
        })
    }

    /// Returns the kinds of its arguments in order, including optional ones.
    pub fn takes(self) -> &'static [FilterArgument] {
        self.signature().takes
    }

    /// Returns the number of required arguments, which come first.
    pub fn required(self) -> usize {
        self.signature().required
    }

    /// Returns the types that the filter supports. Every filter also accepts null, and most return it
    /// unchanged.
    pub fn accepts(self) -> &'static [Type] {
        self.signature().accepts
    }

    /// Returns its syntax, including the arguments.
    pub fn usage(self) -> &'static str {
        self.signature().usage
    }

    fn signature(self) -> &'static Signature {
        &SIGNATURES[self as usize]
    }

    pub(crate) fn from_code(code: u32) -> Self {
        Self::ALL.get(code as usize).copied().unwrap_or(Self::Json)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 5.3
    #[test]
    fn every_filter_is_found_by_its_name_and_code() {
        for filter in Filter::ALL {
            assert_eq!(filter.as_str().parse(), Ok(filter));
            assert_eq!(Filter::from_code(filter as u32), filter);
            assert!(filter.required() <= filter.takes().len());
            assert!(filter.usage().starts_with(filter.as_str()));
        }
        assert_eq!("pluck".parse(), Ok(Filter::Map));
        assert!("Map".parse::<Filter>().is_err());
    }
}
