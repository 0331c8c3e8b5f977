//! The list of all commands, with their summaries and examples.

use std::path::PathBuf;

use clap::Subcommand;
use clap_complete::Shell;

#[cfg(not(feature = "mcp"))]
use super::absent::mcp::Mcp;
#[cfg(not(feature = "serve"))]
use super::absent::serve::Serve;
use super::arguments::{On, Traced};
use super::origin::{InstallFrom, Installed, SkillOrigin};
#[cfg(feature = "mcp")]
use super::serving::Mcp;
#[cfg(feature = "serve")]
use super::serving::Serve;
use super::source::{Directories, SkillPlaces};
use super::{
    check, engine, eval, expand, explain, init, migrate, new, package, pin, plugin, signed, sources, trust,
    weigh,
};
use skills_commands::call::Graph;
use skills_commands::{exec, install, list, prompt, search, show, status, tools};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Add skills of other projects, and lock them in skills.lock
    #[command(after_help = "\
Examples:
  skills add acme/skills                    add all skills of a GitHub repository
  skills add acme/skills@v1.2 --skill pdf   add one skill, at a tag
  skills add https://git.example/a.git#main:agent/skills
                                            add the skills in a directory of a branch
  skills add crate:tokio npm:@acme/ui pypi:ruamel.yaml
                                            add skills of installed packages

No code of a source is run. The command shows all skills with their permissions and problems, and asks once.")]
    Add(sources::Add),
    /// Call a skill as a function and print its output as JSON
    #[command(after_help = "\
Examples:
  skills call memory_search --dir skills --input '{\"query\": \"oven\"}'
                                            call a skill that has a program
  skills call summarize --dir skills --input - --model gpt-5 < in.json
                                            call a skill that a model answers
  skills call summarize --dir skills --input - --model qwen3 --base-url $URL
                                            use another model server, with the key in SKILLS_API_KEY
  skills call research_and_summarize --dir skills --input - --dry-run < in.json
                                            check the input and show the steps, without running anything
  skills call report --temporal 127.0.0.1:7233 --run-key monday
                                            run on a durable engine, which survives crashes")]
    Call(Box<engine::AnyCall>),
    /// Check skills the same way the build does, and report all problems
    #[command(after_help = "\
Examples:
  skills check skills                       print a report
  skills check skills --format sarif        print SARIF for a code scanning service
  skills check skills --standard            check only the rules of the open standard
  skills check skills --deny name-mismatch --allow long-body
  skills check skills --commands acme.json  also check command lines with the commands of a program
  skills check --print-commands acme > acme.json
                                            read these commands from `acme --help` and the help of each subcommand
  skills check skills --ci                  fail on warnings too

--print-commands runs the program in a sandbox without network. It can read the system's directories, its own file and \
the toolchain of PATH, each call has ten seconds, and all have two minutes together. Review the result: help texts have \
many forms, and deprecated flags are recognized only by their help.")]
    #[command(aliases = ["lint", "validate"])]
    Check(check::CheckCommand),

    /// Print a completion script for a shell
    #[command(after_help = "\
Examples:
  skills completions bash > ~/.local/share/bash-completion/completions/skills
  skills completions zsh > ~/.zfunc/_skills  with `fpath+=~/.zfunc` before `compinit`
  skills completions fish > ~/.config/fish/completions/skills.fish")]
    Completions {
        /// The shell
        #[arg(value_enum, value_name = "SHELL")]
        shell: Shell,
    },
    /// Run skills on a durable engine, and follow the runs
    #[command(
        subcommand,
        after_help = "\
Examples:
  skills engine worker skills --temporal 127.0.0.1:7233
                                            serve all pipelines and all skills with a program
  skills engine runs --temporal 127.0.0.1:7233
                                            list the newest runs

`skills call NAME --temporal ADDRESS` starts a run. These commands require the program `skills-temporal` or \
`skills-restate`; docs/ENGINES.md explains how to install it."
    )]
    Engine(engine::EngineCommand),
    /// Run the test cases of skills with a model and grade the answers
    #[command(after_help = "\
