//! Compares the public API with the API of the last tag, so that a compatible version breaks nothing.

use std::path::Path;
use std::process::Command;

use super::Crate;
use crate::command::stdout_of;
use crate::tools::tool;

/// The command that compares APIs.
const COMMAND: &str = "cargo-semver-checks";

/// Compares all crates that exist in the last tag, if there is a tag and the command is available.
pub(super) fn compare(crates: &[Crate]) -> Result<(), String> {
    let Some(tag) = tag() else {
        println!("not compared with the last version: there is no tag yet");
        return Ok(());
    };
    let Some(program) = tool(COMMAND, &[]) else {
        println!("not compared with {tag}: `{COMMAND}` is not installed");
        return Ok(());
    };
    against(crates, &tag, &program)
}

/// Compares each crate that exists in a tag.
fn against(crates: &[Crate], tag: &str, program: &Path) -> Result<(), String> {
    // The command does not support macro crates.
    for krate in crates.iter().filter(|krate| !krate.is_macro) {
        if !was_there(krate, tag) {
            println!("{}: new since {tag}", krate.name);
            continue;
        }
        println!("{COMMAND} --package {} --baseline-rev {tag}", krate.name);
        // Called as cargo would call it.
        let mut check = Command::new(program);
        check.args(["semver-checks", "--package", &krate.name, "--baseline-rev", tag]);
        stdout_of(&mut check)
            .map_err(|printed| format!("`{}` breaks what {tag} promised:\n{printed}", krate.name))?;
    }
    println!("no public item breaks what {tag} promised");
    Ok(())
}

/// Returns the last tag before this commit.
fn tag() -> Option<String> {
    let tag = stdout_of(Command::new("git").args(["describe", "--tags", "--abbrev=0"])).ok()?;
    Some(tag.trim().to_owned()).filter(|tag| !tag.is_empty())
}

/// Returns `true` if the tag has a crate with the same name.
fn was_there(krate: &Crate, tag: &str) -> bool {
    let root = std::env::current_dir().unwrap_or_default();
    let manifest = Path::new(&krate.manifest).strip_prefix(root).unwrap_or(Path::new(&krate.manifest));
    let shown = stdout_of(Command::new("git").arg("show").arg(format!("{tag}:{}", manifest.display())));
    shown.is_ok_and(|text| text.contains(&format!("\nname = \"{}\"", krate.name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn krate(name: &str) -> Crate {
        let manifest = "core/skills-core/Cargo.toml".to_owned();
        Crate { name: name.to_owned(), version: String::new(), manifest, is_macro: false }
    }

    /// Returns `true` if the tests are in a git repository, not only in a copy of the files.
    fn has_history() -> bool {
        Command::new("git").args(["rev-parse", "HEAD"]).output().is_ok_and(|run| run.status.success())
    }

    // SPEC 18.12: a crate that is missing at the tag is not compared
    #[test]
    fn a_crate_is_found_by_its_name() {
        if has_history() {
            assert!(was_there(&krate("skills-core"), "HEAD"));
            assert!(!was_there(&krate("skills-other"), "HEAD"));
            assert!(!was_there(&krate("skills-core"), "no-tag"));
        }
    }

    // SPEC 18.12: the first crate with a breaking change is named
    #[cfg(unix)]
    #[test]
    fn a_breaking_change_ends_the_run() {
        let crates = [krate("skills-new"), krate("skills-core")];
        let check = |program: &str| against(&crates, "HEAD", Path::new(program));
        assert_eq!(check("true"), Ok(()));
        if has_history() {
            let broken = check("false").expect_err("it breaks");
            assert!(broken.starts_with("`skills-core` breaks what HEAD promised"), "{broken}");
            let crates = [Crate { is_macro: true, ..krate("skills-core") }];
            assert_eq!(against(&crates, "HEAD", Path::new("false")), Ok(()));
        }
    }
}
