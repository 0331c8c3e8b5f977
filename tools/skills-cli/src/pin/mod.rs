//! `skills pin`: writes tools of MCP servers as skills, and compares pinned tools with their servers.

mod compare;
mod draft;
mod pinned;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use skills_call::mcp::ToolDefinition;
use skills_commands::arguments::expand_path;
use skills_commands::call::interrupt;
use skills_commands::failure::{CommandError, Ended};
use skills_commands::output::{FORMAT_VERSION, OutputArgs};
use skills_commands::{failure, terminal};
use skills_load::trust::TrustStore;
use skills_mcp_client::keep_approvals;
use skills_text::cut;

use crate::asking::confirm;
use crate::new::place;
use crate::servers::NamedServer;
use compare::{Compared, PinState};
use draft::PinDraft;

#[derive(Debug, Args)]
pub(crate) struct Pin {
    /// The server: a URL, a command line in quotes, or a server of skills.toml; with --update and --check, compare only
    /// the tools of this server
    #[arg(value_name = "SERVER", required_unless_present_any = ["update", "check"])]
    server: Option<String>,
    /// The directory of the skills, which is created if needed
    #[arg(long, value_name = "DIR", default_value = "skills")]
    to: PathBuf,
    /// Only this tool (repeatable) [default: all tools of the server]
    #[arg(long = "tool", value_name = "NAME")]
    tools: Vec<String>,
    /// Begin the name of each skill with this, if tools of several servers have the same names
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["update", "check"])]
    prefix: Option<String>,
    /// Show how the servers have changed the pinned tools, and accept it
    #[arg(long, conflicts_with = "check")]
    update: bool,
    /// Change nothing, and exit with 1 if a server has changed a pinned tool, for CI
    #[arg(long, conflicts_with_all = ["yes", "dry_run"])]
    check: bool,
    /// Write without asking
    #[arg(short, long)]
    yes: bool,
    /// Show what would change without writing anything
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    #[command(flatten)]
    output: OutputArgs,
}

impl Pin {
    /// Asks the servers, shows what would be written, and writes it if the user agrees.
    pub(crate) fn run(&self) -> Ended {
        match &self.server {
            Some(server) if !self.update && !self.check => self.add(server),
            server => self.compare(server.as_deref()),
        }
    }

    fn add(&self, server: &str) -> Ended {
        let server = NamedServer::of_argument(server).map_err(terminal::usage)?;
        let identity = server.text();
        let approved = server.decide().map_err(failure::error)?;
        let listed = interrupt::run(compare::tools(approved))?.map_err(|signal| signal.code())?;
        let tools = listed.map_err(failure::error)?;
        for name in &self.tools {
            if !tools.iter().any(|tool| tool.get("name").and_then(Value::as_str) == Some(name)) {
                let names = tools.iter().filter_map(|tool| tool.get("name")?.as_str());
                let names: Vec<&str> = names.collect();
                return Err(failure::error(format!("the server has no tool `{name}`: {}", names.join(", "))));
            }
        }
        let root = expand_path(&self.to);
        let prefix = self.prefix.as_deref().unwrap_or_default();
        let (mut drafts, mut refused) = (Vec::<PinDraft>::new(), 0);
        for tool in &tools {
            let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
            if !self.tools.is_empty() && !self.tools.iter().any(|wanted| wanted == name) {
                continue;
            }
            match PinDraft::new(tool, &identity, prefix, &self.to, &root) {
                Ok(Some(draft)) if drafts.iter().any(|other| other.name == draft.name) => {
                    terminal::error(format_args!(
                        "two tools would have the skill name `{}`; only the first is pinned",
                        draft.name
                    ));
                    refused += 1;
                }
                Ok(draft) => drafts.extend(draft),
                Err(reason) => {
                    terminal::error(reason);
                    refused += 1;
                }
            }
        }
        if !self.output.is_json() {
            terminal::text(&drafts.iter().map(shown).collect::<String>());
        }
        let written = self.agreed(drafts.is_empty())?;
        if written {
            let files = drafts
                .iter()
                .flat_map(|draft| draft.files.iter().map(|file| root.join(&draft.name).join(&file.path)));
            write(&files.collect::<Vec<_>>(), || {
                drafts.iter().try_for_each(|draft| place::write(&root, &draft.name, &draft.files))
            })
            .map_err(failure::error)?;
            if server.is_typed() {
                approve(&server, &root);
            }
        }
        let code =
            self.report(&drafts.iter().map(|draft| draft.entry(&identity)).collect::<Vec<_>>(), written);
        Ok(if refused > 0 { ExitCode::FAILURE } else { code })
    }

