//! Checks that the commands of hooks in a frontmatter name existing scripts.

use super::super::claude::hook_commands;
use super::super::draft::SkillDraft;
use super::super::surroundings::{Surroundings, has};
use crate::link_paths::{DirectoryVariable, is_pattern, resolve, rooted};
use crate::rule::lints;
use crate::{Report, Span};

/// Checks the hooks of one skill.
pub(super) fn check(draft: &SkillDraft, around: &Surroundings<'_>, report: &mut Report) {
    let dir = &draft.skill.dir.path;
    for command in hook_commands(draft) {
        let text = command.as_string().unwrap_or_default();
        let variables = rooted(text);
        for found in &variables {
            let path = &text[found.start..found.end];
            let home = if found.variable == DirectoryVariable::PluginRoot {
                around.plugin(dir).unwrap_or(dir)
            } else {
                dir
            };
            if resolve(home, path).is_some_and(|place| !around.exists(&place)) {
                missing(path, command.span, report);
            }
        }
        if let Some(path) = script(text).filter(|_| variables.is_empty()) {
            // A command runs in the directory of the project, and authors also mean that of the skill.
            let above = dir.match_indices('/').map(|(at, _)| &dir[..at]).chain([""]);
            let mut places = above.filter_map(|above| resolve(above, path));
            let is_own = has(draft, path.trim_start_matches("./"));
            if !is_own && !places.any(|place| around.exists(&place)) {
                missing(path, command.span, report);
            }
        }
    }
}

/// Returns the relative path of the program in a command, which may follow an interpreter: `bash scripts/a.sh`.
fn script(command: &str) -> Option<&str> {
    let words = command.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
    let path = words.take(2).find(|word| word.contains('/'))?;
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_relative = !path.starts_with(['/', '~', '$', '-', '{']) && !path.contains([':', '=', '$', '`']);
    (is_relative && name.contains('.') && !is_pattern(path)).then_some(path)
}

fn missing(path: &str, command: Span, report: &mut Report) {
    lints::BROKEN_LINK
        .report_at(command, format!("the hook runs `{path}`, which does not exist"))
        .label("no such file")
        .help("correct the path, or add the file")
        .add_to(report);
}

#[cfg(test)]
mod tests {
    use super::script;

    // SPEC 2.20
    #[test]
    fn relative_scripts_are_found_in_commands() {
        for (command, path) in [
            ("./scripts/gone.sh", Some("./scripts/gone.sh")),
            ("python3 \"hooks/a.py\" --x", Some("hooks/a.py")),
            ("/usr/bin/env true", None),
            ("npx prettier --write src/a.ts", None),
            ("\"$CLAUDE_PROJECT_DIR\"/.claude/a.sh", None),
            ("make check", None),
        ] {
            assert_eq!(script(command), path, "{command}");
        }
    }
}
