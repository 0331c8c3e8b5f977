//! `exec`: the program of one skill is run, and what came of it printed (SPEC 7.1 to 7.4).

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use skills_registry::{Skill, expand_home};
use skills_runtime::exec::{
    DEFAULT_TIMEOUT, DEFAULT_TIMEOUT_TYPED, Environment, Refusal, Request, choose_timeout, run,
};
use skills_schema::insert_defaults;
use skills_schema::json::{self, Kind};

use crate::shelf::{Item, Shelf};
use crate::{failure, input, terminal, unpack};

/// The arguments of `exec`.
#[derive(Debug, Args)]
pub(crate) struct Exec {
    /// The skill
    #[arg(value_name = "NAME")]
    name: String,
    /// What the program reads on its standard input; `-` passes on that of this command
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    input: Option<String>,
    /// How long it may run: milliseconds, or `300ms`, `1.5s`, `5m`, `1h30m` [default: what the skill says, else 5m, or
    /// 30s with a skill.json]
    #[arg(long, value_name = "DUR", allow_hyphen_values = true)]
    timeout: Option<String>,
    /// Where it runs [default: the current directory]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
}

impl Exec {
    /// Runs the program, prints the JSON of the outcome, and passes on the exit code.
    pub(crate) fn run(&self, shelf: &Shelf<'_>) -> ExitCode {
        match shelf.find(&self.name) {
            Ok(item) => self.start(&item).unwrap_or_else(|reason| failure::told(&reason)),
            Err(missing) => failure::not_found(&missing),
        }
    }

    /// Puts the run together and runs it, or says why there is none.
    fn start(&self, item: &Item<'_>) -> Result<ExitCode, String> {
        let skill = item.skill;
        let Some(program) = skill.program() else {
            let directory = item.directory.clone().unwrap_or_else(|| item.path().into());
            return Err(refuse(skill, directory).to_string());
        };
        let own = skill.timeout_ms().map(|milliseconds| milliseconds.to_string());
        let default = if skill.mode().is_some() { DEFAULT_TIMEOUT_TYPED } else { DEFAULT_TIMEOUT };
        let timeout = choose_timeout(self.timeout.as_deref(), own.as_deref(), default)
            .map_err(|refusal| refusal.to_string())?;
        let input = check_input(skill, self.read_input()?)?;
        let place = unpack::place(item)?;
        let directory = place.path();
        let mut request = Request::new(skill.name(), skill.version(), directory, directory.join(program));
        request.input = input;
        request.timeout = timeout;
        request.workspace = self.workspace.as_deref().map(absolute);
        request.environment = Environment::of(std::env::vars_os(), []);
        let outcome = run(&request);
        Ok(match terminal::data(&format!("{}\n", outcome.to_json())) {
            ExitCode::SUCCESS => ExitCode::from(u8::try_from(outcome.exit_code).unwrap_or(1)),
            unwritten => unwritten,
        })
    }

    fn read_input(&self) -> Result<String, String> {
        let mut bytes = Vec::new();
        match self.input.as_deref() {
            Some("-") => {
                let read = std::io::stdin().lock().read_to_end(&mut bytes);
                read.map_err(|error| format!("error: cannot read standard input: {error}"))?;
            }
            other => return Ok(other.unwrap_or_default().to_owned()),
        }
        String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            format!("error: standard input is not UTF-8 (byte {at})")
        })
    }
}

fn absolute(dir: &Path) -> PathBuf {
    let dir = expand_home(dir, std::env::home_dir().as_deref());
    std::path::absolute(&dir).unwrap_or(dir)
}

/// Says by its tier why a skill has no program (SPEC 4.2, 7.3).
fn refuse(skill: Skill<'_>, directory: PathBuf) -> Refusal {
    let name = skill.name().to_owned();
    match missing_program(skill) {
        Some(exec) => Refusal::ExecNotFound { name, path: directory.join(exec) },
        None if skill.tier() == 0 => Refusal::NotExecutable { name, directory },
        None => Refusal::NoCanonicalEntryPoint { name },
    }
}

/// Returns what `exec` names when that is no file: the skill itself no longer has the key.
fn missing_program(skill: Skill<'_>) -> Option<String> {
    let frontmatter = json::parse(skill.frontmatter()).ok()?;
    match &frontmatter.get("exec")?.kind {
        Kind::String(text) | Kind::Number(text) => {
            Some(text.trim().to_owned()).filter(|text| !text.is_empty())
        }
        _ => None,
    }
}

/// Checks the input of a skill that has a schema and adds the defaults (SPEC 4.3, 6.1); that of any other is passed on
/// as it is (SPEC 7.1).
fn check_input(skill: Skill<'_>, input: String) -> Result<String, String> {
    let Some(schema) = input::schema(skill) else {
        return Ok(input);
    };
    let (name, path) = (skill.name(), schema.0);
    if input.is_empty() {
        return Err(format!(
            "invalid_input: skill \"{name}\" wants input that fits {path}: give it by --input"
        ));
    }
    insert_defaults(&input::tables(skill, schema)?, &input)
        .map_err(|invalid| format!("invalid_input: skill \"{name}\" wants input that fits {path}\n{invalid}"))
}
