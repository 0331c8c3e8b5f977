//! Skills of a server, such as an MCP server, as a layer. Their files are read when they are first used.
//!
//! ```text
//! RemoteSkills::list -> entries -> trust, by the digests of all files -> Layer
//!                    -> RemoteSkills::read, when a body or a file is used -> frontmatter compared
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skills_core::catalog::{Facts, Mode};
use skills_core::lower::compile_undigested;
use skills_core::options::Options;
use skills_core::read::{Overlaid, Overlay};
use skills_registry::{CompiledFile, LateText, Layout, Piece, Registry, Skill, write};
use skills_runtime::layers::{Level, Problem};
use skills_schema::json::{self, Kind, Node};
use skills_text::{clean, shell_word};

use super::layer::{LayerDraft, functions};
use super::problem::from_diagnostic;
use super::remote_skill::{RemoteFile, RemoteList, RemoteSkill};
use crate::trust::{TrustChecker, TrustDecision, TrustReason};

/// The reason why a file of a server cannot be used. A model sees it, so it must not contain a text of the server,
/// which nobody has approved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RemoteReadError {
    /// The list of the server has changed.
    Unlisted,
    /// The server answered with an error of this code.
    Refused(i32),
    /// The server closed the connection.
    Closed,
    /// The server cannot be reached.
    Unreachable,
    /// The server broke the protocol.
    Protocol,
    /// The client has another reason.
    Client(String),
    /// The file has another size than in the list of the server.
    Size {
        /// The size of the file in bytes.
        found: usize,
        /// The size in the list.
        listed: u32,
    },
    /// The file has another digest than in the list of the server.
    Digest,
    /// The file has characters that a model reads but a person does not see.
    HiddenCharacters,
    /// The frontmatter of the file is invalid.
    InvalidFrontmatter,
    /// The frontmatter of the file differs from the frontmatter in the list of the server.
    OtherFrontmatter,
}

impl fmt::Display for RemoteReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unlisted => f.write_str("the list of the server has changed"),
            Self::Refused(code) => write!(f, "the server answered with error {code}"),
            Self::Closed => f.write_str("the server closed the connection"),
            Self::Unreachable => f.write_str("the server cannot be reached"),
            Self::Protocol => f.write_str("the server broke the protocol"),
            Self::Client(reason) => f.write_str(reason),
            Self::Size { found, listed } => write!(f, "it has {found} bytes instead of {listed}"),
            Self::Digest => f.write_str("its digest differs from the digest in the server's list"),
            Self::HiddenCharacters => f.write_str("it has hidden characters"),
            Self::InvalidFrontmatter => f.write_str("its frontmatter is invalid"),
            Self::OtherFrontmatter => {
                f.write_str("its frontmatter differs from the frontmatter in the list of the server")
            }
        }
    }
}

impl Error for RemoteReadError {}

/// A server that has skills. A client implements it, and checks everything that the server sends: paths,
/// sizes, digests and hidden characters.
pub trait RemoteSkills: Send + Sync {
    /// Returns the name that the host has given to the server: lowercase letters, digits and single hyphens.
    fn label(&self) -> &str;

    /// Returns the address of the server. Approvals are bound to it, and users identify the server by it.
    fn server(&self) -> String;

    /// Returns a number that changes when the list of skills may have changed, so that a skill that the server no longer
    /// has is not offered.
    fn generation(&self) -> u64;

    /// Lists the skills, without reading their files.
    fn list(&self) -> RemoteList;

    /// Reads a file of a skill, from the server or from a cache.
    ///
    /// # Errors
    /// If the file cannot be read, or if it is not the file with the digest.
    fn read(&self, skill: &RemoteSkill, file: &RemoteFile) -> Result<Vec<u8>, RemoteReadError>;
}

impl<T: RemoteSkills + ?Sized> RemoteSkills for Arc<T> {
    fn label(&self) -> &str {
        (**self).label()
    }

    fn server(&self) -> String {
        (**self).server()
    }

    fn generation(&self) -> u64 {
        (**self).generation()
    }

    fn list(&self) -> RemoteList {
        (**self).list()
    }

    fn read(&self, skill: &RemoteSkill, file: &RemoteFile) -> Result<Vec<u8>, RemoteReadError> {
        (**self).read(skill, file)
    }
}

/// The separator between the label of a server and the name of a skill. No skill on disk has it in its name.
const OF: &str = "__";

/// A directory that does not exist. The overlay has the texts to check below it.
const NOWHERE: &str = "/skills.invalid";

