//! The files that Claude Code reads in a plugin or a marketplace: `.claude-plugin/plugin.json` and
//! `marketplace.json`.

use skills_core::rule::plugins as rules;
use skills_core::span::Span;
use skills_core::tree::{MapEntry, Node};
use skills_text::leads_up;

use super::Work;
use super::place::{self, Found};

const MANIFEST: &str = ".claude-plugin/plugin.json";
const MARKETPLACE: &str = ".claude-plugin/marketplace.json";

/// Fields with text values.
const TEXTS: [&str; 7] =
    ["$schema", "version", "description", "homepage", "repository", "license", "displayName"];
/// Fields that name files or directories of the plugin.
const PATHS: [&str; 4] = ["commands", "agents", "skills", "outputStyles"];
/// Fields that either name a file or hold its contents.
const INLINE: [&str; 3] = ["hooks", "mcpServers", "lspServers"];

/// Checks the files for Claude Code.
pub(super) fn check(work: &mut Work<'_>) {
    if let Some((span, node)) = open(work, MANIFEST) {
        manifest(work, span, &node);
    }
    if let Some((span, node)) = open(work, MARKETPLACE) {
        marketplace(work, span, &node);
    }
}

/// Reads a plugin or marketplace as Claude Code does; returns its name, and whether it is accepted.
pub(super) fn read(work: &mut Work<'_>) -> (Option<String>, bool) {
    let before = work.report.diagnostics.len();
    let is_there = |path| !matches!(place::find(work.root, path), Found::Missing);
    if !is_there(MANIFEST) && !is_there(MARKETPLACE) {
        // The manifest is optional.
        if is_there("skills") {
            return (None, true);
        }
        let span = work.path(MANIFEST);
        let title = "the plugin has neither a `plugin.json` nor a `marketplace.json` for Claude";
        fault(work, span, title, "create `plugin.json` with `{ \"name\": … }`");
        return (None, false);
    }
    let mut name = None;
    if let Some((span, node)) = open(work, MANIFEST) {
        name = node.get("name").and_then(Node::as_string).map(str::to_owned);
        manifest(work, span, &node);
    }
    if let Some((span, node)) = open(work, MARKETPLACE) {
        name = name.or_else(|| node.get("name").and_then(Node::as_string).map(str::to_owned));
        marketplace(work, span, &node);
    }
    (name, work.report.diagnostics.len() == before)
}

fn open(work: &mut Work<'_>, path: &'static str) -> Option<(Span, Node)> {
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
    rules::PLUGIN_CLAUDE.at(span, title).label("Claude Code rejects it").help(help).add_to(&mut work.report);
}

fn manifest(work: &mut Work<'_>, head: Span, node: &Node) {
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
                path(work, key, item);
            }
        }
    }
}

fn path(work: &mut Work<'_>, key: &str, item: &Node) {
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
    if let Some(what) = place::fault(work.root, text) {
        fault(work, item.span, &format!("`{key}`: {what}"), help);
    }
}

/// Checks that a name is in kebab case.
fn name(work: &mut Work<'_>, head: Span, node: &Node, whose: &str) {
    let help = "write a name in kebab case, such as `my-plugin`";
    let Some(value) = node.get("name") else {
        return fault(work, head, &format!("{whose} has no `name`"), help);
    };
    let is_good = value.as_string().is_some_and(|name| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(&byte))
    });
    if !is_good {
        fault(work, value.span, &format!("the name of {whose} is not in kebab case"), help);
    }
}

fn marketplace(work: &mut Work<'_>, head: Span, node: &Node) {
    name(work, head, node, "the marketplace");
    let add_problem = |work: &mut Work<'_>, span: Span, title: &str, help: &str| {
        let found = rules::PLUGIN_MARKETPLACE.at(span, title).label("Claude Code rejects it");
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
        return add_problem(work, span, "`plugins` must be a list", help);
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
            Some(source) => {
                if let Some(what) = source_fault(work, source, base) {
                    let help =
                        "write a path that begins with `./`, or `{ \"source\": \"github\", \"repo\": … }`";
                    add_problem(work, source.span, what, help);
                }
            }
            None => add_problem(
                work,
                plugin.span.head(),
                "the plugin has no `source`",
                "add `\"source\": \"./…\"`",
            ),
        }
    }
}

fn source_fault(work: &Work<'_>, source: &Node, base: Option<&str>) -> Option<&'static str> {
    if source.as_map().is_some() {
        let Some(kind) = source.get("source").and_then(Node::as_string) else {
            return Some("`source` has no kind");
        };
        let needs: &[&str] = match kind {
            "github" => &["repo"],
            "url" => &["url"],
            "git-subdir" => &["url", "path"],
            "npm" | "pip" => &["package"],
            _ => return Some("the kind of `source` is unknown"),
        };
        let is_whole = needs.iter().all(|key| source.get(key).and_then(Node::as_string).is_some());
        return (!is_whole).then_some("`source` does not name the place of the plugin");
    }
    let Some(path) = source.as_string() else { return Some("`source` must be a path or an object") };
    if leads_up(path) {
        return Some("`source` leads out of the marketplace");
    }
    if !path.starts_with("./") && base.is_none() {
        return Some("`source` does not begin with `./`");
    }
    let whole = match base.filter(|_| !path.starts_with("./")) {
        Some(base) => format!("{}/{path}", base.trim_end_matches('/')),
        None => path.to_owned(),
    };
    match place::find(work.root, &whole) {
        Found::Inside(_, metadata) if metadata.is_dir() => None,
        Found::Inside(..) => Some("`source` is not a directory"),
        Found::Outside => Some("`source` leads out of the marketplace"),
        Found::Missing => Some("`source` does not exist"),
    }
}
