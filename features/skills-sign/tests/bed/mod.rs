//! Test setup: a directory of files, and keys.
#![allow(dead_code, reason = "each test file uses a part")]
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::fs;
use std::path::PathBuf;

use skills_sign::{PrivateKey, PublicKey};
use tempfile::TempDir;
use test_bed::Kind;

/// A skill in its own directory, with space beside it for keys.
pub(crate) struct Bed {
    pub(crate) top: TempDir,
}

pub(crate) const FILES: [(&str, &str); 5] = [
    ("SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n"),
    ("scripts/run.sh", "#!/bin/sh\necho ran\n"),
    ("scripts.txt", "sorted behind the directory `scripts`\n"),
    (".hidden", "counts, too\n"),
    ("ä/ß \"quoted\".md", "names are UTF-8\n"),
];

impl Bed {
    pub(crate) fn new() -> Self {
        let bed = Self { top: tempfile::tempdir().unwrap() };
        FILES.iter().for_each(|(path, text)| bed.write(path, text));
        bed
    }

    pub(crate) fn skill(&self) -> PathBuf {
        self.top.path().join("pdf")
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.skill().join(path)
    }

    pub(crate) fn signature(&self) -> PathBuf {
        self.at("skill.oms.sig")
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Signs and writes the signature.
    pub(crate) fn sign(&self, key: &PrivateKey) {
        fs::write(self.signature(), skills_sign::sign(&self.skill(), key).unwrap()).unwrap();
    }

    /// Writes the keys of a kind as `NAME.pem` and `NAME.pub.pem`, and reads them.
    pub(crate) fn keys(&self, name: &str, kind: Kind) -> (PrivateKey, PublicKey) {
        kind.write(self.top.path(), name);
        (PrivateKey::from_pem(kind.private()).unwrap(), PublicKey::from_pem(kind.public()).unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.top.path().join(name)
    }
}
