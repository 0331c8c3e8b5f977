//! A directory is signed, and found to be what was signed or refused (SPEC 14.1, 14.4).

use std::io;
use std::path::Path;

use crate::contents::{Contents, Links, Rules, Unfit, UnfitReason};
use crate::difference::Difference;
use crate::envelope;
use crate::key::{PrivateKey, PublicKey};
use crate::refused::Refused;
use crate::statement::Statement;

/// The file of a signature, in the directory that it is of.
pub const SIGNATURE_FILE: &str = "skill.oms.sig";

/// What is of a repository and not of a directory; the same that Model Signing leaves out.
const OF_GIT: [&str; 4] = [".git", ".gitattributes", ".github", ".gitignore"];

/// How large the file of a signature may be: 100,000 files take about 20 MB.
const MAX_SIGNATURE: u64 = 64 << 20;

/// What a key has signed: the files of a directory.
#[derive(Clone, Debug)]
pub struct Signed {
    statement: Statement,
}

/// Signs the files of a directory and returns the text of [`SIGNATURE_FILE`]; nothing is written.
///
/// Every file counts but those of git and the signature itself.
///
/// # Errors
/// Something in the directory cannot be signed, such as a link, or there is no file.
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

/// Tells whether a directory is what a key has signed, by the signature in it.
///
/// # Errors
/// [`Refused`], when it is not.
pub fn verify(directory: &Path, key: &PublicKey) -> Result<Signed, Refused> {
    verify_with(directory, &directory.join(SIGNATURE_FILE), key)
}

/// Tells whether a directory is what a key has signed, by a signature that lies anywhere.
///
/// # Errors
/// [`Refused`], when it is not.
pub fn verify_with(directory: &Path, signature: &Path, key: &PublicKey) -> Result<Signed, Refused> {
    let signed = Signed::read(&text(signature)?, key)?;
    signed.check(directory)?;
    Ok(signed)
}

/// Reads the file of a signature, when it is one.
fn text(path: &Path) -> Result<String, Refused> {
    let bytes = skills_files::read(path, MAX_SIGNATURE).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Refused::Unsigned,
        io::ErrorKind::InvalidInput => Refused::Damaged("it is no file".to_owned()),
        io::ErrorKind::FileTooLarge => Refused::Damaged(format!("it has over {} MiB", MAX_SIGNATURE >> 20)),
        _ => Refused::Unreadable(error),
    })?;
    String::from_utf8(bytes).map_err(|_| Refused::Damaged("it is no text".to_owned()))
}

impl Signed {
    /// Reads the text of a signature that a key has made.
    ///
    /// # Errors
    /// [`Refused`], when it is none, or of another key.
    pub fn read(text: &str, key: &PublicKey) -> Result<Self, Refused> {
        Ok(Self { statement: Statement::parse(&envelope::open(text, key)?)? })
    }

    /// Returns the files that were signed.
    pub fn contents(&self) -> &Contents {
        &self.statement.contents
    }

    /// Returns what was left out when it was signed, as paths below the directory: files there are not covered.
    pub fn ignored(&self) -> &[String] {
        &self.statement.ignored
    }

    /// Tells whether the files of a directory are those that were signed.
    ///
    /// # Errors
    /// [`Refused`], when they are not.
    pub fn check(&self, directory: &Path) -> Result<(), Refused> {
        let links = if self.statement.has_links { Links::Follow } else { Links::Refuse };
        let rules = Rules { ignored: self.statement.ignored.clone(), ..Rules::new(links) };
        self.compare(&Contents::read(directory, &rules.ignore(SIGNATURE_FILE))?)
    }

    /// Tells whether files are those that were signed.
    ///
    /// # Errors
    /// [`Refused`], when they are not.
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

    /// Tells whether one file is as it was signed.
    pub fn covers(&self, path: &str, bytes: &[u8]) -> bool {
        self.contents().get(path) == Some(&hmac_sha256::Hash::hash(bytes))
    }
}
