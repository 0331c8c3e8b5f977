//! The `skills` command: all commands, on directories of skills (SPEC 11.1).

mod check;
mod completions;
#[cfg(any(feature = "mcp", feature = "serve"))]
mod current;
#[cfg(feature = "eval")]
mod eval;
mod expand;
mod explain;
#[cfg(all(target_os = "linux", any(feature = "mcp", feature = "serve")))]
mod first;
mod init;
mod judged;
mod lsp;
mod manual;
#[cfg(feature = "mcp")]
mod mcp;
mod memory;
mod migrate;
mod new;
mod orphans;
mod plugin;
mod schema;
#[cfg(feature = "serve")]
mod serve;
mod signed;
mod source;
mod trust;
mod verbose;
mod waiting;
mod weigh;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use skills_runtime::call::Runner;
use skills_runtime::exec::conceal;
use skills_runtime::load::Level;

use crate::shelf::Shelf;
use crate::terminal;
use crate::{call, exec, graph, install, list, prompt, search, show, status, tools, uninstall};
use judged::{Installed, Origin};
use source::{Directories, Place, Skills};

const EXAMPLES: &str = "\
Examples:
  skills check skills                       every problem of the directory `skills`
  skills list skills --json                 what a program would see
  skills show pdf --dir skills              one skill
  skills prompt skills --style omega        what a model would see
  skills exec git-changelog --dir skills --input '{\"since\": \"v1.0\"}'
                                            run the program of a skill
  skills call memory_search --dir skills --input '{\"query\": \"oven\"}'
                                            call a skill as a function
  skills install --dir skills --agent claude --dry-run
                                            what would be written to .claude/skills

`skills COMMAND --help` has examples for each command.
Exit codes: 0 success or warnings only, 1 errors, 2 wrong usage; `exec` passes on that of the program.";

