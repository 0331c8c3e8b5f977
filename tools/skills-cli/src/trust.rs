//! `trust`: records that the user trusts the skills of a workspace, so that they may run. `new` and `init` record the
//! skills that they write.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueHint};
use skills_load::RemoteSkill;
use skills_load::trust::{TrustStatus, TrustStore, TrustStoreError, tool_servers};
use skills_report::rights::changes_of_skills;
use skills_schema::json::Node;
use skills_schema::json::make::{array, object, string};
use skills_text::{shell_path, shell_word, visible};

use super::asking::agrees;
use super::servers::SkillServers;
use super::servers::approval;
use super::source::expect_there;
use skills_commands::arguments::expand_path;
use skills_commands::failure::Ended;
use skills_commands::output::{OutputArgs, versioned};
use skills_commands::terminal::{Ink, Tone};
use skills_commands::{failure, terminal};

#[derive(Debug, Args)]
pub(crate) struct Trust {
    /// A workspace, a directory of skills in it, or one skill [default: .]
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    dir: Option<PathBuf>,
    #[arg(id = "named", long = "dir", value_name = "DIR", hide = true, conflicts_with_all = ["dir", "list"])]
    named: Option<PathBuf>,
    /// List trusted directories, and whether they have changed since
    #[arg(long, conflicts_with_all = ["dir", "revoke"])]
    list: bool,
    /// Trust the skills of DIR also after edits, because you write them. This is bound to the directory and its owner
    #[arg(long, conflicts_with_all = ["list", "revoke"])]
    follow_edits: bool,
    /// Stop trusting DIR and everything below it
    #[arg(long)]
    revoke: bool,
    #[command(flatten)]
    servers: SkillServers,
    /// Log in to the MCP server with OAuth first: prints an address to open in a browser
    #[arg(long, conflicts_with_all = ["list", "revoke"])]
    login: bool,
    /// Approve only this skill of the MCP server (repeatable)
    #[arg(long, value_name = "NAME")]
    skill: Vec<String>,
    /// Approve the skills of an MCP server without asking
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    output: OutputArgs,
}

/// The status of a directory whose edits keep its trust.
const FOLLOWED: &str = "follows edits";
/// The status of a directory below it whose edits do not keep the trust.
const EXCLUDED: &str = "excluded";

/// A skill that can be approved, and the approval state of its files.
pub(crate) struct Candidate {
    pub(crate) server: String,
    pub(crate) name: String,
    pub(crate) skill: Arc<RemoteSkill>,
    /// The difference to the approved files; empty if none were approved. `None` if the current files are approved.
    pub(crate) change: Option<String>,
}

impl Trust {
    /// Changes or lists the trusted directories, with a line for each.
    pub(super) fn run(&self) -> Ended {
        let given = self.dir.as_ref().or(self.named.as_ref());
        // Trust in a directory that was removed can be revoked.
        if let Some(dir) = given.filter(|_| !self.revoke) {
            expect_there(dir)?;
        }
        let mut store = TrustStore::of_user();
        if !self.servers.is_empty() {
            return self.approve(&mut store);
        }
        let here = PathBuf::from(".");
        let dir = given.or((!self.list).then_some(&here));
        let done = match dir {
            Some(dir) if self.revoke => {
                store.revoke(&expand_path(dir)).map(|paths| entries("no longer trusted", paths))
            }
            Some(dir) if self.follow_edits => {
                store.follow(&expand_path(dir)).map(|paths| trusted(FOLLOWED, paths, &store, &store))
            }
            Some(dir) => {
                let before = store.clone();
                store.trust(&expand_path(dir)).map(|paths| trusted("trusted", paths, &before, &store))
            }
            None => listed(&store),
        };
        let done = done.map_err(failure::error)?;
        if done.is_empty() && !self.output.is_json() {
            terminal::status("no workspace is trusted");
        }
        Ok(self.print(&done))
    }

