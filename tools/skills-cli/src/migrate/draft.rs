//! Converts a directory with a `SKILL.md` to the texts of a function, or says why it cannot be converted.

use std::io;
use std::path::{Path, PathBuf};

use skills_core::catalog::{Catalog, CatalogSkill};
use skills_core::load;
use skills_core::options::Options;
use skills_files::Dir;
use skills_registry::ident_key;
use skills_schema::json::make::{array, number, object, string};
use skills_schema::json::{self, Node};
use skills_template::escape;

use crate::report::print_report;
use crate::report::{NewFile, check_texts};
use skills_commands::arguments::expand_path;
use skills_commands::failure::CommandError;
use skills_commands::steps::FileStep;

/// The keys of a frontmatter for which `skill.json` has a field.
const CARRIED: [&str; 6] = ["name", "description", "version", "category", "tags", "timeout"];

/// The new name of the old document. It is hidden, so that no bundle contains it.
pub(super) const KEPT: &str = ".SKILL.md.bak";

/// A function that is ready to be written.
pub(super) struct MigrationDraft {
    /// The directory as the user wrote it.
    pub(super) label: String,
    /// The directory, opened before it was checked. If another directory replaces it later, nothing is
    /// written there.
    pub(super) dir: Dir,
    /// The path of the directory, for messages.
    pub(super) path: PathBuf,
    /// The text of `skill.json`.
    pub(super) manifest: String,
    /// The text of `prompt.md`.
    pub(super) prompt: String,
    /// The keys of the frontmatter for which `skill.json` has no field.
    pub(super) left_behind: Vec<String>,
}

impl MigrationDraft {
    /// Checks one skill and reports its problems. The error says why the skill cannot be migrated.
    pub(super) fn new(path: &Path, category: Option<&str>) -> Result<Self, CommandError> {
        let label = path.to_string_lossy().into_owned();
        let path = expand_path(path);
        let dir = open(&path);
        let loaded = load(&path, &label, &Options::default());
        let skill = only_skill(&loaded.catalog);
        if loaded.report.errors() > 0 {
            print_report(&loaded.report, loaded.catalog.sources());
            return Err("it has errors, or is not a skill".into());
        }
        let skill = skill?;
        let dir = dir?;
        refuse(skill)?;
        for name in ["prompt.md", "skill.json", KEPT] {
            if !matches!(dir.metadata(name.as_ref()), Ok(None)) {
                return Err(format!("{name} is there already").into());
            }
        }
        let body = loaded.catalog.body(skill);
        if body.trim().is_empty() {
            return Err("its body is empty, so there is no prompt".into());
        }
        let mut frontmatter = json::parse(&skill.frontmatter).map_err(CommandError::new)?;
        // SPEC 2.5: `metadata` may be JSON text.
        if let Some(map) = frontmatter.get("metadata").and_then(Node::as_str).and_then(json::object_in) {
            frontmatter.set("metadata", map);
        }
        let draft = Self {
            manifest: manifest(skill, &frontmatter, category)?,
            prompt: escape(body),
            left_behind: left_behind(&frontmatter),
            label,
            dir,
            path,
        };
        draft.check(&skill.name)?;
        Ok(draft)
    }

    /// Returns a step for each file that was written.
    pub(super) fn steps(&self) -> [FileStep; 3] {
        let label = self.label.trim_end_matches('/');
        let [prompt, manifest] = ["prompt.md", "skill.json"]
            .map(|name| FileStep::new("write", name).shown(format!("write   {label}/{name}")));
        let moved = FileStep::new("move", "SKILL.md").moved_to(KEPT);
        [prompt, manifest, moved.shown(format!("move    {label}/SKILL.md to {KEPT}"))]
    }

    /// Checks the function as `skills check` does, before anything is written.
    fn check(&self, name: &str) -> Result<(), CommandError> {
        let files = [NewFile::new("prompt.md", &self.prompt), NewFile::new("skill.json", &self.manifest)];
        let loaded = check_texts(&self.label, name, &files, &Options::default());
        if loaded.report.errors() > 0 {
            print_report(&loaded.report, loaded.catalog.sources());
            return Err("the resulting function would have errors".into());
        }
        Ok(())
    }
}

