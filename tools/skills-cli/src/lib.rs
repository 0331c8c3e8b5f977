//! The `skills` command: all commands, on directories of skills.

#[cfg(not(all(
    feature = "eval",
    feature = "mcp",
    feature = "model",
    feature = "otlp",
    feature = "serve",
    feature = "tokens"
)))]
mod absent;
mod arguments;
mod asking;
mod check;
mod command;
mod commands;
mod complete;
mod engine;
#[cfg(feature = "eval")]
mod eval;
mod expand;
mod explain;
#[cfg(all(target_os = "linux", any(feature = "mcp", feature = "serve")))]
mod first;
mod help;
mod init;
mod left_out;
mod migrate;
mod new;
mod origin;
#[cfg(feature = "otlp")]
mod otlp;
mod package;
#[cfg(feature = "mcp")]
mod pin;
mod plugin;
mod report;
#[cfg(feature = "mcp")]
mod servers;
#[cfg(any(feature = "mcp", feature = "serve"))]
mod serving;
mod signed;
mod source;
mod sources;
mod toolchain;
mod trust;
mod verbose;
mod waiting;
mod weigh;

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ColorChoice, CommandFactory, FromArgMatches};

use skills_call::Runner;
use skills_core::meta;
use skills_exec::{Confinement, conceal};
use skills_load::trust::TrustReason;
use skills_load::{Found, Layers, Level};
use skills_text::{shell_path, shell_word, visible};

#[cfg(not(feature = "eval"))]
use absent::eval;
#[cfg(not(feature = "otlp"))]
use absent::otlp;
#[cfg(not(feature = "mcp"))]
use absent::{pin, servers};
use arguments::{Arguments, Traced};
use command::Command;
use otlp::Otlp;
use servers::tool_servers;
use skills_commands::client::{Client, own_spelling};
use skills_commands::exec::Exec;
use skills_commands::failure::Ended;
use skills_commands::terminal::look;
use skills_commands::{failure, prompt, search, terminal};
use source::Skills;

/// Returns the command with all its arguments. Documentation is generated from it.
pub fn command() -> clap::Command {
    help::grouped(Arguments::command())
}

/// Runs the `skills` command on the arguments of the process.
pub fn main() -> ExitCode {
    // Cargo may also run a link with that name.
    let called = std::env::args_os().next().map(PathBuf::from);
    if called.and_then(|path| Some(path.file_stem()? == "cargo-skills")) == Some(true) {
        return main_of_cargo();
    }
    if let Some(code) = complete::answer() {
        return code;
    }
    run_on(command(), std::env::args_os().collect())
}

/// Runs the same command on the arguments that cargo passes to a subcommand, which begin with the
/// subcommand's name.
pub fn main_of_cargo() -> ExitCode {
    let mut words: Vec<_> = std::env::args_os().collect();
    if words.get(1).is_some_and(|name| name == "skills") {
        words.remove(1);
    }
    run_on(command().bin_name("cargo skills"), words)
}

fn run_on(command: clap::Command, words: Vec<OsString>) -> ExitCode {
    let command = command.color(colour_of_help(&words));
    let matches = match command.try_get_matches_from(&words) {
        Ok(matches) => matches,
        Err(problem) => name_input(problem, &words).exit(),
    };
    match Arguments::from_arg_matches(&matches) {
        Ok(Arguments { verbose, quiet, color, command: chosen }) => {
            look::set(color, quiet, verbose > 0);
            run(verbose, chosen)
        }
        Err(problem) => problem.exit(),
    }
}