    /// Shows the skills of MCP servers that are not approved, and approves them if the user agrees.
    fn approve(&self, store: &mut TrustStore) -> Ended {
        if self.revoke {
            return self.withdraw(store);
        }
        let new_servers = self.approve_servers(store)?;
        if self.login {
            approval::login(&self.servers)?;
        }
        let candidates = approval::candidates(&self.servers, store).map_err(failure::error)?;
        if let Some(unknown) =
            self.skill.iter().find(|skill| !candidates.iter().any(|candidate| candidate.is_named(skill)))
        {
            return Err(failure::error(format!("the server has no skill `{unknown}`")));
        }
        let chosen = candidates.iter().filter(|candidate| {
            self.skill.is_empty() || self.skill.iter().any(|skill| candidate.is_named(skill))
        });
        let chosen: Vec<&Candidate> = chosen.collect();
        let new: Vec<&&Candidate> = chosen.iter().filter(|candidate| candidate.change.is_some()).collect();
        let bare = self.servers.identities();
        let bare = bare.filter(|(_, server)| candidates.iter().all(|candidate| candidate.server != *server));
        let bare: String =
            bare.map(|(label, server)| format!("{label}: no skills, only tools: {server}\n")).collect();
        if !self.output.is_json() {
            let texts = new.iter().map(|candidate| {
                candidate.text() + &indented(&approval::texts(&self.servers, store, candidate))
            });
            terminal::text(&texts.chain([bare]).collect::<String>());
        }
        if !new.is_empty() && !self.yes && !agrees("Approve these skills?").map_err(terminal::usage)? {
            return Err(failure::error("no skill was approved"));
        }
        for server in new.iter().map(|candidate| &candidate.server).collect::<BTreeSet<_>>() {
            let of_server = new.iter().filter(|candidate| candidate.server == *server);
            let skills = of_server.map(|candidate| (candidate.skill.uri.clone(), candidate.skill.contents()));
            store.approve(server, skills).map_err(failure::error)?;
        }
        let skills = chosen.iter().map(|candidate| candidate.name.clone());
        let paths = new_servers.into_iter().chain(skills).map(PathBuf::from).collect();
        Ok(self.print(&entries("approved", paths)))
    }

    /// Shows what each server would do that is not approved, and approves it if the user agrees. Nothing is started, sent
    /// or read from the environment before the answer. Returns the names of these servers.
    fn approve_servers(&self, store: &mut TrustStore) -> Result<Vec<String>, ExitCode> {
        let uses = approval::uses(&self.servers, store).map_err(failure::error)?;
        let new: Vec<_> = uses.into_iter().filter(|(_, found)| !found.is_approved(store)).collect();
        let mut text = String::new();
        for (label, found) in &new {
            text.push_str(&format!("{label}\n{}", indented(&found.lines().join("\n"))));
            if let Some(changes) = found.changes(store) {
                text.push_str(&format!(
                    "  changed since it was approved:\n{}",
                    indented(&indented(&changes))
                ));
            }
        }
        match self.output.is_json() {
            true if !text.is_empty() => terminal::note(text.trim_end()),
            true => {}
            false => drop(terminal::text(&text)),
        }
        let question = if new.len() == 1 { "Use this server?" } else { "Use these servers?" };
        if !new.is_empty() && !self.yes && !agrees(question).map_err(terminal::usage)? {
            return Err(failure::error("nothing was approved"));
        }
        for (_, found) in &new {
            found.approve(store).map_err(failure::error)?;
        }
        Ok(new.into_iter().map(|(label, _)| label.to_owned()).collect())
    }

    /// Withdraws all approvals of the servers, without connecting to them.
    fn withdraw(&self, store: &mut TrustStore) -> Ended {
        let mut gone = approval::withdraw(&self.servers, store).map_err(failure::error)?;
        let mut missing = None;
        for (_, server) in self.servers.identities() {
            match store.revoke_server(&server) {
                Ok(paths) => gone.splice(0..0, paths).for_each(drop),
                Err(error @ TrustStoreError::NotTrusted(_)) => missing = Some(error),
                Err(error) => return Err(failure::error(error)),
            }
        }
        if let Some(error) = missing.filter(|_| gone.is_empty()) {
            return Err(failure::error(error));
        }
        approval::forget(&self.servers).map_err(failure::error)?;
        Ok(self.print(&entries("no longer approved", gone)))
    }

    fn print(&self, done: &[Entry]) -> ExitCode {
        if self.output.is_json() {
            return terminal::json(&versioned([("directories", array(done.iter().map(node)))]));
        }
        let is_list = self.list;
        let separator = if is_list { "  " } else { ": " };
        terminal::exact(&done.iter().map(|entry| entry.text(separator)).collect::<String>())
    }
}

impl Candidate {
    fn is_named(&self, name: &str) -> bool {
        [&self.name, &self.skill.name, &self.skill.uri].iter().any(|own| own.as_str() == name)
    }

    /// Describes a skill before it is approved: its files, or their difference to the approved files.
    fn text(&self) -> String {
        let frontmatter = skills_schema::json::parse(&self.skill.frontmatter).ok();
        let description = frontmatter.as_ref().and_then(|members| members.get("description")?.as_str());
        let mut out = format!("{}  {}\n", visible(&self.name), visible(description.unwrap_or_default()));
        match self.change.as_deref() {
            Some(change) if !change.is_empty() => out.push_str(&indented(change)),
            _ => {
                let files = self.skill.files.iter();
                out.extend(files.map(|file| format!("  {}  {} bytes\n", visible(&file.path), file.size)));
            }
        }
        out
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {}\n", visible(line))).collect()
}

/// A directory, its state, and how it has changed.
struct Entry {
    path: String,
    status: &'static str,
    changes: Vec<String>,
    /// The MCP servers that its skills of mode `mcp` name, by the names of the skills.
    servers: BTreeMap<String, String>,
}

impl Entry {
    fn new(path: String, status: &'static str) -> Self {
        Self { path, status, changes: Vec::new(), servers: BTreeMap::new() }
    }

