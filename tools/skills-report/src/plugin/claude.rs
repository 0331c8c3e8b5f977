//! The files that Claude Code reads in a plugin or a marketplace: `.claude-plugin/plugin.json` and
//! `marketplace.json`.

use skills_core::read::SkillDir;
use skills_core::rule::plugins as rules;
use skills_core::span::Span;
use skills_core::tree::{MapEntry, Node};
use skills_text::leads_up;

use super::place::{self, PluginPath};
use super::{MarketplaceTally, Work, skills};

const MANIFEST: &str = ".claude-plugin/plugin.json";
const MARKETPLACE: &str = ".claude-plugin/marketplace.json";

/// Fields with text values.
const TEXTS: [&str; 7] =
    ["$schema", "version", "description", "homepage", "repository", "license", "displayName"];
/// Fields that name files or directories of the plugin.
const PATHS: [&str; 4] = ["commands", "agents", "skills", "outputStyles"];
/// Fields that either name a file or hold its contents.
const INLINE: [&str; 3] = ["hooks", "mcpServers", "lspServers"];

/// A plugin in the checked directory.
#[derive(Debug, Default)]
pub(super) struct Home {
    /// Its path below the root; empty for the root.
    path: String,
    /// The paths below the root of skills that the marketplace or the manifest names.
    skills: Vec<String>,
}

/// Checks the files for Claude Code.
pub(super) fn check(work: &mut Work<'_>) {
    if let Some((span, node)) = open(work, "", MANIFEST) {
        manifest(work, "", span, &node);
    }
    if let Some((span, node)) = open(work, "", MARKETPLACE) {
        marketplace(work, span, &node);
    }
}

/// Reads a plugin or marketplace as Claude Code does; returns its name, whether it is accepted, and its plugins.
pub(super) fn read(work: &mut Work<'_>) -> (Option<String>, bool, Vec<Home>) {
    let before = errors(work);
    let is_there = |path| !matches!(place::find(work.root, path), PluginPath::Missing);
    if !is_there(MANIFEST) && !is_there(MARKETPLACE) {
        // The manifest is optional.
        if is_there("skills") {
            return (None, true, vec![Home::default()]);
        }
        let span = work.path(MANIFEST);
        let title = "the plugin has neither a `plugin.json` nor a `marketplace.json` for Claude";
        fault(work, span, title, "create `plugin.json` with `{ \"name\": … }`");
        return (None, false, Vec::new());
    }
    let (mut name, mut homes) = (None, Vec::new());
    if let Some((span, node)) = open(work, "", MANIFEST) {
        name = node.get("name").and_then(Node::as_string).map(str::to_owned);
        manifest(work, "", span, &node);
        homes.push(Home { path: String::new(), skills: skills_of(&node, "") });
    }
    if let Some((span, node)) = open(work, "", MARKETPLACE) {
        name = name.or_else(|| node.get("name").and_then(Node::as_string).map(str::to_owned));
        let (found, elsewhere) = marketplace(work, span, &node);
        work.marketplace = Some(MarketplaceTally { here: found.len(), skipped: 0, elsewhere });
        for home in found {
            match homes.iter_mut().find(|known| known.path == home.path) {
                Some(known) => known.skills.extend(home.skills),
                None => homes.push(home),
            }
        }
    }
    (name, errors(work) == before, homes)
}

/// Returns the number of problems for which Claude Code rejects a plugin.
fn errors(work: &Work<'_>) -> usize {
    work.report.diagnostics.iter().filter(|found| found.rule.code != rules::PLUGIN_NAME.code).count()
}

/// Finds the skills of a plugin, or those of each plugin of a marketplace that lies in it. A plugin of the marketplace
/// whose manifest is rejected is skipped.
pub(super) fn read_skills(work: &mut Work<'_>, homes: &[Home], dirs: &mut Vec<SkillDir>) {
    for home in homes {
        let mut named = home.skills.clone();
        if !home.path.is_empty() {
            let before = errors(work);
            if let Some((span, node)) = open(work, &home.path, MANIFEST) {
                manifest(work, &home.path, span, &node);
                named.extend(skills_of(&node, &home.path));
            }
            if errors(work) > before {
                work.skipped = true;
                if let Some(tally) = &mut work.marketplace {
                    tally.skipped += 1;
                }
                continue;
            }
        }
        skills::read(work, &skills::join(&home.path, skills::PLACE), dirs);
        for path in named {
            skills::read_named(work, &path, dirs);
        }
    }
}

