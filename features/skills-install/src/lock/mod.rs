//! The lock file, which records the files of each bundle with their digests. It is read before and written after
//! every change.
//!
//! It is `TARGET/skills/.skills-lock.json`, beside the skills:
//!
//! ```json
//! {
//!   "format": 1,
//!   "skills": {
//!     "pdf": {
//!       "bundle": "my-agent",
//!       "version": "0.1.0",
//!       "files": {
//!         "SKILL.md": {"sha256": "9f86…"},
//!         "scripts/run.sh": {"sha256": "60303…", "executable": true}
//!       }
//!     }
//!   }
//! }
//! ```
//!
//! A skill that was installed as a stub has the key `"stub"` with the command that the stub names. Its version is that
//! of the program that wrote the stub.
//!
//! It contains no absolute path and no time, so it can be committed with a project. A file that is about to be
//! written has a `"next"` digest, or `"removed"` if it is about to be removed. A new file has no `"sha256"` before it
//! is written. So the next run can complete a run that was killed, because it recognizes both the old and the new
//! file.

mod parse;
mod print;

use std::io;
use std::path::Path;

use skills_files::{Dir, is};

use super::error::{Fallible, InstallError};
use super::found::Digest;
pub(super) use print::LockText;

pub(super) const NAME: &str = ".skills-lock.json";

/// The maximum number of bytes that are read, enough for more than 100,000 files.
const LARGEST: u64 = 64 << 20;

/// The installed skills.
#[derive(Debug, Default)]
#[cfg_attr(test, derive(PartialEq))]
pub(super) struct Lock {
    pub(super) skills: Vec<Installed>,
}

#[derive(Debug)]
#[cfg_attr(test, derive(PartialEq))]
pub(super) struct Installed {
    /// The name of its directory.
    pub(super) name: String,
    /// The bundle that owns it.
    pub(super) bundle: String,
    /// The version of the skill, or for a stub of the program that wrote it.
    pub(super) version: String,
    /// The command that the stub names, if it is a stub.
    pub(super) stub: Option<String>,
    pub(super) files: Vec<(String, LockEntry)>,
}

/// An installed file.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(test, derive(PartialEq))]
pub(super) struct LockEntry {
    /// Its digest. `None` before it is written for the first time.
    pub(super) digest: Option<Digest>,
    /// Whether it was written as executable.
    pub(super) executable: bool,
    /// The pending change.
    pub(super) next: Option<Next>,
}

/// The pending change to a file.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(test, derive(PartialEq))]
pub(super) enum Next {
    /// It is written with this digest.
    Write(Digest),
    Remove,
}

/// Reads the lock file of a `skills` directory; `path` is the directory, for messages.
pub(super) fn load(skills: &Dir, path: &Path) -> Fallible<Lock> {
    match skills.read(NAME.as_ref(), LARGEST) {
        Ok(bytes) => parse::parse(&bytes, &path.join(NAME)),
        Err(error) if is(&error, io::ErrorKind::NotFound) => Ok(Lock::default()),
        Err(error) => Err(InstallError::refused("read", path, &[NAME], error)),
    }
}

impl Lock {
    pub(super) fn get(&self, name: &str) -> Option<&Installed> {
        self.skills.iter().find(|skill| skill.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Lock {
        let entry = |digest: Option<u8>, executable, next| LockEntry {
            digest: digest.map(|byte| [byte; 32]),
            executable,
            next,
        };
        let files = vec![
            ("SKILL.md".to_owned(), entry(Some(1), false, None)),
            ("a \"b\" /é".to_owned(), entry(Some(2), true, Some(Next::Remove))),
            ("c".to_owned(), entry(None, true, Some(Next::Write([0xfe; 32])))),
        ];
        let [name, bundle, version] = ["pdf", "x\\y", "1.0.0"].map(str::to_owned);
        let stub = Some("my-agent skill".to_owned());
        Lock { skills: vec![Installed { name, bundle, version, stub, files }] }
    }

    #[test]
    fn printed_locks_are_read_back() {
        // SPEC 9.1
        let mut text = LockText::default();
        text.skill("empty", "", "", None);
        for skill in &sample().skills {
            text.copy(skill);
        }
        text.skill("without files", "", "", None);
        let text = text.finish();
        assert_eq!(parse::parse(text.as_bytes(), Path::new("l")).unwrap(), sample());
        assert!(text.starts_with("{\n  \"format\": 1,\n  \"skills\": {\n    \"pdf\": {\n"), "{text}");
        assert!(text.ends_with("}\n"), "{text}");
        assert_eq!(LockText::default().finish(), "");
    }

    #[test]
    fn damage_has_a_place() {
        // SPEC 9.1, 12.3: a hostile lock file can only be refused.
        let digest = "0".repeat(64);
        let file = |path: &str, entry: &str| {
            format!(
                "{{\"format\": 1, \"skills\": {{\"a\": {{\"bundle\": \"b\", \"version\": \"\",\n\"files\": {{\"{path}\": {entry}}}}}}}}}"
            )
        };
        let sound = file("x", &format!("{{\"sha256\": \"{digest}\"}}"));
        assert!(parse::parse(sound.as_bytes(), Path::new("l")).is_ok(), "{sound}");
        for (text, line, column) in [
            (String::new(), 1, 1),
            ("<<<<<<< ours\n".to_owned(), 1, 1),
            ("{\"format\": 1}\n".to_owned(), 1, 1),
            ("{\"format\": 1, \"skills\": {\"..\": {}}}".to_owned(), 1, 26),
            ("{\"format\": 1, \"skills\": {}, \"more\": 1}".to_owned(), 1, 29),
            (file("../x", &format!("{{\"sha256\": \"{digest}\"}}")), 2, 11),
            (file("x\\u001b[2J", &format!("{{\"sha256\": \"{digest}\"}}")), 2, 11),
            (file("x", "{}"), 2, 16),
            (file("x", "{\"sha256\": \"00\"}"), 2, 27),
            (file("x", &format!("{{\"sha256\": \"{}\"}}", "é".repeat(32))), 2, 27),
            (file("x", &format!("{{\"sha256\": \"{}\"}}", "A".repeat(64))), 2, 27),
            (file("x", "{\"next\": \"removed\", \"executable\": 1}"), 2, 50),
        ] {
            let error = *parse::parse(text.as_bytes(), Path::new("l")).unwrap_err();
            let InstallError::Damaged { line: l, column: c, .. } = error else {
                panic!("{text}: {error:?}");
            };
            assert_eq!((l, c), (line, column), "{text}");
        }
        let error = |text: &[u8]| *parse::parse(text, Path::new("l")).unwrap_err();
        assert!(matches!(error(b"\xff"), InstallError::Damaged { .. }));
        let newer = error(b"{\"format\": 2, \"whatever\": []}");
        assert!(matches!(newer, InstallError::Newer { format, .. } if format == "2"));
    }
}
