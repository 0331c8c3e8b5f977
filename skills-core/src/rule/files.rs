//! Rules about files and directories: what `read` refuses.

mod links;
mod names;
mod roots;
mod sizes;
mod texts;

pub use self::links::{LINK_BROKEN, LINK_OUTSIDE, LINK_REPEATED, SPECIAL_FILE, UNREADABLE};
pub use self::names::{FILE_NAME_CASE, PATH_CASE, PATH_LONG, PATH_NOT_UTF8, PATH_RESERVED};
pub use self::roots::{ROOT_EMPTY, ROOT_MISSING, ROOT_UNREADABLE};
pub use self::sizes::{BUNDLE_TOO_LARGE, FILE_TOO_LARGE, SKILL_TOO_LARGE};
pub use self::texts::{CARGO_TOML, NOT_UTF8, SECRET_FILE, SKILLIGNORE_LINE};
use super::Rule;

pub(super) static ALL: &[&Rule] = &[
    &ROOT_MISSING,
    &ROOT_UNREADABLE,
    &ROOT_EMPTY,
    &LINK_OUTSIDE,
    &LINK_BROKEN,
    &LINK_REPEATED,
    &SPECIAL_FILE,
    &UNREADABLE,
    &FILE_NAME_CASE,
    &PATH_NOT_UTF8,
    &PATH_CASE,
    &PATH_RESERVED,
    &PATH_LONG,
    &FILE_TOO_LARGE,
    &SKILL_TOO_LARGE,
    &BUNDLE_TOO_LARGE,
    &SECRET_FILE,
    &CARGO_TOML,
    &SKILLIGNORE_LINE,
    &NOT_UTF8,
];

/// The `SKILL.md` of the examples.
const PDF: (&str, &str) = ("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n");
