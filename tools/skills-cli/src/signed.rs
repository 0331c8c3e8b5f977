//! `sign` and `verify`: signs a directory with a key, and compares it with the signed contents. Also reads key files for
//! other commands.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueHint};
use skills_core::read::{ReadOptions, read, read_text};
use skills_core::report::Report;
use skills_files::Root;
use skills_schema::json::Node;
use skills_schema::json::make::{array, boolean, null, number, object, string};
use skills_sign::{
    KeyError, PrivateKey, PublicKey, Refused, SIGNATURE_FILE, Signed, sign, verify, verify_with,
};
use skills_text::visible;

use super::report::print_report;
use super::source::expect_there;
use skills_commands::arguments::expand_path;
use skills_commands::failure::{CommandError, Ended};
use skills_commands::output::{OutputArgs, versioned};
use skills_commands::steps::{FileStep, FileSteps};
use skills_commands::terminal::counted;
use skills_commands::{failure, terminal};

/// The directory that is signed.
#[derive(Debug, Args)]
struct SignedPlace {
    /// A directory of skills, or one skill
    #[arg(value_name = "DIR", required_unless_present = "named", value_hint = ValueHint::DirPath)]
    dir: Option<PathBuf>,
    #[arg(id = "named", long = "dir", value_name = "DIR", hide = true, conflicts_with = "dir")]
    named: Option<PathBuf>,
}

impl SignedPlace {
    fn dir(&self) -> &Path {
        self.dir.as_deref().or(self.named.as_deref()).unwrap_or(Path::new("."))
    }
}

#[derive(Debug, Args)]
pub(crate) struct Sign {
    #[command(flatten)]
    place: SignedPlace,
    /// The private key in PEM: ECDSA with P-256, or Ed25519
    #[arg(long, value_name = "PRIVATE.pem")]
    key: PathBuf,
    /// Sign each skill in DIR separately, so that its signature is installed with it
    #[arg(long)]
    each: bool,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    #[command(flatten)]
    place: SignedPlace,
    /// The public key in PEM
    #[arg(long, value_name = "PUBLIC.pem")]
    key: PathBuf,
    /// The file with the signature [default: skill.oms.sig in the directory]
    #[arg(long, value_name = "FILE")]
    signature: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

impl Sign {
    /// Writes the signature, or with `--each` the signature of every skill. Writes nothing if one of them
    /// cannot be signed.
    pub(super) fn run(&self) -> Ended {
        expect_there(self.place.dir())?;
        let done = self.signed().map_err(failure::error)?;
        let mut steps = FileSteps::new(&self.output);
        let shown = steps.add(self.place.dir(), &done, "");
        Ok(failure::first(shown, steps.end(true)))
    }

    fn signed(&self) -> Result<Vec<FileStep>, CommandError> {
        let key = read_key(&self.key, PrivateKey::from_pem)?;
        let dir = expand_path(self.place.dir());
        let root = Root::open(&dir).map_err(|error| CommandError::unreadable(&dir, error))?;
        let places = if self.each { skills(&dir)? } else { vec![String::new()] };
        let mut texts = Vec::new();
        for place in places {
            let dir = below(&dir, &place);
            let text = sign(&dir, &key).map_err(|unfit| CommandError::unreadable(&dir, unfit))?;
            texts.push((place, text));
        }
        let mut done = Vec::new();
        for (place, text) in texts {
            let path = below(&dir, &place).join(SIGNATURE_FILE);
            let below = Path::new(&place).join(SIGNATURE_FILE);
            root.replace(&below, text.as_bytes(), None)
                .map_err(|error| CommandError::unwritable(&path, error))?;
            done.push(FileStep::new("write", below.to_string_lossy()).shown(path.to_string_lossy()));
        }
        Ok(done)
    }
}

impl Verify {
    /// Prints whether the directory, or each skill below it, equals the signed contents, or why it is
    /// refused.
    pub(super) fn run(&self) -> Ended {
        expect_there(self.place.dir())?;
        let found = self.verified().map_err(failure::error)?;
        let refusals: Vec<String> = found.iter().filter_map(Verdict::refusal).collect();
        let is_good = refusals.is_empty();
        if self.output.is_json() {
            let written =
                terminal::json(&versioned([("directories", array(found.iter().map(Verdict::node)))]));
            return Ok(if is_good { written } else { ExitCode::FAILURE });
        }
        if !is_good {
            return Err(failure::error(refusals.join("\n")));
        }
        Ok(terminal::text(&found.iter().map(Verdict::line).collect::<String>()))
    }

