//! The program of a skill: checks its input, builds the request for a run, and runs it in one call.

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;

use skills_registry::Skill;
use skills_schema::{Tables, insert_defaults};

use super::place::RunFiles;
use super::{
    DEFAULT_TIMEOUT, DEFAULT_TIMEOUT_TYPED, NotRun, Outcome, Refusal, Request, RunOptions, Running,
    choose_timeout, run,
};

/// The program of a skill, with the tables that check its input. A handle that is cheap to copy.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Program<'a> {
    /// The skill.
    pub skill: Skill<'a>,
    /// The path of the file, relative to the skill.
    pub path: &'a str,
    /// The tables of the schema of its input. `None` uses the tables of the skill ([`Skill::checker`]), if
    /// there are any.
    pub input: Option<&'a Tables>,
}

impl<'a> Program<'a> {
    /// Returns the program of a skill, or `None` if it has no program.
    pub fn new(skill: Skill<'a>, input: Option<&'a Tables>) -> Option<Self> {
        Some(Self { skill, path: skill.program()?, input })
    }

    /// Returns the time limit of a run: `given`, or else the limit of the skill, or else 5 minutes, or 30
    /// seconds with a `skill.json`.
    ///
    /// # Errors
    /// [`Refusal::InvalidTimeout`] if the limit is invalid.
    pub fn limit(self, given: Option<&str>) -> Result<Duration, Refusal> {
        let own = self.skill.timeout_ms().map(|limit| limit.to_string());
        let own = own.or_else(|| self.skill.invalid_timeout().map(str::to_owned));
        let default = if self.skill.mode().is_some() { DEFAULT_TIMEOUT_TYPED } else { DEFAULT_TIMEOUT };
        choose_timeout(given, own.as_deref(), default)
    }

