//! Arguments for directories of skills. A command for a collection takes directories as positional arguments. A
//! command for one skill takes them with `--dir`, because the positional argument is the name of the skill.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueHint};
use skills_core::rule::fields::DESCRIPTION_PLACEHOLDER;
use skills_install::is_untouched;
use skills_load::{Layers, LayersBuilder, Level, Problem, Strictness, guide_directories};
use skills_sign::PublicKey;
use skills_text::shell_word;

use super::servers::SkillServers;
use super::waiting;
use skills_commands::arguments::expand_path;
use skills_commands::terminal;

/// How many directories are looked into for a hint.
const LOOKED_INTO: usize = 1_000;

/// The directory of skills for `check` and `expand`.
#[derive(Debug, Args)]
pub(crate) struct DirectoryArgument {
    /// A directory of skills, or one skill
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    dir: Option<PathBuf>,
    #[arg(id = "named", long = "dir", value_name = "DIR", hide = true, conflicts_with = "dir")]
    named: Option<PathBuf>,
}

impl From<PathBuf> for DirectoryArgument {
    fn from(dir: PathBuf) -> Self {
        Self { dir: Some(dir), named: None }
    }
}

impl DirectoryArgument {
    /// Sets the directory if the arguments name none.
    pub(crate) fn or(&mut self, dir: &str) {
        self.dir.get_or_insert_with(|| self.named.take().unwrap_or_else(|| PathBuf::from(dir)));
    }

    pub(crate) fn dir(&self) -> &Path {
        self.dir.as_deref().or(self.named.as_deref()).unwrap_or(Path::new(""))
    }

    /// Returns the path with a leading `~/` replaced by the home directory.
    pub(crate) fn path(&self) -> PathBuf {
        expand_path(self.dir())
    }

    /// Returns the directory as the user wrote it.
    pub(crate) fn label(&self) -> String {
        self.dir().to_string_lossy().into_owned()
    }
}

/// Arguments that name skills to read.
pub(crate) trait Skills {
    /// Returns the directories as the user wrote them, lowest first. Returns an empty list for the default
    /// directories.
    fn directories(&self) -> Vec<PathBuf>;

    /// Returns how the directories are read.
    fn reading(&self) -> &Reading;

    /// Returns the directories as layers that are not read yet.
    fn builder(&self) -> LayersBuilder {
        let given = self.directories();
        let strictness = if self.reading().lenient { Strictness::Lenient } else { Strictness::Standard };
        let builder = LayersBuilder::new().strictness(strictness);
        let builder =
            self.reading().require_signature.iter().cloned().fold(builder, LayersBuilder::require_signature);
        let builder = self.reading().servers.add(builder);
        if given.is_empty() && !self.reading().servers.is_empty() {
            return builder;
        }
        if given.is_empty() {
            return of_defaults(builder);
        }
        // A user who names a directory trusts it.
        builder.directories(&given)
    }

    /// Reads the skills and reports their problems. Returns an error, and not an empty list, if a directory
    /// itself cannot be read.
    fn read(&self) -> Result<Layers, ExitCode> {
        self.read_for(None)
    }

    /// Reads the skills for a command that shows all of them: a repository may have more than one program loads.
    fn read_all(&self) -> Result<Layers, ExitCode> {
        self.read_with(self.builder().bundle_cap(1 << 30), None)
    }

    /// Reads the skills for a command on the skill with the given name. For other skills, reports only the
    /// number of problems.
    fn read_for(&self, name: Option<&str>) -> Result<Layers, ExitCode> {
        self.read_with(self.builder(), name)
    }

