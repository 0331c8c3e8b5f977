//! What a model names becomes a skill, one of its files, or the reason why there is neither; both tools ask here.

use skills_registry::{NotFound, Skill, leads_up, push_quoted};

/// How many values a name may have in the schema of its tool: an interface takes no more.
const MOST: usize = 500;
/// How many files are among them, at most.
const MOST_FILES: usize = 200;

/// The scheme of what is in the program only (SPEC 8.1).
const SCHEME: &str = "skill://";

/// The skills that a tool was made of, and a model may be shown: sorted by name, each name once.
#[derive(Clone, Debug, Default)]
pub(super) struct Offer<'a> {
    skills: Vec<Skill<'a>>,
}

/// What a model asked for.
#[derive(Debug)]
pub(super) enum Found<'a> {
    /// A skill: its instructions are wanted.
    Skill(Skill<'a>),
    /// The text of one of its files.
    Text(&'a str),
    /// No such skill.
    Unknown(NotFound),
    /// The skill, but nothing to show behind the path.
    Refused(Refused<'a>),
}

/// A path below a skill that cannot be shown.
#[derive(Debug)]
pub(super) struct Refused<'a> {
    pub(super) skill: &'a str,
    pub(super) path: String,
    pub(super) reason: Reason,
    /// The files there are, in order, or `none`.
    pub(super) resources: String,
}

/// Why a path cannot be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// There is no such file.
    Missing,
    /// The file is no text.
    Binary,
    /// The path leads upwards.
    Outside,
}

/// Tells whether a model may read a skill.
pub fn is_read(skill: &Skill<'_>) -> bool {
    skill.is_offered()
}

impl<'a> Offer<'a> {
    /// Takes the skills that a model may be shown; of two with one name the later.
    pub(super) fn new(skills: impl IntoIterator<Item = Skill<'a>>, grants: &dyn Fn(&str) -> bool) -> Self {
        let is_shown = |skill: &Skill<'a>| is_read(skill) && !skill.is_gated(grants);
        let mut skills: Vec<Skill<'a>> = skills.into_iter().filter(is_shown).collect();
        skills.reverse();
        skills.sort_by_key(|skill| skill.name());
        skills.dedup_by_key(|skill| skill.name());
        Self { skills }
    }

    pub(super) fn skills(&self) -> &[Skill<'a>] {
        &self.skills
    }

    /// Writes the JSON Schema of the arguments: the name is one of those there are, or of the files that nothing but this
    /// tool can read (SPEC 8.13). Over 500 skills no names stand there.
    pub(super) fn parameters(&self, description: &str) -> String {
        let mut out =
            String::from(r#"{"type":"object","properties":{"name":{"type":"string","description":"#);
        push_quoted(&mut out, description);
        let mut names: Vec<String> = self.skills.iter().map(|skill| skill.name().to_owned()).collect();
        if (1..=MOST).contains(&names.len()) {
            names.extend(self.files());
            out.push_str(r#","enum":["#);
            for (at, name) in names.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                push_quoted(&mut out, name);
            }
            out.push(']');
        }
        out.push_str(r#"}},"required":["name"]}"#);
        out
    }

    /// Names the texts of skills that are in the program only; none when they are too many.
    fn files(&self) -> Vec<String> {
        let bundled = self.skills.iter().filter(|skill| skill.is_bundled());
        let files = bundled.flat_map(|skill| skill.resources().map(move |file| (skill, file)));
        let texts = files.filter(|(_, file)| file.text().is_some_and(|text| !text.contains('\0')));
        let names: Vec<String> = texts
            .take(MOST_FILES + 1)
            .map(|(skill, file)| format!("{}/{}", skill.name(), file.path()))
            .collect();
        if names.len() > MOST_FILES || names.len() + self.skills.len() > MOST { Vec::new() } else { names }
    }

    /// Finds what is meant by `NAME`, `NAME/PATH`, or either behind `skill://`.
    pub(super) fn find(&self, wanted: &str) -> Found<'a> {
        if let Some(skill) = self.get(wanted) {
            return Found::Skill(skill);
        }
        let plain = wanted.strip_prefix(SCHEME).unwrap_or(wanted);
        let (name, path) = plain.split_once('/').unwrap_or((plain, ""));
        let Some(skill) = self.get(name) else {
            return Found::Unknown(NotFound::new(wanted, self.skills.iter().map(|skill| skill.name())));
        };
        let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        if parts.is_empty() {
            return Found::Skill(skill);
        }
        // Nothing is read from disk here, so this protects no file: it tells the model why.
        if leads_up(path) {
            return refuse(skill, path, Reason::Outside);
        }
        match skill.file(&parts.join("/")).map(|file| file.text().filter(|text| !text.contains('\0'))) {
            Some(Some(text)) => Found::Text(text),
            Some(None) => refuse(skill, path, Reason::Binary),
            None => refuse(skill, path, Reason::Missing),
        }
    }

    fn get(&self, name: &str) -> Option<Skill<'a>> {
        let at = self.skills.binary_search_by(|skill| skill.name().cmp(name)).ok()?;
        self.skills.get(at).copied()
    }
}

fn refuse<'a>(skill: Skill<'a>, path: &str, reason: Reason) -> Found<'a> {
    let paths: Vec<&str> = skill.resources().map(|file| file.path()).collect();
    let resources = if paths.is_empty() { "none".to_owned() } else { paths.join(", ") };
    Found::Refused(Refused { skill: skill.name(), path: path.to_owned(), reason, resources })
}

/// Names the files of a skill, as far as one answer should; nothing when there are none (SPEC 8.13).
pub(super) fn files(skill: Skill<'_>) -> Option<String> {
    let mut paths: Vec<&str> = skill.resources().take(MOST_FILES + 1).map(|file| file.path()).collect();
    let more = if paths.len() > MOST_FILES { ", and more" } else { "" };
    paths.truncate(MOST_FILES);
    (!paths.is_empty()).then(|| format!("{}{more}", paths.join(", ")))
}
