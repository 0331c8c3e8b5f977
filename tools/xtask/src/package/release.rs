//! Shows what a release would do: its version, its notes, and the packages in the order in which they are published.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use skills_schema::json::Node;

use super::{Crate, manifest, pack, published};
use crate::command::{self, stdout_of};
use crate::workspace::{Workspace, text};

/// Checks everything that a registry would refuse, and prints the steps of a release. Publishes nothing.
pub(crate) fn dry_run() -> Result<(), String> {
    manifest::manifests()?;
    let workspace = Workspace::read()?;
    let crates = published(&workspace)?;
    let version = one_version(&crates)?;
    let changelog = fs::read_to_string("CHANGELOG.md").map_err(command::at("CHANGELOG.md".as_ref()))?;
    let notes = notes(&changelog, version)?;
    let tag = format!("v{version}");
    if !stdout_of(Command::new("git").args(["tag", "--list", &tag]))?.trim().is_empty() {
        return Err(format!("the tag `{tag}` exists already: raise `version` in Cargo.toml"));
    }
    let needs = workspace.packages().iter().map(needs).collect();
    let order = order(&crates, &needs)?;
    let packed = pack(&crates, &Workspace::target()?)?;

    println!("\nversion {version}, with these notes:\n\n{notes}\n");
    println!("{} packages, each after the packages that it depends on:\n", order.len());
    for (at, krate) in order.iter().enumerate() {
        let file = packed.join(format!("{}.crate", krate.stem()));
        let bytes = fs::metadata(&file).map_err(command::at(&file))?.len();
        println!("  {:>2}. {:24} {:>5} KiB", at + 1, krate.name, bytes.div_ceil(1024));
    }
    println!(
        "\nthe steps:\n\n  cargo xtask ci\n  cargo xtask package\n  cargo xtask dist --check\n  git tag {tag}"
    );
    for krate in &order {
        println!("  cargo publish --package {}", krate.name);
    }
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

/// Returns the name of a package, and the packages of the workspace that it needs. A dev-dependency without a version is not
/// part of the published package.
fn needs(package: &Node) -> (String, Vec<String>) {
    let dependencies = package.get("dependencies").map(Node::items).unwrap_or_default();
    let is_needed = |dependency: &&Node| {
        text(dependency, "path").is_some()
            && !(text(dependency, "kind") == Some("dev") && text(dependency, "req") == Some("*"))
    };
    let name = |node: &Node| text(node, "name").unwrap_or_default().to_owned();
    (name(package), dependencies.iter().filter(is_needed).map(name).collect())
}

/// Sorts crates so that each follows the crates that it needs, and otherwise by name.
fn order<'c>(crates: &'c [Crate], needs: &BTreeMap<String, Vec<String>>) -> Result<Vec<&'c Crate>, String> {
    let mut rest: Vec<&Crate> = crates.iter().collect();
    rest.sort_by(|a, b| a.name.cmp(&b.name));
    let mut order: Vec<&Crate> = Vec::new();
    while !rest.is_empty() {
        let waits = |krate: &&Crate| {
            let needs = needs.get(&krate.name).into_iter().flatten();
            needs.clone().any(|name| rest.iter().any(|other| other.name == *name && other.name != krate.name))
        };
        let (later, now): (Vec<&Crate>, Vec<&Crate>) = rest.iter().copied().partition(waits);
        if now.is_empty() {
            let names: Vec<&str> = later.iter().map(|krate| krate.name.as_str()).collect();
            return Err(format!("these crates depend on each other: {}", names.join(", ")));
        }
        order.extend(now);
        rest = later;
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn krate(name: &str) -> Crate {
        Crate { name: name.to_owned(), version: "0.1.0".to_owned(), manifest: String::new(), is_macro: false }
    }

    fn needs_of(list: &[(&str, &[&str])]) -> BTreeMap<String, Vec<String>> {
        list.iter()
            .map(|(name, needs)| ((*name).to_owned(), needs.iter().map(|need| (*need).to_owned()).collect()))
            .collect()
    }

    // SPEC 18.12
    #[test]
    fn each_package_follows_those_that_it_needs() {
        let crates = ["app", "core", "macros", "text"].map(krate);
        let needs = needs_of(&[("app", &["macros", "tests"]), ("macros", &["core"]), ("core", &["text"])]);
        let names: Vec<&str> =
            order(&crates, &needs).unwrap().iter().map(|krate| krate.name.as_str()).collect();
        assert_eq!(names, ["text", "core", "macros", "app"], "`tests` is not published");
        let circle = needs_of(&[("app", &["core"]), ("core", &["app"])]);
        let error = order(&crates[..2], &circle).err().unwrap();
        assert_eq!(error, "these crates depend on each other: app, core");
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

    #[test]
    fn dependencies_of_tests_without_a_version_do_not_count() {
        let package = skills_schema::json::parse(
            r#"{"name": "a", "dependencies": [
                {"name": "b", "path": "/b", "req": "=0.1.0"}, {"name": "serde", "req": "1"},
                {"name": "c", "path": "/c", "req": "*", "kind": "dev"}, {"name": "d", "path": "/d", "req": "=0.1.0", "kind": "dev"}]}"#,
        );
        let (name, needed) = needs(&package.unwrap());
        assert_eq!((name.as_str(), needed), ("a", vec!["b".to_owned(), "d".to_owned()]));
    }
}
