//! Completion: keys, names of skills and steps, paths of templates, filters.

use std::path::Path;

use lsp_types::{CompletionItem, CompletionItemKind, CompletionTextEdit};
use skills_core::known;
use skills_core::session::Session;
use skills_core::tree::Node;
use skills_schema::Part as Schema;
use skills_template::Filter;
use skills_text::{frontmatter_tag, path_below, unmarked};

use crate::cursor;
use crate::draft::{self, Cursor};
use crate::evals;
use crate::root::{Root, dir_of};
use crate::schema;

/// Returns the completions at an offset of a text, which may be newer than the last checked text.
pub(crate) fn complete(
    root: &Root,
    path: &Path,
    text: &str,
    offset: usize,
    role_skills: &dyn Fn() -> Vec<(String, String)>,
) -> Vec<CompletionItem> {
    let Some(before) = text.get(..offset) else { return Vec::new() };
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let below = path.strip_prefix(&root.path).unwrap_or(path).to_string_lossy().replace('\\', "/");
    let dir = root.session().and_then(|session| home(session, &below)).unwrap_or(dir_of(&below));
    let work = Work { root, dir, text, before, offset, name: &name, role_skills };
    if let Some(inside) = cursor::open_template(before) {
        return work.template(inside);
    }
    match name.as_str() {
        "skill.json" => work.json(false),
        "plugin.json" | "marketplace.json" => Vec::new(),
        _ if evals::is_file(path) => work.evals(),
        _ if name.ends_with(".json") => work.json(true),
        "SKILL.md" | "ROLE.md" => work.markdown(name == "ROLE.md"),
        _ => Vec::new(),
    }
}

struct Work<'w> {
    root: &'w Root,
    dir: &'w str,
    text: &'w str,
    before: &'w str,
    offset: usize,
    name: &'w str,
    /// The skills that a project may name, with their descriptions.
    role_skills: &'w dyn Fn() -> Vec<(String, String)>,
}

/// Returns the directory of the skill that contains a file.
fn home<'s>(session: &'s Session, file: &str) -> Option<&'s str> {
    let dirs = session.skills().map(|(_, skill)| skill.dir.path.as_str());
    dirs.filter(|dir| path_below(file, dir).is_some()).max_by_key(|dir| dir.len())
}

