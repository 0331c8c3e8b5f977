//! A skill with a program and permissions, run under a policy.

use std::path::Path;

use skills_exec::{Outcome, RunOptions, run_skill};
use skills_registry::{CompiledSkill, Facts, Layout, Permissions, Registry, write};

/// Runs `skill/run` of a directory as the program of a skill that asks for `permissions`.
pub(crate) fn run_in(place: &Path, permissions: Option<&Permissions>, options: &RunOptions) -> Outcome {
    let location = Some(place.join("skill/SKILL.md").display().to_string());
    let (name, program) = ("n".to_owned(), Some("run".to_owned()));
    let facts = Facts { name, program, permissions: permissions.cloned(), ..Facts::default() };
    let tables = write(&[CompiledSkill { location, ..facts.into() }], Layout::Joined, 8_000)
        .expect("small")
        .into_tables();
    let registry = Registry::new(tables);
    let skill = registry.get("n").expect("the only one");
    run_skill(skill, "", options).expect("a program")
}

/// Returns the requested permissions, by their JSON keys.
pub(crate) fn asked(read: &[&str], write: &[&str], net: skills_registry::Net, env: &[&str]) -> Permissions {
    let list = |items: &[&str]| items.iter().map(|item| (*item).to_owned()).collect();
    Permissions { read: list(read), write: list(write), net, env: list(env) }
}

/// Checks that the kernel can confine programs.
///
/// # Panics
/// If it cannot.
pub(crate) fn need_sandbox() {
    assert_eq!(skills_exec::Confinement::unavailable(), None, "this test needs a sandbox");
}
