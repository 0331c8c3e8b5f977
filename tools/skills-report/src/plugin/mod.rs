//! Reads a plugin directory by Agent Plugins 1.0: the skills and servers that a client loads, and every
//! problem.
//!
//! ```text
//! plugin.json -> manifest -> accepted?
//! skills/*/SKILL.md -> check by the standard
//! mcp.json -> servers, each alone
//! ```
//!
//! A fault affects only the part that the specification names. A fault of the manifest affects the whole
//! plugin, a fault of a directory one kind of component, and a fault of an entry only that entry.
//! `skills plugin` prints the result; hosts start servers with [`launch`].

mod claude;
pub mod launch;
mod manifest;
mod other;
mod place;
mod server;
mod servers;
mod skills;
mod url;

use std::path::{Path, PathBuf};

use skills_core::catalog::Catalog;
use skills_core::check_tree;
use skills_core::level::Level;
use skills_core::levels::{Levels, Profile};
use skills_core::options::Options;
use skills_core::read::SourceTree;
use skills_core::report::Report;
use skills_core::rule::{fields, plugins as rules};
use skills_core::span::{SourceMap, Span};
use skills_core::tree::{Node, json};
use skills_text::sort;

use other::PluginClient;
pub use server::{PluginServer, Transport};

/// The `$schema` of `plugin.json` in the supported version of Agent Plugins.
pub const SCHEMA: &str = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";
/// The `$schema` of `mcp.json` in that version.
pub const MCP_SCHEMA: &str = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json";

/// The rules by which a plugin is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Agent Plugins 1.0; the manifests of other formats are checked as well.
    #[default]
    AgentPlugins,
    /// Claude Code: `.claude-plugin/plugin.json`, `.claude-plugin/marketplace.json`, or both.
    Claude,
    /// Codex: `.codex-plugin/plugin.json`.
    Codex,
    /// Cursor: `.cursor-plugin/plugin.json`.
    Cursor,
    /// Gemini CLI: `gemini-extension.json`.
    Gemini,
    /// A directory with `skills` and without a manifest, which Claude Code loads.
    Skills,
}

skills_text::__named!(Format, "format of plugins", {
    AgentPlugins = "agent-plugins",
    Claude = "claude",
    Codex = "codex",
    Cursor = "cursor",
    Gemini = "gemini",
    Skills = "skills",
});

impl Format {
    /// Recognizes the format of a directory by its manifest: `plugin.json` with `$schema`, or else the first of the
    /// manifests of Claude Code, Codex, Cursor and Gemini CLI.
    pub fn read(root: &Path) -> Self {
        let has = |path: &str| root.join(path).is_file();
        let manifest = std::fs::canonicalize(root).ok().and_then(|real| place::read(&real, "plugin.json"));
        let is_standard = manifest.is_some_and(|text| text.is_ok_and(|text| text.contains("\"$schema\"")));
        match () {
            () if is_standard => Self::AgentPlugins,
            () if has(".claude-plugin/plugin.json") || has(".claude-plugin/marketplace.json") => Self::Claude,
            () if has(other::CODEX.file) => Self::Codex,
            () if has(other::CURSOR.file) => Self::Cursor,
            () if has(other::GEMINI.file) => Self::Gemini,
            () if !has("plugin.json") && root.join("skills").is_dir() => Self::Skills,
            () => Self::AgentPlugins,
        }
    }

    /// Returns the words for it in a sentence.
    pub fn title(self) -> &'static str {
        match self {
            Self::AgentPlugins => "as a plugin of Agent Plugins",
            Self::Claude => "as a plugin of Claude Code",
            Self::Codex => "as a plugin of Codex",
            Self::Cursor => "as a plugin of Cursor",
            Self::Gemini => "as an extension of Gemini CLI",
            Self::Skills => "as a plugin without a manifest",
        }
    }

    /// Returns the client whose own manifest decides.
    fn client(self) -> Option<&'static PluginClient> {
        match self {
            Self::Codex => Some(&other::CODEX),
            Self::Cursor => Some(&other::CURSOR),
            Self::Gemini => Some(&other::GEMINI),
            Self::AgentPlugins | Self::Claude | Self::Skills => None,
        }
    }
}

/// The parts of a plugin that a client loads.
#[derive(Debug)]
pub struct Plugin {
    /// Whether the manifest is valid. If not, clients reject the plugin and load nothing from it.
    pub accepted: bool,
    /// The name in the manifest.
    pub name: Option<String>,
    /// The real path of the directory.
    pub root: PathBuf,
    /// The loaded skills, and the texts of the report's places.
    pub catalog: Catalog,
    /// The loaded servers, sorted by name.
    pub servers: Vec<PluginServer>,
    /// Whether a component, a skill, a server or a plugin of a marketplace was skipped.
    pub skipped: bool,
    /// The plugins of a marketplace of Claude Code; `None` for a plugin.
    pub marketplace: Option<MarketplaceTally>,
    /// All problems, sorted by place.
    pub report: Report,
}

/// How many plugins a marketplace lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MarketplaceTally {
    /// The plugins that lie in it.
    pub here: usize,
    /// Those of them that are skipped, because their manifest is rejected.
    pub skipped: usize,
    /// The plugins that a client fetches from elsewhere, which are not checked.
    pub elsewhere: usize,
}

impl Plugin {
    /// Returns `true` if a client loads the whole plugin.
    pub fn is_whole(&self) -> bool {
        self.accepted && !self.skipped && self.report.errors() == 0
    }
}

