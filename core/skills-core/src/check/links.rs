//! Checks that each link and each mention of a file in a body names an existing file.

use std::ops::Range;

use skills_registry::{Places, path_below, path_names, percent_decoded_text, sort};

use super::draft::Draft;
use super::link_line::Line;
use super::link_text::{links, mentions};
use crate::edit::Change;
use crate::fences::{Fence, fence_at, fences};
use crate::read::Scope;
use crate::report::Report;
use crate::rule::lints;
use crate::span::{SourceMap, Span};

/// All known files below the root.
pub(crate) struct Surroundings<'a> {
    drafts: &'a [Draft],
    /// The skills by path.
    skills: Places,
    /// The same paths, sorted.
    paths: Vec<&'a str>,
    /// The names of the skills, and of their directories, with their numbers, sorted.
    names: Vec<(&'a str, usize)>,
    /// Files that are part of no skill, sorted.
    others: &'a [String],
    scope: Scope,
}

impl<'a> Surroundings<'a> {
    /// Collects all skills, and the files that do not belong to one.
    pub(crate) fn new(drafts: &'a [Draft], others: &'a [String], scope: Scope) -> Self {
        let mut skills = Places::default();
        for (at, draft) in drafts.iter().enumerate() {
            skills.insert(draft.skill.dir.path.clone(), at);
        }
        let mut paths: Vec<&str> = drafts.iter().map(|draft| draft.skill.dir.path.as_str()).collect();
        sort(&mut paths, &|a, b| a.cmp(b));
        let both = |(at, draft): (usize, &'a Draft)| [(&*draft.name, at), (&*draft.skill.dir.name, at)];
        let mut names: Vec<(&str, usize)> = drafts.iter().enumerate().flat_map(both).collect();
        sort(&mut names, &|a, b| a.cmp(b));
        names.dedup();
        Self { drafts, skills, paths, names, others, scope }
    }
}

/// Checks the body of one skill against the existing files.
pub(crate) fn check(draft: &Draft, around: &Surroundings<'_>, sources: &SourceMap, report: &mut Report) {
    let Some(document) = &draft.skill.document else { return };
    let text_scan = document.text_scan;
    if !text_scan.has_bracket && !text_scan.has_slash {
        return;
    }
    let mut look = Look { around, draft, outward: Vec::new(), room: report.room(), report };
    look.over(document.body, sources.text(document.body), text_scan.has_bracket, text_scan.has_slash);
    look.tell_outward();
}

/// One body while it is searched.
struct Look<'l, 'a> {
    around: &'l Surroundings<'a>,
    draft: &'l Draft,
    /// Links out of the skill to files that exist or may exist.
    outward: Vec<(Span, String)>,
    /// The limit on problems up to which similar names are searched for missing files.
    room: usize,
    report: &'l mut Report,
}

impl Look<'_, '_> {
    fn over(&mut self, body: Span, text: &str, has_bracket: bool, has_slash: bool) {
        let links = if has_bracket { links(text) } else { Vec::new() };
        let mentions = if has_slash { mentions(text) } else { Vec::new() };
        if links.is_empty() && mentions.is_empty() {
            return;
        }
        let fences = fences(text);
        let mut line = Line::default();
        for link in links.iter().filter(|link| link.is_file && fence_at(&fences, link.start).is_none()) {
            line.reach(text, link.label);
            let is_proposed = line.is_proposed(link.label);
            self.link(body.part(link.start, link.end), &text[link.start..link.end], is_proposed);
        }
        // Some problems of this body belong before the links out of the skill.
        self.room = self.report.room();
        for (start, end) in mentions {
            // Text inside a link was already checked by the target of the link.
            let at = links.partition_point(|link| link.end <= start);
            let is_linked = links.get(at).is_some_and(|link| link.label < end);
            line.reach(text, start);
            if !is_linked && self.is_promise(text, &mut line, start..end, fence_at(&fences, start)) {
                self.mention(body.part(start, end), &text[start..end], &mut line, start);
            }
        }
    }

