//! Compares the permissions of skills with a file of observed runs, which `skills learn` and `skills eval --observe`
//! write.

use skills_core::Loaded;
use skills_core::catalog::Skill;
use skills_core::diagnostic::Diagnostic;
use skills_core::document::Dialect;
use skills_core::edit::{Applicability, Change, Fix};
use skills_core::frontmatter;
use skills_core::options::Options;
use skills_core::read::Content;
use skills_core::report::Report;
use skills_core::rule::permissions::{PERMISSION_MISSING, PERMISSION_UNUSED};
use skills_core::span::{FileId, SourceMap, Span};
use skills_core::tree::text::quote;
use skills_core::tree::{MapEntry, Node as Tree, json as tree};
use skills_registry::Permissions;
use skills_schema::json::{self, Kind, Node};

use crate::rights::{self, Right};

/// The version of the files that are read.
const VERSION: &str = "1";

/// The runs of some skills.
#[derive(Clone, Debug, Default)]
pub struct Observations {
    skills: Vec<Observed>,
}

#[derive(Clone, Debug)]
struct Observed {
    name: String,
    /// The rights that were used or refused, each with a description of the first use.
    rights: Vec<(Right, String)>,
}

impl Observations {
    /// Parses a file of observed runs.
    ///
    /// # Errors
    /// Returns the reason if the text is not such a file.
    pub fn parse(text: &str) -> Result<Self, String> {
        let root = json::parse(text).map_err(|fault| fault.to_string())?;
        let version = root.get("format_version").and_then(|node| text.get(node.span.clone()));
        let skills = root.get("skills").filter(|skills| matches!(skills.kind, Kind::Array(_)));
        let (Some(version), Some(skills)) = (version, skills) else {
            let why =
                "it has no `format_version` and no list `skills`; `skills learn --json` writes such a file";
            return Err(why.to_owned());
        };
        if version != VERSION {
            return Err(format!("its `format_version` is {version}, and this program reads {VERSION}"));
        }
        let read = |skill: &Node| {
            let name = skill.get("name").and_then(Node::as_str).ok_or("a skill has no `name`")?;
            let asked = rights::of_node(skill.get("permissions").ok_or("a skill has no `permissions`")?);
            let uses = skill.get("uses").map(Node::items).unwrap_or_default();
            let denied = skill.get("denied").map(Node::items).unwrap_or_default();
            let mut rights: Vec<(Right, String)> = Vec::new();
            for right in rights::list(&asked) {
                let first = uses.iter().find(|used| text_of(used, "value") == right.value);
                rights.push((right, first.map(|used| first_use(used, "")).unwrap_or_default()));
            }
            for used in denied {
                let key =
                    ["read", "write", "net", "env"].into_iter().find(|key| *key == text_of(used, "right"));
                let value = text_of(used, "value").to_owned();
                rights.extend(key.map(|key| (Right { key, value }, first_use(used, "refused: "))));
            }
            Ok(Observed { name: name.to_owned(), rights })
        };
        Ok(Self { skills: skills.items().iter().map(read).collect::<Result<_, String>>()? })
    }

    /// Returns `true` if no skill was observed.
    pub fn is_empty(&self) -> bool {
        self.skills.is_empty()
    }

    /// Returns the names of the observed skills that a directory does not have.
    pub fn unknown<'o>(&'o self, loaded: &Loaded) -> Vec<&'o str> {
        let is_known = |name: &str| loaded.catalog.skills().iter().any(|skill| skill.name == name);
        self.skills.iter().map(|skill| skill.name.as_str()).filter(|name| !is_known(name)).collect()
    }

    /// Adds problems to the report of a checked directory: rights that programs needed and their skills do not request,
    /// and requested rights that no run used.
    pub fn check(&self, loaded: &mut Loaded, options: &Options) {
        let mut found = Vec::new();
        for observed in &self.skills {
            let skills = loaded.catalog.skills().iter().filter(|skill| skill.name == observed.name);
            for skill in skills {
                Place::of(skill, loaded.catalog.sources()).compare(observed, &mut found);
            }
        }
        loaded.report.insert(found, &options.levels, options.profile, loaded.catalog.sources());
    }
}

fn text_of<'n>(node: &'n Node, key: &str) -> &'n str {
    node.get(key).and_then(Node::as_str).unwrap_or_default()
}

/// Describes a use: `refused: read ~/.x (openat by gh), in case 1`.
fn first_use(used: &Node, lead: &str) -> String {
    let [first, call, process, run] = ["first", "call", "process", "run"].map(|key| text_of(used, key));
    let by = match (call, process) {
        ("text" | "proxy", _) | (_, "") => String::new(),
        (call, process) => format!(" ({call} by {process})"),
    };
    format!("{lead}{first}{by}, in {run}")
}

