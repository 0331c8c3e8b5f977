//! The gate in front of every server. A program is started, a connection is opened and a variable is read only for an
//! [`Approved`] address, and every path to a server takes one.
//!
//! ```text
//! ServerAddress -> Approved::typed        the user typed it for this very command
//!               -> Approved::configured   the host program, or a file of the user, names it
//! ProjectServer -> Approved::stored       a repository names it, and the user approved exactly this use
//! ```

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use skills_core::read::{git_ignored, repository_root};
use skills_load::trust::{TrustStore, TrustStoreError};
use skills_sign::{Contents, Difference, Links, Rules};
use skills_text::visible;

use crate::address::ServerAddress;
use crate::command_line::{CommandLine, MAX_COMMAND_LINE, find_program};
use crate::error::Error;

/// The path under which the trust file keeps the approval of a server, in place of the URI of a skill.
const NO_SKILL: &str = "";

/// The largest file that [`keep_approvals`] reads, in bytes.
const MAX_WRITTEN: u64 = 64 << 20;

/// The end of the question about a command line.
const NOT_COVERED: &str = "not covered: files that git does not track and ignores, files elsewhere, and what the program loads \
     from a network";

/// The address of a server that may be used. Only an approval creates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approved {
    address: ServerAddress,
    /// The server of a project, whose approval is compared again whenever a session begins, and the trust file.
    stored: Option<(ProjectServer, PathBuf)>,
}

impl Approved {
    /// Approves an address that the user typed on the command line for this very command.
    pub fn typed(address: ServerAddress) -> Self {
        Self { address, stored: None }
    }

    /// Approves an address that the code of the host program, or a file of the user outside of any repository, names.
    pub fn configured(address: ServerAddress) -> Self {
        Self { address, stored: None }
    }

    /// Approves the server of a project if the user has approved exactly this use of it, and nothing to which the
    /// approval is bound has changed since.
    ///
    /// # Errors
    /// [`Error::NotApproved`], which says what has changed.
    pub fn stored(server: &ProjectServer, store: &TrustStore) -> Result<Self, Error> {
        server.check(store)?;
        let path = store.path().map(Path::to_path_buf).unwrap_or_default();
        Ok(Self { address: server.address.clone(), stored: Some((server.clone(), path)) })
    }

    /// Returns the address.
    pub fn address(&self) -> &ServerAddress {
        &self.address
    }

    /// Compares the approval of a project's server again, and returns the address for a session that begins now: files may
    /// have changed since, and the user may have withdrawn the approval.
    pub(crate) fn check(&self) -> Result<(ServerAddress, StartDirectory), Error> {
        match &self.stored {
            None => Ok((self.address.clone(), StartDirectory::Given)),
            Some((server, store)) => server.check(&TrustStore::read(store)),
        }
    }
}

/// The directory in which the program of a server starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StartDirectory {
    /// That of the address.
    Given,
    /// The project.
    Project,
    /// An empty one, so that nothing of the repository reaches the program.
    Empty,
}

/// A server that a project names: in its `skills.toml`, or in the `skill.json` of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectServer {
    name: String,
    address: ServerAddress,
    project: PathBuf,
    /// The root of the repository that contains the project, or else the project. All of it comes from the author of the
    /// project.
    root: PathBuf,
}

