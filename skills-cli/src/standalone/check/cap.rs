//! `--cap`: a limit on the size of a bundle, a skill or a file.

use std::str::FromStr;

/// A limit on sizes, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cap {
    Bundle(u64),
    Skill(u64),
    File(u64),
}

impl FromStr for Cap {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (what, size) = text.split_once('=').unwrap_or(("bundle", text));
        let digits = size.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = match size[digits.len()..].to_ascii_lowercase().as_str() {
            "" | "b" => 1,
            "k" | "kb" | "kib" => 1 << 10,
            "m" | "mb" | "mib" => 1 << 20,
            "g" | "gb" | "gib" => 1_u64 << 30,
            unit => return Err(format!("`{unit}` is no unit: write KiB, MiB or GiB")),
        };
        let count: u64 =
            digits.parse().map_err(|_| format!("`{size}` is no size: write one such as `500MiB`"))?;
        let size = count
            .checked_mul(unit)
            .filter(|size| *size > 0)
            .ok_or("a size is above 0 and below 2^64 bytes")?;
        match what {
            "bundle" => Ok(Self::Bundle(size)),
            "skill" => Ok(Self::Skill(size)),
            "file" => Ok(Self::File(size)),
            other => Err(format!("`{other}` has no limit: `bundle`, `skill` and `file` have")),
        }
    }
}