/// The place where a skill lists its permissions.
struct Place<'s> {
    skill: &'s Skill,
    declared: Permissions,
    /// The place of the permissions: the object or a part of it in `skill.json`, or the value in `SKILL.md`.
    form: Form,
}

enum Form {
    /// In `skill.json`: the root object.
    Manifest(Tree),
    /// In `SKILL.md`: the frontmatter, and whether it is YAML.
    Frontmatter(Tree, bool),
    /// Nowhere: the place of the skill.
    None(Span),
}

impl<'s> Place<'s> {
    fn of(skill: &'s Skill, sources: &SourceMap) -> Self {
        let id = |name: &str| match skill.file(name)?.content {
            Content::Text(id) => Some(id),
            _ => None,
        };
        let manifest = id("skill.json").and_then(|id| tree::parse(sources.file(id), &mut Report::default()));
        let document = |id: FileId| frontmatter::split(id, sources, &mut Report::default()).frontmatter;
        let document = id("SKILL.md").and_then(document);
        let document = document.map(|found| (Tree::clone(&found.tree), found.dialect == Dialect::Yaml));
        let is_listed = |(tree, _): &(Tree, bool)| {
            tree.get("metadata").is_some_and(|node| node.get("permissions").is_some())
        };
        let form = match (manifest, document) {
            // The frontmatter lists the permissions, and `skill.json` does not.
            (Some(root), Some(document)) if root.get("permissions").is_none() && is_listed(&document) => {
                Form::Frontmatter(document.0, document.1)
            }
            (Some(root), _) => Form::Manifest(root),
            (None, Some((tree, is_yaml))) => Form::Frontmatter(tree, is_yaml),
            (None, None) => {
                Form::None(sources.files().first().map(|file| file.span(0..0)).unwrap_or_default())
            }
        };
        Self { skill, declared: skill.facts.permissions.clone().unwrap_or_default(), form }
    }

    /// Compares the permissions with what was observed.
    fn compare(&self, observed: &Observed, found: &mut Vec<Diagnostic>) {
        let declared = rights::list(&self.declared);
        let is_missing =
            |right: &Right| !right.is_always() && !declared.iter().any(|other| other.covers(right));
        let missing: Vec<&(Right, String)> =
            observed.rights.iter().filter(|(right, _)| is_missing(right)).collect();
        match self.listed() {
            Some(object) if matches!(self.form, Form::Manifest(_)) => {
                for key in ["read", "write", "net", "env"] {
                    let of_key: Vec<_> =
                        missing.iter().copied().filter(|(right, _)| right.key == key).collect();
                    if !of_key.is_empty() {
                        let entry = object.value.entry(key);
                        let span = entry.map_or(object.key_span, |entry| entry.value.span);
                        found.push(self.missing(
                            span,
                            &of_key,
                            Some(in_key(&object.value, key, entry, &of_key)),
                        ));
                    }
                }
            }
            _ if !missing.is_empty() => found.push(self.missing(self.span(), &missing, self.whole(&missing))),
            _ => {}
        }
        for right in declared.iter().filter(|right| !right.is_always()) {
            let is_used = |(used, _): &(Right, String)| right.covers(used) || used.covers(right);
            let touches = |(used, _): &(Right, String)| {
                used.key == right.key && is_used(&(used.clone(), String::new()))
            };
            if !observed.rights.iter().any(touches) {
                let is_read = observed.rights.iter().any(is_used);
                found.push(self.unused(right, is_read));
            } else if right.value == "all" && !observed.rights.iter().any(|(used, _)| used == right) {
                found.push(self.unused(right, false));
            }
        }
    }

    /// Returns the entry of the manifest or of `metadata` that lists the permissions.
    fn listed(&self) -> Option<&MapEntry> {
        match &self.form {
            Form::Manifest(root) => root.entry("permissions"),
            Form::Frontmatter(tree, _) => tree.get("metadata")?.entry("permissions"),
            Form::None(_) => None,
        }
    }

    fn span(&self) -> Span {
        let root = |root: &Tree| root.entry("name").map_or(root.span.head(), |name| name.key_span);
        self.listed().map(|entry| entry.key_span).unwrap_or_else(|| match &self.form {
            Form::Manifest(tree) | Form::Frontmatter(tree, _) => root(tree),
            Form::None(span) => *span,
        })
    }

