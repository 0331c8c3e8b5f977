//! The drafts of JSON Schema and their `$schema` URIs.

/// A supported draft of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Draft {
    /// draft-07, also used for a schema without `$schema`.
    #[default]
    Draft7,
    /// 2019-09
    Draft2019,
    /// 2020-12
    Draft2020,
}

impl Draft {
    /// Returns the draft that a `$schema` names, or `None` for any other URI.
    pub fn of_uri(uri: &str) -> Option<Self> {
        let uri = uri.strip_suffix('#').unwrap_or(uri);
        match uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))? {
            "json-schema.org/draft-07/schema" => Some(Self::Draft7),
            "json-schema.org/draft/2019-09/schema" => Some(Self::Draft2019),
            "json-schema.org/draft/2020-12/schema" => Some(Self::Draft2020),
            _ => None,
        }
    }

    /// Returns the draft's URI for `$schema`.
    pub const fn uri(self) -> &'static str {
        match self {
            Self::Draft7 => "http://json-schema.org/draft-07/schema#",
            Self::Draft2019 => "https://json-schema.org/draft/2019-09/schema",
            Self::Draft2020 => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// Returns the draft's bit in the keyword table.
    pub(crate) const fn bit(self) -> u8 {
        1 << self as u8
    }
}

skills_text::__named!(Draft, "draft", { Draft7 = "draft-07", Draft2019 = "2019-09", Draft2020 = "2020-12" });

/// The meta-schemas of the three drafts, by URI; a schema may refer to them.
pub(super) const BUILTIN: &[(&str, &str)] = &[
    ("http://json-schema.org/draft-07/schema", include_str!("meta/draft-07.json")),
    ("https://json-schema.org/draft/2019-09/schema", include_str!("meta/2019-09/schema.json")),
    ("https://json-schema.org/draft/2019-09/meta/core", include_str!("meta/2019-09/core.json")),
    ("https://json-schema.org/draft/2019-09/meta/applicator", include_str!("meta/2019-09/applicator.json")),
    ("https://json-schema.org/draft/2019-09/meta/validation", include_str!("meta/2019-09/validation.json")),
    ("https://json-schema.org/draft/2019-09/meta/meta-data", include_str!("meta/2019-09/meta-data.json")),
    ("https://json-schema.org/draft/2019-09/meta/format", include_str!("meta/2019-09/format.json")),
    ("https://json-schema.org/draft/2019-09/meta/content", include_str!("meta/2019-09/content.json")),
    ("https://json-schema.org/draft/2020-12/schema", include_str!("meta/2020-12/schema.json")),
    ("https://json-schema.org/draft/2020-12/meta/core", include_str!("meta/2020-12/core.json")),
    ("https://json-schema.org/draft/2020-12/meta/applicator", include_str!("meta/2020-12/applicator.json")),
    ("https://json-schema.org/draft/2020-12/meta/unevaluated", include_str!("meta/2020-12/unevaluated.json")),
    ("https://json-schema.org/draft/2020-12/meta/validation", include_str!("meta/2020-12/validation.json")),
    ("https://json-schema.org/draft/2020-12/meta/meta-data", include_str!("meta/2020-12/meta-data.json")),
    (
        "https://json-schema.org/draft/2020-12/meta/format-annotation",
        include_str!("meta/2020-12/format-annotation.json"),
    ),
    (
        "https://json-schema.org/draft/2020-12/meta/format-assertion",
        include_str!("meta/2020-12/format-assertion.json"),
    ),
    ("https://json-schema.org/draft/2020-12/meta/content", include_str!("meta/2020-12/content.json")),
];