    /// Reads the layers of a builder, and reports their problems as [`read_for`](Self::read_for) does.
    fn read_with(&self, builder: LayersBuilder, name: Option<&str>) -> Result<Layers, ExitCode> {
        let directories: Vec<String> =
            self.directories().iter().map(|directory| directory.display().to_string()).collect();
        let places = if directories.is_empty() {
            "the default directories".to_owned()
        } else {
            directories.join(", ")
        };
        self.directories().iter().try_for_each(|directory| expect_there(directory))?;
        self.reading().servers.check().map_err(terminal::usage)?;
        let loaded =
            waiting::with_message(&format!("note: still reading skills: {places}"), || builder.load());
        let (layers, is_readable) = match loaded {
            Ok(layers) => (layers, true),
            Err(unreadable) => (unreadable.into_layers(), false),
        };
        let (own, others): (Vec<_>, Vec<_>) = layers.problems().iter().partition(|problem| match name {
            // If no skill has the name, the user may mean a skill of a workspace that is not trusted.
            Some(name)
                if is_readable && problem.code == "skill-untrusted" && layers.locate(name).is_none() =>
            {
                layers.untrusted(name).is_none()
            }
            // The skill may come from the cache, or may be missing.
            Some(_) if problem.code == "server-offline" => true,
            Some(name) if is_readable => is_of(problem, name, &layers),
            _ => true,
        });
        let own: Vec<&Problem> = own.into_iter().filter(|problem| !is_known(problem, &layers)).collect();
        print_problems(&own);
        // Warnings about other skills do not matter for this skill.
        if others.iter().any(|problem| problem.level == Level::Error) {
            let others = terminal::counted(others.len(), "other problem");
            terminal::note(format_args!("{others}; run `skills check DIR`"));
        }
        self.print_empty(&layers);
        for path in layers.all().filter_map(|found| found.origin.path()).collect::<BTreeSet<_>>() {
            if path.to_str().is_none() {
                let shown = path.to_string_lossy();
                terminal::warning(format_args!(
                    "{shown}: the path is not UTF-8, and is printed as shown here"
                ));
            }
        }
        is_readable.then_some(layers).ok_or(ExitCode::FAILURE)
    }

    /// If there are no skills, prints which directories and servers were read. The reasons why a server or its
    /// skills are left out were already printed as problems.
    fn print_empty(&self, layers: &Layers) {
        let servers = &self.reading().servers;
        if layers.all().next().is_some() || (!servers.is_empty() && !layers.problems().is_empty()) {
            return;
        }
        let given = self.directories();
        let is_by_default = given.is_empty() && servers.is_empty();
        let directories = if is_by_default { by_default() } else { given };
        let places = directories.iter().map(|directory| directory.display().to_string());
        let places: Vec<String> = places
            .chain(servers.identities().map(|(label, address)| format!("{label} ({address})")))
            .collect();
        terminal::line(&format!("No skills found in {}", places.join(", ")));
        if is_by_default && let Some(directory) = directory_with_skills() {
            let shown = directory.display().to_string();
            terminal::note(format_args!("`{shown}` has skills: add `--dir {}`", shell_word(&shown)));
        }
    }
}

/// Returns the nearest directory, this one or one below it, that contains a skill. Passes over hidden directories, and gives
/// up after [`LOOKED_INTO`] directories: this is only a hint.
fn directory_with_skills() -> Option<PathBuf> {
    let mut next = VecDeque::from([PathBuf::from(".")]);
    for _ in 0..LOOKED_INTO {
        let directory = next.pop_front()?;
        let mut inner: Vec<PathBuf> = fs::read_dir(&directory)
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
            .filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."))
            .map(|entry| directory.join(entry.file_name()))
            .collect();
        inner.sort_unstable();
        if inner.iter().any(|inner| inner.join("SKILL.md").is_file()) {
            return Some(directory.strip_prefix("./").map(Path::to_owned).unwrap_or(directory));
        }
        next.extend(inner);
    }
    None
}

/// Returns `true` if the user need not be told of a problem here. The author of a new skill knows that it has no description
/// yet: `check`, editors and builds ask for one. `status` reports installed copies that are older than their source.
fn is_known(problem: &Problem, layers: &Layers) -> bool {
    if problem.code == "skill-shadowed" {
        let mut hidden = layers.shadowed().filter(|pair| pair.lost.skill.location() == problem.path);
        return hidden.any(|pair| pair.lost.directory().is_some_and(|directory| is_untouched(&directory)));
    }
    problem.code == DESCRIPTION_PLACEHOLDER.code
}

/// Returns `true` if a problem is about the skill with the given name, or about an entry that was probably
/// meant to be that skill.
fn is_of(problem: &Problem, name: &str, layers: &Layers) -> bool {
    let path = Path::new(&problem.path);
    let name_of_folder = name.replace('_', "-");
    let mut folders = path.parent().into_iter().flat_map(Path::iter);
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let directory = layers.locate(name).and_then(|found| found.directory());
    directory.is_some_and(|directory| path.starts_with(&directory) || absolute.starts_with(&directory))
        || folders
            .any(|folder| folder.to_str().is_some_and(|folder| folder.replace('_', "-") == name_of_folder))
}