/// Returns the paths in `skills` of a manifest or of an entry of a marketplace.
fn skills_of(node: &Node, home: &str) -> Vec<String> {
    let Some(skills) = node.get("skills") else { return Vec::new() };
    let items = skills.as_list().unwrap_or(std::slice::from_ref(skills)).iter();
    let paths = items.filter_map(Node::as_string).filter(|path| !leads_up(path));
    paths.map(|path| skills::join(home, path.trim_start_matches("./"))).collect()
}

fn open(work: &mut Work<'_>, home: &str, path: &'static str) -> Option<(Span, Node)> {
    let path = &skills::join(home, path);
    match place::read(work.root, path)? {
        Ok(text) => {
            let (head, node) = work.json(path, text);
            let node = node?;
            if node.as_map().is_some() {
                return Some((head, node));
            }
            fault(work, node.span, "the file must be an object", "write `{ \"name\": … }`");
        }
        Err(reason) => {
            let span = work.path(path);
            fault(
                work,
                span,
                &format!("`{path}` cannot be read: {reason}"),
                "create a JSON file at this path",
            );
        }
    }
    None
}

fn fault(work: &mut Work<'_>, span: Span, title: &str, help: &str) {
    rules::PLUGIN_CLAUDE
        .report_at(span, title)
        .label("Claude Code rejects it")
        .help(help)
        .add_to(&mut work.report);
}

fn manifest(work: &mut Work<'_>, home: &str, head: Span, node: &Node) {
    name(work, head, node, "the plugin");
    for MapEntry { key, value, .. } in node.as_map().unwrap_or_default() {
        let key = key.as_str();
        if TEXTS.contains(&key) && value.as_string().is_none() {
            fault(work, value.span, &format!("`{key}` must be a string"), "put it in double quotes");
        } else if key == "keywords"
            && !value.as_list().is_some_and(|items| items.iter().all(|item| item.as_string().is_some()))
        {
            fault(work, value.span, "`keywords` must be a list of strings", "write `[\"one\", \"two\"]`");
        } else if key == "author" && value.as_map().is_none() {
            fault(work, value.span, "`author` must be an object", "write `{ \"name\": … }`");
        } else if PATHS.contains(&key) || (INLINE.contains(&key) && value.as_map().is_none()) {
            let items = value.as_list().unwrap_or(std::slice::from_ref(value));
            for item in items.iter().filter(|item| !(INLINE.contains(&key) && item.as_map().is_some())) {
                path(work, home, key, item);
            }
        }
    }
}

fn path(work: &mut Work<'_>, home: &str, key: &str, item: &Node) {
    let Some(text) = item.as_string() else {
        return fault(
            work,
            item.span,
            &format!("`{key}` must be a path or a list of paths"),
            "write a path that begins with `./`",
        );
    };
    let help = "write a path in the plugin that begins with `./`";
    if !text.starts_with("./") {
        return fault(work, item.span, &format!("`{key}`: the path does not begin with `./`"), help);
    }
    if let Some(what) = place::fault(&work.root.join(home), text) {
        fault(work, item.span, &format!("`{key}`: {what}"), help);
    }
}

/// Checks a name: one in kebab case, as `claude plugin validate` does.
fn name(work: &mut Work<'_>, head: Span, node: &Node, whose: &str) {
    let help = "write a name in kebab case, such as `my-plugin`";
    let Some(value) = node.get("name") else {
        return fault(work, head, &format!("{whose} has no `name`"), help);
    };
    let name = value.as_string().unwrap_or_default();
    if name.trim().is_empty() || name.contains([' ', '/', '\\']) || name.contains("..") {
        let title = format!("the name of {whose} is empty, or has a space or a path");
        fault(work, value.span, &title, help);
    } else if !name
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(&byte))
    {
        rules::PLUGIN_NAME
            .report_at(value.span, format!("the name of {whose} is not in kebab case"))
            .label("Claude Code loads it, but claude.ai refuses it")
            .help(help)
            .add_to(&mut work.report);
    }
}

