//! Rules about the frontmatter of SKILL.md: what the parser refuses.

use super::Rule;

pub(super) static ALL: &[&Rule] = &[];