    /// Compares the pinned tools with their servers, and writes the changes with `--update`.
    fn compare(&self, server: Option<&str>) -> Ended {
        let server = server.map(NamedServer::of_argument).transpose().map_err(terminal::usage)?;
        let pinned = pinned::read(&self.to)?;
        let wanted = pinned.into_iter().filter(|pinned| {
            server.as_ref().is_none_or(|server| server.text() == pinned.server)
                && (self.tools.is_empty() || self.tools.contains(&pinned.tool))
        });
        let compared = interrupt::run(compare::all(server.as_ref(), wanted.collect()))?;
        let compared: Vec<Compared> = compared.map_err(|signal| signal.code())?;
        if compared.is_empty() {
            return Err(failure::error(format!("there is no pinned tool in {}", self.to.display())));
        }
        if !self.output.is_json() {
            terminal::text(&compared.iter().map(ToString::to_string).collect::<String>());
        }
        let is_bad = compared
            .iter()
            .any(|compared| !matches!(compared.state, PinState::Current | PinState::Changed { .. }));
        let changed: Vec<&Compared> =
            compared.iter().filter(|compared| matches!(compared.state, PinState::Changed { .. })).collect();
        let written = self.update && self.agreed(changed.is_empty())?;
        if written {
            let files: Vec<PathBuf> = changed.iter().flat_map(|compared| compared.files()).collect();
            write(&files, || changed.iter().try_for_each(|compared| compared.accept()))
                .map_err(failure::error)?;
        }
        let code = self.report(&compared.iter().map(Compared::entry).collect::<Vec<_>>(), written);
        let is_drift = is_bad || (self.check && !changed.is_empty());
        Ok(if is_drift { ExitCode::FAILURE } else { code })
    }

    /// Returns `true` if the changes are to be written: there are some, and the user agrees.
    fn agreed(&self, is_empty: bool) -> Result<bool, ExitCode> {
        let is_wanted = !is_empty && !self.dry_run;
        if is_wanted {
            confirm(self.yes)?;
        }
        Ok(is_wanted)
    }

    fn report(&self, entries: &[Value], written: bool) -> ExitCode {
        if self.output.is_json() {
            let value = json!({"format_version": FORMAT_VERSION, "tools": entries, "written": written});
            return terminal::json(&format!("{value:#}\n"));
        }
        if written {
            let lines = entries.iter().filter(|entry| entry["state"] != "current");
            let lines = lines.filter_map(|entry| Some(format!("write   {}\n", entry["directory"].as_str()?)));
            return terminal::text(&lines.collect::<String>());
        }
        ExitCode::SUCCESS
    }
}

/// Writes files of skills. Approvals of servers that hold for the repository do not end with these files.
fn write<R>(files: &[PathBuf], write: impl FnOnce() -> R) -> R {
    let (written, kept) = keep_approvals(&mut TrustStore::of_user(), files, write);
    if let Err(error) = kept {
        terminal::warning(format_args!(
            "approvals of servers of this repository end with the new files: {error}"
        ));
    }
    written
}

/// Approves a server that the user typed for the skills that were just written, so that they can be called.
fn approve(server: &NamedServer, root: &Path) {
    let mut store = TrustStore::of_user();
    let approved = server.of_project(root).and_then(|server| {
        let found = server.examine(&store).map_err(CommandError::new)?;
        found.approve(&mut store).map_err(CommandError::new)
    });
    if let Err(reason) = approved {
        terminal::warning(format_args!("the server is not approved for calls of the skills: {reason}"));
    }
}

/// Returns a skill for people: its directory, its description, its parameters and its problems.
fn shown(draft: &PinDraft) -> String {
    let ToolDefinition { name, description, input, .. } = &draft.definition;
    let required = input.get("required").and_then(Value::as_array);
    let properties = input.get("properties").and_then(Value::as_object);
    let parameters = properties.into_iter().flatten().map(|(key, schema)| {
        let is_required = required.is_some_and(|keys| keys.iter().any(|other| other == key));
        let mark = if is_required { "" } else { "?" };
        match schema.get("type").and_then(Value::as_str) {
            Some(kind) => format!("{key}{mark}: {kind}"),
            None => format!("{key}{mark}"),
        }
    });
    let parameters: Vec<String> = parameters.collect();
    let summary = description.lines().next().unwrap_or_default();
    let mut out = format!("{}: {name}({})\n  {}\n", draft.label, parameters.join(", "), cut(summary, 200));
    for warning in &draft.warnings {
        let _ = writeln!(out, "  warning: {warning}");
    }
    out
}