Examples:
  skills eval skills --model gpt-5 --judge gpt-5 --record evals.jsonl
                                            run the cases and trigger queries, and record all answers
  skills eval skills --replay evals.jsonl --format junit > report.xml
                                            replay the answers offline, for CI
  skills eval skills --replay evals.jsonl --against last.json --html report.html
                                            compare with an earlier report, and write an HTML report

The exit code is 1 if a rate is below --threshold, or if a case could not be run or graded.")]
    #[command(alias = "test")]
    Eval(Box<eval::Eval>),
    /// Run the program of a skill and print the outcome as JSON
    #[command(after_help = "\
Examples:
  skills exec git-changelog --dir skills    run without input
  skills exec csv-profile --dir skills --input '{\"path\": \"table.csv\"}'
                                            pass input, which is checked with the schema
  skills exec csv-profile --dir skills --input - --timeout 10s < in.json
                                            limit the run to ten seconds

The exit code is the exit code of the program, or 124 after a timeout.")]
    #[command(alias = "run")]
    Exec(Traced<On<Directories, exec::Exec>>),
    /// Print the Rust code that `skills!` generates for a directory
    #[command(after_help = "\
Examples:
  skills expand skills                      print the code for all skills
  skills expand skills --skill code_review  print the code for one skill")]
    Expand(expand::Expand),
    /// Explain a rule, with a bad and a good example
    #[command(after_help = "\
Examples:
  skills explain name-mismatch              explain one rule
  skills explain                            list all rules by group
  skills explain name-mismatch --json       print JSON")]
    Explain(explain::Explain),
    /// Draw which skills call each other, or the steps of one pipeline
    #[command(after_help = "\
Examples:
  skills graph skills                       draw all functions as a Mermaid flow chart
  skills graph skills --skill research_and_summarize --format svg > steps.svg
                                            draw the steps of a pipeline as an SVG picture
  skills graph skills --format dot | dot -Tpng > skills.png")]
    Graph(On<SkillPlaces, Graph>),
    /// Set up skills in a Cargo package, or checks in a repository
    #[command(after_help = "\
Examples:
  skills init --git URL                     add dependencies, build script, macro and a first skill to a package
  skills init my-agent --cargo --git URL    create a package with all of these
  skills init --git URL --dry-run           show the changes only; a repository without Cargo.toml gets
                                            skills.toml, a pre-commit hook and a workflow

The command shows all changes before it writes them. It edits existing files and never replaces them.")]
    Init(init::Init),
    /// Install skills for an agent, or update them
    #[command(after_help = "\
Examples:
  skills install --dir skills --agent claude --dry-run
                                            show what would be written to .claude/skills
  skills install pdf --dir skills --agent generic --scope user
                                            install one skill for all of your projects
  skills install --dir skills --to .my-agent --force
                                            replace edited files, and keep copies")]
    Install(InstallFrom),
    /// List the skills of directories
    #[command(after_help = "\
Examples:
  skills list skills                        print a table
  skills list skills --json --all           print JSON, including gated and internal skills
  skills list skills --mode llm --search review
                                            filter by mode and words
  skills list --mcp docs=https://docs.example/mcp
                                            list the skills of an MCP server")]
    #[command(alias = "ls")]
    List(On<SkillPlaces, list::List>),
    /// Start the language server for an editor
    #[command(after_help = "\
Examples:
  skills lsp                                serve SKILL.md, skill.json, prompt.md and ROLE.md")]
    Lsp {
        /// Use standard input and output, which is the default
        #[arg(long)]
        stdio: bool,
    },
    /// Write the manual pages of this command
    #[command(after_help = "\
Examples:
  skills manual --to ~/.local/share/man/man1")]
    Manual {
        /// The directory for the pages, which is created if needed
        #[arg(long, value_name = "DIR")]
        to: PathBuf,
    },
    /// Serve skills to MCP clients over standard input or HTTP
    #[command(after_help = "\
