//! The program of a skill: checks its input and builds the request for a run.

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;

use skills_registry::Skill;
use skills_schema::{Tables, insert_defaults};

use super::{DEFAULT_TIMEOUT, DEFAULT_TIMEOUT_TYPED, NotRun, Refusal, Request, RunOptions, choose_timeout};

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
