//! Finds the skills whose trigger keywords occur in a message, and the MCP servers of these skills.

use std::ffi::OsStr;

use crate::available::search_path;
use crate::servers::McpServer;
use crate::skill::Skill;
use skills_text::{fold, sort};

/// Options for triggering skills. Only skills whose programs are installed and whose capabilities are granted
/// are triggered.
///
/// ```
/// use skills_registry::{Declared, Facts, Layout, Registry, Triggers, write};
/// let declared = Declared { trigger: Some("browse|web page".to_owned()), ..Declared::default() };
/// let facts = Facts { name: "browser".to_owned(), declared, ..Facts::default() };
/// let registry = Registry::new(write(&[facts.into()], Layout::Joined, 8_000)?.into_tables());
/// let called = |message| Triggers::new().skills(&registry, message).len();
/// assert_eq!(called("Browse the news!"), 1);
/// assert_eq!(called("I am browsing"), 0);
/// # Ok::<(), skills_registry::TooLarge>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct Triggers<'h> {
    grants: Option<&'h dyn Fn(&str) -> bool>,
    path: Option<&'h OsStr>,
}

impl<'h> Triggers<'h> {
    /// Creates options that search `PATH` of this process and grant no capability.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the capabilities of the host: `grants` is called with `x` for an entry `cap:x`. By default none
    /// is granted.
    pub fn grant(self, grants: &'h dyn Fn(&str) -> bool) -> Self {
        Self { grants: Some(grants), ..self }
    }

    /// Sets the directories to search for required programs (default: `PATH` of this process).
    pub fn path(self, path: &'h OsStr) -> Self {
        Self { path: Some(path), ..self }
    }

    /// Returns the skills that a message triggers, sorted by name.
    ///
    /// A trigger is a list of keywords separated by `|`. A keyword matches a whole word, ignoring letter
    /// case: no letter or digit is directly before or after it. A keyword with a space or a CJK character
    /// matches anywhere. A CJK character next to a keyword does not count as part of its word.
    pub fn skills<'a>(&self, skills: impl IntoIterator<Item = Skill<'a>>, message: &str) -> Vec<Skill<'a>> {
        let message = fold(message);
        self.usable(skills, |skill| skill.trigger().is_some_and(|trigger| fires(trigger, &message)))
    }

    /// Returns the MCP servers of the skills that a message triggers. If two have the same name, the first
    /// counts.
    pub fn servers<'a>(
        &self,
        skills: impl IntoIterator<Item = Skill<'a>>,
        message: &str,
    ) -> Vec<McpServer<'a>> {
        servers(&self.skills(skills, message))
    }

    /// Returns the MCP servers of all skills, whatever their triggers. If two have the same name, the first
    /// counts.
    pub fn all_servers<'a>(&self, skills: impl IntoIterator<Item = Skill<'a>>) -> Vec<McpServer<'a>> {
        servers(&self.usable(skills, |_| true))
    }

    /// Returns `true` if a message contains a keyword of a trigger, by the rules of [`Triggers::skills`].
    ///
    /// ```
    /// use skills_registry::Triggers;
    /// assert!(Triggers::fires("browse|web page", "Browse the news!"));
    /// assert!(!Triggers::fires("browse|web page", "I am browsing"));
    /// ```
    pub fn fires(trigger: &str, message: &str) -> bool {
        fires(trigger, &fold(message))
    }

    fn usable<'a>(
        &self,
        skills: impl IntoIterator<Item = Skill<'a>>,
        is_wanted: impl Fn(Skill<'a>) -> bool,
    ) -> Vec<Skill<'a>> {
        let path = search_path(self.path);
        let grants: &dyn Fn(&str) -> bool = self.grants.unwrap_or(&|_| false);
        let mut usable = Vec::new();
        for skill in skills {
            // The disk is accessed last.
            if is_wanted(skill) && !skill.is_gated(grants) && skill.is_available(&path) {
                usable.push(skill);
            }
        }
        sort(&mut usable, &|a, b| a.name().cmp(b.name()));
        usable
    }
}

impl std::fmt::Debug for Triggers<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Triggers").field("path", &self.path).finish_non_exhaustive()
    }
}

fn servers<'a>(skills: &[Skill<'a>]) -> Vec<McpServer<'a>> {
    let mut servers: Vec<McpServer<'a>> = Vec::new();
    for skill in skills {
        for server in skill.mcp_servers() {
            if servers.iter().all(|known| known.name() != server.name()) {
                servers.push(server);
            }
        }
    }
    servers
}

