//! Rules about files and directories, which `read` reports.

pub(super) mod links;
pub(super) mod names;
pub(super) mod roots;
pub(super) mod sizes;
pub(super) mod texts;

pub use self::links::{LINK_BROKEN, LINK_OUTSIDE, LINK_REPEATED, SPECIAL_FILE, UNREADABLE};
pub use self::names::{FILE_NAME_CASE, PATH_CASE, PATH_LONG, PATH_NOT_UTF8, PATH_RESERVED, SKILL_NESTED};
pub use self::roots::{ROOT_EMPTY, ROOT_MISSING, ROOT_UNREADABLE};
pub use self::sizes::{BUNDLE_TOO_LARGE, FILE_TOO_LARGE, HOST_LIMITS, MORE_PROBLEMS, SKILL_TOO_LARGE};
pub use self::texts::{CARGO_TOML, GIT_IGNORED, HARD_LINK, NOT_UTF8, SECRET_FILE, SKILLIGNORE_LINE};
