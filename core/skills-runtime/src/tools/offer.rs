//! Finds the skill or file that a model names, or the reason why it cannot be shown. Used by both tools.

use skills_registry::{NotFound, SKILL_SCHEME, Skill, parse_skill_uri};
use skills_text::json::make::{array, object, string};
use skills_text::{leads_up, path_names};

/// The maximum number of values for the name in the tool's schema, which is the limit of some APIs.
const MAX_NAMES: usize = 500;
/// The maximum number of values that are files.
const MAX_FILES: usize = 200;

/// The skills of a tool that a model may see, sorted by name and without duplicates.
#[derive(Clone, Debug, Default)]
pub(super) struct Offer<'a> {
    skills: Vec<Skill<'a>>,
}

/// The result of a request.
#[derive(Debug)]
pub(super) enum Offered<'a> {
    /// A skill: return its instructions.
    Skill(Skill<'a>),
    /// The text of one of its files.
    Text(Skill<'a>, &'a str),
    /// A file of a server that could not be read: the reason.
    Unread(&'a str),
    /// The skill does not exist.
    Unknown(NotFound),
    /// The skill exists, but the path cannot be shown.
    Refused(Refused<'a>),
}

/// A path below a skill that cannot be shown.
#[derive(Debug)]
pub(super) struct Refused<'a> {
    pub(super) skill: &'a str,
    pub(super) path: String,
    pub(super) reason: Reason,
    /// The available files, in order, or `none`.
    pub(super) resources: String,
}

/// The reason why a path cannot be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The file does not exist.
    Missing,
    /// The file is not text.
    Binary,
    /// The path leads out of the skill.
    Outside,
}

impl<'a> Offer<'a> {
    /// Selects the skills that a model may see. If two have the same name, the later one is used.
    pub(super) fn new(skills: impl IntoIterator<Item = Skill<'a>>, grants: &dyn Fn(&str) -> bool) -> Self {
        let is_shown = |skill: &Skill<'a>| skill.is_offered() && !skill.is_gated(grants);
        let mut skills: Vec<Skill<'a>> = skills.into_iter().filter(is_shown).collect();
        skills.reverse();
        skills.sort_by_key(|skill| skill.name());
        skills.dedup_by_key(|skill| skill.name());
        Self { skills }
    }

    pub(super) fn skills(&self) -> &[Skill<'a>] {
        &self.skills
    }

    /// Writes the JSON Schema of the arguments: the name is one of the skills, or of the files that only this
    /// tool can read. With more than 500 skills, the names are left out.
    pub(super) fn parameters(&self, description: &str) -> String {
        let mut members = vec![("type", string("string")), ("description", string(description))];
        let mut names: Vec<String> = self.skills.iter().map(|skill| skill.name().to_owned()).collect();
        if (1..=MAX_NAMES).contains(&names.len()) {
            names.extend(self.files());
            members.push(("enum", array(names.into_iter().map(string))));
        }
        let properties = object([("name", object(members))]);
        let required = array([string("name")]);
        object([("type", string("object")), ("properties", properties), ("required", required)]).one_line()
    }

    /// Lists the text files of skills that are only in the program. Empty if there are too many.
    fn files(&self) -> Vec<String> {
        let bundled = self.skills.iter().filter(|skill| skill.is_bundled() && !skill.is_remote());
        let files = bundled.flat_map(|skill| skill.resources().map(move |file| (skill, file)));
        let texts = files.filter(|(_, file)| file.text().is_some_and(|text| !text.contains('\0')));
        let names: Vec<String> = texts
            .take(MAX_FILES + 1)
            .map(|(skill, file)| format!("{}/{}", skill.name(), file.path()))
            .collect();
        if names.len() > MAX_FILES || names.len() + self.skills.len() > MAX_NAMES {
            Vec::new()
        } else {
            names
        }
    }

    /// Finds the meaning of `NAME`, of `NAME/PATH`, and of a `skill://` URI, whose characters may be
    /// percent-encoded or not.
    pub(super) fn find(&self, wanted: &str) -> Offered<'a> {
        if let Some(skill) = self.get(wanted) {
            return document_fault(skill).map_or(Offered::Skill(skill), Offered::Unread);
        }
        let uri = parse_skill_uri(wanted);
        let plain = wanted.strip_prefix(SKILL_SCHEME).unwrap_or(wanted);
        let (name, path) = match &uri {
            Some((name, path)) => (name.as_str(), path.as_str()),
            None => plain.split_once('/').unwrap_or((plain, "")),
        };
        let Some(skill) = self.get(name) else {
            return Offered::Unknown(NotFound::new(wanted, self.skills.iter().map(|skill| skill.name())));
        };
        if let Some(reason) = document_fault(skill) {
            return Offered::Unread(reason);
        }
        let parts = path_names(path);
        if parts.is_empty() {
            return Offered::Skill(skill);
        }
        // Nothing is read from disk here, so this check is not for protection: it gives the model the reason.
        if leads_up(path) {
            return refuse(skill, path, Reason::Outside);
        }
        let file = skill.file(&parts.join("/"));
        if let Some(reason) = file.and_then(|file| file.fault()) {
            return Offered::Unread(reason);
        }
        match file.map(|file| file.text().filter(|text| !text.contains('\0'))) {
            Some(Some(text)) => Offered::Text(skill, text),
            Some(None) => refuse(skill, path, Reason::Binary),
            None => refuse(skill, path, Reason::Missing),
        }
    }

    fn get(&self, name: &str) -> Option<Skill<'a>> {
        let at = self.skills.binary_search_by(|skill| skill.name().cmp(name)).ok()?;
        self.skills.get(at).copied()
    }
}

/// Returns the reason if the document of a skill of a server could not be read, or is not the approved one. Then
/// neither the skill nor another file of it is loaded.
fn document_fault(skill: Skill<'_>) -> Option<&str> {
    skill.file("SKILL.md").and_then(|file| file.fault())
}

fn refuse<'a>(skill: Skill<'a>, path: &str, reason: Reason) -> Offered<'a> {
    let paths: Vec<&str> = skill.resources().map(|file| file.path()).collect();
    let resources = if paths.is_empty() { "none".to_owned() } else { paths.join(", ") };
    Offered::Refused(Refused { skill: skill.name(), path: path.to_owned(), reason, resources })
}

/// Lists the files of a skill, up to the limit for one answer. Returns `None` for an empty list.
pub(super) fn files(skill: Skill<'_>) -> Option<String> {
    let mut paths: Vec<&str> = skill.resources().take(MAX_FILES + 1).map(|file| file.path()).collect();
    let more = if paths.len() > MAX_FILES { ", and more" } else { "" };
    paths.truncate(MAX_FILES);
    (!paths.is_empty()).then(|| format!("{}{more}", paths.join(", ")))
}