Examples:
  skills mcp skills                         serve a client that starts this command
  skills mcp shared skills                  serve the skills of two directories
  skills mcp skills --bind 127.0.0.1:8080 --token-env MCP_TOKEN
                                            serve at http://127.0.0.1:8080/mcp to clients with the token")]
    Mcp(Mcp),
    /// Convert skills from older formats
    #[command(after_help = "\
Examples:
  skills migrate skills/review --category code
                                            turn a SKILL.md into a typed function
  skills migrate .claude --flat             turn skills/foo.md into skills/foo/SKILL.md")]
    Migrate(migrate::Migrate),
    /// Create a skill that passes `check`
    #[command(after_help = "\
Examples:
  skills new release-notes                  create skills/release-notes/SKILL.md
  skills new word-count --exec python       create a typed function that a program runs
  skills new summarize --mode llm --description 'Summarizes a text.'
                                            create a typed function that a model runs
  skills new digest --kind pipeline         create a typed function that calls others
  skills new --commands acme.json           create the skill of a program from its commands")]
    #[command(alias = "create")]
    New(new::New),
    /// Prepare a crate with skills for a registry
    #[command(
        subcommand,
        after_help = "\
Examples:
  skills package vendor skills crates/agent/skills
                                            copy skills into a package, or update the copy
  skills package publish --check crates/agent
                                            show which skills the users of the crate get"
    )]
    Package(package::PackageCommand),
    /// Write tools of an MCP server as typed skills, or compare them
    #[command(after_help = "\
Examples:
  skills pin 'npx -y @modelcontextprotocol/server-memory' --to skills/memory
                                            show the tools of a server, and write them as skills
  skills pin https://mcp.example/mcp --to skills/tracker --tool create_issue
                                            write one tool of a server over HTTP
  skills pin --check --to skills            fail in CI if a server has changed a pinned tool
  skills pin --update --to skills           show the changes, and accept them

A call of a pinned tool fails if the server has changed its description or its schemas. The command only \
starts the server and calls no tool. An edited skill is never overwritten.")]
    Pin(pin::Pin),
    /// Check, create and pack Agent Plugins 1.0 plugins
    #[command(
        subcommand,
        after_help = "\
Examples:
  skills plugin check my-plugin             show what clients load
  skills plugin new my-plugin               create a plugin.json and a first skill
  skills plugin pack skills --to dist/my-plugin
                                            pack a directory of skills as a plugin"
    )]
    Plugin(plugin::PluginCommand),
    /// Print the catalog of skills that a model sees
    #[command(after_help = "\
Examples:
  skills prompt skills                      print an introduction and XML
  skills prompt skills --style agent-skills  use the format of the open standard
  skills prompt skills --budget 2000        limit the catalog to 2,000 tokens
  skills prompt skills --on-demand --pin house-style --message 'sign it'
                                            list only a few skills; the model searches for others")]
    Prompt(On<SkillPlaces, prompt::Prompt>),

    /// Remove skills that `add` wrote
    #[command(after_help = "\
Examples:
  skills remove pdf csv                     remove two skills, and their entries in skills.lock

A skill that was edited is not removed.")]
    Remove(sources::Remove),

    /// Print the JSON Schema of skill.json, for editors
    #[command(after_help = "\
Examples:
  skills schema > skill.schema.json         and \"$schema\": \"./skill.schema.json\" in a skill.json")]
    Schema,
    /// Search for skills
    #[command(after_help = "\
Examples:
  skills search --dir skills tables in a PDF
                                            print the ten best matches
  skills search --dir skills --limit 3 --json 'write a changelog'
                                            print the names and scores of three skills as JSON")]
    #[command(alias = "find")]
    Search(On<Directories, search::Search>),
    /// Serve the skills over HTTP until Ctrl-C, and print the address
    #[command(after_help = "\
Examples:
  skills serve skills                       serve lists and texts at http://127.0.0.1:8787/v1/skills
  skills serve skills --enable-exec --ui --model gpt-5
                                            also run, call and chat, with a web page
  skills serve skills --enable-exec --otlp http://127.0.0.1:4318
                                            also send traces to an OpenTelemetry collector
  skills serve skills --bind 0.0.0.0:80 --allow-host a.example --token-env TOKEN
                                            serve other machines, which send `Authorization: Bearer …` with the value of TOKEN