    fn link(&mut self, span: Span, target: &str, is_proposed: bool) {
        let path = path_of(target);
        if is_pattern(path) || path.contains("path/to") {
            return;
        }
        let decoded = percent_decoded_text(path);
        let Some(place) = resolve(&self.draft.skill.dir.path, decoded.as_ref()) else {
            return self.outward.push((span, path.to_owned()));
        };
        match self.inside(&place) {
            Some(inside) => self.judge(span, "link", path, &place, inside.to_owned(), is_proposed),
            None if self.leads_to_skill(&place) => {}
            None if self.around.exists(&place) => self.outward.push((span, path.to_owned())),
            // Skills are loaded by name, wherever they are: a neighbouring skill may be installed elsewhere.
            None if is_sibling(decoded.as_ref()) => {}
            None if !is_proposed => {
                lints::BROKEN_LINK
                    .at(span, format!("the link `{path}` points to a file that does not exist"))
                    .label("no such file; the path is also outside the skill")
                    .help("copy the file into the skill, and link to the copy")
                    .add_to(self.report);
            }
            None => {}
        }
    }

    fn mention(&mut self, span: Span, path: &str, line: &mut Line<'_>, at: usize) {
        if is_pattern(path) {
            return;
        }
        let Some(place) = resolve(&self.draft.skill.dir.path, path) else { return };
        // A skill of a project may also refer to files of the project.
        let above =
            self.draft.skill.dir.path.match_indices('/').map(|(at, _)| &self.draft.skill.dir.path[..at]);
        let mut above = above.chain([""]).filter_map(|above| resolve(above, path));
        if self.around.scope == Scope::Repository && above.any(|place| self.around.exists(&place)) {
            return;
        }
        if let Some(inside) = self.inside(&place).map(str::to_owned) {
            if !has(self.draft, &inside) && self.is_of_another(&inside, line, at) {
                return;
            }
            self.judge(span, "mention", path, &place, inside, false);
        }
    }

    /// Returns `true` if a mention refers to a file of another skill in the folder that is named on that line
    /// or the line before it: `pdf`'s `references/forms.md`.
    fn is_of_another(&self, path: &str, line: &mut Line<'_>, at: usize) -> bool {
        let around = self.around;
        let find = |name: &str| {
            let first = around.names.partition_point(|(known, _)| *known < name);
            let count = around.names[first..].partition_point(|(known, _)| *known <= name);
            around.names[first..first + count].iter().map(|(_, number)| *number)
        };
        line.named(at, find).take(NAMED).filter_map(|number| around.drafts.get(number)).any(|other| {
            other.skill.dir.folder == self.draft.skill.dir.folder
                && !std::ptr::eq(other, self.draft)
                && has(other, path)
        })
    }

    /// Checks a path that stays in the skill.
    fn judge(&mut self, span: Span, what: &str, path: &str, place: &str, inside: String, is_proposed: bool) {
        if has(self.draft, &inside) || is_proposed {
            return;
        }
        if self.around.exists(place) {
            // The file exists in the repository, but a program will not find a file that the bundle leaves
            // out.
            if self.around.scope == Scope::Bundle {
                lints::BROKEN_LINK
                    .at(span, format!("the {what} `{path}` names a file that is left out of the bundle"))
                    .label("hidden or excluded by `.skillignore`")
                    .help("remove the file from `.skillignore`, or rename it if it is hidden")
                    .add_to(self.report);
            }
            return;
        }
        let files = self.draft.skill.dir.files.iter().map(|file| file.path.as_str());
        // Compare only file names, because folder names are often the same.
        let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_lowercase();
        let wanted = name(&inside);
        let files = files.filter(|path| skills_registry::nearest(&wanted, [name(path).as_str()]).is_some());
        let files = files.take(if self.report.has(self.room) { usize::MAX } else { 0 });
        // Windows separates folders by a character that is a part of a name on other systems.
        let slashed = inside.replace('\\', "/");
        let turned = (slashed != inside && has(self.draft, &slashed)).then_some(slashed.as_str());
        let near = turned.or_else(|| skills_registry::nearest(&inside, files));
        let help = match near {
            Some(near) if turned.is_some() => format!("use `/` as the separator: `{near}`"),
            None if what == "link" && is_host(path) => format!("add the scheme: `https://{path}`"),
            Some(near) => format!("change the path to `{near}`"),
            None => format!("add the file `{slashed}` to the skill"),
        };
        // The text after `#` or `?` is kept; a name with a space would need another form of link.
        let fix = near
            .filter(|near| !near.contains([' ', '(', ')']))
            .map(|near| Change::replace(span.part(0, path.len()), near).looked_at());
        lints::BROKEN_LINK
            .at(span, format!("the {what} `{path}` points to a file that does not exist"))
            .label("no such file in the skill")
            .help(help)
            .fix(fix)
            .add_to(self.report);
    }