impl Work<'_> {
    /// Creates an item that replaces the last `typed` bytes before the cursor.
    fn item(&self, label: &str, kind: CompletionItemKind, detail: &str, typed: usize) -> CompletionItem {
        let edit = self.root.encoding.edit(self.text, self.offset - typed..self.offset, label);
        CompletionItem {
            label: label.to_owned(),
            kind: Some(kind),
            detail: Some(detail.to_owned()),
            text_edit: Some(CompletionTextEdit::Edit(edit)),
            ..CompletionItem::default()
        }
    }

    fn template(&self, inside: &str) -> Vec<CompletionItem> {
        let word = cursor::last_path(inside);
        let before = inside[..inside.len() - word.len()].trim_end();
        if before.ends_with('|') && !before.ends_with("||") {
            let all = Filter::ALL.into_iter();
            return all
                .map(|filter| {
                    self.item(filter.as_str(), CompletionItemKind::FUNCTION, filter.usage(), word.len())
                })
                .collect();
        }
        let mut path: Vec<String> = word.split('.').map(str::to_owned).collect();
        let typed = path.pop().map_or(0, |last| last.len());
        let Some(own) = self.root.of_dir(self.dir) else { return Vec::new() };
        let steps = schema::steps(own);
        if path.is_empty() {
            let roots = ["input", "steps", "item", "index"].into_iter();
            let roots = roots.filter(|root| *root != "steps" || !steps.is_empty());
            return roots.map(|root| self.item(root, CompletionItemKind::FIELD, "", typed)).collect();
        }
        if path.len() == 1 && path.first().is_some_and(|root| root == "steps") {
            let named = steps.iter().filter_map(|step| {
                let skill = step.get("skill").and_then(Node::as_string).unwrap_or_default();
                Some((step.get("step")?.as_string()?, skill))
            });
            return named
                .map(|(name, skill)| self.item(name, CompletionItemKind::FIELD, skill, typed))
                .collect();
        }
        let Some(part) = schema::read(self.root, own, &path) else { return Vec::new() };
        let members = schema::members(part.schema).into_iter();
        members
            .map(|(name, part)| self.item(name, CompletionItemKind::FIELD, &schema::kind(part), typed))
            .collect()
    }

    fn skills(&self, typed: usize) -> Vec<CompletionItem> {
        let skills = (self.role_skills)();
        skills.iter().map(|(name, about)| self.item(name, CompletionItemKind::MODULE, about, typed)).collect()
    }

    /// Completes a file of `evals`.
    fn evals(&self) -> Vec<CompletionItem> {
        let Some(cursor) = draft::read(self.text, self.offset).1 else { return Vec::new() };
        self.all_written(evals::words(self.root, self.root.of_dir(self.dir), &cursor), &cursor)
    }

    /// Completes JSON that may be incomplete; `is_schema` says that the whole file is a schema.
    fn json(&self, is_schema: bool) -> Vec<CompletionItem> {
        let (tree, cursor) = draft::read(self.text, self.offset);
        let (Some(tree), Some(cursor)) = (tree, cursor) else { return Vec::new() };
        let keys: Vec<&str> = cursor.path.iter().map(String::as_str).collect();
        let of_schema = match keys.as_slice() {
            _ if is_schema => true,
            [first, ..] => matches!(*first, "input" | "output"),
            [] => false,
        };
        let words: Vec<Word> = match (of_schema, cursor.is_key, keys.as_slice()) {
            (true, true, path) => schema_keys(path),
            (true, false, path) => self.schema_values(&tree, path),
            (_, true, ["outputMapping"]) => self.properties(tree.get("output")),
            (_, true, ["pipeline", at, "input"]) => {
                let step = at.parse().ok().and_then(|at: usize| tree.get("pipeline")?.as_list()?.get(at));
                let name = step.and_then(|step| step.get("skill")?.as_string()).unwrap_or_default();
                let input = self.root.find(name).and_then(|skill| skill.schema(self.root.session(), "input"));
                input.map_or_else(Vec::new, properties)
            }
            (_, false, ["calls", _] | ["pipeline", _, "skill"]) => self.names(),
            (_, false, ["pipeline", at, "depends", _]) => {
                let steps = tree.get("pipeline").and_then(Node::as_list).unwrap_or_default();
                let others = (0..).zip(steps).filter(|(nth, _): &(usize, _)| nth.to_string() != *at);
                let named = others.filter_map(|(_, step)| step.get("step")?.as_string());
                named.map(|name| Word::new(name, CompletionItemKind::VALUE, "")).collect()
            }
            (_, true, path) => manifest_keys(path),
            (_, false, path) => manifest_values(path),
        };
        self.all_written(words, &cursor)
    }

    /// Creates the items of words, without keys that the object already has.
    fn all_written(&self, words: Vec<Word>, cursor: &Cursor) -> Vec<CompletionItem> {
        let fresh = words.into_iter().filter(|word| !cursor.is_key || !cursor.siblings.contains(&word.text));
        fresh.map(|word| self.written(&word, cursor)).collect()
    }

    /// Creates an item of JSON, adding missing quotes, and the colon after a key.
    fn written(&self, word: &Word, cursor: &Cursor) -> CompletionItem {
        let quoted =
            if cursor.is_quoted || word.is_bare { word.text.clone() } else { format!("\"{}\"", word.text) };
        let colon = if cursor.is_key && !cursor.is_quoted && !cursor.has_colon { ": " } else { "" };
        let edit = self.root.encoding.edit(self.text, cursor.word.clone(), format!("{quoted}{colon}"));
        CompletionItem {
            label: word.text.clone(),
            kind: Some(word.kind),
            detail: Some(word.detail.clone()),
            // Editors compare this text with the text in the range, including quotes.
            filter_text: Some(if cursor.is_quoted { word.text.clone() } else { quoted }),
            text_edit: Some(CompletionTextEdit::Edit(edit)),
            ..CompletionItem::default()
        }
    }

    fn names(&self) -> Vec<Word> {
        let skills = self.root.skills().iter();
        skills.map(|skill| Word::new(&skill.name, CompletionItemKind::MODULE, &skill.description)).collect()
    }

    fn schema_values(&self, tree: &Node, path: &[&str]) -> Vec<Word> {
        let Some((last, above)) = path.split_last() else { return Vec::new() };

        match (*last, above.split_last()) {
            ("type", _) | (_, Some((&"type", _))) => words(&TYPES),
            ("format", _) => {
                words(&["date", "date-time", "time", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"])
            }
            ("additionalProperties" | "uniqueItems", _) => bare(&["true", "false"]),
            (_, Some((&"required", object))) => self.properties(node_at(tree, object)),
            ("$ref", _) => {
                // In `skill.json` a reference is relative to its schema.
                let whole = if self.is_schema_file() {
                    Some(tree)
                } else {
                    path.first().and_then(|first| tree.get(first))
                };
                let mut found = Vec::new();
                for key in ["definitions", "$defs"] {
                    let entries = whole.and_then(|whole| whole.get(key)?.as_map()).unwrap_or_default();
                    found.extend(entries.iter().map(|entry| {
                        Word::new(&format!("#/{key}/{}", entry.key), CompletionItemKind::VALUE, "")
                    }));
                }
                found.extend(
                    self.paths()
                        .filter(|path| path.ends_with(".json") && path != "skill.json")
                        .map(|path| Word::new(&path, CompletionItemKind::FILE, "")),
                );
                found
            }
            _ => Vec::new(),
        }
    }

    /// Returns the properties of a schema that may be incomplete.
    fn properties(&self, node: Option<&Node>) -> Vec<Word> {
        let text = node.map(skills_core::tree::text::to_json).unwrap_or_default();
        let document = self.root.session().and_then(|session| session.read_schema(self.dir, &text));
        document.map_or_else(Vec::new, |document| properties(document.root()))
    }

    fn is_schema_file(&self) -> bool {
        !self.name.ends_with("skill.json")
    }

    fn markdown(&self, is_role: bool) -> Vec<CompletionItem> {
        let line = &self.before[self.before.rfind('\n').map_or(0, |at| at + 1)..];
        let mut above = unmarked(self.before).lines().map(str::trim_end);
        let is_open = self.before.contains('\n') && above.next().and_then(frontmatter_tag).is_some();
        if !is_open || above.any(|line| line == "---") {
            return self.links(line);
        }
        if is_role {
            let word = line.rsplit([' ', '[', ',', '"', '-']).next().unwrap_or_default();
            let is_list = line.trim_start().starts_with("skills") || line.trim_start().starts_with("- ");
            return if is_list {
                self.skills(word.len())
            } else {
                vec![self.item("skills", CompletionItemKind::PROPERTY, "", line.len())]
            };
        }
        let Some((key, value)) = line.split_once([':', '=']) else {
            let is_plain = line.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
            let keys = known::KEYS.iter().filter(|_| is_plain);
            return keys
                .map(|key| self.item(key.key, CompletionItemKind::PROPERTY, key.meaning, line.len()))
                .collect();
        };
        let typed = value.trim_start().trim_start_matches(['"', '\'']).len();
        match known::find(key.trim()) {
            Some(key) if key.is_flag() => ["true", "false"]
                .iter()
                .map(|word| self.item(word, CompletionItemKind::VALUE, "", typed))
                .collect(),
            Some(key) if matches!(key.key, "exec" | "schema") => self.files(typed),
            Some(key) if key.key == "name" => {
                let dir = self.dir.rsplit('/').next().unwrap_or_default();
                vec![self.item(dir, CompletionItemKind::VALUE, "the name of the directory", typed)]
            }
            _ => Vec::new(),
        }
    }

    fn links(&self, line: &str) -> Vec<CompletionItem> {
        match line.rfind("](") {
            Some(at) if !line[at..].contains(')') => self.files(line.len() - at - 2),
            _ => Vec::new(),
        }
    }

    /// Completes paths of the skill's bundled files.
    fn files(&self, typed: usize) -> Vec<CompletionItem> {
        let shown = self.paths().filter(|path| path != "SKILL.md" && !path.starts_with('.'));
        shown.map(|path| self.item(&path, CompletionItemKind::FILE, "", typed)).collect()
    }

    fn paths(&self) -> impl Iterator<Item = String> {
        let mut skills = self.root.session().into_iter().flat_map(|session| session.skills());
        let own = skills.find(|(_, skill)| skill.dir.path == self.dir);
        own.into_iter().flat_map(|(_, skill)| skill.dir.files.iter().map(|file| file.path.clone()))
    }
}

/// Returns the node at a path of keys and indexes.
fn node_at<'n>(tree: &'n Node, path: &[&str]) -> Option<&'n Node> {
    path.iter().try_fold(tree, |node, key| match node.as_list() {
        Some(items) => items.get(key.parse::<usize>().ok()?),
        None => node.get(key),
    })
}

