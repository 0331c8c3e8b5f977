//! Converts skills to the objects of the protocol: tools, prompts, resources and entries of the Skills
//! extension.

pub(crate) mod audience;
mod media;
mod origin;
mod page;
pub(crate) mod prompt;
pub(crate) mod resource;
pub(crate) mod shown;
pub(crate) mod skill;
pub(crate) mod tool;
