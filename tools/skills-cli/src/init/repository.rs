//! Sets up checks in a repository that is not a Cargo package: a configuration, a hook and a workflow.

use std::path::Path;

use skills_commands::failure::CommandError;
use skills_sources::{Project, Source};

use super::changes::SetupChanges;
use super::manifest::CrateOrigin;

const CONFIG: &str = "\
# The rules of `skills check` for the skills of this repository; `skills explain` lists all rules.

[rules]
# long-body = \"allow\"

# Size limits, and paths that are not read:
# skill-cap = 1048576
# exclude = [\"vendor/\"]
";

const HOOKS: &str = ".pre-commit-config.yaml";
const WORKFLOW: &str = ".github/workflows/skills.yml";

/// Adds the missing files and entries.
pub(super) fn change(changes: &mut SetupChanges, origin: Option<&CrateOrigin>) -> Result<(), CommandError> {
    changes.create("skills.toml", CONFIG);
    let fresh = format!("repos:\n{}", hook("  "));
    let by_hand = format!("add this to its `repos`:\n{}", hook("  "));
    changes.edit(HOOKS, "skills check", fresh, with_hook, &by_hand)?;
    match origin {
        _ if changes.is_there(WORKFLOW) => {}
        Some(CrateOrigin::Git { url, .. }) if url.starts_with("file:") => changes.add_note(format!(
            "{WORKFLOW} was left out: a machine that runs it does not have {url}; pass `--git URL` to name its repository"
        )),
        // A tag or a branch can be moved to another commit, which nobody has seen.
        Some(CrateOrigin::Git { url, rev }) => match commit(url, rev.as_deref()) {
            Ok(commit) => changes.create(WORKFLOW, workflow(&format!("--git {url} --rev {commit}"))),
            Err(error) => changes.add_note(format!(
                "{WORKFLOW} was left out, because it names the commit of the command, and that is not known ({error}); pass \
                 `--rev COMMIT`"
            )),
        },
        Some(CrateOrigin::Registry) => {
            changes.create(WORKFLOW, workflow(concat!("--version =", env!("CARGO_PKG_VERSION"))));
        }
        // The CI machine does not have that directory, and anyone could register a name that is not yet
        // registered.
        Some(CrateOrigin::Path(_)) | None => changes.add_note(format!(
            "{WORKFLOW} was left out: the command is not in a registry yet; pass `--git URL` to name its repository"
        )),
    }
    Ok(())
}

/// Returns the commit of a repository that a revision names now.
fn commit(url: &str, rev: Option<&str>) -> Result<String, CommandError> {
    if let Some(rev) = rev.filter(|rev| is_commit(rev)) {
        return Ok(rev.to_owned());
    }
    let source = Source::Git { url: url.to_owned(), rev: rev.map(str::to_owned), path: None };
    let here = Project::open(Path::new(".")).map_err(CommandError::new)?;
    let found = skills_sources::current(&source, &here).map_err(CommandError::new)?;
    found.filter(|found| is_commit(found)).ok_or("the repository has no such commit".into())
}

fn is_commit(rev: &str) -> bool {
    rev.len() == 40 && rev.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns a hook that runs the installed command.
fn hook(indent: &str) -> String {
    let lines = [
        "- repo: local",
        "  hooks:",
        "    - id: skills-check",
        "      name: skills check",
        "      entry: skills check .",
        "      language: system",
        "      pass_filenames: false",
    ];
    lines.iter().map(|line| format!("{indent}{line}\n")).collect()
}

/// Adds the hook as the first entry of `repos`, with the indentation of the existing entries.
fn with_hook(text: &str) -> Option<String> {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        let code = line.split('#').next().unwrap_or_default().trim_end();
        if code == "repos:" && line.ends_with('\n') {
            let rest = text.get(end..)?;
            let first =
                rest.lines().find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
            let indent = match first {
                Some(line) if line.trim_start().starts_with("- ") => line.split('-').next()?,
                Some(line) if line.starts_with(' ') => return None,
                _ => "  ",
            };
            let hook = hook(indent);
            let hook = if text.contains("\r\n") { hook.replace('\n', "\r\n") } else { hook };
            return Some(format!("{}{hook}{rest}", text.get(..end)?));
        }
    }
    None
}

/// Returns a workflow that checks every change with a command built from the given origin. The build runs
/// outside of the repository: cargo would read a configuration in the directory in which it runs, and would
/// run the compiler that this configuration names.
fn workflow(from: &str) -> String {
    format!(
        "name: skills

on:
  push:
  pull_request:

permissions:
  contents: read

jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      # The command is built before the checkout and outside of it, so that the repository cannot affect the build.
      - run: cargo install cargo-skills --locked --no-default-features {from}
        working-directory: ${{{{ runner.temp }}}}
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false
      - run: skills check . --format github
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 18.4: existing hooks stay, with their indentation
    #[test]
    fn the_hook_joins_others() {
        let edited = with_hook("# all\nrepos: # here\n- repo: x\n  hooks: []\n").unwrap();
        assert!(
            edited.starts_with("# all\nrepos: # here\n- repo: local\n  hooks:\n    - id: skills-check\n"),
            "{edited}"
        );
        assert!(edited.ends_with("      pass_filenames: false\n- repo: x\n  hooks: []\n"), "{edited}");
        assert!(
            with_hook("repos:\n  - repo: x\n").unwrap().starts_with("repos:\n  - repo: local\n    hooks:\n")
        );
        assert_eq!(with_hook("repos: []\n"), None);
        assert_eq!(with_hook("fail_fast: true\n"), None);
    }
}