/// Reports a directory that does not exist: the user may have mistyped it.
pub(crate) fn expect_there(directory: &Path) -> Result<(), ExitCode> {
    if expand_path(directory).exists() {
        return Ok(());
    }
    Err(terminal::usage(format!("there is no directory `{}`", directory.display())))
}

/// Prints the problems of the skills that a command reads. Equal messages are printed once, with their number. Of more
/// than six warnings, prints only the first five, since the user did not ask for a check.
fn print_problems(problems: &[&Problem]) {
    let mut first: HashMap<(Level, &str), usize> = HashMap::new();
    let mut different: Vec<(&Problem, usize)> = Vec::new();
    for problem in problems {
        let at = *first.entry((problem.level, &problem.title)).or_insert(different.len());
        match different.get_mut(at) {
            Some((_, count)) => *count += 1,
            None => different.push((problem, 1)),
        }
    }
    let warnings = different.iter().filter(|(problem, _)| problem.level == Level::Warning).count();
    let mut left = if warnings > 6 { 5 } else { warnings };
    let mut hidden = 0;
    for (problem, count) in different {
        if problem.level == Level::Warning && left == 0 {
            hidden += count;
            continue;
        }
        left -= usize::from(problem.level == Level::Warning);
        let more = match count - 1 {
            0 => String::new(),
            more => format!("; {} with this message", terminal::counted(more, "more problem")),
        };
        print_with_level(problem.level, format_args!("{problem}{more}"));
    }
    if hidden > 0 {
        terminal::note(format_args!("{hidden} more warnings; `skills check DIR` shows them"));
    }
}

pub(crate) fn print_with_level(level: Level, text: impl Display) {
    match level {
        Level::Error => terminal::error(text),
        Level::Warning => terminal::warning(text),
        _ => terminal::note(text),
    }
}

/// The directory of skills of the current project, which `skills new` writes.
pub(crate) const OWN: &str = "skills";

/// Returns the directories that are read if none is named, lowest first: those in which agents look for skills,
/// and `skills`.
pub(crate) fn by_default() -> Vec<PathBuf> {
    let mut directories = guide_directories(std::env::home_dir().as_deref(), Path::new(""));
    directories.push(PathBuf::from(OWN));
    directories
}

/// Adds these directories as layers.
pub(crate) fn of_defaults(builder: LayersBuilder) -> LayersBuilder {
    // The user did not name the directory, so a cloned repository must not run its programs.
    builder.guide(std::env::home_dir().as_deref(), Path::new("")).workspace_directory(OWN)
}

/// How directories are read.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// Also load skills without a description, and use a line of their text as the description
    #[arg(long)]
    lenient: bool,
    /// Ignore skills that this public key has not signed, alone or with their directory (skill.oms.sig)
    #[arg(long, value_name = "PUBLIC.pem", value_parser = crate::signed::public_key)]
    require_signature: Option<PublicKey>,
    #[command(flatten)]
    servers: SkillServers,
}

/// The skills of a command about one skill.
#[derive(Debug, Args)]
pub(crate) struct Directories {
    /// A directory of skills, or one skill (repeatable: skills in a later directory hide skills of the same name)
    /// [default: ~/.config/agents/skills, ~/.agents/skills, ~/.claude/skills, then .github/skills, .claude/skills and
    /// .agents/skills from the git root down to here, then ./skills]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    dir: Vec<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

impl Skills for Directories {
    fn directories(&self) -> Vec<PathBuf> {
        self.dir.clone()
    }

    fn reading(&self) -> &Reading {
        &self.reading
    }
}

/// The skills of a command about a collection.
#[derive(Debug, Args)]
pub(crate) struct SkillPlaces {
    /// Directories of skills, or single skills; skills in a later directory hide skills of the same name
    /// [default: ~/.config/agents/skills, ~/.agents/skills, ~/.claude/skills, then .github/skills, .claude/skills and
    /// .agents/skills from the git root down to here, then ./skills]
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    places: Vec<PathBuf>,
    #[arg(long = "dir", value_name = "DIR", hide = true)]
    named: Vec<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

impl Skills for SkillPlaces {
    fn directories(&self) -> Vec<PathBuf> {
        [self.places.as_slice(), &self.named].concat()
    }

    fn reading(&self) -> &Reading {
        &self.reading
    }
}
