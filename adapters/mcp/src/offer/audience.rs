//! Decides who may see which skill: a model, a user, or only the program itself.
//!
//! Layers find no gated skills, so they need no check here. Skills of other servers are not served on.

use skills_call::Layers;
use skills_registry::Skill;

/// Finds a skill that clients may see. Internal skills are treated like unknown ones.
pub(crate) fn find<'a>(layers: &'a Layers, name: &str) -> Option<Skill<'a>> {
    layers.get(name).filter(|skill| !skill.is_internal() && !skill.is_remote())
}

/// Returns the skills with a `SKILL.md` that models may see, sorted by name.
pub(crate) fn documents(layers: &Layers) -> impl Iterator<Item = Skill<'_>> {
    layers.iter().filter(|skill| skill.is_offered() && !skill.is_remote())
}

/// Returns `true` if a user may call the skill by its name. This includes skills that models must not see.
pub(crate) fn is_for_users(skill: Skill<'_>) -> bool {
    !skill.is_remote() && skill.is_user_invocable() && skill.has_document() && !skill.body().trim().is_empty()
}