    fn verified(&self) -> Result<Vec<Verdict>, CommandError> {
        let key = read_key(&self.key, PublicKey::from_pem)?;
        let dir = expand_path(self.place.dir());
        if let Some(signature) = &self.signature {
            let verdict = verify_with(&dir, &expand_path(signature), &key);
            return Ok(vec![Verdict { dir, verdict }]);
        }
        let is_signed = dir.join(SIGNATURE_FILE).symlink_metadata().is_ok();
        let is_skill = ["SKILL.md", "skill.json"].iter().any(|file| dir.join(file).exists());
        let places = if is_signed || is_skill { vec![String::new()] } else { skills(&dir)? };
        let dirs = places.iter().map(|place| below(&dir, place));
        Ok(dirs.map(|dir| Verdict { verdict: verify(&dir, &key), dir }).collect())
    }
}

/// Whether a directory equals the contents that were signed.
struct Verdict {
    dir: PathBuf,
    verdict: Result<Signed, Refused>,
}

impl Verdict {
    fn refusal(&self) -> Option<String> {
        self.verdict.as_ref().err().map(|refused| format!("{}: {refused}", self.dir.display()))
    }

    /// Returns the text for a verified directory, which names the files that the signature does not cover.
    fn line(&self) -> String {
        let Ok(signed) = &self.verdict else { return String::new() };
        let files = counted(signed.contents().len(), "file");
        let verb = if signed.contents().len() == 1 { "matches its" } else { "match their" };
        let mut line = format!("{}: {files} {verb} signature", visible(&self.dir.to_string_lossy()));
        let left = self.not_covered();
        if !left.is_empty() {
            line.push_str(&format!("; not covered: {}", visible(&left.join(", "))));
        }
        line + "\n"
    }

    fn not_covered(&self) -> Vec<&str> {
        let Ok(signed) = &self.verdict else { return Vec::new() };
        let left = signed.ignored().iter().map(String::as_str);
        let left = left.filter(|path| *path != SIGNATURE_FILE && !path.starts_with(".git"));
        left.filter(|path| self.dir.join(path).exists()).collect()
    }

    fn node(&self) -> Node {
        let reason = self.verdict.as_ref().err().map_or_else(null, |refused| string(refused.to_string()));
        object([
            ("path", string(self.dir.to_string_lossy())),
            ("verified", boolean(self.verdict.is_ok())),
            ("reason", reason),
            ("files", number(self.verdict.as_ref().map_or(0, |signed| signed.contents().len()))),
            ("not_covered", array(self.not_covered().into_iter().map(string))),
        ])
    }
}

/// Returns the relative paths of the skills below a directory.
fn skills(dir: &Path) -> Result<Vec<String>, CommandError> {
    let mut report = Report::default();
    let options = ReadOptions { contents: false, ..ReadOptions::default() };
    let tree = read(dir, &dir.to_string_lossy(), &options, &mut report);
    if report.errors() > 0 {
        print_report(&report, &tree.sources);
        return Err(CommandError::unreadable(dir, "not all skills can be found"));
    }
    Ok(tree.skills.into_iter().map(|skill| skill.path).collect())
}

/// Joins a relative path to a directory. An empty path returns the directory without a trailing slash.
fn below(dir: &Path, path: &str) -> PathBuf {
    if path.is_empty() { dir.to_owned() } else { dir.join(path) }
}

/// The largest file with a key, in bytes.
const MAX_KEY: u64 = 64 * 1024;

/// Reads a file with a key.
fn read_key<K>(path: &Path, parse: fn(&str) -> Result<K, KeyError>) -> Result<K, CommandError> {
    let path = expand_path(path);
    let text = read_text(&path, MAX_KEY).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => CommandError::unreadable(&path, "it is too large for a key"),
        _ => CommandError::unreadable(&path, error),
    })?;
    parse(&text).map_err(|error| CommandError::unreadable(&path, error))
}

/// Reads the public key that an argument names.
pub(crate) fn public_key(path: &str) -> Result<PublicKey, CommandError> {
    read_key(Path::new(path), PublicKey::from_pem)
}