/// Check, show, install and run agent skills.
#[derive(Debug, Parser)]
#[command(name = "skills", version, after_help = EXAMPLES)]
struct Arguments {
    /// Tell what happens, on standard error; twice, in detail. `RUST_LOG` chooses more closely
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Call a skill as a function, whatever its mode, and print its output as JSON
    #[command(after_help = "\
Examples:
  skills call memory_search --dir skills --input '{\"query\": \"oven\"}'
                                            a skill with a program of its own
  skills call summarize --dir skills --input - --model gpt-5 < in.json
                                            one that a model answers
  skills call summarize --dir skills --input '{\"text\": \"…\"}' --model qwen3 --base-url http://127.0.0.1:8080/v1
                                            the model of another server; its key, if any, in SKILLS_API_KEY
  skills call research_and_summarize --dir skills --input '{\"topic\": \"rust\"}' --dry-run
                                            check the input, show prompt and steps, run nothing")]
    Call(On<Directories, call::Call>),
    /// Judge a directory as a build does and report every problem
    #[command(after_help = "\
Examples:
  skills check skills                       for a person
  skills check skills --format sarif        for a code scanning service
  skills check skills --standard            by the open Agent Skills standard alone
  skills check skills --deny name-mismatch --allow long-body")]
    Check(check::Check),
    /// Print what a shell completes of this command
    #[command(after_help = "\
Examples:
  skills completions bash > ~/.local/share/bash-completion/completions/skills
  skills completions zsh > ~/.zfunc/_skills # with `fpath+=~/.zfunc` before `compinit`
  skills completions fish > ~/.config/fish/completions/skills.fish")]
    Completions(completions::Completions),
    /// Ask a model what skills make of their cases, grade the answers, and report
    #[cfg(feature = "eval")]
    #[command(after_help = "\
Examples:
  skills eval skills --model gpt-5 --judge gpt-5 --record evals.jsonl
                                            run evals/evals.json and trigger queries, and keep every exchange
  skills eval skills --replay evals.jsonl --format junit > report.xml
                                            the same offline, for a CI
  skills eval skills --replay evals.jsonl --against last.json --html report.html
                                            what changed, and a page with pictures

Exit codes: 1 where a rate is below --threshold, something could not be tried, or nobody could grade it.")]
    Eval(On<Place, eval::Eval>),
    /// Run the program of a skill and print what came of it as JSON
    #[command(after_help = "\
Examples:
  skills exec git-changelog --dir skills    run it without input
  skills exec csv-profile --dir skills --input '{\"path\": \"table.csv\"}'
                                            with input, checked by the skill's schema
  skills exec csv-profile --dir skills --input - --timeout 10s < in.json
                                            ten seconds at most

The exit code is that of the program; 124 when its time is over.")]
    Exec(On<Directories, exec::Exec>),
    /// Print the Rust that a directory of skills becomes
    #[command(after_help = "\
Examples:
  skills expand skills                      what `skills!` makes of them
  skills expand skills code_review          what belongs to one skill")]
    Expand(expand::Expand),
    /// Say what a rule is about, with a bad and a good example
    #[command(after_help = "\
Examples:
  skills explain name-mismatch              why a rule is one, and how to satisfy it
  skills explain                            all rules, by what they are about")]
    Explain(explain::Explain),
    /// Draw which skill calls which, or the steps of one
    #[command(after_help = "\
Examples:
  skills graph --dir skills                 all functions, as a flow chart of Mermaid
  skills graph research_and_summarize --dir skills --format svg > steps.svg
                                            the steps of a pipeline, as a picture
  skills graph --dir skills --format dot | dot -Tpng > skills.png")]
    Graph(On<Directories, graph::Graph>),
    /// Begin: let a Cargo package bundle skills, or a repository check them
    #[command(after_help = "\
Examples:
  skills init                               a Cargo package gets dependencies, build script, macro and a first skill
  skills init my-agent --cargo --yes        the same, in a directory without a package
  skills init --dry-run                     only show it; a repository without Cargo.toml gets
                                            skills.toml, a pre-commit hook and a workflow

What would be written is shown before it is; what is there is edited, never replaced.")]
    Init(init::Init),
    /// Write skills where an agent reads them, and keep them up to date there
    #[command(after_help = "\
Examples:
  skills install --dir skills --agent claude --dry-run
                                            what would be written to .claude/skills
  skills install pdf --dir skills --agent generic --scope user
                                            one skill, for you in all directories
  skills install --dir skills --to .my-agent --force
                                            replace what was edited there, with a copy")]
    Install(On<Origin, install::Install>),
    /// List the skills of directories
    #[command(after_help = "\
Examples:
  skills list skills                        for a person
  skills list skills --json --all           for a program, gated and internal ones, too
  skills list skills --mode llm --search review
                                            a part of them")]
    List(On<Place, list::List>),
    /// Serve an editor: problems, fixes and names while one types
    #[command(after_help = "\
Examples:
  skills lsp                                what an editor starts for SKILL.md, skill.json, prompt.md and ROLE.md")]
    Lsp(lsp::Lsp),
    /// Write the manual pages of this command
    #[command(after_help = "\
Examples:
  skills manual --to ~/.local/share/man/man1")]
    Manual(manual::Manual),
    /// Serve skills to clients of MCP, on standard input and output or over HTTP
    #[cfg(feature = "mcp")]
    #[command(after_help = "\
Examples:
  skills mcp skills                         for a client that starts this command
  skills mcp --dir shared --dir skills      of two directories
  skills mcp skills --http 127.0.0.1:8080 --token-env MCP_TOKEN
                                            at http://127.0.0.1:8080/mcp, for those who know the token")]
    Mcp(mcp::Mcp),
    /// Turn skills of older forms into those of today
    #[command(after_help = "\
Examples:
  skills migrate skills/review --category code
                                            turn a SKILL.md into a typed function of its text
  skills migrate --flat .claude             turn skills/foo.md into skills/foo/SKILL.md")]
    Migrate(migrate::Migrate),
    /// Write a new skill that passes `check`
    #[command(after_help = "\
Examples:
  skills new release-notes                  a SKILL.md in skills/release-notes
  skills new word_count --exec python       with a program that takes and gives JSON
  skills new summarize --mode llm --description 'Summarizes a text.'
                                            a typed function that a model runs
  skills new lookup --mode code --exec node --dir agent/skills")]
    New(new::New),
    /// Check, begin and pack plugins by Agent Plugins 1.0
    #[command(
        subcommand,
        after_help = "\
Examples:
  skills plugin check my-plugin             what a client loads of it
  skills plugin new my-plugin               plugin.json and a first skill
  skills plugin pack skills --to dist/my-plugin
                                            a directory of skills as a plugin"
    )]
    Plugin(plugin::PluginCommand),
    /// Print the catalog that a model is shown
    #[command(after_help = "\
