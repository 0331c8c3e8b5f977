//! `skills plugin`: checks plugins, creates them, and packs them from directories of skills.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueHint};
use skills_core::diagnostic::Diagnostic;
use skills_core::print::text;
use skills_core::span::SourceMap;
use skills_files::Root;
use skills_load::trust::permissions;
use skills_report::plugin::{Format, MarketplaceTally, Plugin, load};
use skills_report::rights::changes_of_skills;
use skills_report::{fix, json};
use skills_schema::json::make::{array, boolean, string};
use skills_text::shell_path;

use super::source::expect_there;
use super::{origin, report};
use skills_commands::arguments::expand_path;
use skills_commands::failure::Ended;
use skills_commands::output::{OutputArgs, versioned};
use skills_commands::plugin::{Pack, PluginManifest, ServedBy, check_name, unwritten, write};
use skills_commands::steps::FileSteps;
use skills_commands::terminal::counted;
use skills_commands::{failure, terminal};

/// The commands of `skills plugin`.
#[derive(Debug, Subcommand)]
pub(crate) enum PluginCommand {
    /// Check a plugin the way clients do, and show what they load
    #[command(after_help = "\
Examples:
  skills plugin check my-plugin             print a report
  skills plugin check my-plugin --json      print JSON
  skills plugin check new --against old     also show how the permissions differ
  skills plugin check my-plugin --agent claude
                                            check only Claude's manifest or marketplace

The exit code is 1 if the plugin is rejected or a part of it is skipped.")]
    Check(CheckPlugin),
    /// Create a plugin that passes `check`
    #[command(after_help = "\
Examples:
  skills plugin new my-plugin               create ./my-plugin with a plugin.json and a first skill")]
    New(New),
    /// Write a directory of skills as a plugin, with `skills mcp` as its server
    #[command(after_help = "\
Examples:
  skills plugin pack skills --to dist/my-plugin
                                            use the `skills` command of the user as the server
  skills plugin pack skills --to dist/my-plugin --with-program
                                            include the `skills` command in the plugin
  skills plugin pack skills --to . --no-server --agent claude
                                            add manifests to a directory that already has skills")]
    Pack(PackOf),
}