    /// Returns `true` if a mention states that the skill has the file. Files to create do not count. In code,
    /// only a file that a command runs counts, if the skill has its folder.
    fn is_promise(&self, text: &str, line: &mut Line<'_>, at: Range<usize>, fence: Option<&Fence>) -> bool {
        let behind = &text[at.end..];
        let is_location =
            behind.strip_prefix(':').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if line.is_proposed(at.start)
            || line.is_wished(at.end)
            || is_location
            || line.is_made(fence.is_some())
        {
            return false;
        }
        let Some(fence) = fence else { return true };
        let word = line
            .before(at.start)
            .trim()
            .trim_start_matches("$ ")
            .split_whitespace()
            .next()
            .unwrap_or_default();
        let runs = word.is_empty() || RUNNERS.contains(&word);
        let folder = text[at].trim_start_matches("./").split('/').next().unwrap_or_default();
        fence.is_shell && runs && has(self.draft, folder)
    }

    /// Reports once per skill that it links to files outside.
    fn tell_outward(&mut self) {
        let outward: Vec<&(Span, String)> =
            self.outward.iter().filter(|(_, path)| !is_sibling(path)).collect();
        let Some((span, path)) = outward.first() else { return };
        let title = match outward.len() {
            1 => format!("the link `{path}` leads out of the skill"),
            count => format!("{count} links lead out of the skill, the first to `{path}`"),
        };
        lints::LINK_LEAVES_SKILL
            .at(*span, title)
            .label("does not travel with the skill")
            .help("copy the file into the skill")
            .add_to(self.report);
    }

    /// Returns `true` if a path is another skill of the same folder, or its `SKILL.md`; skills are loaded by
    /// name.
    fn leads_to_skill(&self, place: &str) -> bool {
        let other = self.around.skills.get(place.strip_suffix("/SKILL.md").unwrap_or(place));
        other
            .and_then(|at| self.around.drafts.get(at))
            .is_some_and(|other| other.skill.dir.folder == self.draft.skill.dir.folder)
    }

    /// Returns the part of a path below the skill.
    fn inside<'p>(&self, place: &'p str) -> Option<&'p str> {
        path_below(place, &self.draft.skill.dir.path)
    }
}

impl Surroundings<'_> {
    /// Returns `true` if a file or directory exists at a path below the root.
    fn exists(&self, place: &str) -> bool {
        // The path exists itself or has entries below it; names such as `a-b` sort between the two.
        let below = format!("{place}/");
        let is_listed = |key: &str| {
            let other = self.others.get(self.others.partition_point(|other| other.as_str() < key));
            let skill = self.paths.get(self.paths.partition_point(|path| *path < key));
            other.is_some_and(|found| path_below(found, place).is_some())
                || skill.is_some_and(|found| path_below(found, place).is_some())
        };
        if place.is_empty() || is_listed(place) || is_listed(&below) {
            return true;
        }
        let is_home = |path: &str| {
            let draft = self.skills.get(path).map(|at| &self.drafts[at]);
            draft.is_some_and(|draft| has(draft, place[path.len()..].trim_start_matches('/')))
        };
        is_home(place) || is_home("") || place.match_indices('/').any(|(at, _)| is_home(&place[..at]))
    }
}

