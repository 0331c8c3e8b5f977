//! Checks the links and headings of the other Markdown files of a skill. Each file has at most one finding of a rule.

use std::borrow::Cow;

use skills_text::percent_decoded_text;

use super::super::draft::SkillDraft;
use super::super::references::{
    anchor_name, is_heading_name, letters, link_text, missing_heading, near_heading, only,
};
use super::super::surroundings::{Surroundings, has};
use super::prose::is_of_template;
use super::similar::{file_name, is_common, similar_place};
use crate::link_paths::{home_help, is_host, is_pattern, is_relative, path_of, relative, resolve};
use crate::markdown::{Link, Markdown};
use crate::rule::lints;
use crate::{Content, FileId, Report, SourceMap, Span, parse};

/// Returns the Markdown files of a skill that are not checked because they are for other projects.
pub(super) fn material(draft: &SkillDraft) -> impl Iterator<Item = &str> {
    let files = draft.skill.dir.files.iter().map(|file| file.path.as_str());
    files.filter(|path| path.ends_with(".md") && path.split('/').any(|folder| MATERIAL.contains(&folder)))
}

/// Folders with files for other projects, whose links lead to files there.
const MATERIAL: [&str; 8] =
    ["assets", "evals", "examples", "fixtures", "templates", "template", "testdata", "tests"];

/// Returns `true` if the links of a file of a skill are checked: it is Markdown, and neither a template nor a list of
/// changes, which names files of the past.
pub(crate) fn is_checked(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let lower = name.to_ascii_lowercase();
    let is_text = lower.ends_with(".md") && !["skill.md", "prompt.md"].contains(&lower.as_str());
    let is_other =
        ["changelog", "history", "template", "example", "license"].iter().any(|other| lower.contains(other));
    is_text && !is_other && !folders.split('/').any(|folder| MATERIAL.contains(&folder))
}

/// Adds these files of the skill number `at` to the texts, because a diagnostic needs its line.
pub(crate) fn add_texts(draft: &mut SkillDraft, at: usize, sources: &mut SourceMap) {
    let dir = &mut draft.skill.dir;
    let paths = dir.files.iter().map(|file| file.path.clone()).filter(|path| is_checked(path));
    for path in paths.collect::<Vec<_>>() {
        parse::add_source(dir, &path, at, sources);
    }
}

/// Returns the paths and the texts of these files.
pub(crate) fn texts(draft: &SkillDraft) -> impl Iterator<Item = (&str, FileId)> {
    let files = draft.skill.dir.files.iter().filter(|file| is_checked(&file.path));
    files.filter_map(|file| match file.content {
        Content::Text(id) => Some((file.path.as_str(), id)),
        _ => None,
    })
}

/// Checks the files of one skill.
pub(crate) fn check(draft: &SkillDraft, around: &Surroundings<'_>, sources: &SourceMap, report: &mut Report) {
    let mut missing = Vec::new();
    for (path, file) in texts(draft) {
        let source = sources.file(file);
        // Most texts without these two signs have no link.
        if source.text.contains("](") || source.text.contains("]:") {
            let search = FileSearch { draft, around, path, sources, file };
            let links = search.check(&Markdown::parse(&source.text), report);
            if !links.is_empty() {
                missing.push((search, links));
            }
        }
    }
    check_pictures(draft, &mut missing, report);
    for (search, links) in missing {
        search.report_missing(&links, report);
    }
}

/// A link of a file to a missing one: its place and its path.
type MissingLink<'l> = (Span, &'l str);

