//! `plugin pack`: writes a bundle as a plugin, or updates an existing plugin.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use skills_files::Root;
use skills_install::{self, InstallOptions};
use skills_registry::Registry;

use super::{PluginManifest, check_name, plugin_name, unwritten, write};
use crate::arguments::expand_path;
use crate::failure::{CommandError, Ended};
use crate::install::FOLDER;
use crate::output::OutputArgs;
use crate::steps::{FileStep, FileSteps};
use crate::{failure, terminal};

#[derive(Debug, Args)]
pub struct Pack {
    /// The directory of the plugin, which is created if needed
    #[arg(long, value_name = "TARGET")]
    pub to: PathBuf,
    /// The name of the plugin: `a-z`, `0-9`, `-` and `.` [default: the name of TARGET]
    #[arg(long)]
    name: Option<String>,
    /// The version of the plugin
    #[arg(long = "plugin-version", value_name = "VERSION", default_value = "0.1.0")]
    version: String,
    /// A description of the plugin
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    description: Option<String>,
    /// Do not add a server; agents can then read the skills but not call them
    #[arg(long)]
    no_server: bool,
    /// Copy this program, which serves the skills, into the plugin as `bin/NAME`
    #[arg(long, conflicts_with = "no_server")]
    with_program: bool,
    /// Also write the manifest of this agent
    #[arg(long, value_name = "AGENT", value_parser = ["claude"])]
    agent: Option<String>,
    /// Replace files that were edited in the plugin
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    output: OutputArgs,
}

/// How the server of a plugin is started.
#[derive(Clone, Debug)]
pub struct ServedBy {
    /// A bare name, or a path inside the plugin that starts with `./`.
    pub command: String,
    /// The arguments of the command.
    pub args: Vec<String>,
}

impl Pack {
    /// Returns the directory of the plugin.
    pub fn root(&self) -> PathBuf {
        expand_path(&self.to)
    }

    /// Writes the plugin and prints a line for each file. Writes the skills unless they already lie in the
    /// plugin, and the server if there is a command that serves them.
    pub fn run(&self, skills: Option<&Registry>, server: Option<ServedBy>) -> Ended {
        let root = self.root();
        let name = self.plugin_name(&root).map_err(terminal::usage)?;
        let mut done = match skills {
            Some(registry) => {
                self.install(registry, &root, &name).map_err(|error| failure::installation(&error))?
            }
            None => Vec::new(),
        };
        let written = self.write(server, &root, &name, &mut done);
        let mut steps = FileSteps::new(&self.output);
        let none = format!("nothing has changed in {}", root.display());
        let shown = steps.add(&self.to, &done, if written.is_ok() { &none } else { "" });
        written.map_err(|problem| unwritten(&root, &problem))?;
        Ok(failure::first(shown, steps.end(true)))
    }

    /// Installs the skills into `skills`. Leaves out the skills that are only for the program itself.
    fn install(
        &self,
        registry: &Registry,
        root: &Path,
        name: &str,
    ) -> Result<Vec<FileStep>, skills_install::InstallError> {
        let names: Vec<&str> =
            registry.iter().filter(|skill| !skill.is_internal()).map(|skill| skill.name()).collect();
        if names.is_empty() {
            return Ok(Vec::new());
        }
        fs::create_dir_all(root).map_err(|source| skills_install::InstallError::Io {
            doing: "create",
            path: root.to_owned(),
            source,
        })?;
        let options = InstallOptions::new(name).force(self.force).restore(true).standard(true);
        // If all skills are selected, pass no names, so that skills that the bundle no longer has are
        // removed.
        let options = if names.len() == registry.len() { options } else { options.names(names) };
        let report = skills_install::install(registry, root, &options)?;
        Ok(FileStep::installed(report.steps(), FOLDER).into_iter().map(FileStep::with_folder).collect())
    }

    fn write(
        &self,
        server: Option<ServedBy>,
        root: &Path,
        name: &str,
        done: &mut Vec<FileStep>,
    ) -> std::io::Result<()> {
        let manifest =
            PluginManifest { name, version: &self.version, description: self.description.as_deref() };
        let mut server = server.filter(|_| !self.no_server);
        let root = Root::create(root)?;
        if let Some(server) = server.as_mut().filter(|_| self.with_program) {
            server.command = put_program(&root, done)?;
        }
        write(&root, "plugin.json", &manifest.text(), self.force, done)?;
        if let Some(server) = &server {
            write(&root, "mcp.json", &manifest.servers_text(server), self.force, done)?;
        }
        if self.agent.is_some() {
            let text = manifest.claude_text(server.as_ref());
            write(&root, ".claude-plugin/plugin.json", &text, self.force, done)?;
        }
        Ok(())
    }

    fn plugin_name(&self, root: &Path) -> Result<String, CommandError> {
        if let Some(name) = &self.name {
            check_name(name)?;
            return Ok(name.clone());
        }
        let whole = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
        let last = whole.file_name().map(|name| name.to_string_lossy().into_owned());
        last.and_then(|name| plugin_name(&name)).ok_or("name the plugin by `--name`".into())
    }
}

/// Copies this program into the plugin. A plugin refers to a program that it contains by path (Agent Plugins
/// 1.0, section 7.2.1).
fn put_program(root: &Root, done: &mut Vec<FileStep>) -> std::io::Result<String> {
    let program = std::env::current_exe()?;
    let name =
        program.file_name().map_or_else(|| "skills".to_owned(), |name| name.to_string_lossy().into_owned());
    let path = format!("bin/{name}");
    let bytes = fs::read(&program)?;
    let found = root.read(Path::new(&path), bytes.len() as u64);
    let word = match &found {
        Ok(found) if *found == bytes => None,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Some("create"),
        _ => Some("replace"),
    };
    if let Some(word) = word {
        root.replace(Path::new(&path), &bytes, Some(fs::metadata(&program)?.permissions()))?;
        done.push(FileStep::new(word, path.as_str()));
    }
    Ok(format!("./{path}"))
}
