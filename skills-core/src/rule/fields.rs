//! Rules about the fields of SKILL.md and what they name.

use super::Rule;

pub(super) static ALL: &[&Rule] = &[];