    /// Builds a request whose files are not placed yet: the directory is empty, and the program is a relative
    /// path.
    pub fn request(self, input: String, limit: Duration, options: &RunOptions) -> Request {
        let mut request = Request::new(self.skill.name(), self.skill.version(), "", self.path);
        request.input = input;
        request.timeout = limit;
        request.workspace = options
            .workspace
            .as_deref()
            .map(|path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
        request.environment = options.environment.clone();
        request.caps = options.caps;
        request.stderr_log.clone_from(&options.stderr_log);
        request.limits = options.confinement.limits;
        request.sandbox = options.sandbox.clone();
        if request.sandbox.is_none() {
            let asked = self.skill.permissions();
            let confined = options.confinement.sandbox(asked, options.trusted, &request.environment);
            if let Some((sandbox, environment)) = confined {
                (request.sandbox, request.environment) = (Some(sandbox), environment);
            }
        }
        for (name, value) in options.confinement.passed.iter() {
            request.environment.set(name, value);
        }
        request
    }
}

/// Does all checks before a run, and returns a request whose files are not placed yet.
pub fn prepare(
    skill: Skill<'_>,
    tables: Option<&Tables>,
    text: String,
    options: &RunOptions,
) -> Result<Request, NotRun> {
    let program = Program::new(skill, tables).ok_or_else(|| refuse(skill, options))?;
    let limit = program.limit(options.timeout.as_deref())?;
    Ok(program.request(check(program, text)?, limit, options))
}

/// Returns the reason why a skill with an unusable schema is not run.
fn bad_schema(skill: Skill<'_>, schema: &str, reason: String) -> NotRun {
    NotRun::BadSchema { name: skill.name().to_owned(), schema: schema.to_owned(), reason }
}

/// Checks the input of a skill with a `skill.json` or of tier 3, and adds the defaults. The input of any
/// other skill is passed on unchanged.
fn check(program: Program<'_>, input: String) -> Result<String, NotRun> {
    let skill = program.skill;
    let Some((path, _)) = skill.input_document() else {
        return match skill.schema().filter(|_| skill.tier() == 3) {
            Some(path) => Err(bad_schema(skill, path, "it is not text".to_owned())),
            None => Ok(input),
        };
    };
    let tables = match program.input {
        Some(tables) => Cow::Borrowed(tables),
        None => Cow::Owned(
            own_tables(skill).ok_or_else(|| bad_schema(skill, path, "it was not read".to_owned()))?,
        ),
    };
    let schema = path.to_owned();
    if input.is_empty() {
        return Err(NotRun::NoInput { name: skill.name().to_owned(), schema });
    }
    let complete = insert_defaults(&tables, &input).map(Cow::into_owned);
    complete.map_err(|invalid| NotRun::InvalidInput { name: skill.name().to_owned(), schema, invalid })
}

/// Returns the tables that were stored with the skill when it was checked, for a handle without its own
/// tables.
fn own_tables(skill: Skill<'_>) -> Option<Tables> {
    let (numbers, text) = skill.checker()?;
    let (numbers, _) = numbers.as_chunks();
    Some(Tables::from_parts(
        numbers.iter().map(|number| u32::from_le_bytes(*number)).collect(),
        text.to_owned(),
    ))
}

/// Returns the reason why a skill has no program, based on its tier.
fn refuse(skill: Skill<'_>, options: &RunOptions) -> Refusal {
    let name = skill.name().to_owned();
    let directory = options.directory.clone().unwrap_or_else(|| PathBuf::from(skill.base()));
    match (skill.declared_exec(), skill.tier()) {
        (Some(exec), _) => Refusal::ExecNotFound { name, path: directory.join(exec) },
        (None, 0) => Refusal::NotExecutable {
            name,
            directory,
            has_document: skill.has_document() || skill.mode().is_none(),
        },
        (None, _) => Refusal::NoCanonicalEntryPoint { name },
    }
}

/// Runs the program of a skill on this thread and returns when all processes it started have ended.
///
/// A skill that is compiled into this program is first unpacked into the cache. A skill on disk runs in its
/// own directory. If the skill has a `skill.json` or a `schema`, the input is checked and gets its defaults.
/// Any other input is passed on unchanged, and an empty input gives the program no stdin. Capabilities are
/// not checked here: a caller that has the handle of a skill was granted them.
///
/// # Errors
/// [`NotRun`] if no process was started: the skill has no program, the time limit is invalid, the input does
/// not match the schema, or the files cannot be written. A program that fails is an [`Outcome`].
pub fn run_skill(
    skill: Skill<'_>,
    input: impl Into<String>,
    options: &RunOptions,
) -> Result<Outcome, NotRun> {
    let (request, _place) = ready(skill, input.into(), options)?;
    Ok(run(&request))
}

/// Starts the program of a skill on a new thread, like [`run_skill`], and returns a handle that is a future.
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
    let (request, place) = ready(skill, input.into(), options)?;
    Ok(Running::start(request, |_| Ok(place)))
}

fn ready(skill: Skill<'_>, text: String, options: &RunOptions) -> Result<(Request, RunFiles), NotRun> {
    let mut request = prepare(skill, None, text, options)?;
    let place = RunFiles::choose(skill, options)?;
    place.settle(&mut request);
    Ok((request, place))
}

#[cfg(test)]
mod tests {
    use skills_registry::{CompiledSkill, Facts, FunctionFacts, Layout, Mode, Registry, write};

    use super::{RunOptions, ready};

    // SPEC 7.1
    #[test]
    fn the_default_limit_is_shorter_with_a_skill_json() {
        let tables = skills_schema::lower::lower("{}", &Default::default()).tables;
        for (function, seconds) in [(None, 300), (Some(FunctionFacts::new(Mode::Code)), 30)] {
            let location = Some("/s/a/SKILL.md".to_owned());
            let program = Some("run".to_owned());
            let facts = Facts { name: "a".to_owned(), program, function, ..Facts::default() };
            let checker = Some(tables.parts());
            let compiled = CompiledSkill { location, schemas: ["{}"; 2], checker, ..facts.into() };
            let registry = Registry::new(write(&[compiled], Layout::Joined, 8_000).unwrap().into_tables());
            let skill = registry.get("a").unwrap();
            let (request, _place) = ready(skill, "{}".to_owned(), &RunOptions::of_process()).unwrap();
            assert_eq!(request.timeout.as_secs(), seconds);
            assert_eq!(request.program, std::path::Path::new("/s/a/run"));
        }
    }
}
