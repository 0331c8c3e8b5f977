//! `sign` and `verify`: signs a directory with a key, and compares it with the signed contents.

use std::path::{Path, PathBuf};

use clap::Args;
use skills_core::read::{ReadOptions, read};
use skills_core::report::Report;
use skills_files::Root;
use skills_sign::{PrivateKey, PublicKey, Refused, SIGNATURE_FILE, Signed, sign, verify, verify_with};
use skills_text::visible;

use super::report::tell;
use crate::key;
use skills_commands::failure::Ended;
use skills_commands::{failure, home, terminal};

#[derive(Debug, Args)]
pub(crate) struct Sign {
    /// A directory of skills, or one skill
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The private key in PEM: ECDSA with P-256, or Ed25519
    #[arg(long, value_name = "PRIVATE.pem")]
    key: PathBuf,
    /// Sign each skill in DIR separately, so that its signature is installed with it
    #[arg(long)]
    each: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// The signed directory, or a directory that contains signed skills
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The public key in PEM
    #[arg(long, value_name = "PUBLIC.pem")]
    key: PathBuf,
    /// The file with the signature [default: skill.oms.sig in the directory]
    #[arg(long, value_name = "FILE")]
    signature: Option<PathBuf>,
}

impl Sign {
    /// Writes the signature, or with `--each` the signature of every skill. Writes nothing if one of them
    /// cannot be signed.
    pub(super) fn run(&self) -> Ended {
        self.signed().map(|lines| terminal::text(&lines)).map_err(failure::error)
    }

    fn signed(&self) -> Result<String, String> {
        let key = key::read(&self.key, PrivateKey::from_pem)?;
        let dir = home::path(&self.dir);
        let root = Root::open(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
        let places = if self.each { skills(&dir)? } else { vec![String::new()] };
        let mut texts = Vec::new();
        for place in places {
            let dir = below(&dir, &place);
            let text = sign(&dir, &key).map_err(|unfit| format!("{}: {unfit}", dir.display()))?;
            texts.push((place, text));
        }
        let mut out = String::new();
        for (place, text) in texts {
            let path = below(&dir, &place).join(SIGNATURE_FILE);
            root.replace(&Path::new(&place).join(SIGNATURE_FILE), text.as_bytes(), None)
                .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
            out.push_str(&format!("{}\n", visible(&path.to_string_lossy())));
        }
        Ok(out)
    }
}

impl Verify {
    /// Prints whether the directory, or each skill below it, equals the signed contents, or why it is
    /// refused.
    pub(super) fn run(&self) -> Ended {
        self.verified().map(|lines| terminal::text(&lines)).map_err(failure::error)
    }

    fn verified(&self) -> Result<String, String> {
        let key = key::read(&self.key, PublicKey::from_pem)?;
        let dir = home::path(&self.dir);
        if let Some(signature) = &self.signature {
            let signed = verify_with(&dir, &home::path(signature), &key);
            return signed.map(|signed| line(&dir, &signed)).map_err(|refused| reason(&dir, &refused));
        }
        let is_signed = dir.join(SIGNATURE_FILE).symlink_metadata().is_ok();
        let is_skill = ["SKILL.md", "skill.json"].iter().any(|file| dir.join(file).exists());
        let places = if is_signed || is_skill { vec![String::new()] } else { skills(&dir)? };
        let (mut lines, mut refusals) = (String::new(), Vec::new());
        for dir in places.iter().map(|place| below(&dir, place)) {
            match verify(&dir, &key) {
                Ok(signed) => lines.push_str(&line(&dir, &signed)),
                Err(refused) => refusals.push(reason(&dir, &refused)),
            }
        }
        if refusals.is_empty() { Ok(lines) } else { Err(refusals.join("\n")) }
    }
}

/// Returns a line that says that a directory is verified, and names the files that the signature does not
/// cover.
fn line(dir: &Path, signed: &Signed) -> String {
    let count = signed.contents().len();
    let mut line = format!("{}: {count} files match their signature", visible(&dir.to_string_lossy()));
    let is_usual = |path: &str| path == SIGNATURE_FILE || path.starts_with(".git");
    let left = signed.ignored().iter().filter(|path| !is_usual(path) && dir.join(path).exists());
    let left: Vec<&str> = left.map(String::as_str).collect();
    if !left.is_empty() {
        line.push_str(&format!("; not covered: {}", visible(&left.join(", "))));
    }
    line + "\n"
}

fn reason(dir: &Path, refused: &Refused) -> String {
    format!("{}: {refused}", dir.display())
}

/// Returns the relative paths of the skills below a directory.
fn skills(dir: &Path) -> Result<Vec<String>, String> {
    let mut report = Report::default();
    let options = ReadOptions { contents: false, ..ReadOptions::default() };
    let tree = read(dir, &dir.to_string_lossy(), &options, &mut report);
    if report.errors() > 0 {
        tell(&report, &tree.sources);
        return Err(format!("{}: not all skills can be found", dir.display()));
    }
    Ok(tree.skills.into_iter().map(|skill| skill.path).collect())
}

/// Joins a relative path to a directory. An empty path returns the directory without a trailing slash.
fn below(dir: &Path, path: &str) -> PathBuf {
    if path.is_empty() { dir.to_owned() } else { dir.join(path) }
}