Examples:
  skills prompt skills                      an introduction and XML
  skills prompt skills --style agent-skills as the open standard has it
  skills prompt skills --budget 2000        in 2,000 tokens
  skills prompt skills --on-demand --pin house-style --for 'sign the contract'
                                            a few, for a model that finds the others")]
    Prompt(On<Place, prompt::Prompt>),
    /// Print the JSON Schema of skill.json, for editors
    #[command(after_help = "\
Examples:
  skills schema > skill.schema.json         and \"$schema\": \"./skill.schema.json\" in a skill.json")]
    Schema(schema::Schema),
    /// Find the skills that a sentence asks for
    #[command(after_help = "\
Examples:
  skills search --dir skills tables in a PDF
                                            the ten that fit best
  skills search --dir skills --limit 3 --json 'write a changelog'
                                            for a program: names and scores")]
    Search(On<Directories, search::Search>),
    /// Serve the skills over HTTP until Ctrl-C, and print the address
    #[cfg(feature = "serve")]
    #[command(after_help = "\
Examples:
  skills serve --dir skills                 lists and texts at http://127.0.0.1:8787/v1/skills
  skills serve --dir skills --enable-exec --ui --model gpt-5
                                            run, call and chat, with a page for people
  skills serve --dir skills --enable-exec --otlp http://127.0.0.1:4318
                                            with traces of all calls for a collector of OpenTelemetry
  TOKEN=… skills serve --dir skills --bind 0.0.0.0:8787 --host agent.example --token-env TOKEN
                                            for other machines, which send `Authorization: Bearer …`

Changes of the directories are taken up while it runs.")]
    Serve(serve::Serve),
    /// Show one skill: its record, frontmatter, files and body
    #[command(after_help = "\
Examples:
  skills show pdf --dir skills              for a person
  skills show pdf --dir skills --json       for a program")]
    Show(On<Directories, show::Show>),
    /// Sign the files of a skill, or of a directory of skills, with a key
    #[command(after_help = "\
Examples:
  skills sign skills/pdf --key private.pem  writes skills/pdf/skill.oms.sig
  skills sign skills --each --key private.pem
                                            each skill for itself; so a signature is installed with its skill

The form is that of OpenSSF Model Signing: its tools verify it, too.
Keys of openssl:
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out private.pem
  openssl pkey -in private.pem -pubout -out public.pem")]
    Sign(signed::Sign),
    /// Tell how installed skills stand: current, outdated, modified, …
    #[command(after_help = "\
Examples:
  skills status --dir skills --to .claude   what is there, and what was edited")]
    Status(On<Origin, status::Status>),
    /// Print the skills as tools that a model can call
    #[command(after_help = "\
Examples:
  skills tools skills --format mcp          all that can be run
  skills tools skills --format anthropic --host --tag search
                                            with those of a host, of one tag")]
    Tools(On<Place, tools::Tools>),
    /// Say that the skills of a workspace may run, as they are now
    #[command(after_help = "\
Examples:
  skills trust .                            those in .claude/skills and .agents/skills
  skills trust --list                       what is trusted, and what has changed since
  skills trust --revoke .                   no longer

Skills of a workspace do nothing before, and nothing again once one of their files has changed. A directory that is named by
`--dir` is trusted for that command; those in ~/.claude/skills and ~/.agents/skills always are.")]
    Trust(trust::Trust),
    /// Remove what `install` wrote
    #[command(after_help = "\
Examples:
  skills uninstall --dir skills --agent claude --dry-run
                                            what would be removed from .claude/skills
  skills uninstall pdf --dir skills --agent claude
                                            one skill")]
    Uninstall(On<Installed, uninstall::Uninstall>),
    /// Tell whether a directory is what a key has signed
    #[command(after_help = "\