/// A possible completion.
pub(crate) struct Word {
    text: String,
    kind: CompletionItemKind,
    detail: String,
    /// Whether it is written without quotes.
    is_bare: bool,
}

impl Word {
    pub(crate) fn new(text: &str, kind: CompletionItemKind, detail: &str) -> Self {
        Self { text: text.to_owned(), kind, detail: detail.to_owned(), is_bare: false }
    }
}

const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "array", "object", "null"];

/// The keywords that schemas commonly use.
const KEYWORDS: &str = "type description properties required additionalProperties items enum const default title examples \
                        format pattern minLength maxLength minimum maximum minItems maxItems uniqueItems anyOf oneOf \
                        allOf $ref definitions $schema";

/// Returns the keys of a schema; below `properties` and similar keywords the author chooses the names.
fn schema_keys(path: &[&str]) -> Vec<Word> {
    match path.last() {
        Some(&("properties" | "patternProperties" | "definitions" | "$defs")) => Vec::new(),
        _ => KEYWORDS.split(' ').map(|word| Word::new(word, CompletionItemKind::PROPERTY, "")).collect(),
    }
}

fn words(all: &[&str]) -> Vec<Word> {
    all.iter().map(|word| Word::new(word, CompletionItemKind::VALUE, "")).collect()
}

