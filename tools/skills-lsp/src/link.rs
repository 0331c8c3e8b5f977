//! Document links: the files that a skill names.

use std::ops::Range;
use std::path::Path;

use lsp_types::DocumentLink;
use skills_core::session;
use skills_core::tier;
use skills_core::tree::Node;

use crate::convert::Lines;
use crate::index;
use crate::root::{Root, dir_of};

/// Returns the links of a file to existing files of its directory.
pub(crate) fn links(root: &Root, path: &Path) -> Vec<DocumentLink> {
    let Some(file) = root.file(path) else { return Vec::new() };
    let (sources, dir) = (root.sources(), dir_of(&file.path));
    let mut found: Vec<(Range<usize>, String)> = Vec::new();
    if file.path.ends_with(".md") {
        found = session::links(&file.text, dir);
        let fields = index::fields(sources, &file.path).and_then(|document| document.frontmatter);
        let skills = root.session().into_iter().flat_map(|session| session.skills());
        let own = skills.map(|(_, skill)| skill).find(|skill| skill.dir.path == dir);
        if let Some((fields, skill)) = fields.zip(own) {
            let named = |key: &str| {
                Some((fields.tree.get(key)?.span, fields.tree.get(key).and_then(Node::as_string)?))
            };
            let exec = named("exec").and_then(|(at, exec)| Some((at, tier::find_program(&skill.dir, exec)?)));
            let schema =
                named("schema").and_then(|(at, path)| Some((at, tier::find_schema(&skill.dir, path)?)));
            found.extend(exec.into_iter().chain(schema).map(|(at, target)| {
                (sources.range(at), Path::new(dir).join(&target.path).to_string_lossy().into_owned())
            }));
        }
    }
    // The target of a link may also count as a mention.
    found.sort_by_key(|(at, _)| at.start);
    found.dedup_by(|later, first| later.0.start < first.0.end);
    let lines = Lines::new(&file.text, root.encoding);
    let link = |(at, place): (Range<usize>, String)| {
        let target = root.inside(Path::new(&place))?;
        let (range, target) = (lines.range(at), Some(root.uri(&target)));
        Some(DocumentLink { range, target, tooltip: None, data: None })
    };
    found.into_iter().filter_map(link).collect()
}
