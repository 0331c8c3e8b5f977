//! Indexes the names and uses of a directory's skills, for definitions, references, hovers and renames.

use std::cell::OnceCell;
use std::path::Path;

use skills_core::frontmatter;
use skills_core::parse::ParsedSkill;
use skills_core::report::Report;
use skills_core::session::Session;
use skills_core::span::{FileId, SourceMap, Span};
use skills_core::tree::text::to_json;
use skills_core::tree::{Node, json};
use skills_registry::evals::SKILL_NAME;
use skills_schema::{Document, Part};
use skills_text::path_below;

use crate::{draft, evals};

/// The index of a directory, created on first use, so that a keystroke does not pay for it.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) skills: OnceCell<Vec<IndexedSkill>>,
    pub(crate) uses: OnceCell<Vec<Use>>,
}

impl Index {
    /// Updates the index for the skills that contain one of the changed files, which are given by their paths below
    /// the root. Other skills need no update, because a changed text moves no positions in other files.
    pub(crate) fn update(&mut self, session: &Session, changed: &[String]) {
        self.uses = OnceCell::new();
        let Some(known) = self.skills.get_mut() else { return };
        for (skill, (name, parsed)) in known.iter_mut().zip(session.skills()) {
            if changed.iter().any(|path| path_below(path, &parsed.dir.path).is_some()) {
                *skill = IndexedSkill::new(session, name, parsed);
            }
        }
    }
}

/// One skill, as far as its files can be parsed.
#[derive(Debug)]
pub(crate) struct IndexedSkill {
    pub(crate) name: String,
    pub(crate) description: String,
    /// Its directory below the root.
    pub(crate) dir: String,
    /// The places where its name is defined.
    pub(crate) named: Vec<Span>,
    /// The target of a definition request: the name, or the start of its file.
    pub(crate) place: Span,
    /// Its `skill.json`.
    pub(crate) manifest: Option<Node>,
    /// Whether that text is incomplete, so that the spans of the tree are meaningless.
    pub(crate) is_drafted: bool,
    /// The schemas in that text, with their keys.
    drafted: Vec<(&'static str, Document)>,
}

impl IndexedSkill {
    fn new(session: &Session, name: &str, parsed: &ParsedSkill) -> Self {
        let sources = session.sources();
        let fields =
            parsed.document.as_ref().and_then(|document| Some(&*document.frontmatter.as_ref()?.tree));
        let manifest = parsed.manifest.as_ref().map(|manifest| &manifest.tree);
        // `skill.json` has precedence over `SKILL.md`.
        let trees: Vec<&Node> = [manifest, fields].into_iter().flatten().collect();
        let named: Vec<Span> =
            trees.iter().filter_map(|tree| tree.get("name")).map(|node| node.span).collect();
        let description = trees.iter().find_map(|tree| tree.get("description")).and_then(Node::as_scalar);
        let entry = ["skill.json", "SKILL.md"].into_iter().find_map(|file| parsed.dir.text(file));
        // An incomplete text is parsed as far as possible; its spans are meaningless.
        let broken = parsed.dir.text("skill.json").filter(|_| manifest.is_none() && parsed.foreign.is_none());
        let draft = broken.and_then(|file| draft::read(&sources.file(file).text, usize::MAX).0);
        let drafted = ["input", "output"].into_iter().filter_map(|key| {
            let text = to_json(draft.as_ref()?.get(key)?);
            Some((key, session.read_schema(&parsed.dir.path, &text)?))
        });
        Self {
            name: name.to_owned(),
            description: description.map_or_else(String::new, |scalar| scalar.text.clone()),
            dir: parsed.dir.path.clone(),
            place: named
                .first()
                .copied()
                .or_else(|| Some(sources.file(entry?).span(0..0)))
                .unwrap_or_default(),
            named,
            is_drafted: broken.is_some(),
            drafted: drafted.collect(),
            manifest: manifest.cloned().or(draft),
        }
    }

    /// Returns the schema under `input` or `output`.
    pub(crate) fn schema<'s>(&'s self, session: Option<&'s Session>, key: &str) -> Option<Part<'s>> {
        if self.is_drafted {
            return self.drafted.iter().find(|(known, _)| *known == key).map(|(_, schema)| schema.root());
        }
        session?.schema(&self.dir, key)
    }
}

/// A place that names a skill.
#[derive(Debug)]
pub(crate) struct Use {
    pub(crate) name: String,
    pub(crate) span: Span,
}

impl Use {
    fn new(node: &Node) -> Option<Self> {
        Some(Self { name: node.as_scalar()?.text.clone(), span: node.span })
    }
}

/// Finds a file of a map by its path.
pub(crate) fn file_id(sources: &SourceMap, path: &str) -> Option<FileId> {
    sources.ids().find(|id| {
        let file = sources.file(*id);
        file.path == path && !file.text.is_empty()
    })
}

/// Parses the frontmatter of a file; faults were reported when it was checked.
pub(crate) fn fields(sources: &SourceMap, path: &str) -> Option<skills_core::parse::SkillDocument> {
    let id = file_id(sources, path)?;
    Some(frontmatter::split(id, sources, &mut Report::default()))
}

/// Parses a file of JSON.
pub(crate) fn tree(sources: &SourceMap, path: &str) -> Option<Node> {
    json::parse(sources.file(file_id(sources, path)?), &mut Report::default())
}

/// Finds the skills of a directory.
pub(crate) fn skills(session: &Session) -> Vec<IndexedSkill> {
    session.skills().map(|(name, parsed)| IndexedSkill::new(session, name, parsed)).collect()
}

/// Finds the places where skills are called or named.
pub(crate) fn uses(sources: &SourceMap, skills: &[IndexedSkill]) -> Vec<Use> {
    let mut uses = Vec::new();
    let whole = skills.iter().filter(|skill| !skill.is_drafted);
    for manifest in whole.filter_map(|skill| skill.manifest.as_ref()) {
        uses.extend(items_of(manifest, "calls").iter().filter_map(Use::new));
        let steps = items_of(manifest, "pipeline").iter();
        uses.extend(steps.filter_map(|step| step.get("skill")).filter_map(Use::new));
    }
    for file in sources.files().iter().filter(|file| evals::is_file(Path::new(&file.path))) {
        if let Some(name) = tree(sources, &file.path).as_ref().and_then(|tree| tree.get(SKILL_NAME.name)) {
            uses.extend(Use::new(name));
        }
    }
    for file in sources.files().iter().filter(|file| file.path.ends_with("ROLE.md")) {
        let document = fields(sources, &file.path);
        let tree = document.and_then(|document| document.frontmatter).map(|frontmatter| frontmatter.tree);
        let skills = tree.as_ref().map(|tree| items_of(tree, "skills")).unwrap_or_default();
        uses.extend(skills.iter().filter_map(Use::new));
    }
    uses
}

/// Returns the items of the list under a key.
fn items_of<'n>(tree: &'n Node, key: &str) -> &'n [Node] {
    tree.get(key).and_then(Node::as_list).unwrap_or_default()
}
