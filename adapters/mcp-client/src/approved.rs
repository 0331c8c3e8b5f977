//! The gate in front of every server. A program is started, a connection is opened and a variable is read only for an
//! [`Approved`] address, and every path to a server takes one.
//!
//! ```text
//! ServerAddress -> Approved::typed        the user typed it for this very command
//!               -> Approved::configured   the host program, or a file of the user, names it
//! ProjectServer -> Approved::stored       a repository names it, and the user approved exactly this use
//! ```

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use skills_files::Dir;

use skills_load::trust::{TrustStore, TrustStoreError};
use skills_sign::{Contents, Difference, Links, Rules};
use skills_text::visible;

use crate::address::ServerAddress;
use crate::error::Error;

/// The largest file whose digest an approval has, and the longest argument of a command line, in bytes.
const MAX_FILE: u64 = 1 << 30;
const MAX_ARGUMENT: usize = 4096;

/// The path under which the trust file keeps the approval of a server, in place of the URI of a skill.
const NO_SKILL: &str = "";

/// Programs that find out from files of the project what to run, and these files.
const LAUNCHERS: [&str; 24] = [
    "npm", "npx", "pnpm", "pnpx", "yarn", "bun", "bunx", "deno", "uv", "uvx", "poetry", "pipenv", "pdm",
    "hatch", "cargo", "make", "gmake", "just", "go", "rake", "bundle", "task", "mise", "tox",
];
const MANIFESTS: [&str; 20] = [
    "package.json",
    ".npmrc",
    "deno.json",
    "deno.jsonc",
    "bunfig.toml",
    "pyproject.toml",
    "uv.lock",
    "uv.toml",
    "Pipfile",
    "tox.ini",
    "Cargo.toml",
    ".cargo/config.toml",
    "Makefile",
    "makefile",
    "GNUmakefile",
    "justfile",
    "go.mod",
    "Rakefile",
    "Gemfile",
    "mise.toml",
];

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
    pub(crate) fn check(&self) -> Result<ServerAddress, Error> {
        match &self.stored {
            None => Ok(self.address.clone()),
            Some((server, store)) => server.check(&TrustStore::at(store)),
        }
    }
}

/// A server that a project names: in its `skills.toml`, or in the `skill.json` of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectServer {
    name: String,
    address: ServerAddress,
    project: PathBuf,
}

