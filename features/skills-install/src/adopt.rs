//! Decides which files at a target belong to the program although no lock file lists them.

use std::io;
use std::path::Path;

use skills_files::Dir;
use skills_text::unhex;

use super::found::{Digest, Found};

/// The maximum size of an old file that is passed to a predicate, in bytes.
const LARGEST: u64 = 64 << 20;

/// The files that an installation takes over although it did not write them, because an earlier release of the
/// program wrote them without a lock file.
///
/// A directory is taken over only if all files in it that the bundle would write may be taken over; otherwise
/// it is left alone.
///
/// ```
/// use skills_install::{Adopt, InstallOptions};
/// // `sha256sum` of the skills of earlier releases.
/// let earlier = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  pdf/SKILL.md\n";
/// let options = InstallOptions::new("my-agent").adopt(Adopt::digests(earlier));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Adopt {
    /// No files.
    #[default]
    Nothing,
    /// The files that equal those of the bundle.
    Same,
    /// All files in directories with the name of a skill of the bundle. Files with other bytes are kept as `.bak`,
    /// since the user may have edited them.
    Named,
    /// The files with one of these SHA-256 digests, which earlier releases wrote. Files with other bytes are not
    /// taken over.
    Digests(Vec<[u8; 32]>),
    /// The files for which a function returns `true`.
    If(fn(&OldFile<'_>) -> bool),
}

/// A file at the target that no lock file lists.
#[derive(Clone, Copy, Debug)]
pub struct OldFile<'a> {
    /// The name of the skill's directory.
    pub skill: &'a str,
    /// The path of the file below it.
    pub path: &'a str,
    /// Its content.
    pub bytes: &'a [u8],
}

impl Adopt {
    /// Takes over the files with these SHA-256 digests. The text is the output of `sha256sum`, or any other text
    /// with digests as words of 64 hexadecimal digits.
    #[must_use]
    pub fn digests(text: &str) -> Self {
        let digests = text.split_whitespace().filter_map(|word| {
            let word = word.strip_prefix("sha256:").unwrap_or(word).to_ascii_lowercase();
            unhex(&word)
        });
        Self::Digests(digests.collect())
    }
}

/// Whether a file that the bundle did not write is taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// It is not taken over.
    No,
    /// It is taken over, and has the bytes of the bundle.
    Same,
    /// It is taken over: an earlier release wrote it.
    Earlier,
    /// It is taken over, but the user may have edited it.
    Unsure,
}

/// Decides about a file: `wanted` is the digest that the bundle has for it, if any.
pub(super) fn claim(
    adopt: &Adopt,
    force: bool,
    dir: &Dir,
    (skill, path): (&str, &str),
    found: &Found,
    wanted: Option<&Digest>,
) -> io::Result<Claim> {
    let Found::File { digest, .. } = found else { return Ok(Claim::No) };
    let is_earlier = match adopt {
        Adopt::Digests(known) => known.contains(digest),
        Adopt::If(predicate) => {
            let (parent, name) = dir.open_parent(Path::new(path), false)?;
            let bytes = parent.read(name, LARGEST)?;
            predicate(&OldFile { skill, path, bytes: &bytes })
        }
        Adopt::Nothing | Adopt::Same | Adopt::Named => false,
    };
    let takes_any = force || matches!(adopt, Adopt::Named);
    Ok(match (wanted == Some(digest), is_earlier) {
        (true, _) if takes_any || !matches!(adopt, Adopt::Nothing) => Claim::Same,
        (false, true) => Claim::Earlier,
        (false, false) if takes_any => Claim::Unsure,
        _ => Claim::No,
    })
}