/// Checks a marketplace. Returns the plugins that lie in it, and the number of those that are fetched from elsewhere.
fn marketplace(work: &mut Work<'_>, head: Span, node: &Node) -> (Vec<Home>, usize) {
    let (mut homes, mut elsewhere) = (Vec::new(), 0);
    name(work, head, node, "the marketplace");
    let add_problem = |work: &mut Work<'_>, span: Span, title: &str, help: &str| {
        let found = rules::PLUGIN_MARKETPLACE.report_at(span, title).label("Claude Code rejects it");
        work.report.push(found.help(help));
    };
    match node.get("owner") {
        Some(owner) if owner.get("name").and_then(Node::as_string).is_some() => {}
        owner => {
            let span = owner.map_or(head, |owner| owner.span);
            add_problem(
                work,
                span,
                "the marketplace has no `owner` with a `name`",
                "add `\"owner\": { \"name\": … }`",
            );
        }
    }
    let Some(plugins) = node.get("plugins").and_then(Node::as_list) else {
        let span = node.get("plugins").map_or(head, |plugins| plugins.span);
        let help = "add `\"plugins\": [{ \"name\": …, \"source\": \"./…\" }]`";
        add_problem(work, span, "`plugins` must be a list", help);
        return (homes, elsewhere);
    };
    let base = node.get("metadata").and_then(|data| data.get("pluginRoot")).and_then(Node::as_string);
    let mut seen: Vec<&str> = Vec::new();
    for plugin in plugins {
        if plugin.as_map().is_none() {
            let help = "write `{ \"name\": …, \"source\": \"./…\" }`";
            add_problem(work, plugin.span, "a plugin must be an object", help);
            continue;
        }
        name(work, plugin.span.head(), plugin, "a plugin");
        let called = plugin.get("name").and_then(Node::as_string).unwrap_or_default();
        if seen.contains(&called) {
            let span = plugin.get("name").map_or(plugin.span, |name| name.span);
            let title = format!("two plugins have the name `{called}`");
            add_problem(work, span, &title, "give each plugin a unique name");
        }
        seen.push(called);
        match plugin.get("source") {
            Some(source) => match source_home(work, source, base) {
                Ok(Some(path)) => homes.push(Home { skills: skills_of(plugin, &path), path }),
                Ok(None) => elsewhere += 1,
                Err(what) => {
                    let help =
                        "write a path that begins with `./`, or `{ \"source\": \"github\", \"repo\": … }`";
                    add_problem(work, source.span, what, help);
                }
            },
            None => add_problem(
                work,
                plugin.span.head(),
                "the plugin has no `source`",
                "add `\"source\": \"./…\"`",
            ),
        }
    }
    (homes, elsewhere)
}

/// Returns the path of a plugin that lies in the marketplace; `None` for one that is fetched from elsewhere.
///
/// # Errors
/// Returns the problem of the source.
fn source_home(work: &Work<'_>, source: &Node, base: Option<&str>) -> Result<Option<String>, &'static str> {
    if source.as_map().is_some() {
        let kind = source.get("source").and_then(Node::as_string).ok_or("`source` has no kind")?;
        let needs: &[&str] = match kind {
            "github" => &["repo"],
            "url" => &["url"],
            "git-subdir" => &["url", "path"],
            "npm" | "pip" => &["package"],
            _ => return Err("the kind of `source` is unknown"),
        };
        let is_whole = needs.iter().all(|key| source.get(key).and_then(Node::as_string).is_some());
        return if is_whole { Ok(None) } else { Err("`source` does not name the place of the plugin") };
    }
    let path = source.as_string().ok_or("`source` must be a path or an object")?;
    if leads_up(path) {
        return Err("`source` leads out of the marketplace");
    }
    if !path.starts_with("./") && base.is_none() {
        return Err("`source` does not begin with `./`");
    }
    let plain = path.trim_start_matches("./").trim_end_matches('/').to_owned();
    let based = base.map(|base| skills::join(base.trim_start_matches("./").trim_end_matches('/'), &plain));
    // `pluginRoot` comes before a path without `./`, and some marketplaces also write it before one with `./`.
    let mut places = [Some(plain), based];
    if !path.starts_with("./") {
        places.reverse();
    }
    let mut fault = "`source` does not exist";
    for place in places.into_iter().flatten() {
        match place::find(work.root, &place) {
            PluginPath::Inside(_, metadata) if metadata.is_dir() => return Ok(Some(place)),
            PluginPath::Inside(..) => fault = "`source` is not a directory",
            PluginPath::Outside => fault = "`source` leads out of the marketplace",
            PluginPath::Missing => {}
        }
    }
    Err(fault)
}