const NO_FILE: &str = "there is no such file";

/// Keys that have no effect in a skill of a server: they would widen what a model or a program may do.
const IGNORED: [&str; 6] = ["allowed-tools", "hooks", "mcp", "mcp-servers", "exec", "schema"];

/// A server among the sources of a builder.
#[derive(Clone)]
pub(super) struct RemoteSource(pub(super) Arc<dyn RemoteSkills>);

impl fmt::Debug for RemoteSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Remote").field(&self.0.label()).finish()
    }
}

/// The texts that define a function, which are needed before it is used.
type DefinitionTexts = BTreeMap<String, Vec<u8>>;

impl RemoteSource {
    /// Lists the skills of the server, and creates a layer from them.
    pub(super) fn layer(
        &self,
        options: &Options,
        checker: &TrustChecker<'_>,
        needs_signature: bool,
        problems: &mut Vec<Problem>,
    ) -> LayerDraft {
        let (label, server) = (self.0.label().to_owned(), self.0.server());
        let RemoteList { mut skills, refused, offline } = self.0.list();
        let mut add_problem = |level, code, title| problems.push(Problem::new(level, code, &label, title));
        for reason in refused {
            add_problem(Level::Error, "skill-refused", reason);
        }
        let mut decisions = BTreeMap::new();
        for skill in &skills {
            let mut decision = checker.remote(&server, skill);
            if needs_signature && decision.trust.may_run() {
                let unsigned = "skills of servers have no signatures".to_owned();
                decision = TrustDecision::refused(TrustReason::Unsigned(unsigned));
            }
            decisions.insert(skill.name.clone(), decision);
        }
        if let Some(reason) = offline {
            skills.retain(|skill| may_run(skill, &decisions));
            let left = skills.len();
            let title = format!("{reason}; {left} approved skills are read from the cache");
            add_problem(Level::Warning, "server-offline", title);
        }
        let (mut over, mut known) = (Overlay::default(), BTreeMap::new());
        let mut whole = Vec::new();
        for skill in skills {
            let texts = match may_run(&skill, &decisions) {
                true => self.definition(&skill),
                false => Ok(DefinitionTexts::new()),
            };
            match texts {
                Ok(texts) => {
                    place(&skill, &label, &texts, may_run(&skill, &decisions), &mut over);
                    known.insert(skill.name.clone(), texts);
                    whole.push(skill);
                }
                Err(reason) => {
                    add_problem(Level::Error, "skill-refused", format!("`{}`: {reason}", skill.uri))
                }
            }
        }
        let mut layer = self.lower(&label, whole, known, &over, options, &mut add_problem);
        let names = layer.registry().iter().map(Skill::dir);
        layer.trust.each = names
            .map(|name| {
                decisions.remove(name).unwrap_or_else(|| TrustDecision::refused(TrustReason::Undecided))
            })
            .collect();
        let withheld = layer.trust.each.iter().filter(|decision| !decision.trust.may_run());
        let (unsaid, changed): (Vec<_>, Vec<_>) = withheld
            .partition(|decision| matches!(decision.why, TrustReason::Unapproved { changed: None, .. }));
        for (count, what, level) in [
            (unsaid.len(), "not approved", Level::Note),
            (changed.len(), "not approved any more, since their files have changed", Level::Warning),
        ] {
            if count > 0 {
                let word = shell_word(&server);
                let title =
                    format!("{count} skills of `{label}` are {what}; `skills trust --mcp {word}` shows them");
                add_problem(level, "skill-untrusted", title);
            }
        }
        layer
    }

    /// Reads the texts that define a function. For any other skill, nothing is read.
    fn definition(&self, skill: &RemoteSkill) -> Result<DefinitionTexts, RemoteReadError> {
        let mut known = DefinitionTexts::new();
        if skill.file("skill.json").is_none() && !skill.frontmatter.contains("\"exec\"") {
            return Ok(known);
        }
        let schema = schema_of(&skill.frontmatter);
        for file in &skill.files {
            let is_schema = schema.as_ref() == Some(&file.path);
            if !is_schema && !matches!(&*file.path, "SKILL.md" | "skill.json" | "prompt.md") {
                continue;
            }
            known.insert(file.path.clone(), self.0.read(skill, file)?);
        }
        if let Some(bytes) = known.get("SKILL.md") {
            document_of(bytes, &skill.frontmatter)?;
        }
        Ok(known)
    }

