//! Who may see which skill: a model, a user, or only the program itself (SPEC 2.9, 6.3).
//!
//! Gated skills are not in a library, so nothing here meets one.

use skills_registry::Skill;
use skills_call::Library;

/// Finds a skill that a client may know of: all but the internal ones, which are as unknown as those that do not exist.
pub(crate) fn find<'a>(library: &'a dyn Library, name: &str) -> Option<Skill<'a>> {
    library.skill(name).filter(|skill| !skill.is_internal())
}

/// Returns the skills with a `SKILL.md` that a model may be shown, sorted by name.
pub(crate) fn documents(library: &dyn Library) -> impl Iterator<Item = Skill<'_>> {
    library.skills().into_iter().filter(|skill| skill.is_offered())
}

/// Tells whether a user calls the skill by its name. One that is kept from models is a user's all the same.
pub(crate) fn is_for_users(skill: Skill<'_>) -> bool {
    skill.is_user_invocable() && skill.has_document() && !skill.body().trim().is_empty()
}