impl ProjectServer {
    /// Creates the server of a project, which is given by its directory. `name` is the name of the server in `skills.toml`;
    /// for a server that a skill names by its URL or command line, it is that text.
    ///
    /// # Errors
    /// [`Error::Address`] if the directory does not exist.
    pub fn new(name: impl Into<String>, address: ServerAddress, project: &Path) -> Result<Self, Error> {
        let unusable = |error: io::Error| Error::Address(format!("{}: {error}", project.display()));
        Ok(Self { name: name.into(), address, project: fs::canonicalize(project).map_err(unusable)? })
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

    /// Finds out what the server would do. Starts nothing, connects to nothing, and reads no variable except `PATH`.
    ///
    /// # Errors
    /// [`Error::NotApproved`] if the program is not found, or if a file that the command line names cannot be read.
    pub fn examine(&self) -> Result<ServerUse, Error> {
        let address = &self.address;
        address.url()?;
        let mut lines = Lines::default();
        lines.add(format!("directory {}", self.project.display()));
        let mut resolved = address.clone();
        match address {
            ServerAddress::Command { program, arguments, environment, .. } => {
                lines.add(format!("command line {}", address.identity()));
                let path = self.program(program)?;
                let real = fs::canonicalize(&path).map_err(|error| self.unusable(program, &error))?;
                lines.add(format!("program {}", path.display()));
                let root = self.root();
                if real.starts_with(root) || path.starts_with(root) {
                    self.add_files(program, &real, &mut lines)?;
                }
                let mut finder = Finder { project: &self.project, root, listed: HashMap::new() };
                let mut has_launcher = is_launcher(program);
                for argument in arguments {
                    if argument.len() > MAX_ARGUMENT {
                        return Err(self.refuse("an argument is too long to be reviewed".to_owned()));
                    }
                    has_launcher |= argument.split(is_separator).any(is_launcher);
                    for named in finder.files_of(argument) {
                        self.add_files(argument, &named, &mut lines)?;
                    }
                }
                if has_launcher {
                    let programs = arguments.iter().map(|argument| format!("node_modules/.bin/{argument}"));
                    let names: Vec<String> =
                        MANIFESTS.map(str::to_owned).into_iter().chain(programs).collect();
                    // A launcher looks for its manifest in the directories above, too.
                    for directory in
                        self.project.ancestors().take_while(|directory| directory.starts_with(root))
                    {
                        for path in
                            names.iter().map(|name| directory.join(name)).filter(|path| path.is_file())
                        {
                            self.add_files(&path.display().to_string(), &path, &mut lines)?;
                        }
                    }
                }
                for name in environment {
                    lines.add(format!("variable {name}"));
                }
                if let ServerAddress::Command { program, directory, .. } = &mut resolved {
                    *program = path.to_string_lossy().into_owned();
                    *directory = Some(self.project.clone());
                }
            }
            ServerAddress::Http { url, token, headers } => {
                lines.add(format!("URL {url}"));
                if let Some(token) = token {
                    lines.add(format!("variable {token} as bearer token"));
                }
                for (header, variable) in headers {
                    lines.add(format!("variable {variable} as header {}", header.to_ascii_lowercase()));
                }
            }
        }
        Ok(ServerUse { server: self.clone(), address: resolved, binding: Contents::of(lines.0) })
    }

    /// Returns the root of the repository that contains the project: the nearest directory with `.git`, or else the
    /// project. All of it comes from the author of the project.
    fn root(&self) -> &Path {
        let is_root = |directory: &&Path| directory.join(".git").symlink_metadata().is_ok();
        self.project.ancestors().find(is_root).unwrap_or(&self.project)
    }

    /// Checks that the user has approved exactly the current use of the server. Returns its address with the resolved
    /// program and the working directory.
    fn check(&self, store: &TrustStore) -> Result<ServerAddress, Error> {
        let use_now = self.examine()?;
        let why = match use_now.changes(store) {
            Some(_) if use_now.is_approved(store) => return Ok(use_now.address),
            Some(changes) => format!("has changed since it was approved:\n{changes}"),
            None => format!("is not approved: {}", use_now.summary()),
        };
        Err(Error::NotApproved(format!("`{}` {why}", self.name)))
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
        let suffixes: &[&str] = if cfg!(windows) { &["", ".exe", ".cmd", ".bat"] } else { &[""] };
        let path = env::var_os("PATH").unwrap_or_default();
        // A relative directory would depend on where the command runs.
        for directory in env::split_paths(&path).filter(|directory| directory.is_absolute()) {
            for suffix in suffixes {
                let found = directory.join(format!("{program}{suffix}"));
                if is_program(&found) {
                    return Ok(found);
                }
            }
        }
        Err(self.refuse(format!("there is no program `{program}` in PATH")))
    }

    /// Adds the digest of a file, or of each file in a directory.
    fn add_files(&self, named: &str, path: &Path, lines: &mut Lines) -> Result<(), Error> {
        let unreadable = |error: &dyn std::fmt::Display| self.unusable(named, error);
        let label = path.strip_prefix(&self.project).unwrap_or(path).display().to_string();
        let real = fs::canonicalize(path).map_err(|error| unreadable(&error))?;
        if !real.is_dir() {
            let digest = digest_of(&real).map_err(|error| unreadable(&error))?;
            lines.0.push((format!("file {label}"), digest));
            return Ok(());
        }
        let contents = Contents::read(&real, &Rules::new(Links::Record).ignore(".git"));
        let contents = match contents {
            Err(unfit) if matches!(unfit.reason, skills_sign::UnfitReason::Empty) => Contents::default(),
            other => other.map_err(|unfit| unreadable(&unfit))?,
        };
        let label = if label.is_empty() { ".".to_owned() } else { label };
        for (file, digest) in contents.files() {
            lines.0.push((format!("file {label}/{file}"), *digest));
        }
        Ok(())
    }

    fn unusable(&self, named: &str, error: &dyn std::fmt::Display) -> Error {
        self.refuse(format!("`{named}` cannot be read: {error}"))
    }

    fn refuse(&self, why: String) -> Error {
        Error::NotApproved(format!("`{}` cannot be approved: {why}", self.name))
    }
}

/// Finds the files of a repository that a command line names.
struct Finder<'a> {
    /// The directory in which the program starts.
    project: &'a Path,
    /// The repository that contains it.
    root: &'a Path,
    /// The names in each directory that was listed.
    listed: HashMap<PathBuf, Vec<String>>,
}