    /// Checks the texts as a directory of skills is checked, and writes the tables.
    fn lower(
        &self,
        label: &str,
        skills: Vec<Arc<RemoteSkill>>,
        known: BTreeMap<String, DefinitionTexts>,
        over: &Overlay,
        options: &Options,
        add_problem: &mut dyn FnMut(Level, &'static str, String),
    ) -> LayerDraft {
        let root = Path::new(NOWHERE).join(label);
        if skills.is_empty() {
            return LayerDraft::remote(label.to_owned(), self.0.server(), None, Vec::new());
        }
        let loaded = skills_core::load_over(&root, label, options, over);
        let sources = loaded.catalog.sources();
        for diagnostic in loaded.report.diagnostics.iter() {
            if diagnostic.level == skills_core::level::Level::Error {
                add_problem(
                    Level::Error,
                    diagnostic.rule.code,
                    from_diagnostic(diagnostic, sources).to_string(),
                );
            }
        }
        let mut catalog = loaded.catalog;
        let (mut composed, server_name) = (Vec::new(), self.0.server());
        catalog.change(|facts: &mut Facts| {
            // Otherwise the skill could call skills of other origins by their names, or start any server.
            let calls = facts
                .function
                .as_ref()
                .is_some_and(|function| !function.calls.is_empty() || function.mode == Mode::Mcp);
            if calls {
                composed.push(facts.name.clone());
            }
            facts.name = format!("{label}{OF}{}", facts.name);
            facts.source = Some(server_name.clone());
            facts.mcp_servers.clear();
            facts.declared.allowed_tools.clear();
            !calls
        });
        for name in composed {
            let title = format!(
                "`{name}` calls other skills or servers, which is not allowed for a skill of a server"
            );
            add_problem(Level::Error, "skill-refused", title);
        }
        let by_name: BTreeMap<&str, &Arc<RemoteSkill>> =
            skills.iter().map(|skill| (skill.name.as_str(), skill)).collect();
        let mut compiled = compile_undigested(&catalog);
        let (mut pieces, mut late) = (Vec::new(), Vec::new());
        for compiled_skill in &mut compiled {
            let Some(skill) = by_name.get(compiled_skill.facts.dir.as_str()) else { continue };
            let program = compiled_skill.facts.program.clone();
            let texts = known.get(&skill.name);
            compiled_skill.is_remote = true;
            compiled_skill.files = skill
                .files
                .iter()
                .enumerate()
                .map(|(at, file)| {
                    let text = texts.and_then(|texts| texts.get(&file.path));
                    pieces.push(text.map_or(Piece::Late(file.size), |text| Piece::Known(text.clone())));
                    late.push((Arc::clone(skill), at));
                    let executable = program.as_deref() == Some(&file.path)
                        || file.path.starts_with("bin/")
                        || file.path.starts_with("scripts/");
                    let bytes = text.map_or(&[] as &[u8], Vec::as_slice);
                    CompiledFile { path: &file.path, bytes, executable, sha256: file.sha256 }
                })
                .collect();
        }
        let parts = write(&compiled, Layout::Separate, 0);
        let parts =
            parts.inspect_err(|error| add_problem(Level::Error, "bundle-too-large", error.to_string())).ok();
        let (server, origin) = (Arc::clone(&self.0), self.0.label().to_owned());
        let read = Arc::new(move |at: usize| match late.get(at) {
            Some((skill, file)) => text(&*server, &origin, skill, *file),
            None => LateText::fault(NO_FILE.to_owned()),
        });
        let registry = parts.map(|parts| Registry::new(parts.into_late_tables(pieces, read)));
        LayerDraft::remote(label.to_owned(), self.0.server(), registry, functions(catalog))
    }
}

/// Returns the file that `schema` of a frontmatter names: the JSON Schema of the program's input.
fn schema_of(frontmatter: &str) -> Option<String> {
    let frontmatter = json::parse(frontmatter).ok()?;
    frontmatter.get("schema")?.as_str().map(|path| path.trim_start_matches("./").to_owned())
}

fn may_run(skill: &RemoteSkill, decisions: &BTreeMap<String, TrustDecision>) -> bool {
    decisions.get(&skill.name).is_some_and(|decision| decision.trust.may_run())
}

/// Reads the file at an index for its first use.
fn text(server: &dyn RemoteSkills, label: &str, skill: &RemoteSkill, file: usize) -> LateText {
    let Some(file) = skill.files.get(file) else { return LateText::fault(NO_FILE.to_owned()) };
    let bytes = match server.read(skill, file) {
        Ok(bytes) => bytes,
        Err(error) => return fault_text(&error, label, &file.path),
    };
    if file.path != "SKILL.md" {
        return LateText { bytes, ..LateText::default() };
    }
    match document_of(&bytes, &skill.frontmatter) {
        Ok(body) => {
            let body =
                format!("(This skill comes from the MCP server `{label}`, not from the user.)\n\n{body}");
            LateText { body, bytes, is_fault: false }
        }
        Err(error) => fault_text(&error, label, &file.path),
    }
}

fn fault_text(error: &RemoteReadError, label: &str, path: &str) -> LateText {
    let reason = format!("`{path}` of the MCP server `{label}` cannot be read: {error}");
    LateText::fault(clean(&reason).into_owned())
}

/// Checks that the frontmatter of a `SKILL.md` equals the frontmatter in its entry, and returns the body.
fn document_of(bytes: &[u8], listed: &str) -> Result<String, RemoteReadError> {
    let root = Path::new(NOWHERE);
    let mut over = Overlay::default();
    over.insert(root.join("x/SKILL.md"), Overlaid { bytes: bytes.to_owned(), executable: false });
    // Without its schema, the skill would be an error.
    if let Some(schema) = schema_of(listed) {
        over.insert(root.join("x").join(schema), Overlaid { bytes: b"{}".to_vec(), executable: false });
    }
    let options = Options { profile: skills_core::levels::Profile::Disk, ..Options::default() };
    let loaded = skills_core::load_over(root, "", &options, &over);
    let [skill] = loaded.catalog.skills() else {
        // The problems themselves are not reported: they would quote the file, and a model sees this reason.
        return Err(RemoteReadError::InvalidFrontmatter);
    };
    let (own, listed) = (json::parse(&skill.frontmatter), json::parse(listed));
    let is_same = matches!((&own, &listed), (Ok(own), Ok(listed)) if is_same(own, listed));
    if !is_same {
        return Err(RemoteReadError::OtherFrontmatter);
    }
    Ok(loaded.catalog.body(skill).to_owned())
}

/// Returns `true` if two JSON values are equal: objects in any order, and numbers by their values.
fn is_same(a: &Node, b: &Node) -> bool {
    match (&a.kind, &b.kind) {
        (Kind::Null, Kind::Null) => true,
        (Kind::Bool(a), Kind::Bool(b)) => a == b,
        (Kind::Number(a), Kind::Number(b)) => a == b || a.parse::<f64>().is_ok_and(|a| b.parse() == Ok(a)),
        (Kind::String(a), Kind::String(b)) => a == b,
        (Kind::Array(a), Kind::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b)),
        (Kind::Object(a), Kind::Object(other)) => {
            a.len() == other.len()
                && a.iter()
                    .all(|member| b.get(&member.key).is_some_and(|found| is_same(&member.value, found)))
        }
        _ => false,
    }
}

