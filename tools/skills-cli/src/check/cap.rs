//! `--cap`: a limit on the size of a bundle, a skill or a file.

use std::str::FromStr;

use skills_core::read::ReadOptions;
use skills_text::parse_size;

/// A limit on sizes, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cap {
    Bundle(u64),
    Skill(u64),
    File(u64),
}

impl Cap {
    pub(super) fn set(self, read: &mut ReadOptions) {
        match self {
            Self::Bundle(size) => read.bundle_cap = Some(size),
            Self::Skill(size) => read.skill_cap = Some(size),
            Self::File(size) => read.file_cap = Some(size),
        }
    }
}

impl FromStr for Cap {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (what, size) = text.split_once('=').unwrap_or(("bundle", text));
        let size = parse_size(size)
            .ok_or_else(|| format!("`{size}` is not a size above 0: write one such as `500MiB`"))?;
        match what {
            "bundle" => Ok(Self::Bundle(size)),
            "skill" => Ok(Self::Skill(size)),
            "file" => Ok(Self::File(size)),
            other => Err(format!("`{other}` has no limit: `bundle`, `skill` and `file` have")),
        }
    }
}
