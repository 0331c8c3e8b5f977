//! Where the skills of a directory are named and used: what definitions, references, names and renames ask.

use std::cell::OnceCell;

use skills_core::fix::Judged;
use skills_core::frontmatter;
use skills_core::report::Report;
use skills_core::span::{FileId, SourceMap, Span};
use skills_core::tree::{Node, json};

use crate::root::Verdict;

/// The index of a directory, made when it is first asked for: a keystroke does not pay for it.
#[derive(Debug, Default)]
pub(crate) struct Index(OnceCell<Vec<Skill>>, OnceCell<Vec<Use>>);

/// One skill, as far as its files can be read.
#[derive(Debug)]
pub(crate) struct Skill {
    pub(crate) name: String,
    pub(crate) description: String,
    /// Its directory below the root.
    pub(crate) dir: String,
    /// Where the name is written.
    pub(crate) named: Vec<Span>,
    /// Where to go for it: the name, else the start of its file.
    pub(crate) place: Span,
    /// Its `skill.json`.
    pub(crate) manifest: Option<Node>,
}

/// A place that names a skill.
#[derive(Debug)]
pub(crate) struct Use {
    pub(crate) name: String,
    pub(crate) span: Span,
}

impl Index {
    pub(crate) fn skills(&self, judged: &Verdict) -> &[Skill] {
        self.0.get_or_init(|| skills(judged.sources()))
    }

    pub(crate) fn uses(&self, judged: &Verdict) -> &[Use] {
        self.1.get_or_init(|| uses(judged.sources(), self.skills(judged)))
    }

    pub(crate) fn find(&self, judged: &Verdict, name: &str) -> Option<&Skill> {
        self.skills(judged).iter().find(|skill| skill.name == name)
    }

    /// Returns the skill of a directory.
    pub(crate) fn of_dir(&self, judged: &Verdict, dir: &str) -> Option<&Skill> {
        self.skills(judged).iter().find(|skill| skill.dir == dir)
    }
}

/// Finds a file of a map by its path.
pub(crate) fn file_id(sources: &SourceMap, path: &str) -> Option<FileId> {
    sources.ids().find(|id| {
        let file = sources.file(*id);
        file.path == path && !file.text.is_empty()
    })
}

/// Parses the frontmatter of a file; what is wrong was reported when it was judged.
pub(crate) fn fields(sources: &SourceMap, path: &str) -> Option<skills_core::parse::Document> {
    let id = file_id(sources, path)?;
    Some(frontmatter::split(id, sources, &mut Report::default()))
}

/// Parses a file of JSON.
pub(crate) fn tree(sources: &SourceMap, path: &str) -> Option<Node> {
    json::parse(sources.file(file_id(sources, path)?), &mut Report::default())
}

fn skills(sources: &SourceMap) -> Vec<Skill> {
    let mut skills: Vec<Skill> = Vec::new();
    for file in sources.files() {
        let (dir, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        if file.text.is_empty() || !matches!(name, "SKILL.md" | "skill.json") {
            continue;
        }
        let at = skills.iter().position(|skill| skill.dir == dir).unwrap_or_else(|| {
            let last = dir.rsplit('/').next().unwrap_or(dir).to_owned();
            skills.push(Skill {
                name: last,
                description: String::new(),
                dir: dir.to_owned(),
                named: Vec::new(),
                place: file.span(0..0),
                manifest: None,
            });
            skills.len() - 1
        });
        let Some(skill) = skills.get_mut(at) else { continue };
        let text = |tree: &Node, key: &str| {
            tree.get(key).and_then(|node| Some((node.as_scalar()?.text.clone(), node.span)))
        };
        let read = match name {
            "skill.json" => tree(sources, &file.path),
            _ => fields(sources, &file.path).and_then(|document| Some(document.frontmatter?.tree)),
        };
        let Some(read) = read else { continue };
        if let Some((given, span)) = text(&read, "name") {
            // The name of `skill.json` is that of the skill.
            if name == "skill.json" || skill.manifest.is_none() {
                skill.name = given;
                skill.place = span;
            }
            skill.named.push(span);
        }
        if let Some((description, _)) = text(&read, "description") {
            skill.description = description;
        }
        if name == "skill.json" {
            skill.manifest = Some(read);
        }
    }
    skills
}

fn uses(sources: &SourceMap, skills: &[Skill]) -> Vec<Use> {
    let mut uses = Vec::new();
    let mut add = |node: &Node| {
        if let Some(scalar) = node.as_scalar() {
            uses.push(Use { name: scalar.text.clone(), span: node.span });
        }
    };
    for manifest in skills.iter().filter_map(|skill| skill.manifest.as_ref()) {
        let list = |key: &str| manifest.get(key).and_then(Node::as_list).unwrap_or_default();
        list("calls").iter().for_each(&mut add);
        list("pipeline").iter().filter_map(|step| step.get("skill")).for_each(&mut add);
    }
    for file in sources.files().iter().filter(|file| file.path.ends_with("ROLE.md")) {
        let document = fields(sources, &file.path);
        let tree = document.and_then(|document| document.frontmatter).map(|frontmatter| frontmatter.tree);
        let list = tree.as_ref().and_then(|tree| tree.get("skills")).and_then(Node::as_list);
        list.unwrap_or_default().iter().for_each(&mut add);
    }
    uses
}