/// Reports the links to pictures in many files once if the skill has no picture: its texts were taken over without them.
fn check_pictures(
    draft: &SkillDraft,
    missing: &mut [(FileSearch<'_, '_>, Vec<MissingLink<'_>>)],
    report: &mut Report,
) {
    let first = missing.iter().filter_map(|(_, links)| links.iter().find(|(_, path)| is_picture(path)));
    let places: Vec<Span> = first.map(|(span, _)| *span).collect();
    let Some(place) = places.first().filter(|_| places.len() >= MANY) else { return };
    if draft.skill.dir.files.iter().any(|file| is_picture(&file.path)) {
        return;
    }
    for (_, links) in missing {
        links.retain(|(_, path)| !is_picture(path));
    }
    lints::BROKEN_LINK
        .report_at(*place, format!("{} files link to pictures, and the skill has none", places.len()))
        .label("no such file")
        .help("add the pictures to the skill, or remove the links")
        .add_to(report);
}

/// Returns `true` if a path has the ending of a picture.
fn is_picture(path: &str) -> bool {
    const ENDINGS: [&str; 8] = ["avif", "bmp", "gif", "jpeg", "jpg", "png", "svg", "webp"];
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// One file while it is searched.
struct FileSearch<'l, 'a> {
    draft: &'l SkillDraft,
    around: &'l Surroundings<'a>,
    /// The path below the skill.
    path: &'l str,
    sources: &'l SourceMap,
    file: FileId,
}

impl<'l> FileSearch<'l, '_> {
    /// Checks the links of the file to its headings, and returns those to missing files.
    fn check(&self, markdown: &Markdown, report: &mut Report) -> Vec<MissingLink<'l>> {
        let mut missing = Vec::new();
        let mut unnamed: Vec<(Span, &str, &Link)> = Vec::new();
        let mut anchors: Option<Vec<String>> = None;
        let sources: &'l SourceMap = self.sources;
        let text = sources.file(self.file).text.as_str();
        for link in &markdown.links {
            let target = &text[link.target.clone()];
            let span = self.sources.file(self.file).span(link.target.clone());
            if self.is_missing(link) && !is_of_template(text, markdown, link) {
                missing.push((span, path_of(target)));
            } else if let Some(heading) = link.path.strip_prefix('#').map(anchor_name)
                && is_heading_name(heading)
            {
                let anchors = anchors.get_or_insert_with(|| markdown.anchors());
                if !anchors.iter().any(|anchor| anchor == heading) {
                    let length = heading.len().min(target.len());
                    unnamed.push((span.part(target.len() - length, target.len()), heading, link));
                }
            }
        }
        if let Some((span, heading, link)) = unnamed.first() {
            let title = match unnamed.len() {
                1 => format!("the text has no heading `#{heading}`"),
                count => format!("{count} links name headings that do not exist, the first `#{heading}`"),
            };
            let hidden = markdown.hidden_headings(text);
            let hidden = hidden.get(*heading);
            let block = hidden
                .map(|hidden| (self.sources.file(self.file).span(hidden.opening.clone()), hidden.is_html));
            let near = near_heading(heading, link_text(text, link), anchors.as_deref().unwrap_or_default());
            report.push(missing_heading(*span, title, block, near));
        }
        missing
    }

    /// Reports the links of the file to missing files, all together.
    fn report_missing(&self, links: &[MissingLink<'_>], report: &mut Report) {
        let Some((span, path)) = links.first() else { return };
        let title = match links.len() {
            1 => format!("the link `{path}` points to a file that does not exist"),
            count => format!("{count} links point to files that do not exist, the first to `{path}`"),
        };
        let found = lints::BROKEN_LINK.report_at(*span, title);
        report.push(found.label("no such file").help(self.help(path)));
    }

    /// Returns the help for a link to a missing file.
    fn help(&self, path: &str) -> String {
        if let Some(help) = home_help(path) {
            return help;
        }
        let dir = &self.draft.skill.dir;
        let folder = dir.below(self.folder());
        let meant = self.around.of_another(self.draft, path);
        let meant = meant.or_else(|| Some(dir.below(moved_file(self.draft, path)?)));
        let meant = meant.or_else(|| similar_place(self.around, &folder, &percent_decoded_text(path)));
        match meant {
            Some(meant) => format!("change the path to `{}`", relative(&folder, &meant)),
            None if is_host(path) => format!("add the scheme: `https://{path}`"),
            None => "correct the path, or remove the link".to_owned(),
        }
    }

    /// Returns the folder of the file, below the skill.
    fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Returns `true` if a link leads to a file that exists neither from the file nor from the skill's directory.
    fn is_missing(&self, link: &Link) -> bool {
        let path = path_of(&link.path);
        let name = path.rsplit('/').next().unwrap_or_default();
        if !is_relative(&link.path) || is_pattern(path) || path.contains("path/to") || !name.contains('.') {
            return false;
        }
        let decoded: Cow<'_, str> = percent_decoded_text(path);
        let dir = &self.draft.skill.dir;
        // A path that leads out of the checked directory may exist.
        let Some(here) = resolve(&dir.below(self.folder()), &decoded) else { return false };
        // A path that leads up begins at the file, as in every reader of Markdown.
        let there = resolve(&dir.path, &decoded).filter(|_| !decoded.starts_with("../"));
        let is_found = [Some(here), there].iter().flatten().any(|place| {
            let inside = skills_text::path_below(place, &dir.path);
            inside.is_some_and(|inside| has(self.draft, inside)) || self.around.exists(place)
        });
        !is_found && !self.around.is_incomplete()
    }
}

/// Returns the file of a skill that a missing path probably means: the only one with its name, or the only one whose path
/// has the same letters and digits at its end, such as `charts-bar.tsx` for `charts/bar.tsx`.
pub(super) fn moved_file<'d>(draft: &'d SkillDraft, path: &str) -> Option<&'d str> {
    let wanted = file_name(path);
    if is_common(&wanted) {
        return None;
    }
    let ending: String = letters(path).collect();
    let files = &draft.skill.dir.files;
    let named = only(files.iter().filter(|file| file_name(&file.path) == wanted));
    let found = named.or_else(|| {
        only(files.iter().filter(|file| letters(&file.path).collect::<String>().ends_with(&ending)))
    });
    found.map(|file| file.path.as_str())
}

/// From this number on, missing files with one reason are one finding.
pub(super) const MANY: usize = 3;

#[cfg(test)]
mod tests {
    use super::is_checked;

    // SPEC 2.18
    #[test]
    fn templates_and_lists_of_changes_are_not_checked() {
        for path in ["references/guide.md", "notes.MD", "a/b/c.md"] {
            assert!(is_checked(path), "{path}");
        }
        for path in ["CHANGELOG.md", "assets/page.md", "references/report-template.md", "SKILL.md", "a.txt"] {
            assert!(!is_checked(path), "{path}");
        }
    }
}
