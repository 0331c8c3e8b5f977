//! Loads skills as records and parses frontmatters in the form of cogos.

use std::path::Path;

use skills_core::frontmatter::split;
use skills_core::read::{ReadOptions, expand_home, read};
use skills_core::report::Report;
use skills_core::span::SourceMap;
use skills_core::tree::Node;
use skills_core::tree::text::quote;
use skills_core::{markdown, tier};
use skills_exec::{Outcome, RunOptions, run_skill};

use super::{CompatError, log_problems};
use crate::{Found, Layers, LayersBuilder, Level, Strictness, Unreadable};

/// A skill as an entry of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The name.
    pub name: String,
    /// The version; `0.1.0` unless the skill gives one.
    pub version: String,
    /// The tier, 0 to 3.
    pub tier: u8,
    /// The description.
    pub description: String,
    /// The program as the skill spells it. `None` below tier 2.
    pub exec: Option<String>,
    /// The schema of its input. `None` below tier 3.
    pub schema: Option<String>,
    /// The absolute path of the directory; `skill://NAME` for a skill of a bundle.
    pub path: String,
    /// Programs and `cap:` entries that the skill requires.
    pub requires: Vec<String>,
    /// Whether a required capability is refused.
    pub gated: bool,
}

impl Record {
    /// Formats the record as one JSON object, with keys in the order of the fields. `gated` is left out if
    /// false.
    ///
    /// ```
    /// let record = skills_load::compat::Record { name: "pdf".into(), ..Default::default() };
    /// assert!(record.to_json().starts_with(r#"{"name":"pdf","version":"","tier":0,"#));
    /// ```
    pub fn to_json(&self) -> String {
        let requires: Vec<String> = self.requires.iter().map(|entry| quote(entry)).collect();
        let gated = if self.gated { ",\"gated\":true" } else { "" };
        format!(
            "{{\"name\":{},\"version\":{},\"tier\":{},\"description\":{},\"exec\":{},\"schema\":{},\"path\":{},\
             \"requires\":[{}]{gated}}}",
            quote(&self.name),
            quote(&self.version),
            self.tier,
            quote(&self.description),
            quote_optional(&self.exec),
            quote_optional(&self.schema),
            quote(&self.path),
            requires.join(","),
        )
    }
}

fn quote_optional(text: &Option<String>) -> String {
    text.as_deref().map_or_else(|| "null".to_owned(), quote)
}

impl From<Found<'_>> for Record {
    fn from(found: Found<'_>) -> Self {
        let skill = found.skill;
        let path = match found.directory() {
            Some(directory) => directory.to_string_lossy().into_owned(),
            None => skill.base().to_owned(),
        };
        Self {
            name: skill.name().to_owned(),
            version: skill.version().to_owned(),
            tier: skill.tier(),
            description: skill.description().to_owned(),
            exec: skill.exec().filter(|_| skill.tier() >= 2).map(str::to_owned),
            schema: skill.schema().filter(|_| skill.tier() >= 3).map(str::to_owned),
            path,
            requires: skill.requires().map(str::to_owned).collect(),
            gated: found.gated,
        }
    }
}

/// Lists the skills of directories, sorted by name (cogos `Discover`). If two have the same name, the one in
/// the later directory is listed. A directory that does not exist has no skills.
///
/// # Errors
/// If a directory exists but is a file or cannot be listed.
pub fn discover(dirs: &[impl AsRef<Path>]) -> Result<Vec<Record>, Unreadable> {
    Ok(load(dirs)?.all().map(Record::from).collect())
}

/// Finds a skill by name in directories, searching later ones first (cogos `FindByName`).
///
/// # Errors
/// [`CompatError::NotFound`] lists the available names. For [`CompatError::Unreadable`], see [`discover`].
pub fn find_by_name(dirs: &[impl AsRef<Path>], name: &str) -> Result<Record, CompatError> {
    let layers = load(dirs)?;
    layers.locate(name).map(Record::from).ok_or_else(|| layers.not_found(name).into())
}

