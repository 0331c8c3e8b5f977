//! Parses the frontmatter fields that cogos knows.

use std::path::Path;

use skills_core::frontmatter::split;
use skills_core::read::{ReadOptions, expand_home, read};
use skills_core::report::Report;
use skills_core::span::SourceMap;
use skills_core::tree::Node;
use skills_core::{summary, tier};

/// The fields of a frontmatter, as written; empty if absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontmatter {
    /// `name`
    pub name: String,
    /// `version`
    pub version: String,
    /// `description`
    pub description: String,
    /// `exec`
    pub exec: String,
    /// `schema`
    pub schema: String,
    /// `requires`; a single entry may be written without a list.
    pub requires: Vec<String>,
    /// `timeout`, such as `5m`
    pub timeout: String,
}

/// Parses a `SKILL.md` into its fields, its first `# ` heading, and its first line of running text (cogos
/// `ParseFrontmatter`).
///
/// The fields are empty if the frontmatter is missing or cannot be parsed. Bytes that are not UTF-8 are
/// replaced. Errors are not reported; use [`load_record`](super::load_record) for that.
///
/// ```
/// use skills_compat::parse_frontmatter;
/// let (fields, title, paragraph) = parse_frontmatter(b"---\nname: pdf\nrequires: npx\n---\n# PDF\n\nReads PDF files.\n");
/// assert_eq!((fields.name.as_str(), fields.requires.as_slice()), ("pdf", &["npx".to_owned()][..]));
/// assert_eq!((title.as_str(), paragraph.as_str()), ("PDF", "Reads PDF files."));
/// ```
pub fn parse_frontmatter(data: &[u8]) -> (Frontmatter, String, String) {
    let mut sources = SourceMap::new("");
    let file = sources.add("SKILL.md".to_owned(), String::from_utf8_lossy(data).into_owned(), None);
    let document = split(file, &sources, &mut Report::default());
    let fields =
        document.frontmatter.as_ref().map(|frontmatter| fields(&frontmatter.tree)).unwrap_or_default();
    let body = sources.text(document.body);
    let text = |line: Option<&str>| line.unwrap_or_default().to_owned();
    (fields, text(summary::heading(body)), text(summary::first_line(body)))
}

fn fields(tree: &Node) -> Frontmatter {
    let field = |key: &str| tree.get(key).and_then(text).unwrap_or_default();
    let requires = tree.get("requires").map_or_else(Vec::new, |node| match node.as_list() {
        Some(items) => items.iter().filter_map(text).collect(),
        None => text(node).into_iter().collect(),
    });
    Frontmatter {
        name: field("name"),
        version: field("version"),
        description: field("description"),
        exec: field("exec"),
        schema: field("schema"),
        requires,
        timeout: field("timeout"),
    }
}

/// Returns the source text of a scalar of any type, for fields that expect a string.
fn text(node: &Node) -> Option<String> {
    node.as_scalar().filter(|_| !node.is_absent()).map(|scalar| scalar.text.clone())
}

/// Returns the tier of a skill, from its directory and its fields (cogos `InferTier`).
///
/// 0 prose, 1 scripts, 2 an existing program, 3 an existing program with an existing schema. A directory that
/// cannot be read has tier 0.
pub fn infer_tier(skill_path: impl AsRef<Path>, fields: &Frontmatter) -> u8 {
    let path = expand_home(skill_path.as_ref(), std::env::home_dir().as_deref());
    let names_only = ReadOptions { contents: false, ..ReadOptions::default() };
    let tree = read(&path, &path.to_string_lossy(), &names_only, &mut Report::default());
    let given = |text: &'_ str| (!text.is_empty()).then(|| text.to_owned());
    let (exec, schema) = (given(&fields.exec), given(&fields.schema));
    let skill = tree.skills.iter().find(|skill| skill.path.is_empty());
    skill.map_or(0, |skill| tier::infer(skill, exec.as_deref(), schema.as_deref()))
}
