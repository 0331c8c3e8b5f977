//! `skills.toml`: the options of a directory of skills. The command, the build script and the macro find it
//! with [`find`].

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use skills_text::path_below;

use crate::diagnostic::Diagnostic;
use crate::edit::Change;
use crate::level::Level;
use crate::levels::{Levels, Scopes};
use crate::options::Options;
use crate::read::{
    MAX_PROJECT_FILE, Overlay, SETTINGS_FILE, find_pattern_fault, read_below, up_to_repository,
};
use crate::report::Report;
use crate::rule::projects as rules;
use crate::rule::{self, RuleError};
use crate::span::{SourceMap, Span};
use crate::tree::{MapEntry, Node, ScalarType, text, toml};

/// A parsed `skills.toml`.
#[derive(Debug, Default)]
pub struct Config {
    /// The file, if one was found.
    pub path: Option<PathBuf>,
    /// Its text, for the places of the report.
    pub sources: SourceMap,
    /// Its problems; valid settings still apply.
    pub report: Report,
    commands: Vec<(String, Span)>,
    stub: Option<(String, Span)>,
    levels: Vec<(String, Level)>,
    scopes: Vec<(String, Vec<(String, Level)>)>,
    budget: Option<u64>,
    /// The caps of a file, a skill and a bundle.
    caps: [Option<u64>; 3],
    exclude: Vec<String>,
    is_for_claude: bool,
    /// The MCP servers.
    pub servers: Vec<ProjectServer>,
    /// The path from the directory of the file to the directory of the skills, with `/` as the separator.
    below: String,
}

/// An MCP server of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectServer {
    /// Its name.
    pub name: String,
    /// Its URL. Empty for a command.
    pub url: String,
    /// The program that serves over its standard streams, and its arguments. Empty for a URL.
    pub command: Vec<String>,
    /// The environment variable with the bearer token for the URL.
    pub token: Option<String>,
    /// More headers for the URL, each with the variable that has its value.
    pub headers: Vec<(String, String)>,
    /// The environment variables that the program gets in addition to the default ones.
    pub env: Vec<String>,
}

/// Finds and reads the nearest `skills.toml`, from a directory up to the root of the repository.
///
/// `shown` is the path of the file in reports, if it differs from the file's own path.
pub fn find(root: &Path, shown: Option<&str>) -> Config {
    find_over(root, shown, &Overlay::default())
}

/// Finds the nearest `skills.toml` as [`find`] does, with an overlay of files over the disk.
pub fn find_over(root: &Path, shown: Option<&str>, over: &Overlay) -> Config {
    let Ok(real) = root.canonicalize() else { return Config::default() };
    for directory in up_to_repository(&real) {
        let path = directory.join(SETTINGS_FILE);
        let open = over.get(&path);
        if open.map_or_else(|| is_there(&path), |file| file.is_some()) {
            let below = real.strip_prefix(directory).unwrap_or(Path::new(""));
            let below: Vec<_> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            let label = shown.map_or_else(|| relative(&path), str::to_owned);
            let read = match open.flatten() {
                Some(file) => Ok(file.bytes.clone()),
                None => read_below(directory, &path, MAX_PROJECT_FILE),
            };
            let mut config = match read.map(String::from_utf8) {
                Ok(Ok(text)) => parse(&label, text),
                Ok(Err(_)) => unreadable(&label, "it is not UTF-8", "save the file as UTF-8"),
                Err(error) => {
                    let help = match error.kind() {
                        ErrorKind::PermissionDenied => {
                            "grant permission to read it, and use no link out of the project"
                        }
                        _ => "use a regular file of at most 16 MiB",
                    };
                    unreadable(&label, &error.to_string().to_lowercase(), help)
                }
            };
            config.below = below.join("/");
            config.path = Some(path);
            return config;
        }
    }
    Config::default()
}

/// Returns `true` if there is a file, or anything else but a directory, which is then reported.
fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| !found.is_dir())
}

