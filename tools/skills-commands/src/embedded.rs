//! The commands of a program that bundles skills. They work on the skills of that program only.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgMatches, Args, Error, FromArgMatches, Subcommand};
use skills_exec::conceal;
use skills_install::InstallOptions;
use skills_registry::Registry;
use skills_text::visible;

use crate::bundle::Bundle;
use crate::call::{Call, Graph};
use crate::failure::Ended;
use crate::read::Read;
use crate::{exec, install, list, mcp, plugin, prompt, search, serve, show, status, terminal, tools};

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
///     Skill(skills_commands::BundleCommand),
/// }
///
/// fn main() -> ExitCode {
///     match Arguments::parse() {
///         Arguments::Skill(command) => command.run(&SKILLS),
///     }
/// }
/// ```
///
/// Without a command, it prints the skills as texts for a model: `mytool skill` the list of skills, `mytool skill NAME` the
/// text of a skill, and `mytool skill NAME FILE` one of its files. The installed stubs name these commands.
#[derive(Debug)]
pub struct BundleCommand(Chosen);

#[derive(Debug)]
enum Chosen {
    Command(Box<Command>),
    Read(Read),
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Call a skill as a function and print its output as JSON
    #[command(after_help = "\
Examples, after the name of this command:
  NAME --input '{\"path\": \"a.csv\"}'  pass input, checked with the schema
  NAME --input - --timeout 10s < in.json
      limit each attempt to ten seconds
  NAME --input '{}' --dry-run       check the input and show what would run")]
    Call(Call),
    /// Run the program of a skill and print the outcome as JSON
    #[command(after_help = "\
Examples, after the name of this command:
  NAME                              run without input
  NAME --input '{\"since\": \"v1.0\"}'  pass input, checked with the schema
  NAME --input - --timeout 10s < in.json
      limit the run to ten seconds

The exit code is the exit code of the program, or 124 after a timeout.")]
    Exec(exec::Exec),
    /// Draw which skills call each other, or the steps of one pipeline
    #[command(after_help = "\
Examples, after the name of this command:
  (no argument)  draw all functions as a Mermaid flow chart
  --skill NAME --format svg > steps.svg
      draw the steps of a pipeline as an SVG picture")]
    Graph(Graph),
    /// Install the skills for an agent, or update them
    #[command(after_help = "\
Examples, after the name of this command:
  --agent claude --dry-run          show what would be written to .claude/skills
  pdf --agent generic --scope user  install a skill for all your projects
  --to ~/.my-agent --force          replace edited files, and keep copies")]
    Install(install::Install),
    /// List the skills
    #[command(after_help = "\
Examples, after the name of this command:
  --json                      print JSON records
  --all                       include gated and internal skills
  --mode llm --search review  filter by mode and words")]
    List(list::List),
    /// Serve the skills to MCP clients on standard input and output, or over HTTP
    #[command(after_help = "\
Examples, after the name of this command:
  (no argument)          serve a client that starts this program
  --bind 127.0.0.1:8080  serve at http://127.0.0.1:8080/mcp")]
    Mcp(mcp::Channel),
    /// Pack the skills as an Agent Plugins 1.0 plugin, with this program as its server
    #[command(after_help = "\
Examples, after the name of this command:
  --to dist/my-plugin  start the program that the user has installed
  --to dist/my-plugin --with-program
      include this program in the plugin")]
    Plugin(plugin::Pack),
    /// Print the catalog of skills that a model sees
    #[command(after_help = "\
Examples, after the name of this command:
  --style agent-skills  use the format of the open standard
  --budget 2000         limit the catalog to 2,000 tokens")]
    Prompt(prompt::Prompt),
    /// Search for skills
    #[command(after_help = "\
Examples, after the name of this command:
  tables in a PDF  print the ten best matches
  --limit 3 --json 'write a changelog'
      print the names and scores of three skills as JSON")]
    Search(search::Search),
    /// Serve the skills over HTTP until Ctrl-C, and print the address
    #[command(after_help = "\
Examples, after the name of this command:
  (no argument)       serve at http://127.0.0.1:8787/v1/skills
  --enable-exec --ui  also run, call and chat, with a web page")]
    Serve(serve::Listener),
    /// Show one skill: its record, frontmatter, files and body
    #[command(after_help = "\
Examples, after the name of this command:
  NAME         print text
  NAME --json  print JSON")]
    Show(show::Show),
    /// Show whether installed skills are current, outdated or modified
    #[command(after_help = "\
Examples, after the name of this command:
  --agent claude        check .claude/skills
  pdf --to ~/.my-agent  check one skill in another directory")]
    Status(status::Status),
    /// Print the skills as tool definitions for a model
    #[command(after_help = "\
Examples, after the name of this command:
  --format anthropic                print all skills that can run
  --format mcp --host --tag search  include host functions, and filter by tag")]
    Tools(tools::Tools),
    /// Remove skills that `install` wrote
    #[command(after_help = "\
Examples, after the name of this command:
  --agent claude --dry-run  show what would be removed from .claude/skills
  pdf --agent claude        remove one skill")]
    Uninstall(install::Uninstall),
    /// Print the version of the program; with `--verbose`, also the digest of its skills
    #[command(after_help = "\
Examples, after the name of this command:
  --verbose  also print the number of skills and their digest")]
    Version(Version),
}

