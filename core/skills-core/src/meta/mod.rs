//! The JSON Schema of skill.json, for editors and `skills schema`.
//!
//! Reports come from the checks in `check/manifest.rs` and `check/pipeline.rs`, which also produce help
//! texts. A test proves that both accept the same files.

use std::sync::LazyLock;

use skills_schema::Document;
use skills_schema::lower::DocumentOptions;

/// The schema, draft-07. Its `input` and `output` refer to the meta-schemas of the drafts.
///
/// ```
/// use skills_schema::{lower, validate_str};
///
/// let schema = lower::lower(skills_core::meta::SKILL, &Default::default());
/// assert!(schema.problems.is_empty());
/// assert!(validate_str(&schema.tables, r#"{ "name": "add" }"#).is_err());
/// ```
pub const SKILL: &str = include_str!("skill.schema.json");

/// Returns the schema with its references resolved; it is read once.
pub fn skill() -> &'static Document {
    static READ: LazyLock<Document> = LazyLock::new(|| Document::read(SKILL, &DocumentOptions::default()));
    &READ
}
