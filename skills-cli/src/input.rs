//! The schema of what a skill takes becomes tables that check inputs: `exec`, `show` and `tools` ask for it.

use skills_registry::Skill;
use skills_schema::Tables;
use skills_schema::lower::{Options, lower};

/// What paths below the skill are called inside references of its schemas; it names no place outside this crate.
pub(crate) const BASE: &str = "skill:/";

/// Returns the schema of the input and the file that it stands in: that of `skill.json`, else the one that `schema`
/// in the frontmatter names (SPEC 3.1, 4.3).
pub(crate) fn schema(skill: Skill<'_>) -> Option<(&str, &str)> {
    match skill.input_schema() {
        Some(input) => Some(("skill.json", input)),
        None => {
            let path = skill.schema().filter(|_| skill.tier() == 3)?;
            let text = skill.file(path)?.text()?;
            Some((path, text.trim_start_matches('\u{feff}')))
        }
    }
}

/// Returns the JSON files of the skill, which its schemas may refer to, each as (URI, text).
pub(crate) fn documents(skill: Skill<'_>) -> Vec<(String, &str)> {
    let is_json = |path: &str| path.rsplit('.').next().is_some_and(|end| end.eq_ignore_ascii_case("json"));
    let files = skill.files().filter(|file| is_json(file.path()));
    files
        .filter_map(|file| {
            Some((format!("{BASE}{}", file.path()), file.text()?.trim_start_matches('\u{feff}')))
        })
        .collect()
}

/// Lowers the schema that stands in a file of the skill.
///
/// # Errors
/// The schema cannot be used; what is wrong with it is told where skills are checked.
pub(crate) fn tables(skill: Skill<'_>, (path, text): (&str, &str)) -> Result<Tables, String> {
    let documents = documents(skill);
    let documents: Vec<(&str, &str)> = documents.iter().map(|(uri, text)| (uri.as_str(), *text)).collect();
    let uri = format!("{BASE}{path}?input");
    let lowered = lower(text, &Options { uri: &uri, documents: &documents, ..Options::default() });
    if lowered.has_errors() {
        let name = skill.name();
        return Err(format!("error: skill \"{name}\": {path} is no schema, so no input can be checked"));
    }
    Ok(lowered.tables)
}
