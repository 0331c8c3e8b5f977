//! Whether a skill is verified, such as by a signature. `skills-sign` implements the trait, `skills-install` uses it.

use crate::Skill;

/// Verifies the files of a skill, as the tables hold them, for example against a signature.
pub trait SkillVerifier: std::fmt::Debug + Send + Sync {
    /// Checks a skill.
    ///
    /// # Errors
    /// The reason why it is refused, as a clause.
    fn verify(&self, skill: Skill<'_>) -> Result<(), String>;
}