/// A plugin while it is read.
struct Work<'a> {
    root: &'a Path,
    /// The directory in which skills may lie: the root, or for Claude Code the marketplace around it, whose files it
    /// copies where a link leads to them.
    bound: &'a Path,
    sources: SourceMap,
    report: Report,
    skipped: bool,
    marketplace: Option<MarketplaceTally>,
}

/// Reads a plugin (Agent Plugins 1.0, sections 4 to 9); `label` is the directory as the user wrote it.
///
/// Nothing is fetched, run or written, and nothing outside the directory is read.
///
/// ```
/// use skills_report::plugin::{Format, load};
/// let plugin = load("no/such/dir".as_ref(), "no/such/dir", Format::AgentPlugins);
/// assert!(!plugin.accepted && plugin.report.errors() == 1);
/// ```
pub fn load(root: &Path, label: &str, format: Format) -> Plugin {
    let real = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_path_buf());
    let (sources, report) = (SourceMap::new(label), Report::default());
    let bound = if matches!(format, Format::Claude | Format::Skills) { place::around(&real) } else { &real };
    let mut work = Work { root: &real, bound, sources, report, skipped: false, marketplace: None };
    let (mut place, mut homes) = (None, Vec::new());
    let (name, accepted) = match format {
        Format::AgentPlugins => {
            let manifest = manifest::read(&mut work);
            // Its problems do not affect other clients.
            claude::check(&mut work);
            (manifest.name, manifest.accepted)
        }
        Format::Claude => {
            let (name, accepted, found) = claude::read(&mut work);
            homes = found;
            (name, accepted)
        }
        Format::Skills => (None, true),
        Format::Codex | Format::Cursor | Format::Gemini => {
            let manifest = format.client().map(|client| other::read(&mut work, client)).unwrap_or_default();
            place = manifest.skills;
            (manifest.name, manifest.accepted)
        }
    };
    for other in [Format::Codex, Format::Cursor, Format::Gemini].into_iter().filter(|other| *other != format)
    {
        other.client().map(|client| other::read(&mut work, client));
    }
    let (mut dirs, mut servers) = (Vec::new(), Vec::new());
    if accepted && format == Format::Claude {
        claude::read_skills(&mut work, &homes, &mut dirs);
    } else if accepted {
        skills::read(&mut work, place.as_deref().unwrap_or(skills::PLACE), &mut dirs);
        if format == Format::AgentPlugins {
            servers = servers::read(&mut work);
        }
    }
    let Work { sources, mut report, mut skipped, marketplace, .. } = work;
    report.settle(&Levels::default(), Profile::Bundle, &sources);
    let (found, tree) = (dirs.len(), SourceTree { sources, skills: dirs, ..SourceTree::default() });
    let loaded = check_tree(tree, Report::default(), &options(format));
    skipped |= loaded.catalog.skills().len() < found;
    report.diagnostics.extend(loaded.report.diagnostics);
    let sources = loaded.catalog.sources();
    sort(&mut report.diagnostics, &|a, b| {
        let path = |span| &sources.file_of(span).path;
        path(a.span).cmp(path(b.span)).then_with(|| a.span.cmp(&b.span))
    });
    Plugin { accepted, name, root: real, catalog: loaded.catalog, servers, skipped, marketplace, report }
}

/// Returns the options for checking skills as a client does: by the standard, except that further keys are allowed.
/// Claude Code also loads a skill with any name, and accepts a list or commas in tools. The formats of other clients
/// add no rules to the standard.
fn options(format: Format) -> Options {
    let mut options = Options { profile: Profile::Standard, ..Options::default() };
    options.levels.set_default(&fields::KEY_UNKNOWN, Level::Allow);
    if matches!(format, Format::Claude | Format::Skills) {
        for rule in [&fields::ALLOWED_TOOLS_FORM, &fields::METADATA_VALUE] {
            options.levels.set_default(rule, Level::Allow);
        }
        for rule in [
            &fields::NAME_INVALID,
            &fields::NAME_MISMATCH,
            &fields::NAME_MISSING,
            &fields::DESCRIPTION_LONG,
            &fields::DESCRIPTION_MISSING,
        ] {
            options.levels.set_default(rule, Level::Warning);
        }
    }
    options
}

impl Work<'_> {
    /// Reads a JSON file of the plugin, with a place for diagnostics about missing parts; `None`, with a
    /// report, if a client could not parse it.
    fn json(&mut self, path: &str, text: String) -> (Span, Option<Node>) {
        let file = self.sources.add(path.to_owned(), text, None);
        let source = self.sources.file(file);
        let head = source.span(0..source.text.lines().next().unwrap_or_default().trim_end().len());
        let before = self.report.diagnostics.len();
        let node = json::parse(source, &mut self.report);
        (head, node.filter(|_| self.report.diagnostics.len() == before))
    }

    /// Creates a place for a path without a text.
    fn path(&mut self, path: &str) -> Span {
        self.sources.add_path(path, None)
    }
}

/// Reports a field with a value of the wrong type.
fn wrong(node: &Node, field: &str, expected: &str) -> skills_core::diagnostic::Diagnostic {
    rules::PLUGIN_MANIFEST
        .report_at(node.span, format!("`{field}` must be {expected}, found {}", node.describe_json()))
        .label(format!("expected {expected}"))
        .help(format!("write {expected}"))
}
