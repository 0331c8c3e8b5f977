//! The commands of a program that bundles skills. They work on the skills of that program only.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgMatches, Error, FromArgMatches, Subcommand};
use skills_exec::conceal;
#[cfg(feature = "mcp")]
use skills_mcp::Server;
use skills_registry::Registry;

use crate::bundle::Bundle;
use crate::failure::Ended;
#[cfg(feature = "mcp")]
use crate::mcp;
#[cfg(feature = "serve")]
use crate::serve;
#[cfg(feature = "otlp")]
use crate::terminal;
#[cfg(feature = "call")]
use crate::{call, graph};
use crate::{exec, install, list, plugin, prompt, search, show, status, tools, uninstall, version};

/// The commands for the skills of a program: a clap `Subcommand`.
///
/// ```no_run
/// use std::process::ExitCode;
///
/// use clap::Parser;
/// # use skills_registry::{Registry, Tables};
/// # static SKILLS: Registry = Registry::new(Tables::fixed(&[], &[]));
///
/// #[derive(Parser)]
/// enum Arguments {
///     /// Work with the skills of this program
///     #[command(subcommand)]
///     Skill(skills_cli::BundleCommand),
/// }
///
/// fn main() -> ExitCode {
///     match Arguments::parse() {
///         Arguments::Skill(command) => command.run(&SKILLS),
///     }
/// }
/// ```
#[derive(Debug)]
pub struct BundleCommand(Box<Command>);

#[derive(Debug, Subcommand)]
enum Command {
    /// Call a skill as a function, whatever its mode, and print its output as JSON
    #[cfg(feature = "call")]
    #[command(after_help = "\
Examples, behind the name of this command:
  NAME --input '{\"code\": \"fn main() {\"}'  with input, checked by the skill's schema
  NAME --input - --timeout 10s < in.json   ten seconds for an attempt
  NAME --input '{}' --dry-run            check the input, show what would run")]
    Call(call::Call),
    /// Run the program of a skill and print what came of it as JSON
    #[command(after_help = "\
Examples, behind the name of this command:
  NAME                                   run it without input
  NAME --input '{\"since\": \"v1.0\"}'       with input, checked by the skill's schema
  NAME --input - --timeout 10s < in.json ten seconds at most

The exit code is that of the program; 124 when its time is over.")]
    Exec(exec::Exec),
    /// Draw which skill calls which, or the steps of one
    #[cfg(feature = "call")]
    #[command(after_help = "\
Examples, behind the name of this command:
                                         all functions, as a flow chart of Mermaid
  NAME --format svg > steps.svg          the steps of a pipeline, as a picture")]
    Graph(graph::Graph),
    /// Write the skills where an agent reads them, and keep them up to date there
    #[command(after_help = "\
Examples, behind the name of this command:
  --agent claude --dry-run               what would be written to .claude/skills
  pdf --agent generic --scope user       one skill, for you in all directories
  --to ~/.my-agent --force               replace what was edited there, with a copy")]
    Install(install::Install),
    /// List the skills
    #[command(after_help = "\
Examples, behind the name of this command:
  --json                                 records for a program
  --all                                  gated and internal ones, too
  --mode llm --search review             a part of them")]
    List(list::List),
    /// Serve the skills to clients of MCP, on standard input and output or over HTTP
    #[cfg(feature = "mcp")]
    #[command(after_help = "\
Examples, behind the name of this command:
                                         for a client that starts this program
  --http 127.0.0.1:8080                  at http://127.0.0.1:8080/mcp")]
    Mcp(mcp::Channel),
    /// Write the skills as a plugin by Agent Plugins 1.0, with this program as its server
    #[command(after_help = "\
Examples, behind the name of this command:
  --to dist/my-plugin                    a plugin whose server is this program, as its user has it
  --to dist/my-plugin --with-program     one that brings this program along")]
    Plugin(plugin::Pack),
    /// Print the catalog that a model is shown
    #[command(after_help = "\
Examples, behind the name of this command:
  --style agent-skills                   as the open standard has it
  --budget 2000                          in 2,000 tokens")]
    Prompt(prompt::Prompt),
    /// Find the skills that a sentence asks for
    #[command(after_help = "\
Examples, behind the name of this command:
  tables in a PDF                        the ten that fit best
  --limit 3 --json 'write a changelog'   for a program: names and scores")]
    Search(search::Search),
    /// Serve the skills over HTTP until Ctrl-C, and print the address
    #[cfg(feature = "serve")]
    #[command(after_help = "\
Examples, behind the name of this command:
                                         lists and texts at http://127.0.0.1:8787/v1/skills
  --enable-exec --ui                     run, call and chat, with a page for people")]
    Serve(serve::Listener),
    /// Show one skill: its record, frontmatter, files and body
    #[command(after_help = "\
Examples, behind the name of this command:
  NAME                                   for a person
  NAME --json                            for a program")]
    Show(show::Show),
    /// Tell how installed skills stand: current, outdated, modified, …
    #[command(after_help = "\
Examples, behind the name of this command:
  --agent claude                         in .claude/skills
  pdf --to ~/.my-agent                   one skill, below a directory")]
    Status(status::Status),
    /// Print the skills as tools that a model can call
    #[command(after_help = "\
Examples, behind the name of this command:
  --format anthropic                     all that can be run
  --format mcp --host --tag search       with those of the host, of one tag")]
    Tools(tools::Tools),
    /// Remove what `install` wrote
    #[command(after_help = "\
Examples, behind the name of this command:
  --agent claude --dry-run               what would be removed from .claude/skills
  pdf --agent claude                     one skill")]
    Uninstall(uninstall::Uninstall),
    /// Print the version of the program, and by `--verbose` the digest of its skills
    Version(version::Version),
}

