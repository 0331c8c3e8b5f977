//! The question whether somebody vouches for a skill. Keys of `skills-sign` answer it, and `skills-install` asks it.

use crate::Skill;

/// Decides whether somebody vouches for the files of a skill as the tables hold them, such as by a signature.
pub trait SkillVerifier: std::fmt::Debug + Send + Sync {
    /// Checks a skill.
    ///
    /// # Errors
    /// The reason why it is refused, as a clause.
    fn verify(&self, skill: Skill<'_>) -> Result<(), String>;
}