Examples:
  skills verify skills/pdf --key public.pem
                                            one skill, by its skill.oms.sig
  skills verify .claude --key public.pem    each skill that was installed there

What was changed, added, removed or renamed is told, and the exit code is 1.")]
    Verify(signed::Verify),
    /// Count what skills cost a model in tokens: the catalog, each text, each tool
    #[command(after_help = "\
Examples:
  skills weigh skills                       the heaviest first
  skills weigh skills --sort entry --limit 10
                                            what every conversation begins with
  skills weigh skills --json                every text, with the error of the estimate")]
    Weigh(On<Place, weigh::Weigh>),
}

/// A command, and the skills it works on.
#[derive(Debug, Args)]
struct On<S: Args, C: Args> {
    #[command(flatten)]
    skills: S,
    #[command(flatten)]
    command: C,
}

impl<S: Args + Skills, C: Args> On<S, C> {
    /// Reads the skills and runs the command on them.
    fn run(&self, command: impl FnOnce(&C, &Shelf<'_>) -> ExitCode) -> ExitCode {
        match self.skills.read() {
            // The command is no host, so it grants no capability.
            Some(layers) => command(&self.command, &Shelf::Layers(&layers)),
            None => ExitCode::FAILURE,
        }
    }
}

/// Returns the command with all its arguments, for documentation made of it.
pub fn command() -> clap::Command {
    Arguments::command()
}

/// Runs the `skills` command on the arguments of the process.
pub fn main() -> ExitCode {
    // A link of that name is what cargo runs, too.
    let called = std::env::args_os().next().map(PathBuf::from);
    if called.and_then(|path| Some(path.file_stem()? == "cargo-skills")) == Some(true) {
        return main_of_cargo();
    }
    run(Arguments::parse())
}

/// Runs the same command on the arguments that cargo gives a command of its own, which begin with its name (SPEC 18.2).
pub fn main_of_cargo() -> ExitCode {
    let mut arguments: Vec<_> = std::env::args_os().collect();
    if arguments.get(1).is_some_and(|name| name == "skills") {
        arguments.remove(1);
    }
    let matches = Arguments::command().bin_name("cargo skills").get_matches_from(arguments);
    match Arguments::from_arg_matches(&matches) {
        Ok(arguments) => run(arguments),
        Err(problem) => problem.exit(),
    }
}

fn run(Arguments { verbose, command }: Arguments) -> ExitCode {
    conceal();
    // Dropped at the end: what is left of traces is sent.
    let listening = verbose::listen(verbose, &command);
    match listening {
        Ok(_listening) => command.run().unwrap_or_else(terminal::usage),
        Err(reason) => terminal::usage(reason),
    }
}

/// Says that what stands at a target does nothing there, since it is a workspace that is not trusted (SPEC 14.10).
fn tell_untrusted(target: &std::path::Path) {
    let skills = target.join("skills");
    let at = std::path::absolute(&skills).unwrap_or_else(|_| skills.clone());
    if source::untrusted_directories().iter().any(|directory| directory.starts_with(&at)) {
        let skills = skills.display();
        terminal::line(&format!(
            "note: the skills in {skills} are not trusted, and do nothing; `skills trust {skills}` says that they may run"
        ));
    }
}

impl Command {
    /// Returns where traces of the command's calls go.
    #[cfg(feature = "otlp")]
    fn otlp(&self) -> Option<&crate::otlp::Otlp> {
        match self {
            Self::Call(call) => Some(&call.command.otlp),
            Self::Exec(exec) => Some(&exec.command.otlp),
            #[cfg(feature = "mcp")]
            Self::Mcp(mcp) => Some(&mcp.channel.otlp),
            #[cfg(feature = "serve")]
            Self::Serve(serve) => Some(&serve.listener.otlp),
            _ => None,
        }
    }