/// Shortens a path relative to the current directory, if it is below it.
fn relative(path: &Path) -> String {
    let here = std::env::current_dir().ok().and_then(|here| here.canonicalize().ok());
    let below = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    below.unwrap_or_else(|| path.to_owned()).to_string_lossy().into_owned()
}

fn unreadable(label: &str, why: &str, help: &str) -> Config {
    let mut config = Config::default();
    let place = config.sources.add_path(label, None);
    let found = rules::CONFIG_INVALID.report_at(place, format!("cannot read `{SETTINGS_FILE}`: {why}"));
    config.report.push(found.label("none of its settings apply").help(help));
    config
}

/// Reads the text of a `skills.toml`; `label` is its path, for reports.
pub fn parse(label: &str, text: String) -> Config {
    let mut config = Config::default();
    let file = config.sources.add(label.to_owned(), text, None);
    let mut report = Report::default();
    let source = config.sources.file(file);
    let (tree, _) = toml::parse(source, source.unmarked(), &mut report);
    for entry in tree.as_map().unwrap_or_default() {
        config.key(entry, &mut report);
    }
    report.settle(&Levels::default(), Default::default(), &config.sources);
    config.report = report;
    config
}

/// The keys of the file, each with its meaning; editors show it.
pub const KEYS: [(&str, &str); 11] = [
    (
        "rules",
        "The levels of rules: `RULE = \"allow\"`, `\"warn\"` or `\"deny\"`. Only lints can be lowered.",
    ),
    ("paths", "Levels of rules for a path and everything below it: `[paths.\"drafts\"]`."),
    ("catalog-budget", "The maximum estimated tokens of the catalog that a model sees."),
    ("file-cap", "The maximum size of a file in bytes."),
    ("skill-cap", "The maximum size of a skill in bytes."),
    ("bundle-cap", "The maximum size of all skills in bytes."),
    ("commands", "Files with the commands of programs, by which the command lines in texts are checked."),
    (
        "stub",
        "The command of the program that prints a skill, such as `\"mytool skill\"`. `install` then writes stubs.",
    ),
    ("exclude", "Lines in gitignore syntax: the files that they name are not read."),
    ("profile", "The client that the skills are for: `\"claude\"` also checks what only Claude reads."),
    ("mcp", "MCP servers, each with `url` or `command`: `[mcp.SETTINGS_FILE]`."),
];

impl Config {
    /// Returns the default options, changed by the settings of the file.
    pub fn options(&self) -> Options {
        let mut options = Options::default();
        self.apply(&mut options);
        options
    }

    /// Returns the directory of the file. Whatever the file names is below it.
    pub fn directory(&self) -> &Path {
        self.path.as_deref().and_then(Path::parent).unwrap_or(Path::new(""))
    }

    /// Returns the paths of the files with commands of programs, and their places in this file.
    pub fn command_files(&self) -> Vec<(PathBuf, Span)> {
        self.commands.iter().map(|(file, place)| (self.directory().join(file), *place)).collect()
    }

    /// Returns the command that prints a skill, and its place in this file.
    pub fn stub(&self) -> Option<(&str, Span)> {
        self.stub.as_ref().map(|(command, place)| (command.as_str(), *place))
    }

    /// Reports that the command that prints a skill does not exist.
    pub fn unknown_stub(&mut self, why: String) {
        let Some((_, place)) = self.stub else { return };
        let found = rules::CONFIG_INVALID
            .report_at(place, why)
            .label("no installed stub can be read with this command");
        let found = found.help("name the command of the program that prints a skill");
        self.report.insert(vec![found], &Levels::default(), Default::default(), &self.sources);
    }

    /// Reports a file of commands that cannot be read.
    pub fn unreadable_commands(&mut self, place: Span, why: String) {
        let found = rules::CONFIG_INVALID.report_at(place, why).label("its commands are not known");
        let found = found.help("write the file with `skills check --print-commands PROGRAM`");
        self.report.insert(vec![found], &Levels::default(), Default::default(), &self.sources);
    }

