//! What may be typed at a place: keys, names of skills and steps, paths of templates, filters (SPEC 17.12).

use std::path::Path;

use serde_json::{Value, json};
use skills_core::meta::{self, keys};
use skills_core::tree::Node;
use skills_template::Filter;

use crate::definition::dir_of;
use crate::place;
use crate::root::Root;
use crate::schema;

/// The kinds of the protocol.
const FUNCTION: u64 = 3;
const FIELD: u64 = 5;
const MODULE: u64 = 9;
const PROPERTY: u64 = 10;
const VALUE: u64 = 12;
const FILE: u64 = 17;

/// Returns what may be typed at an offset of a text, which may be ahead of what was judged.
pub(crate) fn complete(root: &Root, path: &Path, text: &str, offset: usize) -> Vec<Value> {
    let Some(before) = text.get(..offset) else { return Vec::new() };
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let below = path.strip_prefix(&root.path).unwrap_or(path).to_string_lossy().replace('\\', "/");
    let work = Work { root, dir: dir_of(&below), text, before, offset };
    if let Some(open) =
        before.rfind("{{").filter(|open| !before[*open..].contains("}}") && !before[*open..].contains('\n'))
    {
        return work.template(&before[open + 2..]);
    }
    match name.as_str() {
        "skill.json" => work.manifest(),
        "SKILL.md" | "ROLE.md" => work.markdown(name == "ROLE.md", path),
        _ => Vec::new(),
    }
}

struct Work<'w> {
    root: &'w Root,
    dir: &'w str,
    text: &'w str,
    before: &'w str,
    offset: usize,
}

