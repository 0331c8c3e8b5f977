//! `skills check --print-commands`: prints the commands of a program in the form of `skills check --commands`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use skills_exec::{Budget, Environment, Exhausted, Meter, Outcome, Request, Sandbox, run};
use skills_files::ScratchDir;
use skills_usage::help::{self, HelpError};
use skills_usage::{CommandTree, print};

use skills_commands::failure::Ended;
use skills_commands::{failure, terminal};

use crate::toolchain;

/// The arguments that name a program whose commands are printed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Command lines")]
pub(crate) struct PrintCommands {
    /// Check nothing, and print the commands of this program for `--commands`, read from its help texts: a name in PATH,
    /// or a path
    #[arg(long, value_name = "PROGRAM")]
    print_commands: Option<PathBuf>,
    /// Let the program of `--print-commands` also read this directory or file (repeatable)
    #[arg(long, value_name = "PATH", requires = "print_commands")]
    read: Vec<PathBuf>,
}

/// How long one help text may take.
const LIMIT: Duration = Duration::from_secs(10);

/// How long all help texts may take together.
const WHOLE: Duration = Duration::from_secs(120);

/// The answers of a program to questions about its commands.
struct Asked {
    read: Result<CommandTree, HelpError>,
    /// The first run, if any.
    first: Option<std::io::Result<Outcome>>,
    /// The limit that prevented further runs.
    exhausted: Option<Exhausted>,
}

impl PrintCommands {
    /// Prints the commands if the arguments name a program. Otherwise returns `None`.
    pub(crate) fn run(&self) -> Option<Ended> {
        self.print_commands.as_deref().map(|program| self.print(program))
    }

    /// Runs the program once for each command, and prints the result.
    fn print(&self, program: &Path) -> Ended {
        let program = find(program)
            .ok_or_else(|| terminal::usage(format!("there is no program `{}` in PATH", program.display())))?;
        let name = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let scratch = ScratchDir::new(&std::env::temp_dir(), "skills-help-")
            .map_err(|error| failure::error(format!("cannot create a directory: {error}")))?;
        let Asked { read, first, exhausted } = self.ask_all(&program, &name, scratch.path(), WHOLE);
        // Without the later commands, the list would be partial.
        if let Some(limit) = exhausted {
            return Err(failure::error(format!("the help texts of `{name}` take {limit} in all")));
        }
        match (read, first) {
            (Ok(tree), _) => {
                let (open, all) = open(&tree);
                if open > 0 {
                    terminal::status(&format!(
                        "{open} of {all} commands may accept more than their help says"
                    ));
                }
                Ok(terminal::exact(&print(&tree)))
            }
            (Err(_), Some(Err(error))) => Err(failure::error(format!("`{name}` was not run: {error}"))),
            (Err(_), Some(Ok(outcome))) if !outcome.error.is_empty() => {
                Err(failure::error(format!("`{name}` was not run: {}", outcome.error)))
            }
            (Err(_), Some(Ok(outcome))) if outcome.exit_code != 0 => {
                let (code, said) = (outcome.exit_code, last_lines(&outcome.stderr));
                let read = "the sandbox may hide a file from it: `--read PATH` lets it read a directory";
                Err(failure::error(format!("`{name} --help` ended with exit code {code}; {read}{said}")))
            }
            (Err(why), Some(Ok(outcome))) => {
                Err(failure::error(format!("{why}{}", last_lines(&outcome.stderr))))
            }
            (Err(why), None) => Err(failure::error(why)),
        }
    }

    /// Runs the program once for each command, until the time for all of them is over.
    fn ask_all(&self, program: &Path, name: &str, scratch: &Path, whole: Duration) -> Asked {
        let (mut first, mut exhausted) = (None, None);
        let meter = Meter::new(Budget { time: whole, ..Budget::UNLIMITED });
        let read = help::read(name, &mut |path: &[&str]| {
            let left = meter.time_left().inspect_err(|limit| exhausted = Some(*limit)).ok()?;
            let request = self.request(program, scratch, path);
            let outcome = request.map(|request| run(&Request { timeout: LIMIT.min(left), ..request }));
            let texts = outcome.as_ref().ok().map(|outcome| [outcome.stdout.clone(), outcome.stderr.clone()]);
            first.get_or_insert(outcome);
            texts?.into_iter().find(|text| !text.trim().is_empty())
        });
        Asked { read, first, exhausted }
    }

    /// Returns the request for one help text. Programs of skills get no arguments, so a script runs the
    /// program with its arguments.
    fn request(&self, program: &Path, scratch: &Path, path: &[&str]) -> std::io::Result<Request> {
        let words = path.iter().map(|word| skills_text::shell_path(Path::new(word)));
        let words: Vec<String> = std::iter::once(skills_text::shell_path(program))
            .chain(words)
            .chain(["--help".to_owned()])
            .collect();
        let script = scratch.join("help");
        std::fs::write(&script, format!("#!/bin/sh\nexec {}\n", words.join(" ")))?;
        set_executable(&script)?;
        let mut sandbox =
            toolchain::readable(program).into_iter().fold(Sandbox::default(), Sandbox::readable);
        for path in &self.read {
            sandbox = sandbox.readable(path.canonicalize()?);
        }
        let mut environment = Environment::from_variables(std::env::vars_os(), toolchain::VARIABLES);
        // Long lines are not wrapped into columns, and nothing is coloured.
        for (name, value) in [("COLUMNS", "200"), ("NO_COLOR", "1"), ("TERM", "dumb"), ("PAGER", "cat")] {
            environment.set(name, value);
        }
        let mut request = Request::new("from-help", "", scratch, &script);
        request.workspace = Some(scratch.to_owned());
        request.sandbox = Some(sandbox);
        request.environment = environment;
        Ok(request)
    }
}

/// Returns the absolute path of a program. It is not resolved, since a shim is a link to its manager, which looks at the
/// name that it was called by.
fn find(program: &Path) -> Option<PathBuf> {
    let found = match program.components().count() {
        1 => {
            let path = std::env::var_os("PATH")?;
            std::env::split_paths(&path).map(|dir| dir.join(program)).find(|file| file.is_file())?
        }
        _ => program.to_owned(),
    };
    std::path::absolute(found).ok().filter(|path| path.is_file())
}

/// Returns the end of what a program wrote to standard error, each line indented.
fn last_lines(text: &str) -> String {
    const MOST: usize = 10;
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let shown = lines.get(lines.len().saturating_sub(MOST)..).unwrap_or_default();
    shown.iter().map(|line| format!("\n  {line}")).collect()
}

/// Counts the commands that are open, and all commands.
fn open(command: &CommandTree) -> (usize, usize) {
    let below = command.commands.iter().map(open);
    below.fold((usize::from(command.open), 1), |(open, all), (more, rest)| (open + more, all + rest))
}

#[cfg(unix)]
fn set_executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn set_executable(_: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    // SPEC 23.2: after the time for all commands, no further one is asked
    #[test]
    fn no_command_is_asked_after_the_time_for_all_of_them() {
        let scratch = ScratchDir::new(&std::env::temp_dir(), "skills-help-").expect("a directory");
        let program = scratch.path().join("tool");
        std::fs::write(&program, "#!/bin/sh\n").expect("a file");
        let from = PrintCommands { print_commands: Some(program.clone()), read: Vec::new() };
        let asked = from.ask_all(&program, "tool", scratch.path(), Duration::ZERO);
        assert_eq!(asked.exhausted, Some(Exhausted::Time(Duration::ZERO)));
        assert!(asked.first.is_none(), "the program was run");
        assert!(!scratch.path().join("help").exists());
    }
}