The server follows changes of the directories while it runs.")]
    Serve(Serve),
    /// Show one skill: its record, frontmatter, files and body
    #[command(after_help = "\
Examples:
  skills show pdf --dir skills              print text
  skills show pdf --dir skills --json       print JSON")]
    Show(On<Directories, show::Show>),
    /// Sign a skill, or a directory of skills, with a key
    #[command(after_help = "\
Examples:
  skills sign skills/pdf --key private.pem  write skills/pdf/skill.oms.sig
  skills sign skills --each --key private.pem
                                            sign each skill separately, so that its signature is installed with it

Signatures have the format of OpenSSF Model Signing, so its tools can verify them.
To create keys with openssl:
  openssl ecparam -name prime256v1 -genkey -noout -out private.pem
  openssl pkey -in private.pem -pubout -out public.pem")]
    Sign(signed::Sign),
    /// Show whether installed skills are current, outdated or modified
    #[command(after_help = "\
Examples:
  skills status --dir skills --to .claude   show outdated and edited skills
  skills status --dir skills --agent claude --ci
                                            fail in CI unless everything is current")]
    Status(On<SkillOrigin, status::Status>),
    /// Restore the skills of skills.lock, or check them against it
    #[command(after_help = "\
Examples:
  skills sync                               restore missing files at their locked revisions
  skills sync --locked                      check in CI that skills and skills.lock agree
  skills sync --dependencies                add or update the skills of the project's dependencies")]
    Sync(sources::Sync),
    /// Print the skills as tool definitions for a model
    #[command(after_help = "\
Examples:
  skills tools skills --format mcp          print all skills that can run
  skills tools skills --format anthropic --host --tag search
                                            include host functions, and filter by tag")]
    Tools(On<SkillPlaces, tools::Tools>),
    /// Allow the skills of a workspace to run
    #[command(after_help = "\
Examples:
  skills trust .                            trust the skills of this project as they are now
  skills trust --follow-edits .             trust them also after edits, in your own checkout
  skills trust --list                       list trusted skills, and which have changed since
  skills trust . --revoke                   stop trusting them
  skills trust --mcp https://docs.example/mcp
                                            show the skills of an MCP server, and approve them as they are now

Skills of a workspace do not run until you trust them. If one of their files changes, they must be trusted again, unless \
their directory follows edits. `skills new` and `skills init` record what they write as a directory that follows edits. A \
directory that you name in a command is trusted for that command. ~/.claude/skills and ~/.agents/skills are always trusted.")]
    Trust(trust::Trust),
    /// Remove skills that `install` wrote
    #[command(after_help = "\
Examples:
  skills uninstall --dir skills --agent claude --dry-run
                                            show what would be removed from .claude/skills
  skills uninstall pdf --dir skills --agent claude
                                            remove one skill")]
    Uninstall(On<Installed, install::Uninstall>),
    /// Update skills of other projects, and show the differences
    #[command(after_help = "\
Examples:
  skills update --dry-run                   show what would change in all locked skills
  skills update --check                     list the skills whose sources have changed
  skills update pdf                         show the difference of one skill, and ask

If a skill was edited, nothing is updated.")]
    Update(sources::Update),

    /// Verify the signature of a directory
    #[command(after_help = "\
Examples:
  skills verify skills/pdf --key public.pem
                                            verify one skill by its skill.oms.sig
  skills verify .claude --key public.pem    verify each skill that is installed there

If a file was changed, added, removed or renamed, the command names it and exits with 1.")]
    Verify(signed::Verify),
    /// Count the tokens of the catalog, of each skill and of each tool
    #[command(after_help = "\
Examples:
  skills weigh skills                       list the largest skills first
  skills weigh skills --sort entry --limit 10
                                            list the largest catalog entries
  skills weigh skills --json                print JSON with the tokens of each text")]
    Weigh(On<SkillPlaces, weigh::Weigh>),
}
