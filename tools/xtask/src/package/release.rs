//! Shows what a release would do: its version, its notes, and the packages.

use std::fs;
use std::process::Command;

use super::{Crate, manifest, pack, published};
use crate::command::{self, stdout_of};
use crate::workspace::Workspace;

/// Checks everything that a registry would refuse, and prints the steps of a release. Publishes nothing.
pub(crate) fn dry_run() -> Result<(), String> {
    manifest::manifests()?;
    let crates = published(&Workspace::read()?)?;
    let version = one_version(&crates)?;
    let changelog = fs::read_to_string("CHANGELOG.md").map_err(command::at("CHANGELOG.md".as_ref()))?;
    let notes = notes(&changelog, version)?;
    let tag = format!("v{version}");
    if !stdout_of(Command::new("git").args(["tag", "--list", &tag]))?.trim().is_empty() {
        return Err(format!("the tag `{tag}` exists already: raise `version` in Cargo.toml"));
    }
    let packed = pack(&crates, &Workspace::target()?)?;

    println!("\nversion {version}, with these notes:\n\n{notes}\n");
    println!("{} packages:\n", crates.len());
    for krate in &crates {
        let file = packed.join(format!("{}.crate", krate.stem()));
        let bytes = fs::metadata(&file).map_err(command::at(&file))?.len();
        println!("  {:24} {:>5} KiB", krate.name, bytes.div_ceil(1024));
    }
    // Cargo publishes each package after the packages that it needs.
    println!(
        "\nthe steps:\n\n  cargo xtask ci\n  cargo xtask package\n  cargo xtask dist --check\n  git tag {tag}\n  \
         cargo publish --workspace"
    );
    let changed = stdout_of(Command::new("git").args(["status", "--porcelain"]))?;
    if !changed.trim().is_empty() {
        println!("\nnote: these changes are not committed:\n{}", changed.trim_end());
    }
    Ok(())
}

/// Returns the version of all crates, which are released together.
fn one_version(crates: &[Crate]) -> Result<&str, String> {
    let first = crates.first().ok_or("no crate is published")?;
    match crates.iter().find(|krate| krate.version != first.version) {
        None => Ok(&first.version),
        Some(other) => Err(format!(
            "`{}` has version {}, and `{}` has {}",
            first.name, first.version, other.name, other.version
        )),
    }
}

/// Returns the text below the heading of a version, which must be the first heading.
fn notes<'t>(changelog: &'t str, version: &str) -> Result<&'t str, String> {
    let (_, rest) = changelog.split_once("\n## ").unwrap_or_default();
    let (heading, rest) = rest.split_once('\n').unwrap_or((rest, ""));
    if heading.split(' ').next() != Some(version) {
        return Err(format!(
            "the first heading of CHANGELOG.md is `## {heading}` in place of `## {version}`"
        ));
    }
    let notes = rest.split("\n## ").next().unwrap_or_default().trim();
    if notes.is_empty() { Err(format!("CHANGELOG.md has no notes for {version}")) } else { Ok(notes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn krate(name: &str) -> Crate {
        Crate { name: name.to_owned(), version: "0.1.0".to_owned(), manifest: String::new(), is_macro: false }
    }

    // SPEC 18.12
    #[test]
    fn the_notes_are_those_of_the_version() {
        let changelog = "# Changelog\n\nAll.\n\n## 0.2.0 (2026-01-01)\n\n- New.\n\n### More\n\n- x\n\n## 0.1.0\n\n- Old.\n";
        assert_eq!(notes(changelog, "0.2.0").unwrap(), "- New.\n\n### More\n\n- x");
        assert!(
            notes(changelog, "0.1.0").unwrap_err().contains("`## 0.2.0 (2026-01-01)` in place of `## 0.1.0`")
        );
        assert!(notes("# Changelog\n\n## 0.1.0\n", "0.1.0").unwrap_err().contains("no notes"));
        assert!(notes("", "0.1.0").is_err());
    }

    // SPEC 18.12
    #[test]
    fn all_crates_have_one_version() {
        let mut crates = ["a", "b"].map(krate);
        assert_eq!(one_version(&crates), Ok("0.1.0"));
        crates[1].version = "0.2.0".to_owned();
        assert_eq!(one_version(&crates).unwrap_err(), "`a` has version 0.1.0, and `b` has 0.2.0");
    }
}