/// Returns `true` if a keyword of a trigger occurs in a folded message.
fn fires(trigger: &str, message: &str) -> bool {
    let keywords = trigger.split('|').map(str::trim).filter(|keyword| !keyword.is_empty()).map(fold);
    keywords.into_iter().any(|keyword| {
        if keyword.contains(|c: char| c.is_whitespace() || is_cjk(c)) {
            message.contains(&keyword)
        } else {
            stands_alone(&keyword, message)
        }
    })
}

/// Returns `true` if a keyword is in a message with no letter or digit directly before or after it.
fn stands_alone(keyword: &str, message: &str) -> bool {
    // After a failed match, the search continues one character later, since the keyword may begin again inside that
    // match. If the keyword is a single word, such a second match could not be a whole word, so the match is skipped.
    let first = keyword.chars().next().map_or(1, char::len_utf8);
    let step = if keyword.chars().all(is_word_character) { keyword.len() } else { first };
    let mut from = 0;
    while let Some(found) = message.get(from..).and_then(|rest| rest.find(keyword)) {
        let at = from + found;
        let before = message[..at].chars().next_back();
        let after = message[at + keyword.len()..].chars().next();
        if !before.is_some_and(is_word_character) && !after.is_some_and(is_word_character) {
            return true;
        }
        from = at + step;
    }
    false
}

/// Returns `true` if a character next to a keyword makes both one word.
fn is_word_character(character: char) -> bool {
    character.is_alphanumeric() && !is_cjk(character)
}

/// Returns `true` if a character belongs to a script that writes words without spaces: Han, kana, Hangul,
/// Bopomofo.
fn is_cjk(character: char) -> bool {
    matches!(
        u32::from(character),
        0x1100..=0x11FF
            | 0x2E80..=0x2FDF
            | 0x3005..=0x3007
            | 0x3021..=0x302F
            | 0x3031..=0x303C
            | 0x3041..=0x31FF
            | 0x3400..=0x4DBF
            | 0x4E00..=0x9FFF
            | 0xA960..=0xA97F
            | 0xAC00..=0xD7FF
            | 0xF900..=0xFAFF
            | 0xFF66..=0xFFDC
            | 0x1AFF0..=0x1B16F
            | 0x20000..=0x3FFFF
    )
}

#[cfg(test)]
mod tests {
    use super::{fires, fold};

    fn fired(trigger: &str, message: &str) -> bool {
        fires(trigger, &fold(message))
    }

    // SPEC 8.4
    #[test]
    fn a_keyword_matches_whole_words() {
        for message in ["site", "the SITE.", "(site)", "my_site", "site-map", "Site\n", "a site, b", "“site”"]
        {
            assert!(fired(" browse | site ", message), "{message}");
        }
        for message in ["composite", "sites", "website", "site2", "2site", "sité", "", "si te", "ésite"] {
            assert!(!fired("browse|site", message), "{message}");
        }
        assert!(fired("Straße", "STRAßE"));
        assert!(fired("λόγος", "ΛΌΓΟΣ"));
        assert!(fired("c++", "I like C++!") && !fired("c++", "abc++"));
        assert!(fired("a-a", "xa-a-a"), "a hit may overlap one that failed");
        assert!(fired("site", "composite site"), "a match inside a word does not hide the next match");
    }

    // SPEC 8.4
    #[test]
    fn blanks_and_cjk_match_anywhere() {
        assert!(fired("web page", "two Web Pages"));
        assert!(!fired("web page", "webpage"));
        assert!(fired("天气|weather", "今天天气怎么样"));
        assert!(fired("pdf报告", "生成PDF报告吧"));
        assert!(fired("ブラウザ", "ブラウザーを開く"));
        assert!(fired("날씨", "오늘날씨는"));
        assert!(fired("pdf", "打开pdf文件"), "Han characters are not part of a Latin word");
        assert!(!fired("pdf", "打开pdfs文件"));
    }

    // SPEC 8.4, 12.1
    #[test]
    fn empty_and_odd_triggers_never_fire() {
        for trigger in ["", "|", " | |", "\u{0}", "\t"] {
            assert!(!fired(trigger, "anything at all"), "{trigger:?}");
        }
        assert!(!fired(&"a".repeat(100_000), &"a".repeat(1_000)));
        assert!(!fired("a", &"aa".repeat(100_000)));
        assert!(!fired(&"a".repeat(50_000), &"a".repeat(1_000_001)));
    }
}
