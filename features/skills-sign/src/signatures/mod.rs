//! Signs a directory, and verifies a directory or a skill of a registry against a signature.

mod envelope;
mod key;
mod statement;

use std::io;
use std::path::Path;

use skills_registry::{Skill, SkillVerifier, is_material};

use crate::SIGNATURE_FILE;
use crate::contents::{Contents, Links, Rules, Unfit, UnfitReason};
use crate::difference::Difference;
use crate::refused::Refused;
pub use key::{KeyError, PrivateKey, PublicKey};
use statement::Statement;

/// Files that belong to the repository. Model Signing leaves out the same ones.
const OF_GIT: [&str; 4] = [".git", ".gitattributes", ".github", ".gitignore"];

/// The maximum size of a signature file: 100,000 files take about 20 MB.
const MAX_SIGNATURE: u64 = 64 << 20;

/// A verified signature: the signed files of a directory.
#[derive(Clone, Debug)]
pub struct Signed {
    statement: Statement,
}

/// Signs the files of a directory and returns the text for [`SIGNATURE_FILE`]. Writes nothing.
///
/// Includes every file except files of git and the signature itself.
///
/// # Errors
/// If the directory has no files, or contains an entry that cannot be signed, such as a link.
pub fn sign(directory: &Path, key: &PrivateKey) -> Result<String, Unfit> {
    let ignored = || OF_GIT.into_iter().chain([SIGNATURE_FILE]).map(str::to_owned);
    let rules = Rules { ignored: ignored().collect(), ..Rules::new(Links::Refuse) };
    let contents = Contents::read(directory, &rules)?;
    if contents.is_empty() {
        return Err(Unfit { path: String::new(), reason: UnfitReason::Empty });
    }
    let name = directory.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_str()?.to_owned()));
    let statement = Statement {
        name: name.unwrap_or_else(|| "skill".to_owned()),
        contents,
        ignored: ignored().collect(),
        has_links: false,
    };
    Ok(envelope::seal(&statement.print(), key))
}

/// Verifies a directory with the signature in it.
///
/// # Errors
/// [`Refused`] if the directory is not as signed.
pub fn verify(directory: &Path, key: &PublicKey) -> Result<Signed, Refused> {
    verify_with(directory, &directory.join(SIGNATURE_FILE), key)
}

/// Verifies a directory with a signature at any path.
///
/// # Errors
/// [`Refused`] if the directory is not as signed.
pub fn verify_with(directory: &Path, signature: &Path, key: &PublicKey) -> Result<Signed, Refused> {
    let signed = Signed::read(&text(signature)?, key)?;
    signed.check(directory)?;
    Ok(signed)
}

/// Reads a signature file if it is a regular file.
fn text(path: &Path) -> Result<String, Refused> {
    let bytes = skills_files::read(path, MAX_SIGNATURE).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Refused::Unsigned,
        io::ErrorKind::InvalidInput => Refused::Damaged("it is not a file".to_owned()),
        io::ErrorKind::FileTooLarge => Refused::Damaged(format!("it has over {} MiB", MAX_SIGNATURE >> 20)),
        _ => Refused::Unreadable(error),
    })?;
    String::from_utf8(bytes).map_err(|_| Refused::Damaged("it is not text".to_owned()))
}

impl Signed {
    /// Parses a signature and verifies that the key made it.
    ///
    /// # Errors
    /// [`Refused`] if the text is not a signature, or was signed with another key.
    pub fn read(text: &str, key: &PublicKey) -> Result<Self, Refused> {
        Ok(Self { statement: Statement::parse(&envelope::open(text, key)?)? })
    }

    /// Returns the files that were signed.
    pub fn contents(&self) -> &Contents {
        &self.statement.contents
    }

    /// Returns the paths below the directory that were left out of the signature. Files there are not
    /// covered.
    pub fn ignored(&self) -> &[String] {
        &self.statement.ignored
    }

    /// Checks that the files of a directory are the signed ones.
    ///
    /// # Errors
    /// [`Refused`] if they differ.
    pub fn check(&self, directory: &Path) -> Result<(), Refused> {
        let links = if self.statement.has_links { Links::Follow } else { Links::Refuse };
        let rules = Rules { ignored: self.statement.ignored.iter().cloned().collect(), ..Rules::new(links) };
        self.compare(&Contents::read(directory, &rules.ignore(SIGNATURE_FILE))?)
    }

    /// Checks that files are the signed ones.
    ///
    /// # Errors
    /// [`Refused`] if they differ.
    pub fn compare(&self, found: &Contents) -> Result<(), Refused> {
        let difference = Difference::between(self.contents(), found);
        if difference.is_empty() {
            return Ok(());
        }
        let all = self.contents().files();
        let is_other = !found.is_empty()
            && all.len() > 1
            && difference.renamed.is_empty()
            && all.into_iter().all(|(path, digest)| found.get(path) != Some(digest));
        if is_other {
            return Err(Refused::Other { name: self.statement.name.clone() });
        }
        Err(Refused::Differs(difference))
    }

    /// Returns `true` if a file is as signed.
    pub fn covers(&self, path: &str, bytes: &[u8]) -> bool {
        self.contents().get(path) == Some(&hmac_sha256::Hash::hash(bytes))
    }
}

impl SkillVerifier for PublicKey {
    fn verify(&self, skill: Skill<'_>) -> Result<(), String> {
        verify_skill(skill, self).map_err(|refused| refused.to_string())
    }
}

/// Verifies a skill of a registry: the bytes that its tables hold.
fn verify_skill(skill: Skill<'_>, key: &PublicKey) -> Result<(), Refused> {
    let signature = skill.file(SIGNATURE_FILE).ok_or(Refused::Unsigned)?;
    let text = signature.text().ok_or_else(|| Refused::Damaged("it is not text".to_owned()))?;
    let signed = Signed::read(text, key)?;
    let files = skill.files().filter(|file| file.path() != SIGNATURE_FILE);
    let found = Contents::from_files(files.map(|file| (file.path().to_owned(), *file.sha256())));
    let mut difference = Difference::between(signed.contents(), &found);
    // A bundle leaves out hidden files that are not material (SPEC 1.3), so their absence is not an error.
    let is_hidden = |path: &String| path.split('/').any(|part| part.starts_with('.'));
    difference.removed.retain(|path| !is_hidden(path) || is_material(path));
    if difference.is_empty() { Ok(()) } else { Err(Refused::Differs(difference)) }
}
