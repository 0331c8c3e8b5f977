//! Fetches the files of one commit of a git repository into memory. It never creates a checkout, so filters, hooks,
//! links and submodules of the repository have no effect.

mod command;
pub(crate) mod tree;

use std::path::Path;

use skills_core::read::is_license;

use crate::SourceError;
use command::{Git, SOURCE};
use tree::{Entry, EntryKind};

/// The maximum number of files in a commit, or in the directory that the source names.
pub(crate) const MAX_FILES: usize = 20_000;
/// The largest size of the files of all skills together, in bytes.
const MAX_BYTES: u64 = 200 << 20;
/// The largest listing of a commit or of references, in bytes.
const MAX_LISTED: u64 = 32 << 20;

/// A repository, and the part of it that a source names.
pub(crate) struct RemoteRepository<'s> {
    /// The URL, or the absolute path of a local repository.
    pub(crate) url: &'s str,
    pub(crate) rev: Option<&'s str>,
    pub(crate) path: Option<&'s str>,
    pub(crate) is_local: bool,
}

/// The files of the skills of a commit.
pub(crate) struct Checkout {
    /// The commit.
    pub(crate) commit: String,
    /// The directory of the repository that holds the skills.
    pub(crate) base: String,
    /// The file at the top of the repository that holds its license.
    pub(crate) license: Option<String>,
    /// The files below that directory.
    pub(crate) files: Vec<RepositoryFile>,
    /// Paths of the repository that are left out, with the reason.
    pub(crate) refused: Vec<(String, &'static str)>,
}

pub(crate) struct RepositoryFile {
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) executable: bool,
}

impl RemoteRepository<'_> {
    fn git<'a>(&'a self, scratch: &'a Path) -> Git<'a> {
        Git::new(scratch, self.url, self.is_local)
    }

    /// Creates the private repository in an empty directory.
    pub(crate) fn prepare(&self, scratch: &Path) -> Result<(), SourceError> {
        let git = self.git(scratch);
        git.run(&["init", "--quiet", "--bare", "--template="], b"", MAX_LISTED).map(drop)
    }

    /// Returns the commit that the revision names now. The repository is [prepared](Self::prepare).
    pub(crate) fn resolve(&self, scratch: &Path) -> Result<String, SourceError> {
        if let Some(rev) = self.rev.filter(|rev| is_commit(rev)) {
            return Ok(rev.to_owned());
        }
        let patterns = match self.rev {
            None => vec!["HEAD".to_owned()],
            Some(rev) => {
                // A tag has precedence over a branch, as in git. An annotated tag stands for its commit.
                vec![format!("refs/tags/{rev}^{{}}"), format!("refs/tags/{rev}"), format!("refs/heads/{rev}")]
            }
        };
        let git = self.git(scratch);
        let mut arguments = vec!["ls-remote", SOURCE];
        arguments.extend(patterns.iter().map(String::as_str));
        let listed = String::from_utf8_lossy(&git.run(&arguments, b"", MAX_LISTED)?).into_owned();
        let find = |name: &String| {
            let mut lines = listed.lines().filter_map(|line| line.split_once('\t'));
            lines.find(|(_, listed)| listed == name).map(|(commit, _)| commit.to_owned())
        };
        patterns.iter().find_map(find).filter(|commit| is_commit(commit)).ok_or_else(|| {
            SourceError::Missing(match self.rev {
                Some(rev) => format!("{} has no branch, tag or full commit `{rev}`", self.url),
                None => format!("{} has no commit", self.url),
            })
        })
    }

    /// Fetches a commit, and reads the files of its skills. The repository is [prepared](Self::prepare).
    pub(crate) fn fetch(&self, scratch: &Path, commit: &str) -> Result<Checkout, SourceError> {
        let git = self.git(scratch);
        // Only the commit and its directories: the files are fetched when it is known which are needed. A server that
        // cannot leave them out sends all.
        let mut fetch = vec!["fetch", "--quiet", "--depth=1", "--filter=blob:none"];
        fetch.extend(["--no-tags", "--no-recurse-submodules", SOURCE, commit]);
        git.run(&fetch, b"", MAX_LISTED).map_err(|error| match error {
            SourceError::Program(text) => {
                SourceError::Program(format!("{}: the commit {commit} cannot be fetched: {text}", self.url))
            }
            error => error,
        })?;
        let mut list = vec!["ls-tree", "-r", "-z", "--full-tree", commit];
        list.extend(self.path.iter().flat_map(|path| ["--", *path]));
        let listing = git.run(&list, b"", MAX_LISTED)?;
        let count = listing.iter().filter(|byte| **byte == 0).count();
        if count > MAX_FILES {
            return Err(SourceError::Refused(format!(
                "{} has {count} files, more than {MAX_FILES}: name the directory of the skills in the source",
                self.url
            )));
        }
        let entries = tree::parse(&listing);
        let base = self.path.unwrap_or_else(|| tree::base(&entries));
        let chosen = tree::of_skills(&entries, base);
        if chosen.is_empty() {
            let place =
                if base.is_empty() { self.url.to_owned() } else { format!("`{base}` of {}", self.url) };
            return Err(SourceError::Missing(format!("{place} has no skills at {commit}")));
        }
        let refused = chosen.iter().filter_map(|(entry, _)| Some((entry.path.clone(), entry.kind.fault()?)));
        let refused = refused.collect();
        let files: Vec<(&Entry, &str)> =
            chosen.into_iter().filter(|(entry, _)| entry.kind.fault().is_none()).collect();
        let sizes = fetch_blobs(&git, &files)?;
        if sizes.iter().fold(0, |sum: u64, size| sum.saturating_add(*size)) > MAX_BYTES {
            return Err(SourceError::Refused(format!(
                "the skills of {} have more than {} MiB",
                self.url,
                MAX_BYTES >> 20
            )));
        }
        let top = git.run(&["ls-tree", "-z", "--full-tree", "--name-only", commit], b"", MAX_LISTED)?;
        let top = String::from_utf8_lossy(&top).into_owned();
        let license = top.split('\0').find(|name| is_license(name)).map(str::to_owned);
        Ok(Checkout {
            commit: commit.to_owned(),
            base: base.to_owned(),
            license,
            files: blobs(&git, &files, &sizes)?,
            refused,
        })
    }
}