    /// Returns `true` if a bundle may have other skills, or may fail to build, without the file.
    pub(crate) fn decides_bundle(&self) -> bool {
        let mut levels = self.levels.iter().chain(self.scopes.iter().flat_map(|(_, levels)| levels));
        let is_lowered = levels.any(|(name, level)| {
            rule::named(name).is_ok_and(|rule| rule.bundle == Level::Error && *level < Level::Error)
        });
        !self.exclude.is_empty() || self.caps.iter().any(Option::is_some) || is_lowered
    }

    /// Applies the settings of the file to options that are not set yet.
    pub fn apply(&self, options: &mut Options) {
        for (name, level) in &self.levels {
            if let Ok(rule) = rule::named(name) {
                options.levels.set_default(rule, *level);
            }
        }
        if !self.scopes.is_empty() {
            let mut scopes = Scopes::new(self.below.clone());
            for (pattern, levels) in &self.scopes {
                let mut scoped = Levels::default();
                for (name, level) in levels {
                    // Invalid settings were reported.
                    let _ = scoped.set(name, *level);
                }
                // Patterns beyond the limit were reported.
                let _ = scopes.add(pattern, scoped);
            }
            options.levels.scope(scopes);
        }
        let budget = self.budget.map(|budget| usize::try_from(budget).unwrap_or(usize::MAX));
        options.catalog_budget = options.catalog_budget.or(budget);
        options.is_for_claude |= self.is_for_claude;
        let read = &mut options.read;
        let caps = [&mut read.file_cap, &mut read.skill_cap, &mut read.bundle_cap];
        for (cap, set) in caps.into_iter().zip(self.caps) {
            *cap = cap.or(set);
        }
        read.exclude.extend(self.exclude.iter().filter_map(|pattern| self.seen_from_root(pattern)));
    }

    /// Converts a pattern relative to the file's directory to one relative to the skills' directory; `None`
    /// if it cannot match there.
    fn seen_from_root(&self, pattern: &str) -> Option<String> {
        let (not, plain) = pattern.strip_prefix('!').map_or(("", pattern), |plain| ("!", plain));
        let anchored = plain.trim_end_matches('/').contains('/');
        if self.below.is_empty() || !anchored {
            return Some(pattern.to_owned());
        }
        let rest = path_below(plain.trim_start_matches('/'), &self.below).filter(|rest| !rest.is_empty())?;
        Some(format!("{not}/{rest}"))
    }

    fn key(&mut self, entry: &MapEntry, report: &mut Report) {
        match entry.key.replace('_', "-").as_str() {
            "rules" => self.levels = levels(&entry.value, report),
            "paths" => {
                let Some(paths) = entry.value.as_map() else {
                    return report.push(wrong(&entry.value, "a table of paths", "[paths.\"drafts\"]"));
                };
                let scoped = paths.iter().map(|path| (path.key.clone(), levels(&path.value, report)));
                self.scopes = scoped.collect();
                let mut known = Scopes::default();
                if let Some(excess) = paths.iter().find(|path| !known.add(&path.key, Levels::default())) {
                    let most = Scopes::MAX_LENGTH;
                    rules::CONFIG_INVALID
                        .report_at(
                            excess.key_span,
                            format!("the paths with `*` have more than {most} characters"),
                        )
                        .label("this path and later ones with `*` have no effect")
                        .help("name directories without `*`, which have no limit")
                        .add_to(report);
                }
            }
            "catalog-budget" => self.budget = number(entry, report),
            "file-cap" => self.caps[0] = cap(entry, MAX_CAPS[0], report),
            "skill-cap" => self.caps[1] = cap(entry, MAX_CAPS[1], report),
            "bundle-cap" => self.caps[2] = cap(entry, MAX_CAPS[2], report),
            "commands" => self.commands = strings(entry, report),
            "stub" => match entry.value.as_string().filter(|text| is_command(text)) {
                Some(text) => self.stub = Some((text.to_owned(), entry.value.span)),
                None => report.push(wrong(&entry.value, "a command on one line", "stub = \"mytool skill\"")),
            },
            "exclude" => {
                for (pattern, place) in strings(entry, report) {
                    match find_pattern_fault(&pattern) {
                        None => self.exclude.push(pattern),
                        Some(help) => rules::CONFIG_INVALID
                            .report_at(place, format!("`{pattern}` cannot match any path"))
                            .label("not a valid gitignore pattern")
                            .help(help)
                            .add_to(report),
                    }
                }
            }
            "profile" => match entry.value.as_string() {
                Some("claude") => self.is_for_claude = true,
                _ => report.push(wrong(&entry.value, "\"claude\"", "profile = \"claude\"")),
            },
            "mcp" => self.servers = read_servers(entry, report),
            key => {
                let found = rules::CONFIG_INVALID
                    .report_at(entry.key_span, format!("unknown key `{}` in `{SETTINGS_FILE}`", entry.key))
                    .label("no such option");
                report.push(match skills_text::nearest(key, KEYS.map(|(known, _)| known)) {
                    Some(near) => found.near(near),
                    None => found
                        .help(format!("use one of the keys {}", text::listed(&KEYS.map(|(known, _)| known)))),
                });
            }
        }
    }
}