    fn missing(&self, span: Span, rights: &[&(Right, String)], fix: Option<Fix>) -> Diagnostic {
        let actions: Vec<String> = rights.iter().map(|(right, _)| right.action()).collect();
        let name = &self.skill.name;
        let title =
            format!("the program of `{name}` {}, which the skill does not request", actions.join(" and "));
        let mut help = format!("add to `permissions`: {}", object(rights.iter().map(|(right, _)| right)));
        for (right, first) in rights.iter().filter(|(_, first)| !first.is_empty()) {
            help.push_str(&format!("\n`{}`: {first}", right.value));
        }
        let mut found =
            PERMISSION_MISSING.at(span, title).label("the rights that the skill requests").help(help);
        found.fix = fix;
        found
    }

    fn unused(&self, right: &Right, is_read: bool) -> Diagnostic {
        let item = self.listed().and_then(|entry| {
            let part = entry.value.entry(right.key)?;
            let items = part.value.as_list().unwrap_or_default();
            Some((part, items.iter().find(|item| item.as_string() == Some(&right.value))))
        });
        let span = match &item {
            Some((_, Some(item))) => item.span,
            Some((part, None)) => part.value.span,
            None => self.span(),
        };
        let (title, help) = match (right.value.as_str(), right.key, is_read) {
            (path, "write", true) => (
                format!("no observed run wrote `{path}`; it was only read"),
                format!("move it to `read`, or add a test case that writes `{path}`"),
            ),
            ("all", "net", _) => (
                "no observed run needed every host".to_owned(),
                "name the hosts in `net`, or write \"none\"".to_owned(),
            ),
            (value, key, _) => (
                format!("no observed run used the permission `{value}` of `{key}`"),
                "remove it, or add a test case that uses it".to_owned(),
            ),
        };
        // A fix must not remove words (SPEC 17.20), and another input may need the permission.
        PERMISSION_UNUSED.at(span, title).label("unused permission").help(help)
    }

    /// Returns the fix that writes the object `permissions`.
    fn whole(&self, missing: &[&(Right, String)]) -> Option<Fix> {
        let declared = rights::list(&self.declared);
        let text = object(declared.iter().chain(missing.iter().map(|(right, _)| right)));
        let quoted = format!("'{}'", text.replace('\'', "''"));
        Some(looked_at(match (&self.form, self.listed()) {
            (Form::Manifest(root), None) => {
                Change::AddMember { to: root.span, text: format!("\"permissions\": {text}") }
            }
            (Form::Frontmatter(_, true), Some(listed)) if listed.value.as_string().is_some() => {
                Change::Replace { span: listed.value.span, text: quoted }
            }
            (Form::Frontmatter(tree, true), None) if tree.get("metadata").is_none() => {
                let text = format!("metadata:\n  permissions: {quoted}");
                Change::InsertBelow { at: tree.entry("name")?.value.span, text }
            }
            _ => return None,
        }))
    }
}

/// Returns the fix that adds rights to one key of an object `permissions`.
fn in_key(object: &Tree, key: &str, entry: Option<&MapEntry>, rights: &[&(Right, String)]) -> Fix {
    let is_all = rights.iter().any(|(right, _)| right.key == "net" && right.value == "all");
    let values: Vec<String> = rights.iter().map(|(right, _)| quote(&right.value)).collect();
    let whole = if is_all { "\"all\"".to_owned() } else { format!("[{}]", values.join(", ")) };
    let change = match entry {
        None => Change::AddMember { to: object.span, text: format!("\"{key}\": {whole}") },
        // The text has no space, because only a single word may replace another one, such as `"none"`.
        Some(entry) if is_all || entry.value.as_list().is_none_or(<[_]>::is_empty) => {
            Change::Replace { span: entry.value.span, text: whole.replace(", ", ",") }
        }
        Some(entry) => Change::AddMember { to: entry.value.span, text: values.join(", ") },
    };
    looked_at(change)
}

fn looked_at(change: Change) -> Fix {
    Fix { applicability: Applicability::Unsafe, changes: vec![change], repeated: None }
}

/// Writes rights as an object `permissions`, without the keys that would be empty.
fn object<'r>(rights: impl Iterator<Item = &'r Right> + Clone) -> String {
    let mut parts = Vec::new();
    for key in ["read", "write", "net", "env"] {
        let mut values: Vec<&str> =
            rights.clone().filter(|right| right.key == key).map(|right| right.value.as_str()).collect();
        values.dedup();
        let quoted: Vec<String> = values.iter().map(|value| quote(value)).collect();
        if key == "net" && values.contains(&"all") {
            parts.push("\"net\": \"all\"".to_owned());
        } else if !values.is_empty() {
            parts.push(format!("\"{key}\": [{}]", quoted.join(", ")));
        }
    }
    if parts.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", parts.join(", ")) }
}
