//! Test setup: a directory of files, and keys made with openssl.
#![allow(dead_code, reason = "each test file uses a part")]
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use skills_sign::{PrivateKey, PublicKey};
use tempfile::TempDir;

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

    /// Runs openssl beside the skill and returns its output.
    pub(crate) fn openssl(&self, arguments: &[&str]) -> String {
        let ran = Command::new("openssl").args(arguments).current_dir(self.top.path()).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).unwrap()
    }

    /// Creates a key with openssl, as files `NAME.pem` and `NAME.pub.pem`.
    pub(crate) fn keys(&self, name: &str, kind: Kind) -> (PrivateKey, PublicKey) {
        let (file, public) = (format!("{name}.pem"), format!("{name}.pub.pem"));
        let made: &[&str] = match kind {
            Kind::P256 => {
                &["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", &file]
            }
            Kind::P256Sec1 => &["ecparam", "-genkey", "-name", "prime256v1", "-out", &file],
            Kind::Ed25519 => &["genpkey", "-algorithm", "ed25519", "-out", &file],
        };
        self.openssl(made);
        self.openssl(&["pkey", "-in", &file, "-pubout", "-out", &public]);
        let read = |name: &str| fs::read_to_string(self.top.path().join(name)).unwrap();
        (PrivateKey::from_pem(&read(&file)).unwrap(), PublicKey::from_pem(&read(&public)).unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.top.path().join(name)
    }
}

/// The kind of a key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    P256,
    P256Sec1,
    Ed25519,
}

impl Kind {
    pub(crate) const ALL: [Self; 3] = [Self::P256, Self::P256Sec1, Self::Ed25519];
}