/// Returns `true` if a text can stand in a stub as a command: one line of words, of which the first is a program.
pub fn is_command(text: &str) -> bool {
    !text.is_empty()
        && text.trim() == text
        && !text.starts_with('-')
        && text
            .chars()
            .all(|c| c == ' ' || !c.is_whitespace() && !c.is_control() && !"`\"'\\$|&;<>()".contains(c))
}

/// The names of levels, as in the options of the macro and the command.
pub const LEVELS: [(&str, Level); 3] =
    [("allow", Level::Allow), ("warn", Level::Warning), ("deny", Level::Error)];

fn levels(node: &Node, report: &mut Report) -> Vec<(String, Level)> {
    let Some(entries) = node.as_map() else {
        report.push(wrong(node, "a table of rules", "[rules]\nlong-body = \"allow\""));
        return Vec::new();
    };
    let mut levels = Vec::new();
    for entry in entries {
        let word = entry.value.as_string();
        let Some((_, level)) = LEVELS.iter().find(|(known, _)| Some(*known) == word) else {
            let found =
                wrong(&entry.value, "\"allow\", \"warn\" or \"deny\"", &format!("{} = \"deny\"", entry.key));
            let near = word.and_then(|word| skills_text::nearest(word, LEVELS.map(|(known, _)| known)));
            report.push(match near {
                Some(near) => found.near_string(near),
                None => found,
            });
            continue;
        };
        match Levels::default().set(&entry.key, *level) {
            Ok(()) => levels.push((entry.key.clone(), *level)),
            Err(error) => report.push(unknown(&error, entry.key_span)),
        }
    }
    levels
}

/// Reports a rule that does not exist, or whose level cannot be set that way.
pub(crate) fn unknown(error: &RuleError, place: Span) -> Diagnostic {
    let (title, nearest) = match error {
        RuleError::Unknown { name, nearest } => (format!("unknown rule `{name}`"), *nearest),
        RuleError::NotLint { .. } => (error.to_string(), None),
    };
    let found = rules::CONFIG_INVALID.report_at(place, title).label("named here");
    match nearest {
        Some(near) => found.near(near),
        None => found.help("run `skills explain` for the list of rules, in which lints are marked"),
    }
}

/// The maximum limits of a file, a skill and all skills that a project can set, in bytes. A clone can set them, too.
const MAX_CAPS: [u64; 3] = [256 << 20, 256 << 20, 1 << 30];