impl BundleCommand {
    /// Runs the command on the skills of the program. Installations identify them by the name of the
    /// program's file.
    ///
    /// Returns the exit code of the program: 0 for success, 1 for errors, 2 for wrong usage. `exec` returns
    /// the exit code of the skill's program.
    pub fn run(self, skills: &Registry) -> ExitCode {
        self.run_with(&Bundle::new(&program_name(), skills))
    }

    /// Runs the command on the skills of a program that has a name other than its file's, or that grants
    /// capabilities. Otherwise works like [`run`](Self::run).
    pub fn run_with(self, bundle: &Bundle<'_>) -> ExitCode {
        // Skill programs and clients run as the same user that holds the keys of this process.
        if self.0.runs() {
            conceal();
        }
        #[cfg(feature = "otlp")]
        let _exporting = match self.0.export() {
            Ok(exporting) => exporting,
            Err(reason) => return terminal::usage(reason),
        };
        let (Ok(code) | Err(code)) = self.0.run(bundle);
        code
    }
}

impl Command {
    fn run(self, bundle: &Bundle<'_>) -> Ended {
        let (skill_source, registry, name) = (bundle.skill_source(), bundle.registry, bundle.name);
        Ok(match self {
            #[cfg(feature = "call")]
            Self::Call(call) => call.run(bundle.own_runner()?, true)?,
            #[cfg(feature = "call")]
            Self::Exec(exec) => match bundle.runner.clone() {
                Some(runner) => exec.run(runner, true)?,
                None => exec.run_alone(&skill_source)?,
            },
            #[cfg(not(feature = "call"))]
            Self::Exec(exec) => exec.run_alone(&skill_source)?,
            #[cfg(feature = "call")]
            Self::Graph(graph) => graph.run(&bundle.own_runner()?),
            Self::Install(install) => install.run(registry, name)?,
            Self::List(list) => list.run(&skill_source),
            #[cfg(feature = "mcp")]
            Self::Mcp(channel) => {
                let guard = channel.guard()?;
                let server = Server::new(channel.equip(bundle.own_runner()?, true)?);
                let version = bundle.version.unwrap_or(env!("CARGO_PKG_VERSION"));
                channel.run(server.identity(name, version), guard)?
            }
            Self::Plugin(pack) => pack.run(Some(registry), server(bundle))?,
            #[cfg(feature = "call")]
            Self::Prompt(prompt) if prompt.is_on_demand() => prompt.run_by(bundle.own_runner()?),
            Self::Prompt(prompt) => prompt.run(&skill_source),
            Self::Search(search) => search.run(&skill_source),
            #[cfg(feature = "serve")]
            Self::Serve(listener) => {
                let guard = listener.guard()?;
                let runner = listener.equip(bundle.own_runner()?, true)?;
                listener.listen(guard, move || Ok(runner.clone()))?
            }
            Self::Show(show) => show.run(&skill_source),
            Self::Status(status) => status.run(registry, name)?,
            Self::Tools(tools) => tools.run(&skill_source),
            Self::Uninstall(uninstall) => uninstall.run(name)?,
            Self::Version(version) => version.run(registry, name, bundle.version),
        })
    }