impl Finder<'_> {
    /// Returns the files and directories that an argument names: the argument itself, its parts before and after `=`, `:`,
    /// a space and the like, and the value of a short flag. A name without its extension, or with dots in place of slashes
    /// as Python writes modules, also names a file.
    fn files_of(&mut self, argument: &str) -> Vec<PathBuf> {
        let mut texts = vec![argument];
        for (at, separator) in argument.char_indices().filter(|(_, c)| is_separator(*c)) {
            texts.extend(argument.get(at + separator.len_utf8()..));
            texts.extend(argument.get(..at));
        }
        texts.extend(argument.split(is_separator));
        let flags: Vec<&str> = texts.iter().filter_map(|text| value_of_short_flag(text)).collect();
        texts.extend(flags);
        texts.retain(|text| !text.is_empty());
        texts.sort_unstable();
        texts.dedup();
        let mut found = Vec::new();
        for text in texts {
            self.add_at(Path::new(text), &mut found);
            if !text.contains('/') && text.contains('.') {
                self.add_at(Path::new(&text.replace('.', "/")), &mut found);
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// Adds the file or directory at a path, and the files beside it with the same name and an extension, if they are in
    /// the repository. A link in the repository counts as its target, wherever that is.
    fn add_at(&mut self, path: &Path, found: &mut Vec<PathBuf>) {
        let path = self.project.join(path);
        let Some(above) = path.parent() else { return };
        let Ok(real_above) = fs::canonicalize(above) else { return };
        let is_below = real_above.starts_with(self.root);
        if is_below || fs::canonicalize(&path).is_ok_and(|real| real.starts_with(self.root)) {
            found.extend(path.exists().then(|| path.clone()));
        }
        let Some(stem) = path.file_name().and_then(OsStr::to_str).filter(|_| is_below) else { return };
        let listed = self.listed.entry(real_above.clone()).or_insert_with(|| names_in(&real_above));
        let has_extension =
            |name: &&String| name.strip_prefix(stem).is_some_and(|rest| rest.starts_with('.'));
        let beside = listed.iter().filter(has_extension).map(|name| above.join(name));
        found.extend(beside.filter(|path| path.is_file()));
    }
}

fn names_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

fn is_separator(c: char) -> bool {
    !(c.is_alphanumeric() || matches!(c, '.' | '/' | '\\' | '_' | '-' | '~'))
}

fn is_launcher(program: &str) -> bool {
    let stem = Path::new(program).file_stem().and_then(OsStr::to_str);
    stem.is_some_and(|stem| LAUNCHERS.contains(&stem))
}

/// The separator between the name of a server and its project, in the key of an approval.
const AMONG: &str = " of ";

/// The effects that a server of a project would have if it were approved.
#[derive(Clone, Debug)]
pub struct ServerUse {
    server: ProjectServer,
    /// The address with the resolved program and its working directory.
    address: ServerAddress,
    /// Everything to which an approval is bound: each fact as a path, with a digest.
    binding: Contents,
}

impl ServerUse {
    /// Returns the server.
    pub fn server(&self) -> &ProjectServer {
        &self.server
    }

    /// Returns the facts to which an approval is bound, each as a line: the command line or URL first, then the names of
    /// the variables, the program, and the files.
    pub fn lines(&self) -> Vec<String> {
        const ORDER: [&str; 5] = ["command line ", "URL ", "variable ", "program ", "directory "];
        let all: Vec<&str> = self.binding.files().map(|(line, _)| line).collect();
        let of_kind =
            |kind: &str| all.iter().filter(move |line| line.starts_with(kind)).copied().collect::<Vec<_>>();
        let first = ORDER.iter().flat_map(|kind| of_kind(kind));
        first.chain(of_kind("file ")).map(visible).collect()
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

    /// Returns the command line or the URL with the names of its variables, in one line.
    fn summary(&self) -> String {
        let is_short = |line: &String| !line.starts_with("file ") && !line.starts_with("program ");
        self.lines().into_iter().filter(is_short).collect::<Vec<_>>().join(", ")
    }
}

/// Facts with digests. A fact without contents has the digest of its text.
#[derive(Default)]
struct Lines(Vec<(String, [u8; 32])>);

impl Lines {
    fn add(&mut self, line: String) {
        let digest = hmac_sha256::Hash::hash(line.as_bytes());
        self.0.push((line, digest));
    }
}

/// Returns the value of a short flag that is written without a space, such as `lib` of `-Ilib`.
fn value_of_short_flag(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
    let first = rest.chars().next()?;
    rest.get(first.len_utf8()..).filter(|rest| !rest.is_empty())
}

/// Computes the digest of a regular file.
fn digest_of(path: &Path) -> io::Result<[u8; 32]> {
    let invalid = || io::Error::from(io::ErrorKind::InvalidInput);
    let (above, name) = (path.parent().ok_or_else(invalid)?, path.file_name().ok_or_else(invalid)?);
    let mut file = Dir::open(above)?.open_file(name)?.take(MAX_FILE + 1);
    let (mut hash, mut bytes, mut size) = (hmac_sha256::Hash::new(), vec![0; 64 * 1024], 0_u64);
    loop {
        let count = file.read(&mut bytes)?;
        size += u64::try_from(count).unwrap_or(u64::MAX);
        if size > MAX_FILE {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        match bytes.get(..count) {
            Some([]) | None => return Ok(hash.finalize()),
            Some(read) => hash.update(read),
        }
    }
}

/// Returns `true` if a file exists and may be executed.
fn is_program(path: &Path) -> bool {
    let Ok(metadata) = fs::metadata(path) else { return false };
    #[cfg(unix)]
    let may_run = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let may_run = true;
    metadata.is_file() && may_run
}