/// Reads a limit of sizes. A larger one than a project can set is reported and lowered.
fn cap(entry: &MapEntry, most: u64, report: &mut Report) -> Option<u64> {
    let value = number(entry, report)?;
    if value > most {
        rules::CONFIG_INVALID
            .report_at(entry.value.span, format!("`{}` is more than {most}", entry.key))
            .label("too large for a project")
            .help(format!("set at most {most}; `check --cap` accepts more"))
            .add_to(report);
    }
    Some(value.min(most))
}

fn number(entry: &MapEntry, report: &mut Report) -> Option<u64> {
    let scalar = entry.value.as_scalar().filter(|scalar| scalar.kind == ScalarType::Number);
    let value = scalar.and_then(|scalar| scalar.text.replace('_', "").parse().ok());
    if value.is_none() {
        report.push(wrong(&entry.value, "a whole number", &format!("{} = 8000", entry.key)));
    }
    value
}

pub(crate) fn strings(entry: &MapEntry, report: &mut Report) -> Vec<(String, Span)> {
    let mut texts = Vec::new();
    let Some(items) = entry.value.as_list() else {
        report.push(wrong(&entry.value, "an array of strings", &format!("{} = [\"one\"]", entry.key)));
        return texts;
    };
    for item in items {
        match item.as_string() {
            Some(text) => texts.push((text.to_owned(), item.span)),
            None => {
                let fix =
                    item.as_scalar().map(|scalar| Change::replace(item.span, text::quote(&scalar.text)));
                report.push(wrong(item, "a string", "\"text\"").fix(fix.map(Change::unsafe_fix)));
            }
        }
    }
    texts
}

pub(crate) fn wrong(node: &Node, expected: &str, form: &str) -> Diagnostic {
    rules::CONFIG_INVALID
        .report_at(node.span, format!("expected {expected}, found {}", node.describe()))
        .label(format!("expected {expected}"))
        .help(format!("write it as:\n{form}"))
}

/// An example of a server.
const SERVER: &str = "[mcp.docs]\nurl = \"https://docs.example/mcp\"";

/// Reads the table `mcp`: `[mcp.NAME]` with a URL or a command. Invalid servers are reported and left out.
fn read_servers(entry: &MapEntry, report: &mut Report) -> Vec<ProjectServer> {
    let Some(servers) = entry.value.as_map() else {
        report.push(wrong(&entry.value, "a table of servers", SERVER));
        return Vec::new();
    };
    servers.iter().filter_map(|server| read_server(server, report)).collect()
}

fn read_server(entry: &MapEntry, report: &mut Report) -> Option<ProjectServer> {
    let Some(keys) = entry.value.as_map() else {
        report.push(wrong(&entry.value, "a table with `url` or `command`", SERVER));
        return None;
    };
    let mut server = ProjectServer { name: entry.key.clone(), ..ProjectServer::default() };
    for key in keys {
        match key.key.as_str() {
            "url" => server.url = server_text(&key.value, report),
            "command" => server.command = server_texts(key, report),
            "token" => server.token = Some(server_text(&key.value, report)),
            "env" => server.env = server_texts(key, report),
            "headers" => {
                let headers = key.value.as_map().unwrap_or_default().iter();
                server.headers =
                    headers.map(|header| (header.key.clone(), server_text(&header.value, report))).collect();
            }
            other => report.push(
                rules::CONFIG_INVALID
                    .report_at(key.key_span, format!("unknown key `{other}` of an MCP server"))
                    .label("no such option")
                    .help("use `url` with `token` and `headers`, or `command` with `env`"),
            ),
        }
    }
    if server.url.is_empty() == server.command.is_empty() {
        report.push(wrong(&entry.value, "either `url` or `command`", SERVER));
        return None;
    }
    Some(server)
}

fn server_text(node: &Node, report: &mut Report) -> String {
    let text = node.as_string();
    if text.is_none() {
        report.push(wrong(node, "a string", SERVER));
    }
    text.unwrap_or_default().to_owned()
}

fn server_texts(entry: &MapEntry, report: &mut Report) -> Vec<String> {
    strings(entry, report).into_iter().map(|(text, _)| text).collect()
}