/// Reads the skill of one directory (cogos `LoadRecord`).
///
/// # Errors
/// [`CompatError::NoSkill`] if the directory has no `SKILL.md` that can be loaded, with the reasons. For
/// [`CompatError::Unreadable`], see [`discover`].
pub fn load_record(dir: impl AsRef<Path>) -> Result<Record, CompatError> {
    let layers = load(&[&dir])?;
    in_directory(&layers, dir.as_ref()).map(Record::from)
}

/// Runs the program of a record and returns its outcome, whatever its exit code (cogos `Exec`).
///
/// An empty `input_json` gives the program no standard input. An empty `timeout` uses the limit of the skill,
/// which is 5 minutes unless it gives one. A `workspace_root` that is not empty is the working directory of
/// the program and is in its environment as `COGOS_WORKSPACE`.
///
/// # Errors
/// [`CompatError::NoSkill`] if the directory of the record has no skill any more, [`CompatError::NotFound`] if
/// a capability that it requires is refused, and [`CompatError::NotRun`] if no process was started, such as for
/// a skill of tier 0 or 1.
pub fn exec(
    skill: &Record,
    input_json: &str,
    timeout: &str,
    workspace_root: &str,
) -> Result<Outcome, CompatError> {
    let directory = Path::new(&skill.path);
    let layers = load(&[directory])?;
    let found = in_directory(&layers, directory)?;
    if found.gated {
        return Err(layers.not_found(&skill.name).into());
    }
    let mut options = RunOptions::of_process();
    options.timeout = non_empty(timeout);
    options.workspace = non_empty(workspace_root).map(Into::into);
    options.directory = found.directory();
    Ok(run_skill(found.skill, input_json, &options)?)
}

fn non_empty(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// Finds the skill whose directory is the only one that the layers read.
fn in_directory<'l>(layers: &'l Layers, directory: &Path) -> Result<Found<'l>, CompatError> {
    let found = layers.all().find(|found| found.skill.dir().is_empty() && found.skill.has_document());
    found.ok_or_else(|| CompatError::NoSkill {
        directory: directory.to_owned(),
        problems: layers.problems().iter().filter(|problem| problem.level == Level::Error).cloned().collect(),
    })
}

fn load(dirs: &[impl AsRef<Path>]) -> Result<Layers, Unreadable> {
    let dirs = dirs.iter().map(|dir| dir.as_ref());
    let layers = LayersBuilder::new().directories(dirs).strictness(Strictness::Lenient).load()?;
    log_problems(layers.problems());
    Ok(layers)
}

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
/// replaced. Errors are not reported; use [`load_record`] for that.
///
/// ```
/// use skills_load::compat::parse_frontmatter;
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
    let first_line = markdown::first_line(body).unwrap_or_default().to_owned();
    (fields, markdown::heading(body).unwrap_or_default(), first_line)
}

fn fields(tree: &Node) -> Frontmatter {
    let requires = tree.get("requires").map_or_else(Vec::new, |node| match node.as_list() {
        Some(items) => items.iter().filter_map(text).collect(),
        None => text(node).into_iter().collect(),
    });
    Frontmatter {
        name: read_field("name", tree),
        version: read_field("version", tree),
        description: read_field("description", tree),
        exec: read_field("exec", tree),
        schema: read_field("schema", tree),
        requires,
        timeout: read_field("timeout", tree),
    }
}

fn read_field(key: &str, tree: &Node) -> String {
    tree.get(key).and_then(text).unwrap_or_default()
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
    let (exec, schema) = (non_empty(&fields.exec), non_empty(&fields.schema));
    let skill = tree.skills.iter().find(|skill| skill.path.is_empty());
    skill.map_or(0, |skill| tier::infer(skill, exec.as_deref(), schema.as_deref()))
}