impl ProjectServer {
    /// Creates the server of a project, which is given by its directory. `name` is the name of the server in `skills.toml`;
    /// for a server that a skill names by its URL or command line, it is that text.
    ///
    /// # Errors
    /// [`Error::Address`] if the directory does not exist.
    pub fn new(name: impl Into<String>, address: ServerAddress, project: &Path) -> Result<Self, Error> {
        let project = fs::canonicalize(project)
            .map_err(|error| Error::Address(format!("{}: {error}", project.display())))?;
        let root = repository_root(&project).unwrap_or_else(|| project.clone());
        Ok(Self { name: name.into(), address, project, root })
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the address, which is not approved.
    pub fn address(&self) -> &ServerAddress {
        &self.address
    }

    /// Returns the real path of the project.
    pub fn project(&self) -> &Path {
        &self.project
    }

    /// Finds out what the server would do. Starts nothing, connects to nothing, and reads no variable except `PATH` and
    /// the names of the directories of the user. The files in which the store and the logins beside it are kept do not
    /// count.
    ///
    /// # Errors
    /// [`Error::NotApproved`] if the program is not found, or if the files of the repository cannot be read or are too many.
    pub fn examine(&self, store: &TrustStore) -> Result<ServerUse, Error> {
        let address = &self.address;
        address.url()?;
        let mut facts = Facts::default();
        facts_of(address).into_iter().for_each(|fact| facts.add(fact));
        let mut notes = Vec::new();
        let (mut resolved, mut place) = (address.clone(), StartDirectory::Given);
        match &mut resolved {
            ServerAddress::Command { program, arguments, directory, .. } => {
                let length = arguments.iter().map(String::len).sum::<usize>() + program.len();
                if length > MAX_COMMAND_LINE {
                    let why = format!(
                        "its command line has {length} bytes, and a person can review {MAX_COMMAND_LINE}"
                    );
                    return Err(self.refuse(why));
                }
                let path = self.program(program)?;
                let line = CommandLine {
                    project: &self.project,
                    root: &self.root,
                    program: (program, &path),
                    arguments,
                };
                let findings = line.examine();
                for program in &findings.programs {
                    facts.add(format!("program {}", program.display()));
                }
                let reason = findings.reason.or_else(|| self.contains_home());
                (place, *program) =
                    (StartDirectory::from_reason(reason.as_ref()), path.to_string_lossy().into_owned());
                match reason {
                    None => {
                        facts.add("an empty directory".to_owned());
                        notes.push(format!(
                            "directory  an empty one, because the command line names nothing in {}",
                            self.project.display()
                        ));
                    }
                    Some(reason) => {
                        *directory = Some(self.project.clone());
                        facts.add(format!("directory {}", self.project.display()));
                        let files = self.files(&findings.named, store)?;
                        notes.push(format!("directory  {}, because {reason}", self.project.display()));
                        notes.push(format!(
                            "files      all {} files of {}: if one changes, the approval ends, also if the server writes it",
                            files.len(),
                            self.root.display()
                        ));
                        facts.0.extend(files.files().map(|(file, digest)| (format!("file {file}"), *digest)));
                    }
                }
                notes.push(NOT_COVERED.to_owned());
            }
            ServerAddress::Http { .. } => {}
        }
        Ok(ServerUse {
            server: self.clone(),
            address: resolved,
            place,
            binding: Contents::from_files(facts.0),
            notes,
        })
    }

    /// Returns the digests of all files of the repository that git tracks or does not ignore. The
    /// named files count even if git ignores them.
    fn files(&self, named: &BTreeSet<String>, store: &TrustStore) -> Result<Contents, Error> {
        let mut rules = Rules::new(Links::Record);
        rules.ignored.extend(git_ignored(&self.root, named));
        // An approval would end with its own entry if the directory of the user's settings is in the repository.
        let directory = store.path().and_then(Path::parent).and_then(|path| fs::canonicalize(path).ok());
        if let Some(below) = directory.as_ref().and_then(|path| path.strip_prefix(&self.root).ok()) {
            let own = ["trust.json", ".trust.json.lock", ".trust.json.new", "mcp-logins"];
            rules.ignored.extend(own.map(|name| below.join(name).to_string_lossy().replace('\\', "/")));
        }
        Contents::read(&self.root, &rules).map_err(|unfit| {
            self.refuse(format!(
                "all files of {} count, because its command line names something there, and {unfit}\n\
                 let git ignore what is built or installed, or install the server and name its program",
                self.root.display()
            ))
        })
    }

    /// Returns a reason to start in the project if the repository contains the directories of the user, among them the
    /// empty one in which the program would start otherwise.
    fn contains_home(&self) -> Option<String> {
        let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let directories = env::home_dir().into_iter().chain(cache).chain([env::temp_dir()]);
        let mut real = directories.filter_map(|directory| fs::canonicalize(directory).ok());
        real.any(|real| real.starts_with(&self.root)).then(|| {
            "the repository contains your home directory, or that for caches or temporary files".to_owned()
        })
    }

    /// Checks that the user has approved exactly the current use of the server. Returns its address with the resolved
    /// program and the working directory.
    fn check(&self, store: &TrustStore) -> Result<(ServerAddress, StartDirectory), Error> {
        if store.approved(&self.key(), NO_SKILL).is_none() {
            // No file of the repository is read for it.
            let facts = facts_of(&self.address).join(", ");
            return Err(Error::NotApproved(format!("`{}` is not approved: {}", self.name, visible(&facts))));
        }
        let use_now = self.examine(store)?;
        if use_now.is_approved(store) {
            return Ok((use_now.address, use_now.place));
        }
        let changes = use_now.changes(store).unwrap_or_default();
        Err(Error::NotApproved(format!("`{}` has changed since it was approved:\n{changes}", self.name)))
    }

    /// Withdraws the approval.
    ///
    /// # Errors
    /// [`TrustStoreError::NotTrusted`] if the server is not approved, and the errors of writing the file.
    pub fn revoke(&self, store: &mut TrustStore) -> Result<(), TrustStoreError> {
        store.revoke_server(&self.key()).map(drop)
    }

    /// Returns the key of the approval in the trust file.
    fn key(&self) -> String {
        format!("{}{AMONG}{}", self.name, self.project.display())
    }

    /// Returns the absolute path of the program: a path below the project, or a name in an absolute directory of `PATH`.
    fn program(&self, program: &str) -> Result<PathBuf, Error> {
        let is_path = program.contains('/') || (cfg!(windows) && program.contains('\\'));
        if is_path {
            let path = self.project.join(program);
            return match path.is_file() {
                true => Ok(path),
                false => Err(self.refuse(format!("there is no program `{}`", path.display()))),
            };
        }
        find_program(program).ok_or_else(|| self.refuse(format!("there is no program `{program}` in PATH")))
    }

    fn refuse(&self, why: String) -> Error {
        Error::NotApproved(format!("`{}` cannot be approved: {why}", self.name))
    }
}

/// The separator between the name of a server and its project, in the key of an approval.
const AMONG: &str = " of ";

/// The effects that a server of a project would have if it were approved.
#[derive(Clone, Debug)]
pub struct ServerUse {
    server: ProjectServer,
    /// The address with the resolved program and its working directory.
    address: ServerAddress,
    place: StartDirectory,
    /// Everything to which an approval is bound: each fact as a path, with a digest.
    binding: Contents,
    /// Where the program starts, and what an approval covers, for people.
    notes: Vec<String>,
}

impl ServerUse {
    /// Returns the server.
    pub fn server(&self) -> &ProjectServer {
        &self.server
    }