/// Returns the path below the root of the link or mention at an offset of a text, which is in a file of
/// `directory`.
pub(crate) fn target(text: &str, directory: &str, offset: usize) -> Option<String> {
    let fences = fences(text);
    let is_at = |start: usize, end: usize| start <= offset && offset <= end;
    let mut links = links(text).into_iter();
    let link = links.find(|link| link.is_file && is_at(link.start, link.end));
    if let Some(link) = link.filter(|link| fence_at(&fences, link.start).is_none()) {
        return resolve(directory, &percent_decoded_text(path_of(&text[link.start..link.end])));
    }
    let (start, end) = mentions(text).into_iter().find(|(start, end)| is_at(*start, *end))?;
    resolve(directory, &text[start..end])
}

/// Returns the target of a link without the part after `#` or `?`.
fn path_of(target: &str) -> &str {
    target.split(['#', '?']).next().unwrap_or_default()
}

/// Returns `true` if a skill has a file or folder.
fn has(draft: &Draft, path: &str) -> bool {
    if path.is_empty() {
        return true;
    }
    let files = &draft.skill.dir.files;
    let is_first = |from: &str| {
        let found = files.get(files.partition_point(|file| file.path.as_str() < from));
        found.is_some_and(|found| path_below(&found.path, path).is_some())
    };
    // Files such as `a-b` sort between `a` and `a/x`.
    is_first(path) || is_first(&format!("{path}/"))
}

/// The largest number of skills named before a mention that are searched for its file.
const NAMED: usize = 64;

/// The commands that run a file of a skill.
const RUNNERS: [&str; 11] =
    ["python", "python3", "node", "bash", "sh", "uv", "npx", "tsx", "deno", "bun", "ruby"];

/// Returns `true` if a target is the name of a host and not of a file.
fn is_host(path: &str) -> bool {
    const ENDS: [&str; 8] = ["ai", "app", "com", "dev", "io", "net", "org", "sh"];
    let host = path.split('/').next().unwrap_or_default();
    let parts: Vec<&str> = host.split('.').collect();
    let is_word =
        |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let least = if path.contains('/') { 2 } else { 3 };
    parts.len() >= least && parts.iter().all(is_word) && parts.last().is_some_and(|end| ENDS.contains(end))
}

/// Returns `true` if a path stands for many files, or has a part that the reader fills in.
fn is_pattern(path: &str) -> bool {
    path.is_empty() || path.contains(['<', '>', '{', '}', '*', '$', '…', '[', ']']) || path.contains("...")
}

/// Returns `true` if a path leads to another skill of the same folder.
fn is_sibling(path: &str) -> bool {
    let name = path.strip_prefix("../").and_then(|rest| rest.strip_suffix("/SKILL.md"));
    name.is_some_and(|name| !name.contains('/') && name != "..")
}

/// Resolves a path relative to a directory below the root; `None` if it leaves the root.
fn resolve(directory: &str, path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut parts = path_names(directory);
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::{is_host, is_sibling, resolve};

    #[test]
    fn hosts_are_told_from_files() {
        assert!(is_host("docs.example.org") && is_host("example.com/a/b"));
        for file in ["install.sh", "a/b.org", "references/a.dev", "v1.2.net.md", "example.com"] {
            assert!(!is_host(file), "{file}");
        }
    }

    #[test]
    fn paths_resolve_inside_the_root() {
        assert_eq!(resolve("", "./a//b/../c").as_deref(), Some("a/c"));
        assert_eq!(resolve("pdf", "../csv/SKILL.md").as_deref(), Some("csv/SKILL.md"));
        assert_eq!(resolve("", "../a"), None);
        assert_eq!(resolve("x", "a/../../../b"), None);
        assert_eq!(resolve("x", "/etc/passwd"), None);
    }

    // SPEC 2.14
    #[test]
    fn other_skills_of_the_folder_are_known() {
        assert!(is_sibling("../csv/SKILL.md"));
        assert!(!is_sibling("../../SKILL.md") && !is_sibling("../csv/a.md") && !is_sibling("csv/SKILL.md"));
    }
}