/// Adds to the error for `skills exec NAME '{}'` that an input belongs to an option.
fn name_input(mut problem: clap::Error, words: &[OsString]) -> clap::Error {
    let takes_input = words.iter().skip(1).any(|word| word == "call" || word == "exec");
    if let Some(ContextValue::String(text)) = problem.get(ContextKind::InvalidArg)
        && problem.kind() == ErrorKind::UnknownArgument
        && takes_input
        && !text.starts_with('-')
    {
        let tip = format!("to pass an input, use `--input {}`", shell_word(text));
        problem.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    problem
}

/// Returns when the help and errors of clap have colours. They are printed before `--color` is parsed.
fn colour_of_help(words: &[OsString]) -> ColorChoice {
    let mut words = words.iter().filter_map(|word| word.to_str()).take_while(|word| *word != "--");
    while let Some(word) = words.next() {
        let value = match word.strip_prefix("--color") {
            Some("") => words.next(),
            Some(rest) => rest.strip_prefix('='),
            None => continue,
        };
        match value {
            Some("always") => return ColorChoice::Always,
            Some("never") => return ColorChoice::Never,
            _ => {}
        }
    }
    ColorChoice::Auto
}

fn run(verbose: u8, command: Command) -> ExitCode {
    conceal();
    // Dropping it at the end sends the remaining trace data.
    let listening = verbose::listen(verbose, &command);
    match listening {
        Ok(_listening) => {
            let (Ok(code) | Err(code)) = command.run();
            code
        }
        Err(reason) => terminal::usage(reason),
    }
}

impl Command {
    /// Returns the options for the traces of the command's calls.
    fn otlp(&self) -> Option<&Otlp> {
        match self {
            Self::Call(call) => Some(&call.otlp),
            Self::Exec(exec) => Some(&exec.otlp),
            Self::Mcp(mcp) => mcp.otlp(),
            Self::Serve(serve) => serve.otlp(),
            _ => None,
        }
    }

    fn run(self) -> Ended {
        Ok(match self {
            Self::Add(add) => add.run()?,
            Self::Call(call) => match call.elsewhere() {
                Some(code) => code,
                None => {
                    let layers = call.skills.read_for(Some(&call.command.name))?;
                    let advice = advice_to_author(&layers, &call.command.name);
                    let runner = tool_servers::connect(Runner::from(layers));
                    let ended = call.command.run(call.otlp.propagate(runner), false);
                    if let Some(advice) = advice {
                        terminal::note(advice);
                    }
                    ended?
                }
            },
            Self::Check(check) => check.run()?,

            Self::Completions { shell } => {
                let mut script = Vec::new();
                complete::write_script(shell, &mut script).map_err(failure::error)?;
                terminal::exact(&String::from_utf8_lossy(&script))
            }
            Self::Engine(engine) => engine.run(),
            Self::Eval(eval) => eval.run()?,
            Self::Exec(Traced { command: exec, otlp }) => {
                let layers = exec.skills.read_for(Some(&exec.command.name))?;
                if let Some(found) = untried(&layers, &exec.command)? {
                    return exec.command.run_untrusted(&layers, found);
                }
                exec.command.run(otlp.propagate(Runner::from(layers)), false)?
            }
            Self::Expand(expand) => expand.run()?,
            Self::Explain(explain) => explain.run()?,
            Self::Graph(graph) => {
                let layers = graph.skills.read_for(graph.command.skill.as_deref())?;
                graph.command.run(&Runner::from(layers.for_display()))
            }
            Self::Install(install) => install.run()?,
            Self::List(list) => {
                let layers = list.skills.read_all()?;
                left_out::print_note(&list.skills.directories(), &layers);
                let code = list.command.run(&Client::new(&layers));
                // Skills with reported errors are missing from the list or incomplete.
                let is_broken = layers.problems().iter().any(|problem| problem.level == Level::Error);
                if is_broken { ExitCode::FAILURE } else { code }
            }
            Self::Init(init) => init.run()?,
            Self::Lsp { .. } => {
                skills_lsp::stdio().map_err(|problem| {
                    failure::error(format!("the session with the editor broke: {problem}"))
                })?;
                ExitCode::SUCCESS
            }
            Self::Mcp(mcp) => mcp.run()?,
            Self::Manual { to } => {
                let written = fs::create_dir_all(&to).and_then(|()| clap_mangen::generate_to(command(), &to));
                written.map_err(|problem| failure::error(format!("{}: {problem}", to.display())))?;
                ExitCode::SUCCESS
            }
            Self::Migrate(migrate) => migrate.run()?,
            Self::New(new) => new.run()?,
            Self::Package(package) => package.run()?,
            Self::Pin(pin) => pin.run()?,
            Self::Plugin(plugin) => plugin.run()?,
            Self::Prompt(prompt) if prompt.command.is_on_demand() => {
                prompt.command.run_by(Runner::from(prompt.skills.read_all()?))
            }
            Self::Prompt(prompt) => prompt.run(prompt::Prompt::run)?,
            Self::Remove(remove) => remove.run()?,

            Self::Schema => terminal::exact(meta::SKILL),
            Self::Search(search) => search.show(search::Search::run)?,
            Self::Serve(serve) => serve.run()?,
            Self::Show(show) => {
                let layers = show.skills.read_for(Some(&show.command.name))?;
                show.command.run(&Client::new(&layers))
            }
            Self::Sign(sign) => sign.run()?,
            Self::Status(status) => {
                let bundle = status.skills.bundle()?.ok_or(ExitCode::FAILURE)?;
                let name = status.skills.name(&status.command.target.paths()?)?;
                let options = skills_install::InstallOptions::new(&name).partial(bundle.is_partial);
                status.command.run(&bundle.registry, options)?
            }
            Self::Sync(sync) => sync.run()?,
            Self::Tools(tools) => tools.show(|tools, layers| tools.run(&Client::new(layers)))?,
            Self::Trust(trust) => trust.run()?,
            Self::Uninstall(uninstall) => {
                let name = uninstall.skills.name(&uninstall.command.target.paths()?);
                uninstall.command.run(&name)?
            }
            Self::Update(update) => update.run()?,
            Self::Verify(verify) => verify.run()?,
            Self::Weigh(weigh) => weigh.command.run(&weigh.skills.read_all()?.for_display()),
        })
    }
}

/// Returns the skill that `exec` may only try, because it is not trusted.
///
/// # Errors
/// It is not trusted, and its program was not confined with `--sandbox require`.
fn untried<'l>(layers: &'l Layers, exec: &Exec) -> Result<Option<Found<'l>>, ExitCode> {
    let name = own_spelling(layers, &exec.name);
    let Some(untrusted) = layers.untrusted(name) else { return Ok(None) };
    // A required signature is a decision of the user, and the files of a server are not here.
    let is_tried = !matches!(untrusted.why, TrustReason::Unsigned(_) | TrustReason::Unapproved { .. });
    let Some(found) = layers.withheld(name).filter(|_| is_tried) else { return Ok(None) };
    if exec.is_confined() {
        return Ok(Some(found));
    }
    let mut reason = format!("not_trusted: {untrusted}");
    if let Some(advice) = advice_to_author(layers, name) {
        reason.push_str(&format!("\n{advice}"));
    }
    if Confinement::unavailable().is_none() && found.skill.program().is_some() {
        let name = shell_word(name);
        reason.push_str(&format!(
            "\nto try it without trusting it, with its own files and a temporary directory only, run `skills exec {name} \
             --sandbox require` with the same input"
        ));
    }
    Err(failure::error(reason))
}

/// Returns what the author of a skill does if nobody has decided whether it is trusted.
fn advice_to_author(layers: &Layers, name: &str) -> Option<String> {
    let untrusted = layers.untrusted(own_spelling(layers, name))?;
    let place = visible(&shell_path(&untrusted.place));
    matches!(untrusted.why, TrustReason::Undecided).then(|| {
        format!(
            "if you write it, run `skills trust --follow-edits {place}`, which trusts it also after edits"
        )
    })
}

#[cfg(test)]
mod tests {
    // SPEC 11.1: no two arguments of a command have one name; clap checks this only when a command is used
    #[test]
    fn the_arguments_fit_together() {
        super::command().debug_assert();
    }
}
