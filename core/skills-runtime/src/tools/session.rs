//! The skills loaded in a conversation, so that no skill is sent twice.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use skills_registry::Skill;

use super::ToolText;

/// The skills that were sent in a conversation. An agent needs one session per conversation, and a new one
/// when it truncates the history.
///
/// ```
/// # use skills_registry::{Facts, CompiledFile, Layout, CompiledSkill, Registry, write};
/// # let text = "Read pages.";
/// # let files = vec![CompiledFile { path: "SKILL.md", bytes: text.as_bytes(), executable: false, sha256: [0; 32] }];
/// # let body = Some(0..text.len());
/// # let facts = Facts { name: "pdf".to_owned(), body, model_invocable: true, ..Facts::default() };
/// # let skills = Registry::new(write(&[CompiledSkill { files, ..facts.into() }], Layout::Joined, 8_000)?.into_tables());
/// use skills_runtime::tools::{LoadSkillTool, Session};
/// let (tool, mut session) = (LoadSkillTool::new(&skills), Session::default());
/// assert!(tool.call_in("pdf", &mut session).text.contains("Read pages."));
/// assert!(tool.call_in("pdf", &mut session).text.contains("loaded already"));
/// # Ok::<(), skills_registry::TooLarge>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// The hash of each skill's text in the conversation.
    loaded: BTreeMap<String, u64>,
    /// The functions that were found in the conversation.
    found: BTreeSet<String>,
}

impl Session {
    /// Records functions that were found. From now on they are tools of the conversation.
    pub fn finds(&mut self, names: impl IntoIterator<Item = String>) {
        self.found.extend(names);
    }

    /// Returns `true` if a function was found in the conversation.
    pub fn has_found(&self, name: &str) -> bool {
        self.found.contains(name)
    }

    /// Records that a skill is sent. If the conversation already contains exactly its current text, returns a
    /// short answer instead.
    pub(super) fn first(&mut self, skill: Skill<'_>) -> Option<ToolText> {
        let text = hash(skill);
        // A skill that has changed since then is sent again.
        let is_known = self.loaded.insert(skill.name().to_owned(), text) == Some(text);
        is_known.then(|| again(skill))
    }

    /// Records the answer to an earlier load from the history of the conversation. `now` is the current
    /// skill. If the history shows an older version, the current one is sent again.
    pub(super) fn replay(&mut self, skill: Skill<'_>, now: &ToolText, shown: &str) {
        if now.text == shown {
            self.loaded.insert(skill.name().to_owned(), hash(skill));
        } else if again(skill).text != shown {
            self.loaded.remove(skill.name());
        }
    }
}

/// Returns the short answer for a skill that was already sent.
fn again(skill: Skill<'_>) -> ToolText {
    let name = skill.name();
    ToolText::ok(format!(
        "Skill \"{name}\" was loaded already in this conversation; its instructions stand above."
    ))
}

fn hash(skill: Skill<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    skill.body().hash(&mut hasher);
    hasher.finish()
}
