//! `list`: prints skills as a table or as JSON.

use std::process::ExitCode;

use clap::Args;
use skills_registry::Skill;
use skills_runtime::listing::listing;
use skills_text::visible;
use unicode_width::UnicodeWidthChar;

use crate::filter::Wanted;
use crate::skill_source::{SkillEntry, SkillSource};
use crate::terminal;

#[derive(Debug, Args)]
pub struct List {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Also list skills that lack a required capability, that another skill of the same name hides, or that are tagged
    /// `internal`
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    wanted: Wanted,
}

impl List {
    /// Lists the skills.
    pub fn run(&self, skill_source: &dyn SkillSource) -> ExitCode {
        let filter = self.wanted.filter();
        let mut items = skill_source.all();
        if self.all {
            items.extend(skill_source.shadowed());
            // The sort is stable, so a hidden skill follows the skill that hides it.
            items.sort_by(|a, b| a.skill.name().cmp(b.skill.name()));
        }
        items.retain(|item| filter.matches(item.skill));
        if !self.all {
            let (listed, others): (Vec<_>, Vec<_>) = items.into_iter().partition(is_listed);
            tell_left_out(&others);
            items = listed;
        }
        if self.json {
            return terminal::json(&format!(
                "{}\n",
                listing(items.iter().map(|item| skill_source.listed(item)))
            ));
        }
        terminal::text(&table(&items, terminal::columns()))
    }
}

/// Says once which skills the list leaves out, and why.
fn tell_left_out(others: &[SkillEntry<'_>]) {
    let reasons = [("they require a refused capability", true), ("they are internal", false)];
    for (reason, gated) in reasons {
        let names: Vec<String> = others
            .iter()
            .filter(|item| item.gated == gated)
            .map(|item| format!("`{}`", visible(item.skill.name())))
            .collect();
        if !names.is_empty() {
            let names = names.join(", ");
            terminal::line(&format!("note: not listed, because {reason}: {names}; `--all` lists all skills"));
        }
    }
}

/// Returns `true` if a skill is listed without `--all`: no capability of it is refused, and it is not
/// internal.
pub fn is_listed(item: &SkillEntry<'_>) -> bool {
    !item.gated && !item.skill.is_internal()
}

/// Writes a line for each skill, and cuts it to `columns` if that is set.
fn table(items: &[SkillEntry<'_>], columns: Option<usize>) -> String {
    let width = |text: fn(Skill<'_>) -> &str| {
        items.iter().map(|item| visible(text(item.skill)).chars().count()).max().unwrap_or(0)
    };
    let (names, versions) = (width(|skill| skill.name()), width(|skill| skill.version()));
    let mut out = String::new();
    for item in items {
        let skill = item.skill;
        let gated = if item.gated { "[gated] " } else { "" };
        let untrusted = if item.is_untrusted { "[untrusted] " } else { "" };
        let hidden = item.shadowed_by.as_ref().map(|winner| format!("[hidden by {}] ", visible(winner)));
        let origin = item.origin.as_ref().map(|origin| format!("[from {}] ", visible(&origin.source)));
        let missing = item.missing_programs().join(", ");
        let missing = if missing.is_empty() { missing } else { format!("[needs {}] ", visible(&missing)) };
        let description = skill.description().split_whitespace().collect::<Vec<_>>().join(" ");
        // A skill on disk must not send control characters to the terminal.
        let line = format!(
            "{:names$}  {:versions$}  tier {}  {gated}{untrusted}{}{}{missing}{}",
            visible(skill.name()),
            visible(skill.version()),
            skill.tier(),
            hidden.unwrap_or_default(),
            origin.unwrap_or_default(),
            visible(&description)
        );
        out.push_str(&columns.map_or_else(|| line.clone(), |columns| fit(&line, columns)));
        out.push('\n');
    }
    out
}

/// Cuts a line to the columns of a terminal and marks the cut with `…`.
fn fit(line: &str, columns: usize) -> String {
    let width = |c: char| c.width().unwrap_or(0);
    if line.chars().map(width).sum::<usize>() <= columns {
        return line.to_owned();
    }
    // One column is reserved for the `…`.
    let mut left = columns.saturating_sub(1);
    let is_in = |c: &char| left.checked_sub(width(*c)).map(|rest| left = rest).is_some();
    let head: String = line.chars().take_while(is_in).collect();
    format!("{}…", head.trim_end())
}

#[cfg(test)]
mod tests {
    use super::fit;

    // SPEC 11.15
    #[test]
    fn a_line_is_cut_to_columns_not_to_characters() {
        assert_eq!(fit("abcdef", 6), "abcdef");
        assert_eq!(fit("abcdef", 5), "abcd…");
        assert_eq!(fit("abc def", 5), "abc…", "no blank before the mark");
        assert_eq!(fit("读写读写", 8), "读写读写");
        assert_eq!(fit("读写读写", 7), "读写读…");
        assert_eq!(fit("读写读写", 6), "读写…", "half a character is none");
        assert_eq!(fit("e\u{301}e\u{301}e\u{301}", 3), "e\u{301}e\u{301}e\u{301}", "marks take no column");
        assert_eq!((fit("ab", 1), fit("ab", 0)), ("…".to_owned(), "…".to_owned()));
    }
}