#[derive(Debug, Args)]
pub(crate) struct CheckPlugin {
    /// The directory of the plugin
    #[arg(value_name = "DIR", required_unless_present = "named", value_hint = ValueHint::DirPath)]
    dir: Option<PathBuf>,
    #[arg(id = "named", long = "dir", value_name = "DIR", hide = true, conflicts_with = "dir")]
    named: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
    /// Check as this agent does: `claude` reads `.claude-plugin/plugin.json` or `marketplace.json` [default: claude if DIR
    /// has no `plugin.json` with `$schema`]
    #[arg(long, value_name = "AGENT", value_parser = ["claude"])]
    agent: Option<String>,
    /// Also compare the permissions of its skills with another version of the plugin
    #[arg(long, value_name = "DIR")]
    against: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct New {
    /// The name: `a-z`, `0-9`, `-` and `.`
    #[arg(value_name = "NAME")]
    name: String,
    /// The directory to create the plugin in
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    /// A description of the plugin
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    description: Option<String>,
    /// Also write the manifest of this agent
    #[arg(long, value_name = "AGENT", value_parser = ["claude"])]
    agent: Option<String>,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PackOf {
    /// The directory of skills
    #[arg(value_name = "DIR", required_unless_present = "named", value_hint = ValueHint::DirPath)]
    dir: Option<PathBuf>,
    #[arg(id = "named", long = "dir", value_name = "DIR", hide = true, conflicts_with = "dir")]
    named: Option<PathBuf>,
    #[command(flatten)]
    pack: Pack,
}

impl PluginCommand {
    pub(crate) fn run(self) -> Ended {
        match self {
            Self::Check(check) => check.run(),
            Self::New(new) => new.run(),
            Self::Pack(pack) => pack.run(),
        }
    }
}

impl CheckPlugin {
    fn run(&self) -> Ended {
        let dir = self.dir.as_deref().or(self.named.as_deref()).unwrap_or(Path::new("."));
        expect_there(dir)?;
        let root = expand_path(dir);
        let format = if self.agent.is_some() { Format::Claude } else { Format::read(&root) };
        let plugin = load(&root, &dir.to_string_lossy(), format);
        let changes = self.against.as_ref().map(|against| {
            expect_there(against)?;
            Ok::<_, ExitCode>(changes_of_skills(&permissions(&expand_path(against)), &permissions(&root)))
        });
        let changes = changes.transpose()?;
        let written = match self.output.is_json() {
            true => terminal::json(&as_json(&plugin, format, changes.as_deref())),
            false => as_text(&plugin, format, dir, changes.as_deref().unwrap_or_default()),
        };
        Ok(if plugin.accepted && !plugin.skipped { written } else { ExitCode::FAILURE })
    }
}

fn as_json(plugin: &Plugin, format: Format, changes: Option<&[String]>) -> String {
    let skills = plugin.catalog.skills().iter().map(|skill| string(skill.name.as_str()));
    let servers = plugin.servers.iter().map(|server| string(server.name.as_str()));
    let changes =
        changes.map(|changes| ("changes", array(changes.iter().map(|change| string(change.as_str())))));
    let members = [
        ("format", string(format.as_str())),
        ("accepted", boolean(plugin.accepted)),
        ("skipped", boolean(plugin.skipped)),
        ("skills", array(skills)),
        ("mcp_servers", array(servers)),
        ("problems", array(json::problems(&plugin.report, plugin.catalog.sources()))),
    ];
    versioned(members.into_iter().chain(changes))
}

/// Returns `true` if `skills check --standard --fix` fixes a problem, because it is a problem of a skill.
fn is_fixable(found: &Diagnostic, sources: &SourceMap) -> bool {
    sources.file_of(found.span).skill.is_some() && fix::is_fixable(found, sources)
}

fn as_text(plugin: &Plugin, format: Format, dir: &Path, changes: &[String]) -> ExitCode {
    let sources = plugin.catalog.sources();
    let mut written = report::print(&plugin.report, sources, Some(is_fixable));
    let fixable = plugin.report.diagnostics.iter().filter(|found| is_fixable(found, sources)).count();
    if fixable > 0 {
        let dir = shell_path(dir);
        terminal::status(&format!("[*] {fixable} fixable with `skills check {dir} --standard --fix`"));
    }
    if !changes.is_empty() {
        written = terminal::text(&changes.iter().map(|change| format!("{change}\n")).collect::<String>());
    }
    terminal::status(&verdict(plugin, format));
    written
}

/// Describes in one line what clients load. `accepted` alone stands for the exit code 0.
fn verdict(plugin: &Plugin, format: Format) -> String {
    let skills = counted(plugin.catalog.skills().len(), "skill");
    let skills = match plugin.marketplace {
        Some(MarketplaceTally { here, skipped, .. }) => {
            format!("{} of {}, {skills}", here - skipped, counted(here, "plugin"))
        }
        None => skills,
    };
    let parts = match format {
        Format::AgentPlugins => format!("{skills}, {} loaded", counted(plugin.servers.len(), "server")),
        Format::Skills => format!("{skills} loaded; nothing else is checked"),
        _ => format!(
            "{skills} loaded; its manifest and its skills are checked, but no servers, hooks or agents"
        ),
    };
    let title = match plugin.marketplace {
        Some(_) => "as a marketplace of Claude Code",
        None => format.title(),
    };
    let elsewhere = match plugin.marketplace {
        Some(MarketplaceTally { elsewhere: 1.., .. }) => "; plugins from elsewhere are not checked",
        _ => "",
    };
    if !plugin.accepted {
        return format!("rejected {title}: clients load nothing of it");
    }
    match plugin.skipped {
        true => format!(
            "accepted only in part {title}: {parts}{elsewhere}; clients skip what the problems above name"
        ),
        false => format!("accepted {title}: {parts}{elsewhere}"),
    }
}

impl New {
    fn run(&self) -> Ended {
        check_name(&self.name).map_err(terminal::usage)?;
        let dir = expand_path(&self.dir);
        let root = dir.join(&self.name);
        let made = Root::create(&dir).and_then(|dir| {
            dir.dir().create_dir(self.name.as_ref())?;
            dir.below(Path::new(&self.name))
        });
        let made = made.map_err(|problem| match problem.kind() {
            io::ErrorKind::AlreadyExists => failure::error(format!("{} already exists", root.display())),
            _ => unwritten(&root, &problem),
        })?;
        let words: Vec<&str> = self.name.split(['.', '-']).filter(|word| !word.is_empty()).collect();
        let skill = words.join("-");
        let description = format!("Say here what {skill} does, and when to use it.");
        let document = format!(
            "---\nname: {skill}\ndescription: {description}\n---\n# {skill}\n\nTell the agent here what to do, step by step.\n"
        );
        let manifest = PluginManifest {
            name: &self.name,
            version: "0.1.0",
            description: Some(self.description.as_deref().unwrap_or("Say here what the plugin is for.")),
        };
        let mut files =
            vec![("plugin.json".to_owned(), manifest.text()), (format!("skills/{skill}/SKILL.md"), document)];
        if self.agent.is_some() {
            files.push((".claude-plugin/plugin.json".to_owned(), manifest.claude_text(None)));
        }
        let mut done = Vec::new();
        for (path, text) in &files {
            write(&made, path, text, false, &mut done).map_err(|problem| unwritten(&root, &problem))?;
        }
        let mut steps = FileSteps::new(&self.output);
        let shown = steps.add(&dir.join(&self.name), &done, "");
        Ok(failure::first(shown, steps.end(true)))
    }
}

impl PackOf {
    fn run(self) -> Ended {
        let given = self.dir.or(self.named).unwrap_or_default();
        expect_there(&given)?;
        let (root, dir) = (self.pack.root(), expand_path(&given));
        let is_there = is_same(&root.join("skills"), &dir);
        let catalog = origin::read(&given.into())
            .map_err(|_| failure::error("nothing was written, because of the errors above"))?;
        let registry = origin::registry(&catalog)?;
        let code = self.pack.run((!is_there).then_some(&registry), served_by())?;
        // Check the written plugin in the same way as its readers do.
        let plugin = load(&root, &self.pack.to.to_string_lossy(), Format::AgentPlugins);
        if plugin.is_whole() {
            return Ok(code);
        }
        terminal::problem(&text::print(&plugin.report, plugin.catalog.sources()));
        Err(failure::error(
            "clients do not load all of this plugin; fix the problems above, and pack it again",
        ))
    }
}

/// Returns the command line by which a plugin starts `skills mcp`, if this build has it.
fn served_by() -> Option<ServedBy> {
    let args = vec!["mcp".to_owned(), "${PLUGIN_ROOT}/skills".to_owned()];
    cfg!(feature = "mcp").then(|| ServedBy { command: "skills".to_owned(), args })
}

fn is_same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}