    fn run(self) -> Result<ExitCode, String> {
        Ok(match self {
            Self::Call(call) => match call.skills.read_for(Some(&call.command.name)) {
                Some(layers) => {
                    let _orphans = orphans::adopt();
                    call.command.run(Runner::from(layers), false)
                }
                None => ExitCode::FAILURE,
            },
            Self::Check(check) => return check.run(),
            Self::Completions(completions) => completions.run(),
            #[cfg(feature = "eval")]
            Self::Eval(eval) => match eval.skills.read() {
                Some(layers) => {
                    let _orphans = orphans::adopt();
                    return eval.command.run(Runner::from(layers));
                }
                None => ExitCode::FAILURE,
            },
            Self::Exec(exec) => match exec.skills.read_for(Some(&exec.command.name)) {
                Some(layers) => {
                    let _orphans = orphans::adopt();
                    exec.command.run(Runner::from(layers), false)
                }
                None => ExitCode::FAILURE,
            },
            Self::Expand(expand) => return expand.run(),
            Self::Explain(explain) => return explain.run(),
            Self::Graph(graph) => match graph.skills.read_for(graph.command.name.as_deref()) {
                Some(layers) => graph.command.run(&Runner::from(layers)),
                None => ExitCode::FAILURE,
            },
            Self::Install(install)
                if install.command.target.paths()?.iter().any(|target| install.skills.holds(target)) =>
            {
                terminal::problem(
                    "error: the skills would be installed into the directory that they come from: name another target",
                );
                ExitCode::FAILURE
            }
            Self::Install(install) => match install.skills.registry()? {
                Some(registry) => return install.command.run(&registry, &install.skills.name()?),
                None => {
                    terminal::problem("error: nothing was installed: a directory with errors is not");
                    ExitCode::FAILURE
                }
            },
            Self::List(list) => match list.skills.read() {
                Some(layers) => {
                    let code = list.command.run(&Shelf::Layers(&layers));
                    // What was told as an error is not in the list, or not whole (SPEC 11.14).
                    let is_broken = layers.problems().iter().any(|problem| problem.level == Level::Error);
                    if is_broken { ExitCode::FAILURE } else { code }
                }
                None => ExitCode::FAILURE,
            },
            Self::Init(init) => return init.run(),
            Self::Lsp(lsp) => lsp.run(),
            #[cfg(feature = "mcp")]
            Self::Mcp(mcp) => return mcp.run(),
            Self::Manual(manual) => manual.run(),
            Self::Migrate(migrate) => migrate.run(),
            Self::New(new) => return new.run(),
            Self::Plugin(plugin) => return plugin.run(),
            Self::Prompt(prompt) if prompt.command.is_on_demand() => match prompt.skills.read() {
                Some(layers) => prompt.command.run_by(Runner::from(layers)),
                None => ExitCode::FAILURE,
            },
            Self::Prompt(prompt) => prompt.run(prompt::Prompt::run),
            Self::Schema(schema) => return schema.run(),
            Self::Search(search) => search.run(search::Search::run),
            #[cfg(feature = "serve")]
            Self::Serve(serve) => return serve.run(),
            Self::Show(show) => match show.skills.read_for(Some(&show.command.name)) {
                Some(layers) => show.command.run(&Shelf::Layers(&layers)),
                None => ExitCode::FAILURE,
            },
            Self::Sign(sign) => sign.run(),
            Self::Status(status) => match status.skills.registry()? {
                Some(registry) => {
                    let code = status.command.run(&registry, &status.skills.name()?)?;
                    status.command.target.paths()?.iter().for_each(|target| tell_untrusted(target));
                    return Ok(code);
                }
                None => ExitCode::FAILURE,
            },
            Self::Tools(tools) => tools.run(tools::Tools::run),
            Self::Trust(trust) => trust.run(),
            Self::Uninstall(uninstall) => return uninstall.command.run(&uninstall.skills.name()?),
            Self::Verify(verify) => verify.run(),
            Self::Weigh(weigh) => match weigh.skills.read() {
                Some(layers) => weigh.command.run(&Runner::from(layers)),
                None => ExitCode::FAILURE,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    // SPEC 11.1: no two arguments of a command have one name; clap looks only when a command is used
    #[test]
    fn the_arguments_fit_together() {
        super::command().debug_assert();
    }
}