impl Work<'_> {
    /// Writes an item that replaces the last `typed` bytes before the place.
    fn item(&self, label: &str, kind: u64, detail: &str, typed: usize) -> Value {
        let range = place::range(self.text, self.offset - typed..self.offset);
        json!({
            "label": label,
            "kind": kind,
            "detail": detail,
            "textEdit": { "range": range, "newText": label },
        })
    }

    fn template(&self, inside: &str) -> Vec<Value> {
        let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
        let start = inside
            .rfind(|c: char| !is_path(c))
            .map_or(0, |at| at + inside[at..].chars().next().map_or(1, char::len_utf8));
        let word = &inside[start..];
        if inside[..start].trim_end().ends_with('|') && !inside[..start].trim_end().ends_with("||") {
            let all = Filter::ALL.into_iter();
            return all
                .map(|filter| self.item(filter.name(), FUNCTION, filter.usage(), word.len()))
                .collect();
        }
        let mut path: Vec<String> = word.split('.').map(str::to_owned).collect();
        let typed = path.pop().map_or(0, |last| last.len());
        let Some(own) = self.root.index.of_dir(&self.root.judged, self.dir) else { return Vec::new() };
        let steps = schema::steps(own);
        if path.is_empty() {
            let roots: &[&str] = if steps.is_empty() {
                &["input", "item", "index"]
            } else {
                &["input", "steps", "item", "index"]
            };
            return roots.iter().map(|root| self.item(root, FIELD, "", typed)).collect();
        }
        if path.len() == 1 && path.first().is_some_and(|root| root == "steps") {
            let named = steps.iter().filter_map(|step| {
                let skill = step.get("skill").and_then(Node::as_string).unwrap_or_default();
                Some((step.get("step")?.as_string()?, skill))
            });
            return named.map(|(name, skill)| self.item(name, FIELD, skill, typed)).collect();
        }
        let Some(part) = schema::read(self.root, own, &path) else { return Vec::new() };
        part.members().iter().map(|(name, part)| self.item(name, FIELD, &part.kind(), typed)).collect()
    }

    fn skills(&self, typed: usize) -> Vec<Value> {
        let skills = self.root.index.skills(&self.root.judged).iter();
        skills.map(|skill| self.item(&skill.name, MODULE, &skill.description, typed)).collect()
    }

    fn manifest(&self) -> Vec<Value> {
        // An open string before the place: what was typed of it, and the key it is the value of.
        let line = self.before.rfind('\n').map_or(0, |at| at + 1);
        let quotes = self.before[line..].matches('"').count();
        if quotes.is_multiple_of(2) {
            return Vec::new();
        }
        let open = self.before.rfind('"').unwrap_or(line);
        let typed = self.before.len() - open - 1;
        let lead = self.before[..open].trim_end();
        if let Some(key) = lead.strip_suffix(':').and_then(last_string) {
            return match key {
                "skill" => self.skills(typed),
                "mode" => ["code", "llm", "composite"]
                    .iter()
                    .map(|mode| self.item(mode, VALUE, "", typed))
                    .collect(),
                "type" => ["string", "number", "integer", "boolean", "array", "object", "null"]
                    .iter()
                    .map(|kind| self.item(kind, VALUE, "", typed))
                    .collect(),
                _ => Vec::new(),
            };
        }
        match enclosing(lead) {
            Some(('[', Some("calls"))) => self.skills(typed),
            Some(('[', Some("depends"))) => {
                let own = self.root.index.of_dir(&self.root.judged, self.dir);
                let steps = own.map(schema::steps).unwrap_or_default().iter();
                steps
                    .filter_map(|step| Some(self.item(step.get("step")?.as_string()?, VALUE, "", typed)))
                    .collect()
            }
            Some(('{', key)) => self.keys(lead, key, typed),
            _ => Vec::new(),
        }
    }

    /// Completes a key: of the file, of a step, or of what a step's skill takes.
    fn keys(&self, lead: &str, above: Option<&str>, typed: usize) -> Vec<Value> {
        let depth = lead.matches('{').count().saturating_sub(lead.matches('}').count());
        let schema: Value = serde_json::from_str(meta::SKILL).unwrap_or_default();
        let named = |node: &Value| -> Vec<Value> {
            let entries = node["properties"].as_object().into_iter().flatten();
            entries
                .map(|(key, about)| {
                    self.item(key, PROPERTY, about["description"].as_str().unwrap_or_default(), typed)
                })
                .collect()
        };
        if depth == 1 {
            return named(&schema);
        }
        if above == Some("input") && depth > 2 {
            let object = lead.rfind("\"skill\"").and_then(|at| lead[at + 7..].split('"').nth(1));
            let callee = object.and_then(|name| self.root.index.find(&self.root.judged, name));
            let input = callee.and_then(|skill| schema::read(self.root, skill, &["input".to_owned()]));
            return input.map_or_else(Vec::new, |part| {
                part.members()
                    .iter()
                    .map(|(name, part)| self.item(name, PROPERTY, &part.kind(), typed))
                    .collect()
            });
        }
        if depth == 2 && above.is_none() {
            let mut steps = &schema["properties"]["pipeline"]["items"];
            if let Some(target) =
                steps["$ref"].as_str().and_then(|target| schema.pointer(target.trim_start_matches('#')))
            {
                steps = target;
            }
            return named(steps);
        }
        Vec::new()
    }

    fn markdown(&self, is_role: bool, path: &Path) -> Vec<Value> {
        let line = &self.before[self.before.rfind('\n').map_or(0, |at| at + 1)..];
        let in_block = self.before.starts_with("---") && !self.before[3..].contains("\n---");
        if !in_block {
            return self.links(line, path);
        }
        if is_role {
            let word = line.rsplit([' ', '[', ',', '"', '-']).next().unwrap_or_default();
            let is_list = line.trim_start().starts_with("skills") || line.trim_start().starts_with("- ");
            return if is_list {
                self.skills(word.len())
            } else {
                vec![self.item("skills", PROPERTY, "", line.len())]
            };
        }
        let Some((key, value)) = line.split_once([':', '=']) else {
            let is_plain = line.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
            let keys = keys::keys().filter(|_| is_plain);
            return keys.map(|key| self.item(key.key, PROPERTY, key.meaning, line.len())).collect();
        };
        let typed = value.trim_start().len();
        match keys::key(key.trim()) {
            Some(key) if key.is_flag => {
                ["true", "false"].iter().map(|word| self.item(word, VALUE, "", typed)).collect()
            }
            Some(key) if matches!(key.key, "exec" | "schema") => self.files(typed, path),
            Some(key) if key.key == "name" => {
                let dir = self.dir.rsplit('/').next().unwrap_or_default();
                vec![self.item(dir, VALUE, "the directory's name", typed)]
            }
            _ => Vec::new(),
        }
    }

    fn links(&self, line: &str, path: &Path) -> Vec<Value> {
        match line.rfind("](") {
            Some(at) if !line[at..].contains(')') => self.files(line.len() - at - 2, path),
            _ => Vec::new(),
        }
    }

    /// Completes the files of the skill that were bundled.
    fn files(&self, typed: usize, path: &Path) -> Vec<Value> {
        let mut skills = self.root.session().into_iter().flat_map(|session| session.skills());
        let own = skills.find(|(_, skill)| skill.dir.path == self.dir);
        let mut files: Vec<String> = own
            .into_iter()
            .flat_map(|(_, skill)| skill.dir.files.iter().map(|file| file.path.clone()))
            .collect();
        if files.is_empty() {
            // A skill with an error is not in the catalog.
            let dir = path.parent().unwrap_or(path);
            for folder in ["", "bin", "scripts", "references", "assets"] {
                let entries =
                    std::fs::read_dir(dir.join(folder)).into_iter().flatten().filter_map(Result::ok);
                let plain = entries.filter(|entry| entry.path().is_file());
                let lead = if folder.is_empty() { String::new() } else { format!("{folder}/") };
                files.extend(plain.map(|entry| format!("{lead}{}", entry.file_name().to_string_lossy())));
            }
            files.sort();
        }
        files.retain(|file| file != "SKILL.md" && !file.starts_with('.'));
        files.iter().map(|file| self.item(file, FILE, "", typed)).collect()
    }
}

/// Returns the string that a text of JSON ends with.
fn last_string(text: &str) -> Option<&str> {
    let text = text.trim_end().strip_suffix('"')?;
    Some(&text[text.rfind('"')? + 1..])
}

/// Returns the bracket that is open at the end of a text of JSON, and the key it is the value of.
fn enclosing(text: &str) -> Option<(char, Option<&str>)> {
    let (mut depth, mut quoted) = (0_usize, false);
    for (at, c) in text.char_indices().rev() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            ']' | '}' => depth += 1,
            '[' | '{' if depth == 0 => {
                return Some((c, text[..at].trim_end().strip_suffix(':').and_then(last_string)));
            }
            '[' | '{' => depth -= 1,
            _ => {}
        }
    }
    None
}
