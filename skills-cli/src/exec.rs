//! `skills exec`: the program of one skill is run, and what came of it printed (SPEC 7.1 to 7.3).

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use skills_core::Loaded;
use skills_core::catalog::Skill;
use skills_core::print::visible;
use skills_core::read::expand_home;
use skills_core::rule::fields::EXEC_MISSING;
use skills_core::tree::json::object_in;
use skills_registry::NotFound;
use skills_runtime::exec::{
    DEFAULT_TIMEOUT, DEFAULT_TIMEOUT_TYPED, Environment, Refusal, Request, choose_timeout, run,
};
use skills_schema::validate_str;

use crate::source::Source;
use crate::{failure, terminal};

/// The arguments of `skills exec`.
#[derive(Debug, Args)]
pub(crate) struct Exec {
    /// The skill
    #[arg(value_name = "NAME")]
    name: String,
    /// The directory of skills, or one skill
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
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
    ///
    /// # Errors
    /// None: what keeps the program from being run is told and ends with exit code 1.
    pub(crate) fn run(self) -> Result<ExitCode, String> {
        let source = Source::from(self.dir.clone());
        let loaded = source.load_contents();
        if Source::is_unreadable(&loaded) {
            return Ok(ExitCode::FAILURE);
        }
        let granted = || loaded.catalog.skills().iter().filter(|skill| !skill.is_gated());
        let Some(skill) = granted().find(|skill| skill.name == self.name) else {
            let names = granted().map(|skill| skill.name.as_str());
            return Ok(failure::not_found(&NotFound::new(&self.name, names)));
        };
        Ok(match self.request(&loaded, skill, source.skill_dir(&skill.dir)) {
            Ok(request) => {
                let outcome = run(&request);
                match terminal::data(&format!("{}\n", outcome.to_json())) {
                    ExitCode::SUCCESS => ExitCode::from(u8::try_from(outcome.exit_code).unwrap_or(1)),
                    unwritten => unwritten,
                }
            }
            Err(reason) => {
                // Names and paths of skills on disk must not reach the terminal with control characters.
                reason.lines().for_each(|line| terminal::problem(&visible(line)));
                ExitCode::FAILURE
            }
        })
    }

    /// Puts the run together, or says why there is none.
    fn request(&self, loaded: &Loaded, skill: &Skill, directory: PathBuf) -> Result<Request, String> {
        let Some(program) = &skill.program else {
            return Err(refuse(loaded, skill, directory).to_string());
        };
        let own = skill.timeout.map(|milliseconds| milliseconds.to_string());
        let default = if skill.signature.is_some() { DEFAULT_TIMEOUT_TYPED } else { DEFAULT_TIMEOUT };
        let timeout = choose_timeout(self.timeout.as_deref(), own.as_deref(), default)
            .map_err(|refusal| refusal.to_string())?;
        let input = self.read_input()?;
        check_input(skill, &input)?;
        let program = directory.join(program);
        let mut request = Request::new(&skill.name, &skill.version, directory, program);
        request.input = input;
        request.timeout = timeout;
        request.workspace = self.workspace.as_deref().map(absolute);
        request.environment = Environment::of(std::env::vars_os(), []);
        Ok(request)
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
fn refuse(loaded: &Loaded, skill: &Skill, directory: PathBuf) -> Refusal {
    let name = skill.name.clone();
    match missing_program(loaded, skill) {
        Some(exec) => Refusal::ExecNotFound { name, path: directory.join(exec) },
        None if skill.tier == 0 => Refusal::NotExecutable { name, directory },
        None => Refusal::NoCanonicalEntryPoint { name },
    }
}

/// Returns what `exec` names when that is no file: the checked skill no longer has the key.
fn missing_program(loaded: &Loaded, skill: &Skill) -> Option<String> {
    let document = Path::new(&skill.dir).join("SKILL.md");
    let is_told = loaded.report.diagnostics.iter().any(|problem| {
        std::ptr::eq(problem.rule, &EXEC_MISSING)
            && Path::new(&loaded.catalog.sources().file_of(problem.span).path) == document
    });
    let frontmatter = object_in(&skill.frontmatter).filter(|_| is_told)?;
    let entry = frontmatter.as_map()?.iter().find(|entry| entry.key.eq_ignore_ascii_case("exec"))?;
    entry.value.as_scalar().map(|exec| exec.text.trim().to_owned())
}

/// Checks the input of a skill of tier 3 against its schema; that of any other is never looked at (SPEC 4.3, 7.1).
fn check_input(skill: &Skill, input: &str) -> Result<(), String> {
    let Some(path) = skill.schema.as_deref().filter(|_| skill.tier == 3) else {
        return Ok(());
    };
    let name = &skill.name;
    let Some(tables) = &skill.schema_tables else {
        return Err(format!("error: skill \"{name}\": {path} was not read, so no input can be checked"));
    };
    if input.is_empty() {
        return Err(format!(
            "invalid_input: skill \"{name}\" wants input that fits {path}: give it by --input"
        ));
    }
    validate_str(tables, input)
        .map_err(|invalid| format!("invalid_input: skill \"{name}\" wants input that fits {path}\n{invalid}"))
}