/// Opens the directory of a skill and refuses a link, so that nobody can replace the directory before the
/// files are written.
fn open(path: &Path) -> Result<Dir, CommandError> {
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
        return Dir::open(path).map_err(CommandError::new);
    };
    let above = if above.as_os_str().is_empty() { Path::new(".") } else { above };
    Dir::open(above).and_then(|above| above.open_dir(name)).map_err(|error| match error.kind() {
        io::ErrorKind::NotADirectory => "it is a link, or not a directory; name the directory itself".into(),
        _ => CommandError::new(error),
    })
}

/// Returns the only skill of the directory.
fn only_skill(catalog: &Catalog) -> Result<&CatalogSkill, CommandError> {
    match catalog.skills() {
        [skill] if skill.dir.is_empty() => Ok(skill),
        skills => {
            let dirs: Vec<&str> = skills.iter().map(|skill| skill.dir.as_str()).collect();
            Err(format!("it is not a skill but a directory of skills: name each ({})", dirs.join(", "))
                .into())
        }
    }
}

/// Returns an error if the skill cannot be expressed as a function with only a prompt.
fn refuse(skill: &CatalogSkill) -> Result<(), CommandError> {
    if let Some(function) = &skill.function {
        let mode = function.mode.as_str();
        return Err(format!("it is already a function: its skill.json has the mode {mode}").into());
    }
    if let Some(exec) = &skill.exec {
        return Err(format!("it has an exec, {exec}: give it a skill.json with the mode code by hand").into());
    }
    let resources: Vec<&str> =
        skill.files.iter().map(|file| file.path.as_str()).filter(|path| *path != "SKILL.md").collect();
    if !resources.is_empty() {
        let first = resources.iter().take(3).copied().collect::<Vec<_>>().join(", ");
        let more = if resources.len() > 3 { ", …" } else { "" };
        return Err(format!("it has resources, which a prompt cannot read: {first}{more}").into());
    }
    Ok(())
}

fn manifest(
    skill: &CatalogSkill,
    frontmatter: &Node,
    category: Option<&str>,
) -> Result<String, CommandError> {
    let name = ident_key(&skill.name).into_owned();
    if !name.starts_with(|first: char| first.is_ascii_lowercase()) {
        return Err(format!("the name of a function begins with a letter, and `{name}` does not").into());
    }
    let given = frontmatter.get("metadata").and_then(|metadata| metadata.get("category")?.as_str());
    let given = given.map(str::trim).or(skill.category.as_deref()).filter(|category| !category.is_empty());
    let category = category.or(given).unwrap_or("general");
    let mut members = vec![
        ("name", string(name)),
        ("description", string(skill.description.trim())),
        ("category", string(category)),
        ("input", text_object("request")),
        ("output", text_object("result")),
        ("mode", string("llm")),
    ];
    if frontmatter.get("version").is_some() {
        members.push(("version", string(skill.version.as_str())));
    }
    if !skill.tags.is_empty() {
        members.push(("tags", array(skill.tags.iter().map(String::as_str).map(string))));
    }
    if let Some(timeout) = skill.timeout_ms {
        members.push(("timeout", number(timeout)));
    }
    Ok(format!("{}\n", object(members).indented(0)))
}

/// Returns the schema of an object with one text.
fn text_object(property: &str) -> Node {
    object([
        ("type", string("object")),
        ("properties", object([(property, object([("type", string("string"))]))])),
        ("required", array([string(property)])),
    ])
}

/// Returns the keys of the frontmatter that the function does not have.
fn left_behind(frontmatter: &Node) -> Vec<String> {
    let lost = frontmatter.members().iter().filter(|member| match member.key.as_str() {
        "metadata" => member.value.members().iter().any(|member| member.key != "category"),
        key => !CARRIED.contains(&key),
    });
    lost.map(|member| member.key.clone()).collect()
}
