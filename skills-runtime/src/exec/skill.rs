//! A skill and its input become a run in one call: program found, input checked, files unpacked (SPEC 7.1, 7.3, 7.4).

use std::path::{Path, PathBuf};
use std::time::Duration;

use skills_registry::Skill;

use super::running::start_holding;
use super::{
    Caps, DEFAULT_TIMEOUT, DEFAULT_TIMEOUT_TYPED, Environment, Files, NotRun, Outcome, Refusal, Request,
    Running, Sandbox, choose_timeout, files, input, run,
};
#[cfg(unix)]
use crate::cache::Cache;

/// How a skill is run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The time limit: milliseconds, or a duration such as `1.5s`; none: what the skill says, else 5 minutes, or 30
    /// seconds with a `skill.json` (SPEC 7.1).
    pub timeout: Option<String>,
    /// Where the skill lies; none: where its record says, and one that is part of this program is unpacked. A record
    /// holds text, so that a path which is not UTF-8 is known only here.
    pub directory: Option<PathBuf>,
    /// Where the program runs; none: the directory of this process.
    pub workspace: Option<PathBuf>,
    /// What it sees of the environment of this process.
    pub environment: Environment,
    /// How much of its output is kept.
    pub caps: Caps,
    /// What it is confined to; none: to nothing.
    pub sandbox: Option<Sandbox>,
    /// As [`Request::watched`].
    pub watched: bool,
    /// Where a skill that is part of this program is unpacked.
    #[cfg(unix)]
    pub cache: Cache,
}

impl RunOptions {
    /// Takes the defaults: the variables of this process that [`DEFAULT_NAMES`](super::DEFAULT_NAMES) lists, and the
    /// cache of its user.
    pub fn of_process() -> Self {
        Self {
            timeout: None,
            directory: None,
            workspace: None,
            environment: Environment::of(std::env::vars_os(), []),
            caps: Caps::default(),
            sandbox: None,
            watched: true,
            #[cfg(unix)]
            cache: Cache::of_user(
                std::env::var_os("XDG_CACHE_HOME"),
                std::env::var_os("HOME"),
                std::env::temp_dir(),
            ),
        }
    }
}

impl Default for RunOptions {
    fn default() -> Self {
        Self::of_process()
    }
}

/// Runs the program of a skill on this thread and returns when everything it started has ended (SPEC 7.1).
///
/// A skill that is part of this program is unpacked into the cache before; one on disk runs where it lies. The input of
/// a skill with a `skill.json` or a `schema` is checked and gets its defaults (SPEC 4.3, 6.1); any other is passed on as
/// it is, and an empty one is no input. A skill that asks
/// for a capability is run all the same: whoever has its handle was granted it.
///
/// # Errors
/// [`NotRun`] when no process was started: the skill has no program, the limit is none, the input does not fit, or there
/// is no place for the files. That a program fails is an [`Outcome`].
pub fn run_skill(
    skill: Skill<'_>,
    input: impl Into<String>,
    options: &RunOptions,
) -> Result<Outcome, NotRun> {
    let (request, _files) = prepare(skill, input.into(), options)?;
    Ok(run(&request))
}

/// Starts the program of a skill on a thread of its own: as [`run_skill`], with a handle that is a future.
///
/// The input is checked and the files are unpacked before it returns.
///
/// # Errors
/// As [`run_skill`].
pub fn start_skill(
    skill: Skill<'_>,
    input: impl Into<String>,
    options: &RunOptions,
) -> Result<Running, NotRun> {
    let (request, files) = prepare(skill, input.into(), options)?;
    Ok(start_holding(request, files))
}

fn prepare(skill: Skill<'_>, text: String, options: &RunOptions) -> Result<(Request, Files), NotRun> {
    let program = skill.program().ok_or_else(|| refuse(skill, options))?;
    let own = skill.timeout_ms().map(|limit| limit.to_string());
    let default = if skill.mode().is_some() { DEFAULT_TIMEOUT_TYPED } else { DEFAULT_TIMEOUT };
    let timeout = choose_timeout(options.timeout.as_deref(), own.as_deref(), default)?;
    let input = input::check(skill, text)?;
    let files = Files::of(skill, options)?;
    let mut request = request(skill, files.directory(), program, timeout, options);
    request.input = input;
    Ok((request, files))
}

/// Puts the run of a program together that lies in the skill's directory; it has no input yet.
pub(crate) fn request(
    skill: Skill<'_>,
    directory: &Path,
    program: &str,
    timeout: Duration,
    options: &RunOptions,
) -> Request {
    let mut request = Request::new(skill.name(), skill.version(), directory, directory.join(program));
    request.timeout = timeout;
    request.workspace = options.workspace.as_deref().map(absolute);
    request.environment = options.environment.clone();
    request.caps = options.caps;
    request.watched = options.watched;
    request.sandbox = options.sandbox.clone();
    request
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Says by its tier why a skill has no program (SPEC 4.2, 7.3).
fn refuse(skill: Skill<'_>, options: &RunOptions) -> Refusal {
    let name = skill.name().to_owned();
    let directory = files::own(skill, options);
    match (skill.declared_exec(), skill.tier()) {
        (Some(exec), _) => Refusal::ExecNotFound { name, path: directory.join(exec) },
        (None, 0) => Refusal::NotExecutable { name, directory },
        (None, _) => Refusal::NoCanonicalEntryPoint { name },
    }
}

#[cfg(test)]
mod tests {
    use super::{RunOptions, prepare};
    use skills_registry::{Layout, Mode, Record, Registry, SignatureRecord, write};

    // SPEC 7.1
    #[test]
    fn the_default_limit_is_shorter_with_a_skill_json() {
        let signature = SignatureRecord {
            mode: Mode::Code,
            input: "{}",
            output: "{}",
            calls: &[],
            retry: 0,
            prompt: None,
            pipeline: None,
            output_mapping: None,
            certain_calls: &[],
        };
        for (signature, seconds) in [(None, 300), (Some(signature), 30)] {
            let location = Some("/s/a/SKILL.md".to_owned());
            let record = Record { name: "a", location, program: Some("run"), signature, ..Record::default() };
            let registry = Registry::new(write(&[record], Layout::Joined, 8_000).unwrap().into_tables());
            let skill = registry.get("a").unwrap();
            let (request, _files) = prepare(skill, "{}".to_owned(), &RunOptions::of_process()).unwrap();
            assert_eq!(request.timeout.as_secs(), seconds);
            assert_eq!(request.program, std::path::Path::new("/s/a/run"));
        }
    }
}
