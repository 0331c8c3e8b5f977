//! Finds out what the command line of a server has to do with the repository that names it: whether the program may reach
//! files of the repository, and which programs of the user it starts. Used by `approved`.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::{env, fs};

use skills_core::read::repository_root;
use skills_files::Dir;

/// The longest command line in bytes, since each part of it is compared with names of files, and a person reviews it.
pub(crate) const MAX_COMMAND_LINE: usize = 4096;

/// Programs that find out from files of the working directory what to run, and programs that run words as code.
const RUNNERS: [&str; 45] = [
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "deno",
    "turbo",
    "nx",
    "lerna",
    "uv",
    "poetry",
    "pipenv",
    "pdm",
    "hatch",
    "pixi",
    "tox",
    "cargo",
    "make",
    "gmake",
    "just",
    "task",
    "mise",
    "go",
    "rake",
    "bundle",
    "composer",
    "mvn",
    "gradle",
    "dotnet",
    "nix",
    "devbox",
    "direnv",
    "compose",
    "docker-compose",
    "sh",
    "bash",
    "dash",
    "zsh",
    "ksh",
    "fish",
    "pwsh",
    "powershell",
    "cmd",
    "perl",
    "ruby",
    "php",
];

/// How many `#!` lines may lead from one to the next; Linux follows five.
const MAX_SCRIPTS: usize = 5;

/// The longest `#!` line that is read, in bytes.
const MAX_FIRST_LINE: u64 = 4096;

/// A command line in a project.
pub(crate) struct CommandLine<'a> {
    /// The directory of the project.
    pub(crate) project: &'a Path,
    /// The repository that contains it.
    pub(crate) root: &'a Path,
    /// The program as it is written, and its absolute path.
    pub(crate) program: (&'a str, &'a Path),
    pub(crate) arguments: &'a [String],
}

/// The result for a command line.
#[derive(Default)]
pub(crate) struct Findings {
    /// The reason why the program starts in the project, if it does.
    pub(crate) reason: Option<String>,
    /// The files and directories of the repository that are named, as paths below its top.
    pub(crate) named: BTreeSet<String>,
    /// The absolute paths of programs that a word or a `#!` line names.
    pub(crate) programs: BTreeSet<PathBuf>,
}

impl CommandLine<'_> {
    /// Examines the command line.
    pub(crate) fn examine(&self) -> Findings {
        let mut findings = Findings::default();
        let (written, program) = self.program;
        if is_runner(written) {
            findings.explain(format!("`{written}` runs what files or words say"));
        }
        self.add_program(program, &mut findings, 0);
        let names = self.names();
        for word in self.arguments {
            if let Some(why) = self.concerns_repository(word, &names) {
                findings.explain(format!("`{word}` {why}"));
            }
            for part in parts(word) {
                self.add_file(&self.project.join(part), &mut findings, 0);
                if let Some(path) = find_program(part).filter(|_| !part.contains('/')) {
                    self.add_program(&path, &mut findings, 0);
                }
            }
        }
        if let Some(directory) = self.path_directory() {
            findings.explain(format!("{} in PATH is in the repository", directory.display()));
        }
        findings
    }

    /// Returns how a word may lead to the repository: it may be code, or a part of it names something in the repository or
    /// above it.
    fn concerns_repository(&self, word: &str, names: &BTreeSet<String>) -> Option<&'static str> {
        if !word.chars().all(is_plain) {
            return Some("may be code, or a pattern for names");
        }
        let is_named = self.root.to_str().is_some_and(|root| without_repeats(word).contains(root));
        // Some programs resolve `..` themselves, even below a directory that does not exist.
        let leads_up = word.split(|c| is_separator(c) || matches!(c, '/' | '\\')).any(|name| name == "..");
        let mut parts = parts(word).into_iter();
        if is_named || leads_up || parts.any(|part| self.is_name(part, names)) {
            return Some("names something in the repository");
        }
        word.split(is_separator).any(is_runner).then_some("runs what files or words say")
    }

    /// Returns `true` if a part of a word is a path into the repository or to a directory above it, or begins with a name
    /// that is in the repository. A name may lack its extension, and a module of Python has dots between its names.
    fn is_name(&self, part: &str, names: &BTreeSet<String>) -> bool {
        if Path::new(part).is_absolute() {
            let real = fs::canonicalize(part);
            return self.is_in_repository(Path::new(part))
                || real.is_ok_and(|real| self.root.starts_with(real));
        }
        let first = part.split(['/', '\\', '.']).next().unwrap_or_default();
        first.is_empty() || names.contains(first) || self.project.join(part).symlink_metadata().is_ok()
    }

    /// Returns the names in the project and the directories above it up to the top of the repository, and those of the
    /// packages that npm has installed there. Each is also present up to its first dot.
    fn names(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for above in self.project.ancestors().take_while(|above| above.starts_with(self.root)) {
            for directory in [above.to_owned(), above.join("node_modules"), above.join("node_modules/.bin")] {
                for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
                    let Ok(name) = entry.file_name().into_string() else { continue };
                    names.extend(name.split('.').next().filter(|stem| !stem.is_empty()).map(str::to_owned));
                    names.insert(name);
                }
            }
        }
        names
    }

    /// Adds a program, and the programs that its `#!` line names.
    fn add_program(&self, path: &Path, findings: &mut Findings, depth: usize) {
        if findings.programs.insert(path.to_owned()) {
            self.add_file(path, findings, depth);
            self.add_interpreters(path, findings, depth);
        }
    }

    /// Adds a file or a directory, and what it leads to as a link, if that is in the repository and not its top. If the file
    /// begins with `#!`, the programs of this line are added, too.
    fn add_file(&self, path: &Path, findings: &mut Findings, depth: usize) {
        let target = fs::canonicalize(path).ok();
        for path in [Some(path), target.as_deref()].into_iter().flatten() {
            let Some(below) = self.below(path).filter(|below| !below.is_empty()) else { continue };
            if findings.named.insert(below) {
                findings.explain(format!("{} is in the repository", path.display()));
                self.add_interpreters(path, findings, depth);
            }
        }
    }

    /// Returns a directory in `PATH` that is in the repository, so that a program finds others there. If git ignores the
    /// directory, it comes from this machine and does not count.
    fn path_directory(&self) -> Option<PathBuf> {
        let has_git = repository_root(self.root).is_some();
        let path = env::var_os("PATH").unwrap_or_default();
        let directories = env::split_paths(&path).filter(|directory| directory.is_absolute());
        let mut real = directories.filter_map(|directory| fs::canonicalize(directory).ok());
        real.find(|real| real.starts_with(self.root) && (!has_git || repository_root(real).is_some()))
    }

    fn add_interpreters(&self, path: &Path, findings: &mut Findings, depth: usize) {
        let Some(line) = script_line(path).ok().flatten().filter(|_| depth < MAX_SCRIPTS) else { return };
        for part in line.split(|c: char| c.is_whitespace() || is_separator(c)) {
            let found = match Path::new(part).is_absolute() {
                true => Some(PathBuf::from(part)).filter(|path| is_program(path)),
                false => find_program(part),
            };
            found.iter().for_each(|found| self.add_program(found, findings, depth + 1));
        }
    }

    /// Returns `true` if a path leads into the repository, whether or not something is there already.
    fn is_in_repository(&self, path: &Path) -> bool {
        let existing = path.ancestors().find_map(|above| fs::canonicalize(above).ok());
        self.below(path).is_some() || existing.is_some_and(|real| real.starts_with(self.root))
    }

    /// Returns the path of a file below the top of the repository. The directories on the way to it are resolved, and the
    /// file itself is not, since it may be a link.
    fn below(&self, path: &Path) -> Option<String> {
        path.symlink_metadata().ok()?;
        let real = match path.file_name() {
            Some(name) => fs::canonicalize(path.parent()?).ok()?.join(name),
            None => fs::canonicalize(path).ok()?,
        };
        let below = real.strip_prefix(self.root).ok()?.to_str()?;
        Some(below.replace('\\', "/"))
    }
}