impl BundleCommand {
    /// Runs the command on the skills of the program. Installations identify them by the name of the
    /// program's file.
    ///
    /// Returns the exit code of the program: 0 for success, 1 for errors, 2 for wrong usage. `exec` returns
    /// the exit code of the skill's program.
    pub fn run(self, skills: &'static Registry) -> ExitCode {
        self.run_with(&Bundle::new(&program_name(), skills))
    }

    /// Runs the command on the skills of a program that has a name other than its file's, or that grants
    /// capabilities. Otherwise works like [`run`](Self::run).
    pub fn run_with(self, bundle: &Bundle<'_>) -> ExitCode {
        let command = match self.0 {
            Chosen::Command(command) => command,
            Chosen::Read(read) => return read.run(bundle),
        };
        // Skill programs and clients run as the same user that holds the keys of this process.
        if command.runs() {
            conceal();
        }
        let (Ok(code) | Err(code)) = command.run(bundle);
        code
    }
}

impl Command {
    fn run(mut self, bundle: &Bundle<'_>) -> Ended {
        let (registry, name) = (bundle.registry, bundle.name);
        if let Self::Install(install::Install { target, .. })
        | Self::Status(status::Status { target, .. })
        | Self::Uninstall(install::Uninstall { target, .. }) = &mut self
        {
            target.default_agents.clone_from(&bundle.agents);
        }
        Ok(match self {
            Self::Call(call) => call.run_in(bundle)?,
            Self::Exec(exec) => match bundle.runner.clone() {
                Some(runner) => exec.run(runner, true)?,
                None => exec.run_alone(&bundle.layers)?,
            },
            Self::Graph(graph) => graph.run_in(bundle)?,
            Self::Install(install) => {
                install.run(registry, InstallOptions::new(name), command_before("install"))?
            }
            Self::List(list) => list.run(&bundle.client()),
            Self::Mcp(channel) => channel.run_in(bundle)?,
            Self::Plugin(pack) => pack.run(Some(registry), served_by(bundle))?,
            Self::Prompt(prompt) if prompt.is_on_demand() => prompt.run_by(bundle.own_runner()?),
            Self::Prompt(prompt) => prompt.run(&bundle.layers),
            Self::Search(search) => search.run(&bundle.layers),
            Self::Serve(listener) => listener.run_in(bundle)?,
            Self::Show(show) => show.run(&bundle.client()),
            Self::Status(status) => status.run(registry, InstallOptions::new(name))?,
            Self::Tools(tools) => tools.run(&bundle.client()),
            Self::Uninstall(uninstall) => uninstall.run(name)?,
            Self::Version(version) => version.run(registry, name, bundle.version),
        })
    }

    /// Returns `true` if the command runs programs of skills.
    fn runs(&self) -> bool {
        matches!(self, Self::Call(_) | Self::Exec(_) | Self::Mcp(_) | Self::Serve(_))
    }
}

