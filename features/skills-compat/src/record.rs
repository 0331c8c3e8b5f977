//! Loads skills as records in the form of cogos.

use std::path::Path;

use skills_core::tree::text::quote;
use skills_exec::{Outcome, RunOptions, run_skill};

use super::error::CompatError;
use super::log_problems;
use skills_load::{Found, Layers, Level, Strictness, Unreadable};

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
    /// let record = skills_compat::Record { name: "pdf".into(), ..Default::default() };
    /// assert!(record.to_json().starts_with(r#"{"name":"pdf","version":"","tier":0,"#));
    /// ```
    pub fn to_json(&self) -> String {
        let optional = |text: &Option<String>| text.as_deref().map_or_else(|| "null".to_owned(), quote);
        let requires: Vec<String> = self.requires.iter().map(|entry| quote(entry)).collect();
        let gated = if self.gated { ",\"gated\":true" } else { "" };
        format!(
            "{{\"name\":{},\"version\":{},\"tier\":{},\"description\":{},\"exec\":{},\"schema\":{},\"path\":{},\
             \"requires\":[{}]{gated}}}",
            quote(&self.name),
            quote(&self.version),
            self.tier,
            quote(&self.description),
            optional(&self.exec),
            optional(&self.schema),
            quote(&self.path),
            requires.join(","),
        )
    }
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
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let mut options = RunOptions::of_process();
    options.timeout = given(timeout);
    options.workspace = given(workspace_root).map(Into::into);
    options.directory = found.directory();
    Ok(run_skill(found.skill, input_json, &options)?)
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
    let layers = Layers::builder().directories(dirs).strictness(Strictness::Lenient).load()?;
    log_problems(layers.problems());
    Ok(layers)
}