impl Findings {
    /// Keeps the first reason.
    fn explain(&mut self, reason: String) {
        self.reason.get_or_insert(reason);
    }
}

/// Returns the parts of a word that may be names: the word, what stands before and after each separator, and the value of a
/// short flag that is written without a space, such as `lib` of `-Ilib`.
fn parts(word: &str) -> BTreeSet<&str> {
    let mut parts: BTreeSet<&str> = word.split(is_separator).chain([word]).collect();
    for (at, separator) in word.char_indices().filter(|(_, c)| is_separator(*c)) {
        parts.extend(word.get(at + separator.len_utf8()..));
        parts.extend(word.get(..at));
    }
    let values: Vec<&str> = parts.iter().filter_map(|part| value_of_short_flag(part)).collect();
    parts.extend(values);
    parts.retain(|part| !part.is_empty() && !part.starts_with('-'));
    parts
}

/// Returns a word in which `//` and `/./` are written as `/`, which means the same in a path.
fn without_repeats(word: &str) -> String {
    let mut word = word.to_owned();
    while word.contains("//") || word.contains("/./") {
        word = word.replace("//", "/").replace("/./", "/");
    }
    word
}

fn value_of_short_flag(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
    let first = rest.chars().next()?;
    rest.get(first.len_utf8()..)
}

/// Returns `true` if a character occurs in names, paths, versions and URLs, and cannot change how a shell or another
/// interpreter reads a word.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(c, '-' | '_' | '.' | '/' | '=' | ':' | ',' | '@' | '+' | '^')
        || (cfg!(windows) && c == '\\')
}

fn is_separator(c: char) -> bool {
    !(c.is_alphanumeric() || matches!(c, '.' | '/' | '\\' | '_' | '-' | '+'))
}

fn is_runner(word: &str) -> bool {
    let stem = Path::new(word).file_stem().and_then(OsStr::to_str);
    stem.is_some_and(|stem| RUNNERS.contains(&stem))
}

/// Returns the absolute path of a program in `PATH`. Relative directories in `PATH` do not count, since they would depend on
/// where the command runs.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let suffixes: &[&str] = if cfg!(windows) { &["", ".exe", ".cmd", ".bat"] } else { &[""] };
    let path = env::var_os("PATH").unwrap_or_default();
    let mut found = env::split_paths(&path)
        .filter(|directory| directory.is_absolute())
        .flat_map(|directory| suffixes.iter().map(move |suffix| directory.join(format!("{name}{suffix}"))));
    found.find(|path| is_program(path))
}

/// Returns `true` if a file exists and may be executed.
pub(crate) fn is_program(path: &Path) -> bool {
    let Ok(metadata) = fs::metadata(path) else { return false };
    #[cfg(unix)]
    let may_run = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let may_run = true;
    metadata.is_file() && may_run
}

/// Returns the first line of a script without `#!`.
fn script_line(path: &Path) -> io::Result<Option<String>> {
    let real = fs::canonicalize(path)?;
    let (Some(above), Some(name)) = (real.parent(), real.file_name()) else { return Ok(None) };
    let mut bytes = Vec::new();
    Dir::open(above)?.open_file(name)?.take(MAX_FIRST_LINE).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.strip_prefix("#!").and_then(|rest| rest.lines().next()).map(str::to_owned))
}