    fn text(&self, separator: &str) -> String {
        let mut changes: String = self.changes.iter().map(|line| indented(line)).collect();
        for (skill, server) in &self.servers {
            let text = format!(
                "{skill} uses the MCP server {server}, after `skills trust --mcp {}`",
                shell_word(server)
            );
            changes.push_str(&indented(&text));
        }
        let is_good = matches!(self.status, "trusted" | FOLLOWED);
        let tone = if is_good { Tone::Good } else { Tone::Warning };
        let status = Ink::of_output().paint(tone, self.status);
        format!("{status}{separator}{}\n{changes}", visible(&self.path))
    }
}

fn node(entry: &Entry) -> Node {
    let changes = entry.changes.iter().map(|line| string(line.as_str()));
    object([
        ("path", string(entry.path.as_str())),
        ("status", string(entry.status)),
        ("changes", array(changes)),
        (
            "servers",
            object(entry.servers.iter().map(|(skill, server)| (skill.as_str(), string(server.as_str())))),
        ),
    ])
}

fn entries(status: &'static str, paths: Vec<PathBuf>) -> Vec<Entry> {
    paths.into_iter().map(|path| Entry::new(shown(&path), status)).collect()
}

/// Returns the directories that were just trusted. If a directory was trusted before, the entry says how the
/// permissions of its skills have changed since.
fn trusted(status: &'static str, paths: Vec<PathBuf>, before: &TrustStore, now: &TrustStore) -> Vec<Entry> {
    fn find<'s>(store: &'s TrustStore, path: &Path) -> Option<&'s skills_load::trust::Entry> {
        store.entries().find(|entry| entry.path() == path)
    }
    let entries = paths.into_iter().map(|path| {
        let both = find(before, &path).zip(find(now, &path));
        let changes = both.map(|(old, new)| changes_of_skills(old.permissions(), new.permissions()));
        let servers = tool_servers(&path);
        Entry { path: shown(&path), status, changes: changes.unwrap_or_default(), servers }
    });
    entries.collect()
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Records that the user writes the skill in a directory, so that edits keep its trust. A skill that cannot be recorded
/// is written nevertheless, and a note names the reason.
pub(super) fn record_written(directory: &Path) {
    if let Err(error) = TrustStore::of_user().follow(directory) {
        let path = visible(&shell_path(directory));
        terminal::note(format_args!(
            "the skill is not trusted: {error}; `skills trust {path}` allows it to run"
        ));
    }
}

/// Records, before they are written, that other people write the skills in these directories.
pub(super) fn record_foreign(directories: &[PathBuf]) -> Result<(), ExitCode> {
    TrustStore::of_user().exclude(directories).map_err(|error| {
        failure::error(format!(
            "nothing was written, because it cannot be recorded in the trust file: {error}"
        ))
    })
}

/// Removes from the trust file that other people wrote the skills in directories that were removed.
pub(super) fn forget_foreign(removed: &[PathBuf]) {
    if let Err(error) = TrustStore::of_user().forget_removed(removed) {
        terminal::note(format_args!("the trust file still excludes the removed directories: {error}"));
    }
}

/// Returns the command line or the URL of a server, if a line of its approval has it.
fn address_of(line: &str) -> Option<&str> {
    line.strip_prefix("command line ").or_else(|| line.strip_prefix("URL "))
}

/// Describes a trusted directory, or the approval of a server or of one of its skills.
fn listed_entry(entry: &skills_load::trust::Entry) -> Entry {
    let path = shown(entry.path());
    if let Some(server) = entry.server() {
        // The approval of a server itself has no path, and is stored by its name and its project.
        let path = match path.is_empty() {
            true => match entry.contents().files().find_map(|(line, _)| address_of(line)) {
                Some(address) => format!("{address}, {server}"),
                None => server.to_owned(),
            },
            false => format!("{path} of {server}"),
        };
        return Entry::new(path, "approved");
    }
    match entry.status() {
        TrustStatus::Same => Entry::new(path, "trusted"),
        other => {
            let mut changes: Vec<String> = other.to_string().lines().map(str::to_owned).collect();
            changes.extend(changes_of_skills(entry.permissions(), &entry.current_permissions()));
            Entry { changes, ..Entry::new(path, "changed") }
        }
    }
}

fn listed(store: &TrustStore) -> Result<Vec<Entry>, TrustStoreError> {
    if let (Some(path), Some(damage)) = (store.path(), store.damage()) {
        return Err(TrustStoreError::Damaged(path.to_owned(), damage.to_owned()));
    }
    let mut listed: Vec<Entry> = store.entries().map(listed_entry).collect();
    for followed in store.followed() {
        let mut entry = Entry::new(shown(followed.path()), FOLLOWED);
        if let Err(fault) = followed.check() {
            (entry.status, entry.changes) = ("changed", vec![fault.to_string()]);
        }
        listed.push(entry);
    }
    listed.extend(store.excluded().map(|path| Entry::new(shown(path), EXCLUDED)));
    Ok(listed)
}
