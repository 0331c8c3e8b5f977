//! What clients are shown of the skills: tools, prompts, resources and entries of the Skills extension (SPEC 11.4).

pub(crate) mod audience;
mod media;
mod page;
pub(crate) mod prompt;
pub(crate) mod resource;
pub(crate) mod shown;
pub(crate) mod skill;
pub(crate) mod tool;
mod uri;