/// Fetches the contents of files that are not there yet, and returns their sizes.
fn fetch_blobs(git: &Git<'_>, files: &[(&Entry, &str)]) -> Result<Vec<u64>, SourceError> {
    let input: String = files.iter().map(|(entry, _)| format!("{}\n", entry.object)).collect();
    let sizes = |git: &Git<'_>| -> Result<Option<Vec<u64>>, SourceError> {
        let listed = git.run(
            &["cat-file", "--batch-check=%(objecttype) %(objectsize)"],
            input.as_bytes(),
            MAX_LISTED,
        )?;
        let listed = String::from_utf8_lossy(&listed).into_owned();
        Ok(listed.lines().map(|line| line.strip_prefix("blob ")?.parse().ok()).collect())
    };
    if let Some(sizes) = sizes(git)? {
        return Ok(sizes);
    }
    let mut fetch = vec!["fetch", "--quiet", "--filter=blob:none", "--no-tags", "--no-write-fetch-head"];
    fetch.extend(["--no-recurse-submodules", "--stdin", SOURCE]);
    git.run(&fetch, input.as_bytes(), MAX_LISTED)?;
    sizes(git)?.ok_or_else(|| SourceError::Program("git did not fetch all files of the skills".to_owned()))
}

/// Reads the contents of files.
fn blobs(git: &Git<'_>, files: &[(&Entry, &str)], sizes: &[u64]) -> Result<Vec<RepositoryFile>, SourceError> {
    let input: String = files.iter().map(|(entry, _)| format!("{}\n", entry.object)).collect();
    // Each object begins with a line with its id, type and size.
    let most = sizes.iter().map(|size| size + 128).sum();
    let output = git.run(&["cat-file", "--batch"], input.as_bytes(), most)?;
    let broken = || SourceError::Program("`git cat-file` printed an object of another form".to_owned());
    let mut rest = output.as_slice();
    let mut read = Vec::with_capacity(files.len());
    for ((entry, path), size) in files.iter().zip(sizes) {
        let end = rest.iter().position(|byte| *byte == b'\n').ok_or_else(broken)?;
        let head = format!("{} blob {size}", entry.object);
        let (line, behind) = rest.split_at(end);
        let size = usize::try_from(*size).map_err(|_| broken())?;
        let bytes = behind.get(1..=size).filter(|_| line == head.as_bytes()).ok_or_else(broken)?;
        let executable = entry.kind == EntryKind::Executable;
        read.push(RepositoryFile { path: (*path).to_owned(), bytes: bytes.to_owned(), executable });
        rest = behind.get(size + 2..).ok_or_else(broken)?;
    }
    Ok(read)
}

/// Returns `true` for a full commit.
pub(crate) fn is_commit(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
