//! Rules about skill.json.

use super::Rule;

pub(super) static ALL: &[&Rule] = &[];
