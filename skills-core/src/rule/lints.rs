//! Rules about what is legal but unwise.

use super::Rule;

pub(super) static ALL: &[&Rule] = &[];