impl FromArgMatches for BundleCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Ok(Self(match matches.subcommand_name() {
            Some(_) => Chosen::Command(Box::new(Command::from_arg_matches(matches)?)),
            None => Chosen::Read(Read::from_arg_matches(matches)?),
        }))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for BundleCommand {
    fn augment_subcommands(command: clap::Command) -> clap::Command {
        // The derived code requires a subcommand before it calls this.
        let command = command.subcommand_required(false).arg_required_else_help(false);
        Command::augment_subcommands(Read::augment_args(command))
    }

    fn augment_subcommands_for_update(command: clap::Command) -> clap::Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        Command::has_subcommand(name)
    }
}

/// `version`: prints the exact bundle of skills in a program.
#[derive(Debug, Args)]
struct Version {
    /// Also print the number of skills and a digest of all their files
    #[arg(short, long)]
    verbose: bool,
}

impl Version {
    /// Prints the name of the program, its version if it has one, and with `--verbose` its bundle.
    fn run(&self, registry: &Registry, name: &str, version: Option<&str>) -> ExitCode {
        let mut out = visible(name);
        if let Some(version) = version {
            out.push_str(&format!(" {}", visible(version)));
        }
        out.push('\n');
        if self.verbose {
            let digest =
                registry.digest_hex().map_or_else(|| "unknown".to_owned(), |hex| format!("sha256:{hex}"));
            out.push_str(&format!("skills: {}\nbundle: {digest}\n", registry.len()));
        }
        terminal::text(&out)
    }
}

/// Returns the command line that serves the skills: this program, the arguments that lead to its commands,
/// and `mcp`. Returns `None` if the program does not serve skills.
fn served_by(bundle: &Bundle<'_>) -> Option<plugin::ServedBy> {
    bundle.runner.as_ref().filter(|_| cfg!(feature = "mcp"))?;
    let before = std::env::args().skip(1).take_while(|word| word != "plugin");
    let args = before.chain(["mcp".to_owned()]).collect();
    Some(plugin::ServedBy { command: program_name(), args })
}

/// Returns the command line of this process up to a word: the program, and the subcommands that lead to the commands for
/// its skills. Returns `None` if there are options among them.
pub(crate) fn command_before(word: &str) -> Option<String> {
    let words: Vec<String> = std::env::args().skip(1).take_while(|other| other != word).collect();
    let is_plain = words.iter().all(|word| is_command(word));
    is_plain.then(|| std::iter::once(program_name()).chain(words).collect::<Vec<_>>().join(" "))
}

/// Returns the command line of this process up to the name of its command, for messages that name another command.
pub(crate) fn command_line_before(command: &str) -> String {
    command_before(command).unwrap_or_else(program_name)
}

/// Returns `true` if a word can be a subcommand.
fn is_command(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with('-')
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// Returns the name of the program's file without `.exe`.
pub(crate) fn program_name() -> String {
    let path = std::env::args_os().next().map(PathBuf::from).or_else(|| std::env::current_exe().ok());
    let name =
        path.as_deref().and_then(|path| path.file_name()).map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_else(|| "skills".to_owned());
    name.strip_suffix(std::env::consts::EXE_SUFFIX).map(str::to_owned).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use clap::Subcommand as _;

    // SPEC 9.14: a stub of a skill with the name of a command has `--` before the name
    #[test]
    fn every_command_is_known_to_stubs() {
        let all = super::Command::augment_subcommands(clap::Command::new("agent"));
        let mut names: Vec<_> = all.get_subcommands().map(|command| command.get_name().to_owned()).collect();
        names.push("help".to_owned());
        names.sort();
        assert_eq!(names, skills_install::COMMANDS);
    }

    // SPEC 11.26: a terminal of 80 columns shows each example in one line
    #[test]
    fn examples_fit_into_80_columns() {
        let all = super::Command::augment_subcommands(clap::Command::new("agent"));
        for command in all.get_subcommands() {
            let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(examples.starts_with("Examples, after the name of this command:\n"), "{examples}");
            for line in examples.lines() {
                assert!(line.chars().count() <= 80, "{line}");
            }
        }
    }
}