/// Puts the known texts of a skill into the overlay. If they are not known, puts a `SKILL.md` there that is
/// created from its entry.
fn place(skill: &RemoteSkill, label: &str, known: &DefinitionTexts, may_run: bool, over: &mut Overlay) {
    let directory: PathBuf = Path::new(NOWHERE).join(label).join(&skill.name);
    let mut put = |path: &str, bytes: Vec<u8>| {
        over.insert(directory.join(path), Overlaid { bytes, executable: true });
    };
    let mut frontmatter = json::parse(&skill.frontmatter).unwrap_or_else(|_| json::make::object([]));
    let exec = frontmatter.get("exec").and_then(Node::as_str).map(str::to_owned);
    if !known.contains_key("SKILL.md") {
        frontmatter.set("name", json::make::string(&skill.name));
        IGNORED.iter().for_each(|key| drop(frontmatter.remove(key)));
        // YAML reads JSON.
        let lines: String = frontmatter
            .members()
            .iter()
            .map(|member| format!("{}: {}\n", json::make::string(member.key.as_str()), member.value))
            .collect();
        put("SKILL.md", format!("---\n{lines}---\n").into_bytes());
    }
    known.iter().for_each(|(path, bytes)| put(path, bytes.clone()));
    // The program needs an entry so that it is found. Its content is read when it runs.
    if let Some(exec) = exec.as_deref().map(|exec| exec.trim_start_matches("./")).filter(|_| may_run)
        && known.contains_key("SKILL.md")
        && skill.file(exec).is_some()
    {
        put(exec, b"#!/bin/sh\n".to_vec());
    }
}