    /// Describes the use in lines: the command line or URL first, then the names of the variables, the programs, the
    /// working directory, and what an approval covers. The files of the repository are counted, and not listed.
    pub fn lines(&self) -> Vec<String> {
        let notes = self.notes.iter().map(|line| visible(line));
        self.facts(&["command line ", "URL ", "variable ", "program "]).into_iter().chain(notes).collect()
    }

    /// Returns the facts of the given kinds, in this order.
    fn facts(&self, kinds: &[&str]) -> Vec<String> {
        let mut found = Vec::new();
        for kind in kinds {
            let facts = self.binding.files().map(|(fact, _)| fact).filter(|fact| fact.starts_with(kind));
            found.extend(facts.map(visible));
        }
        found
    }

    /// Returns what has changed since the last approval of the server, or `None` if it was never approved.
    pub fn changes(&self, store: &TrustStore) -> Option<String> {
        let approved = store.approved(&self.server.key(), NO_SKILL)?;
        Some(Difference::between(approved, &self.binding).to_string())
    }

    /// Returns `true` if the user has approved exactly this.
    pub fn is_approved(&self, store: &TrustStore) -> bool {
        store.approved(&self.server.key(), NO_SKILL) == Some(&self.binding)
    }

    /// Records that the user has seen [`lines`](Self::lines) and approved them.
    ///
    /// # Errors
    /// [`TrustStoreError`]. Nothing has changed then.
    pub fn approve(&self, store: &mut TrustStore) -> Result<(), TrustStoreError> {
        store.approve(&self.server.key(), [(NO_SKILL.to_owned(), self.binding.clone())])
    }
}

/// Returns the facts that the address states itself: the command line or the URL, and the names of its variables.
fn facts_of(address: &ServerAddress) -> Vec<String> {
    let mut facts = Vec::new();
    match address {
        ServerAddress::Command { environment, .. } => {
            facts.push(format!("command line {}", address.identity()));
            facts.extend(environment.iter().map(|name| format!("variable {name}")));
        }
        ServerAddress::Http { url, token, headers } => {
            facts.push(format!("URL {url}"));
            facts.extend(token.iter().map(|token| format!("variable {token} as bearer token")));
            facts.extend(headers.iter().map(|(header, variable)| {
                format!("variable {variable} as header {}", header.to_ascii_lowercase())
            }));
        }
    }
    facts
}

/// Writes files of a repository with `write`, without ending the approvals of servers there: these files, and no others,
/// count from now on as they are after `write`. An approval that did not hold for them before does not hold after.
///
/// # Errors
/// [`TrustStoreError`] if the approvals cannot be saved. The files are written then.
pub fn keep_approvals<R>(
    store: &mut TrustStore,
    files: &[PathBuf],
    write: impl FnOnce() -> R,
) -> (R, Result<(), TrustStoreError>) {
    let before: Vec<Option<Fact>> = files.iter().map(|file| digest_of(file)).collect();
    let written = write();
    let mut changed = Vec::new();
    for entry in store.entries().filter(|entry| entry.path().as_os_str() == NO_SKILL) {
        let (Some(server), Some(root)) = (entry.server(), root_of(entry.contents())) else { continue };
        let ignored: BTreeSet<String> = git_ignored(&root, &BTreeSet::new()).into_iter().collect();
        let mut facts: Vec<Fact> =
            entry.contents().files().map(|(fact, digest)| (fact.to_owned(), *digest)).collect();
        for (file, before) in files.iter().zip(&before) {
            let after = digest_of(file);
            let Some(below) = after.as_ref().and_then(|(real, _)| Path::new(real).strip_prefix(&root).ok())
            else {
                continue;
            };
            let fact = format!("file {}", below.to_string_lossy().replace('\\', "/"));
            let old = before.as_ref().map(|(_, digest)| digest);
            if !is_below(below, &ignored) && entry.contents().get(&fact) == old {
                facts.extend(after.map(|(_, digest)| (fact, digest)));
            }
        }
        changed.push((server.to_owned(), Contents::from_files(facts)));
    }
    for (server, contents) in changed {
        if let Err(error) = store.approve(&server, [(NO_SKILL.to_owned(), contents)]) {
            return (written, Err(error));
        }
    }
    (written, Ok(()))
}

/// Returns `true` if a path or a directory above it is in a list.
fn is_below(path: &Path, list: &BTreeSet<String>) -> bool {
    path.ancestors().any(|above| above.to_str().is_some_and(|above| list.contains(above)))
}

/// A fact with its digest, or the real path of a file with the digest of its contents.
type Fact = (String, [u8; 32]);

/// Returns the repository to whose files an approval is bound.
fn root_of(contents: &Contents) -> Option<PathBuf> {
    let project = contents.files().find_map(|(fact, _)| fact.strip_prefix("directory "))?;
    Some(repository_root(Path::new(project)).unwrap_or_else(|| PathBuf::from(project)))
}

fn digest_of(file: &Path) -> Option<Fact> {
    let real = fs::canonicalize(file.parent()?).ok()?.join(file.file_name()?);
    let bytes = skills_files::read(&real, MAX_WRITTEN).ok()?;
    Some((real.to_str()?.to_owned(), hmac_sha256::Hash::hash(&bytes)))
}

impl StartDirectory {
    fn from_reason(reason: Option<&String>) -> Self {
        if reason.is_some() { Self::Project } else { Self::Empty }
    }
}

/// Facts with digests. A fact without contents has the digest of its text.
#[derive(Default)]
struct Facts(Vec<Fact>);

impl Facts {
    fn add(&mut self, fact: String) {
        let digest = hmac_sha256::Hash::hash(fact.as_bytes());
        self.0.push((fact, digest));
    }
}