    /// Starts to export traces if the user asked for them. If the program has its own subscriber, that one
    /// stays.
    #[cfg(feature = "otlp")]
    fn export(&self) -> Result<Option<crate::otlp::Exporting>, String> {
        use tracing_subscriber::layer::SubscriberExt;
        use tracing_subscriber::util::SubscriberInitExt;
        let otlp = match self {
            Self::Call(call) => &call.otlp,
            Self::Exec(exec) => &exec.otlp,
            #[cfg(feature = "mcp")]
            Self::Mcp(channel) => &channel.otlp,
            #[cfg(feature = "serve")]
            Self::Serve(listener) => &listener.otlp,
            _ => return Ok(None),
        };
        let Some((exporting, parts)) = otlp.start()? else { return Ok(None) };
        if tracing_subscriber::registry().with(parts).try_init().is_err() {
            terminal::line("note: --otlp: this program has a subscriber of its own, so no traces are sent");
        }
        Ok(Some(exporting))
    }

    /// Returns `true` if the command runs programs of skills.
    fn runs(&self) -> bool {
        match self {
            #[cfg(feature = "call")]
            Self::Call(_) => true,
            #[cfg(feature = "mcp")]
            Self::Mcp(_) => true,
            #[cfg(feature = "serve")]
            Self::Serve(_) => true,
            command => matches!(command, Self::Exec(_)),
        }
    }
}

impl FromArgMatches for BundleCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Command::from_arg_matches(matches).map(|command| Self(Box::new(command)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

impl Subcommand for BundleCommand {
    fn augment_subcommands(command: clap::Command) -> clap::Command {
        Command::augment_subcommands(command)
    }

    fn augment_subcommands_for_update(command: clap::Command) -> clap::Command {
        Command::augment_subcommands_for_update(command)
    }

    fn has_subcommand(name: &str) -> bool {
        Command::has_subcommand(name)
    }
}

/// Returns the command line that serves the skills: this program, the arguments that lead to its commands,
/// and `mcp`. Returns `None` if the program does not serve skills.
#[cfg(feature = "mcp")]
fn server(bundle: &Bundle<'_>) -> Option<plugin::ServedBy> {
    bundle.runner.as_ref()?;
    let before = std::env::args().skip(1).take_while(|word| word != "plugin");
    Some(plugin::ServedBy { command: program_name(), args: before.chain(["mcp".to_owned()]).collect() })
}

#[cfg(not(feature = "mcp"))]
fn server(_: &Bundle<'_>) -> Option<plugin::ServedBy> {
    None
}

/// Returns the name of the program's file without `.exe`.
fn program_name() -> String {
    let path = std::env::args_os().next().map(PathBuf::from).or_else(|| std::env::current_exe().ok());
    let name =
        path.as_deref().and_then(|path| path.file_name()).map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_else(|| "skills".to_owned());
    name.strip_suffix(std::env::consts::EXE_SUFFIX).map(str::to_owned).unwrap_or(name)
}
