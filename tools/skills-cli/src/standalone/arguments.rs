//! The arguments of the `skills` command, with the examples of its help.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

#[cfg(feature = "eval")]
use super::eval;
use super::judged::{Installed, Origin};
#[cfg(feature = "mcp")]
use super::mcp;
#[cfg(feature = "serve")]
use super::serve;
use super::source::{Directories, Place, Skills};
use super::{check, engine, expand, explain, init, migrate, new, plugin, signed, trust, weigh};
use crate::failure::Ended;
use crate::skill_source::SkillSource;
use crate::{exec, graph, install, list, prompt, search, show, status, tools, uninstall};

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
pub(super) struct Arguments {
    /// Tell what happens, on standard error; twice, in detail. `RUST_LOG` chooses more closely
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(super) verbose: u8,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
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
                                            check the input, show prompt and steps, run nothing
  skills call report --temporal 127.0.0.1:7233 --key monday
                                            by the workers of an engine, whatever crashes meanwhile")]
    Call(engine::AnyCall),
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
    Completions {
        /// The shell
        #[arg(value_enum, value_name = "SHELL")]
        shell: Shell,
    },
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
  skills graph skills                       all functions, as a flow chart of Mermaid
  skills graph research_and_summarize --dir skills --format svg > steps.svg
                                            the steps of a pipeline, as a picture
  skills graph skills --format dot | dot -Tpng > skills.png")]
    Graph(On<Directories, graph::Graph>),
    /// Begin: let a Cargo package bundle skills, or a repository check them
    #[command(after_help = "\
Examples:
  skills init --git URL                     a Cargo package gets dependencies, build script, macro and a first skill
  skills init my-agent --cargo --git URL    the same, in a directory without a package
  skills init --git URL --dry-run           only show it; a repository without Cargo.toml gets
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
    Lsp {
        /// Speak on standard input and output, which is the only way; editors may say so
        #[arg(long)]
        stdio: bool,
    },
    /// Write the manual pages of this command
    #[command(after_help = "\
Examples:
  skills manual --to ~/.local/share/man/man1")]
    Manual {
        /// The directory that they are written to, made when it is not there
        #[arg(long, value_name = "DIR")]
        to: PathBuf,
    },
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
  skills new word-count --exec python       with a program that takes and gives JSON
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
    /// Look at the runs of a durable engine, wait for one, or end it
    #[command(after_help = "\
Examples:
  skills runs --temporal 127.0.0.1:7233     the newest, one a line
  skills runs show monday --temporal 127.0.0.1:7233
                                            the steps of one, with their times
  skills runs attach monday --restate 127.0.0.1:8080
                                            wait for its output

The program `skills-temporal` or `skills-restate` does it; docs/ENGINES.md says how to have it.")]
    Runs(engine::Runs),
    /// Print the JSON Schema of skill.json, for editors
    #[command(after_help = "\
Examples:
  skills schema > skill.schema.json         and \"$schema\": \"./skill.schema.json\" in a skill.json")]
    Schema,
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
    /// Serve skills to a durable engine: pipelines go on after any crash, on any machine
    #[command(after_help = "\
Examples:
  skills worker --dir skills --temporal 127.0.0.1:7233
                                            every pipeline, and every skill with a program
  skills worker --dir skills --restate 127.0.0.1:8080 --listen 10.0.0.7:9080
                                            to a server that finds this machine there
  skills worker --dir skills --only transcribe --temporal 127.0.0.1:7233
                                            one skill, such as that whose program is on this machine

The program `skills-temporal` or `skills-restate` does it; docs/ENGINES.md says how to have it.")]
    Worker(engine::Worker),
}

/// A command, and the skills it works on.
#[derive(Debug, Args)]
pub(super) struct On<S: Args, C: Args> {
    #[command(flatten)]
    pub(super) skills: S,
    #[command(flatten)]
    pub(super) command: C,
}

impl<S: Args + Skills, C: Args> On<S, C> {
    /// Reads the skills and runs the command on them.
    pub(super) fn run(&self, command: impl FnOnce(&C, &SkillSource<'_>) -> ExitCode) -> Ended {
        // The command is not a host, so it grants no capability.
        Ok(command(&self.command, &SkillSource::Layers(&self.skills.read()?)))
    }
}
