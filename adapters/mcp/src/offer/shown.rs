//! A skill with its URI, and the `SKILL.md` in the form that clients may compare (SEP-2640).

use skills_call::Published;
use skills_call::{Library, Runner};
use skills_registry::{MAX_BYTES, MAX_FILES, Resource as File, Skill, parse_skill_uri, skill_uri};

const DOCUMENT: &str = "SKILL.md";

/// A skill with a `SKILL.md`.
pub(crate) struct ProseSkill<'a> {
    pub(crate) skill: Skill<'a>,
    /// The published form. `None` if the skill has no name or description that is valid in the standard.
    published: Option<Published<'a>>,
}

/// A file in the form in which it is sent.
pub(crate) struct Sent<'s> {
    pub(crate) bytes: &'s [u8],
    pub(crate) sha256: [u8; 32],
}

impl<'a> ProseSkill<'a> {
    /// Prepares a skill. Returns `None` if it has no `SKILL.md`.
    pub(crate) fn of(library: &'a dyn Library, skill: Skill<'a>) -> Option<Self> {
        skill.has_document().then(|| Self { skill, published: Published::of(library, skill) })
    }

    /// Finds the skill of a URI, and the path below the skill.
    pub(crate) fn find(runner: &'a Runner, uri: &str) -> Option<(Self, String)> {
        let (name, path) = parse_skill_uri(uri)?;
        let library = runner.skills();
        let shown = Self::of(library, Published::named(library, &name)?)?;
        // Each file has only one URI.
        (shown.name() == name).then_some((shown, path))
    }

    /// Returns the name in the URI.
    pub(crate) fn name(&self) -> &str {
        self.published.as_ref().map_or(self.skill.name(), Published::name)
    }

    /// Returns the published form, if every client of the extension can load the skill.
    pub(crate) fn entry(&self) -> Option<&Published<'a>> {
        let mut files = 0;
        let mut bytes = 0_u64;
        for file in self.skill.files() {
            files += 1;
            bytes = bytes.saturating_add(self.size(file));
        }
        self.published.as_ref().filter(|_| files <= MAX_FILES && bytes <= MAX_BYTES)
    }

    pub(crate) fn address(&self, path: &str) -> String {
        skill_uri(self.name(), path)
    }

    /// Returns a file in the form in which it is sent. Only `SKILL.md` may differ from the original.
    pub(crate) fn sent<'s>(&'s self, file: File<'s>) -> Sent<'s> {
        match &self.published {
            Some(published) if file.path() == DOCUMENT => {
                Sent { bytes: published.bytes(), sha256: published.sha256() }
            }
            _ => Sent { bytes: file.bytes(), sha256: *file.sha256() },
        }
    }

    /// Returns the size of a file as it is sent.
    pub(crate) fn size(&self, file: File<'_>) -> u64 {
        let bytes = match &self.published {
            Some(published) if file.path() == DOCUMENT => published.bytes(),
            _ => file.bytes(),
        };
        u64::try_from(bytes.len()).unwrap_or(u64::MAX)
    }
}