/// Returns words that are written without quotes.
pub(crate) fn bare(all: &[&str]) -> Vec<Word> {
    all.iter().map(|word| Word { is_bare: true, ..Word::new(word, CompletionItemKind::VALUE, "") }).collect()
}

/// Returns the properties of a schema.
pub(crate) fn properties(schema: Schema<'_>) -> Vec<Word> {
    let members = schema::members(schema::resolved(schema)).into_iter();
    members.map(|(name, part)| Word::new(name, CompletionItemKind::PROPERTY, &schema::kind(part))).collect()
}

/// Returns the allowed keys of the object at a path of `skill.json`, with their meanings.
fn manifest_keys(path: &[&str]) -> Vec<Word> {
    let schema = schema::of_manifest(path).map(schema::resolved);
    let keys = schema.map(|schema| schema.members_of("properties")).unwrap_or_default();
    keys.iter()
        .map(|key| Word::new(key.key, CompletionItemKind::PROPERTY, schema::description(key.value)))
        .collect()
}

/// Returns the allowed values at a path of `skill.json`, if they are few.
fn manifest_values(path: &[&str]) -> Vec<Word> {
    let Some(schema) = schema::of_manifest(path).map(schema::resolved) else { return Vec::new() };
    if schema.types() == ["boolean"] {
        return bare(&["true", "false"]);
    }
    let values = schema.items_of("enum").into_iter();
    values.filter_map(|value| Some(Word::new(value.as_str()?, CompletionItemKind::VALUE, ""))).collect()
}
