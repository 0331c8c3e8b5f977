//! Checks that each link and each mention of a file in a body names an existing file.

mod hooks;
mod line;
mod prose;
pub(crate) mod references;
mod report;
mod similar;
mod skills;

use std::ops::Range;

use skills_text::{Places, path_below, percent_decoded_text};

use super::draft::SkillDraft;
use super::surroundings::{Surroundings, has};
use crate::link_paths::{
    DirectoryVariable, FOLDERS, Rooted, is_pattern, is_placeholder, is_relative, is_sibling, mentions,
    path_of, relative, resolve, rooted,
};
use crate::markdown::{CodeBlock, Link, Markdown};
use crate::{DirectoryKind, Report, SourceMap, Span, TextScan};
use line::BodyLine;
use prose::is_of_template;
use similar::similar_place;
use skills::{is_about_skills, is_of_family};

/// Checks the links of all Markdown files of a skill.
pub(crate) fn check(draft: &SkillDraft, around: &Surroundings<'_>, sources: &SourceMap, report: &mut Report) {
    check_body(draft, around, sources, report);
    references::check(draft, around, sources, report);
    hooks::check(draft, around, report);
    skills::check(draft, around, sources, report);
}

fn check_body(draft: &SkillDraft, around: &Surroundings<'_>, sources: &SourceMap, report: &mut Report) {
    let Some(document) = &draft.skill.document else { return };
    let text_scan = document.text_scan;
    if !text_scan.has_bracket && !text_scan.has_slash {
        return;
    }
    let mut search = LinkSearch {
        around,
        draft,
        sources,
        text: sources.text(document.body),
        markdown: document.markdown(sources),
        outward: Vec::new(),
        lost: Vec::new(),
        missing: Vec::new(),
        folders: Vec::new(),
        folders_at: Places::default(),
        missing_at: Places::default(),
        scans: SCANS,
        block: None,
        report,
    };
    search.check_all(document.body, text_scan);
    search.report_outside();
    search.report_missing();
    search.count_missing();
}

/// One body while it is searched.
struct LinkSearch<'l, 'a> {
    around: &'l Surroundings<'a>,
    draft: &'l SkillDraft,
    sources: &'l SourceMap,
    text: &'l str,
    markdown: &'l Markdown,
    /// Links out of the skill to files that exist or may exist, and whether they lead out of the checked directory.
    outward: Vec<(Span, String, bool)>,
    /// Links out of the skill to files that do not exist, with the path of a file that is probably meant.
    lost: Vec<(Span, String, Option<String>)>,
    /// The reported files: the path, the index in the report, how often it was named, and the intended path.
    missing: Vec<(String, usize, usize, Option<String>)>,
    /// The files among them for which the text has one cause, and the place of each cause in that list.
    folders: Vec<MissingFolder>,
    folders_at: Places,
    /// The place of each path in that list.
    missing_at: Places,
    /// How often the body may still be searched for a missing file.
    scans: usize,
    /// The start of the last code block that was looked at, and whether its commands are for a project.
    block: Option<(usize, bool)>,
    report: &'l mut Report,
}

/// A folder that does not exist, a missing file of an existing folder, or all mentioned files of one folder.
struct MissingFolder {
    /// The path of links, or the folder of mentions with `/` at its end.
    path: String,
    /// The indices in the report of the findings about files below it.
    found: Vec<usize>,
    is_folder: bool,
}

impl<'l> LinkSearch<'l, '_> {
    fn check_all(&mut self, body: Span, text_scan: TextScan) {
        let (text, markdown) = (self.text, self.markdown);
        let mut line = BodyLine::default();
        for link in &markdown.links {
            self.link(body.part(link.target.start, link.target.end), link, &mut line);
        }
        let rooted = if text_scan.has_slash { rooted(text) } else { Vec::new() };
        for found in &rooted {
            if !markdown.is_comment(found.start) && !markdown.is_example(found.start) {
                self.rooted(body.part(found.start, found.end), found);
            }
        }
        let mentions = if text_scan.has_slash { mentions(text) } else { Vec::new() };
        // A path that is an example at one place is an example everywhere.
        let mut examples = Places::default();
        for (start, end) in mentions.iter().filter(|(start, _)| markdown.is_example(*start)) {
            examples.insert(text[*start..*end].to_owned(), *start);
        }
        for (start, end) in mentions {
            // Text inside a link was already checked by the target of the link.
            if markdown.is_linked(start) || markdown.links.iter().any(|link| link.target.contains(&start)) {
                continue;
            }
            line.reach(text, start);
            let is_text = !markdown.is_comment(start) && examples.get(&text[start..end]).is_none();
            if is_text && self.is_promise(&mut line, start..end, markdown.block_at(start)) {
                self.mention(body.part(start, end), &text[start..end], &mut line, start);
            }
        }
    }

    fn link(&mut self, span: Span, link: &Link, line: &mut BodyLine<'l>) {
        let target = &self.text[link.target.clone()];
        let path = path_of(target);
        // A path with a variable for the directory of the skill is found by `rooted`.
        if !is_relative(&link.path) {
            return;
        }
        if self.around.is_incomplete() || is_pattern(path) || path.contains("path/to") || self.is_route(path)
        {
            return;
        }
        if is_of_template(self.text, self.markdown, link) {
            return;
        }
        let decoded = percent_decoded_text(path_of(&link.path));
        let place = resolve(&self.draft.skill.dir.path, decoded.as_ref());
        let inside = place.as_deref().and_then(|place| self.path_in_skill(place));
        // Most links lead to a file of the skill, and whether a link is an example takes long to find out.
        if !inside.is_some_and(|inside| has(self.draft, inside)) && self.is_example_of_skill(link, path, line)
        {
            return;
        }
        let Some(place) = place else {
            return self.outward.push((span, path.to_owned(), true));
        };
        // Other skills are loaded by name.
        let other = self.around.skill(place.strip_suffix("/SKILL.md").unwrap_or(&place));
        match self.path_in_skill(&place) {
            Some(_) => self.check_inside(span, "link", path, &place),
            None if other.is_some() || self.is_around_skill(&place) => {}
            None if self.is_at_source(path) => {}
            None if self.around.exists(&place) => {
                if !self.may_lead_to(&place) {
                    self.outward.push((span, path.to_owned(), false));
                }
            }
            // Skills are loaded by name, wherever they are: a neighbouring skill may be installed elsewhere.
            None if is_sibling(decoded.as_ref()) && self.may_be_installed(decoded.as_ref()) => {}
            None => {
                let dir = &self.draft.skill.dir.path;
                let meant = self.of_another(decoded.as_ref()).or_else(|| {
                    similar_place(self.around, dir, decoded.as_ref()).map(|place| relative(dir, &place))
                });
                self.lost.push((span, path.to_owned(), meant));
            }
        }
    }

    fn mention(&mut self, span: Span, path: &str, line: &mut BodyLine<'_>, at: usize) {
        if self.around.is_incomplete()
            || is_pattern(path)
            || is_placeholder(path)
            || line.is_of_project()
            || line.is_of_others(at)
        {
            return;
        }
        // Other scripts are programs of the project, and a skill about writing skills names files as examples.
        let is_script = path.trim_start_matches("./").starts_with("scripts/");
        let is_for_agents = GUIDES.contains(&path.rsplit('/').next().unwrap_or_default());
        let is_of_project = self.around.scope == DirectoryKind::Repository
            && is_script
            && (is_for_agents || !has(self.draft, "scripts"));
        if is_of_project || is_about_skills(self.draft) || self.is_about_others(at) || !self.is_near(path) {
            return;
        }
        let Some(place) = resolve(&self.draft.skill.dir.path, path) else { return };
        let inside = self.path_in_skill(&place);
        if inside.is_some_and(|inside| has(self.draft, inside)) {
            return;
        }
        // A skill of a project may also refer to files of the project.
        if self.exists_above(path) {
            return;
        }
        if inside.is_some_and(|inside| !self.is_of_another(inside, line)) {
            self.check_inside(span, "mention", path, &place);
        }
    }

    /// Checks a path that begins with a variable for the directory of the skill or of its plugin.
    fn rooted(&mut self, span: Span, found: &Rooted) {
        let text = self.text;
        let path = &text[found.start..found.end];
        let mut line = BodyLine::default();
        line.reach(text, found.at);
        if self.around.is_incomplete() || line.is_proposed(found.at) || self.is_title_of_block(found) {
            return;
        }
        if path.rsplit('/').next().is_some_and(|name| name.starts_with("script-name.")) {
            return;
        }
        let dir = &self.draft.skill.dir.path;
        if found.variable != DirectoryVariable::PluginRoot {
            if let Some(place) = resolve(dir, path)
                && (found.variable != DirectoryVariable::BaseDir
                    || !self.is_of_workspace(span, path, found.at))
            {
                self.check_inside(span, "path", path, &place);
            }
            return;
        }
        // Without a manifest nearby, the directory of the plugin is unknown.
        let Some(plugin) = self.around.plugin(dir) else { return };
        // A skill about writing plugins, or of a plugin about them, names the files of made-up plugins.
        let directory = plugin.rsplit('/').next().unwrap_or_default();
        let subjects = [&self.draft.name, &self.draft.skill.dir.name, directory].map(str::to_lowercase);
        let words = ["plugin", "hook", "command", "skill"];
        if subjects.iter().any(|subject| words.iter().any(|word| subject.contains(word))) {
            return;
        }
        if let Some(place) = resolve(plugin, path).filter(|place| !self.around.exists(place)) {
            self.missing_below(span, path, &place, "plugin");
        }
    }

    /// Checks a path behind `{baseDir}` that the skill lacks from the directories above, for which other paths of the
    /// repository use this variable. Returns `true` if it needs no further check.
    fn is_of_workspace(&mut self, span: Span, path: &str, at: usize) -> bool {
        let Some((folder, _)) = path.split_once('/') else { return false };
        if has(self.draft, path) {
            return false;
        }
        let (around, has_folder) = (self.around, has(self.draft, folder));
        let workspaces = around.workspaces(self.sources);
        if workspaces.iter().any(|above| exists_below(around, above, path)) {
            return true;
        }
        let above = workspaces.iter().find(|above| exists_below(around, above, folder));
        if let Some(place) = above.filter(|_| !has_folder).and_then(|above| resolve(above, path)) {
            self.missing_below(span, path, &place, "repository");
            return true;
        }
        !has_folder && (!workspaces.is_empty() || self.is_about_others(at))
    }

    /// Returns `true` if the skill is for the maintainers of its repository: it lies in the directory of a client, such as
    /// `.claude/skills`. It is not installed elsewhere, so its links may lead to files of the repository.
    fn is_of_checkout(&self) -> bool {
        let folder = self.draft.skill.dir.folder.strip_suffix("/skills").unwrap_or_default();
        let client = folder.rsplit('/').next().unwrap_or_default();
        self.around.scope == DirectoryKind::Repository && client.starts_with('.')
    }

    /// Returns `true` if a path is a comment in the first line of a block of code. The block shows the file of that name.
    fn is_title_of_block(&self, found: &Rooted) -> bool {
        let Some(block) = self.markdown.block_at(found.at) else { return false };
        let before = self.text.get(block.content.start..found.at).unwrap_or_default().trim();
        let behind = self.text[found.end..].lines().next().unwrap_or_default().trim();
        matches!(before, "#" | "//" | "--" | ";" | "<!--" | "/*") && matches!(behind, "" | "-->" | "*/")
    }

    /// Returns `true` if a place is a directory of a repository that contains the skill of its name, such as a plugin.
    fn is_around_skill(&self, place: &str) -> bool {
        let name = place.rsplit('/').next().unwrap_or_default();
        let mut skills = self.around.named(name).filter_map(|number| self.around.drafts.get(number));
        self.around.scope == DirectoryKind::Repository
            && skills.any(|other| path_below(&other.skill.dir.path, place).is_some())
    }

    /// Returns `true` if a file of a repository is a dated or numbered document for the people who work on it, such as
    /// `docs/specs/2026-05-15-names.md` and `adr/0007-names.md`.
    fn is_plan(&self, place: &str) -> bool {
        let (folders, name) = place.rsplit_once('/').unwrap_or(("", place));
        self.around.scope == DirectoryKind::Repository
            && name.starts_with(|c: char| c.is_ascii_digit())
            && folders.split('/').any(|folder| PLANS.contains(&folder))
    }

    /// Returns `true` if a skill has the name in a path `../NAME/SKILL.md`, or is one of the same family.
    fn may_be_installed(&self, path: &str) -> bool {
        let name = path.trim_start_matches("../").split('/').next().unwrap_or_default();
        is_of_family(name, &self.draft.name) || self.around.named(name).next().is_some()
    }

    /// Returns `true` if the heading above a place announces examples, or changes of the past.
    fn is_about_others(&self, at: usize) -> bool {
        const WORDS: [&str; 10] = [
            "change",
            "history",
            "release note",
            "what's new",
            "what\u{2019}s new",
            "migrat",
            "retired",
            "example",
            "output",
            "示例",
        ];
        let headings = &self.markdown.headings;
        let above = headings.partition_point(|heading| heading.place.start <= at).checked_sub(1);
        let title = above.and_then(|above| headings.get(above)).map(|heading| heading.title.to_lowercase());
        title.is_some_and(|title| WORDS.iter().any(|word| title.contains(word)))
    }

    /// Returns `true` if a mentioned file is probably one of the skill: the skill has its first folder, or a file
    /// with a similar path.
    fn is_near(&self, path: &str) -> bool {
        let path = path.trim_start_matches("./");
        let folder = path.split('/').next().unwrap_or_default();
        let files = self.draft.skill.dir.files.iter().map(|file| file.path.as_str());
        has(self.draft, folder) || skills_text::nearest(path, files).is_some()
    }

    /// Returns `true` if a mention follows the name of another skill that has the file: `pdf`'s `a.md`.
    fn is_of_another(&self, path: &str, line: &mut BodyLine<'_>) -> bool {
        let around = self.around;
        line.named(|name: &str| around.named(name))
            .take(NAMED)
            .filter_map(|number| around.drafts.get(number))
            .any(|other| {
                (around.scope == DirectoryKind::Repository
                    || other.skill.dir.folder == self.draft.skill.dir.folder)
                    && !std::ptr::eq(other, self.draft)
                    && has(other, path)
            })
    }

    /// Returns the path from the skill to the file of another skill that a path probably means.
    fn of_another(&self, path: &str) -> Option<String> {
        let dir = &self.draft.skill.dir.path;
        self.around.of_another(self.draft, path).map(|meant| relative(dir, &meant))
    }

    /// Returns `true` if a link is an address of a web site or a file of the user's project: it begins with a hidden
    /// directory, or it has no extension and begins with a directory that the skill lacks.
    fn is_route(&self, path: &str) -> bool {
        let Some((first, rest)) = path.split_once('/') else { return false };
        let is_hidden = first.starts_with('.') && !matches!(first, "." | "..");
        let has_ending = rest.rsplit('/').next().is_some_and(|name| name.contains('.') || name.is_empty());
        let place = resolve(&self.draft.skill.dir.path, percent_decoded_text(path).as_ref());
        let is_missing = place.is_none_or(|place| !self.around.exists(&place));
        is_missing && (is_hidden || !has_ending && !first.contains('.') && !has(self.draft, first))
    }

    /// Returns the directories of the skills that contain this one.
    fn outer_skills(&self) -> impl Iterator<Item = &str> {
        let own = &self.draft.skill.dir.path;
        let above = own.match_indices('/').map(|(at, _)| &own[..at]).chain((!own.is_empty()).then_some(""));
        above.filter(|path| self.around.skill(path).is_some())
    }

    /// Returns `true` if a place in a repository is in a skill that contains this one, which is installed with it.
    fn is_in_outer_skill(&self, place: &str) -> bool {
        self.around.scope == DirectoryKind::Repository
            && self.outer_skills().any(|outer| path_below(place, outer).is_some())
    }

    /// Returns `true` if a link of a skill about skills is an example: it is in a quote, follows words that announce an
    /// example, or the skill has no such folder and no file with a similar path.
    fn is_example_of_skill(&self, link: &Link, path: &str, line: &mut BodyLine<'l>) -> bool {
        if !is_about_skills(self.draft) {
            return false;
        }
        line.reach(self.text, link.start);
        let is_far = !path.starts_with("../") && !self.is_near(path);
        is_far || line.is_quoted(link.start) || line.is_proposed(link.start)
    }

    /// Returns `true` if a file exists where a link `SKILL.md` leads, or in a skill that contains this one.
    fn is_at_source(&self, path: &str) -> bool {
        self.around.scope == DirectoryKind::Repository
            && self.draft.skill.dir.source_directory().into_iter().chain(self.outer_skills()).any(|place| {
                resolve(place, percent_decoded_text(path).as_ref())
                    .is_some_and(|place| self.around.exists(&place))
            })
    }

    /// Returns `true` if a file in a folder such as `references` also exists in a directory of the repository that contains
    /// the skill: a build or an installer copies it into each skill that needs it.
    fn is_copied_in(&self, path: &str) -> bool {
        let path = path.trim_start_matches("./");
        let is_in_folder = path.split_once('/').is_some_and(|(folder, _)| FOLDERS.contains(&folder));
        is_in_folder && self.exists_above(path)
    }

    /// Returns `true` if a file exists in a directory of the repository that contains the skill.
    fn exists_above(&self, path: &str) -> bool {
        self.place_above(path).is_some()
    }

    /// Returns the place of a file in a directory of the repository that contains the skill.
    fn place_above(&self, path: &str) -> Option<String> {
        if self.around.scope != DirectoryKind::Repository {
            return None;
        }
        let own = &self.draft.skill.dir.path;
        let above = own.match_indices('/').map(|(at, _)| &own[..at]);
        let mut above = above.chain([""]).filter_map(|above| resolve(above, path));
        above.find(|place| self.around.exists(place))
    }

    /// Returns `true` if a link may lead to a place outside of the skill, because both travel together.
    fn may_lead_to(&self, place: &str) -> bool {
        let plugin = self.around.plugin(&self.draft.skill.dir.path);
        let is_in_plugin = self.around.scope != DirectoryKind::Bundle
            && plugin.is_some_and(|plugin| path_below(place, plugin).is_some());
        is_in_plugin || self.is_of_checkout() || self.is_plan(place) || self.is_in_outer_skill(place)
    }

    /// Returns `true` if the body also names the path in another directory, draws a tree that contains the file, or has a
    /// command that writes it.
    fn is_elsewhere(&mut self, path: &str) -> bool {
        // Each search reads the whole body, so long paths are not searched. Nobody writes such a path twice.
        if self.scans == 0 || path.len() > MAX_CONTEXT {
            return false;
        }
        self.scans -= 1;
        let text = self.text;
        skills_text::work::count(2 * text.len());
        let name = path.rsplit('/').next().unwrap_or(path);
        if text
            .match_indices(name)
            .any(|(at, _)| is_made(&text[skills_text::floor(text, at.saturating_sub(MAX_CONTEXT))..at]))
        {
            return true;
        }
        text.match_indices(path).any(|(at, _)| {
            // Only a few bytes before the path are read, because a line may name the path many times.
            let near = &text[skills_text::floor(text, at.saturating_sub(MAX_CONTEXT))..at];
            skills_text::work::count(near.len());
            let before = near.rsplit('\n').next().unwrap_or_default();
            if !path.contains('/') && before.contains(['├', '└']) || is_written(before) {
                return true;
            }
            let word =
                before.rsplit(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '(' | '='));
            let word = word.into_iter().next().unwrap_or_default().to_ascii_lowercase();
            let is_own = ["skill", "basedir", "plugin_root"].iter().any(|own| word.contains(own));
            word.len() > 2 && word.ends_with('/') && !word.starts_with("./") && !is_own
        })
    }

    /// Returns `true` if a mention states that the skill has the file. In code, a command must run the file.
    fn is_promise(&mut self, line: &mut BodyLine<'_>, at: Range<usize>, fence: Option<&CodeBlock>) -> bool {
        let behind = &self.text[at.end..];
        let is_location =
            behind.strip_prefix(':').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let is_proposed = line.is_proposed(at.start) || line.is_wished(at.end);
        if is_proposed || is_location || line.is_made(fence.is_some()) {
            return false;
        }
        const RUNNERS: [&str; 11] =
            ["python", "python3", "node", "bash", "sh", "uv", "npx", "tsx", "deno", "bun", "ruby"];
        let Some(fence) = fence else { return true };
        let command = line.before(at.start).trim().trim_start_matches("$ ");
        let runs = command.split_whitespace().next().is_none_or(|word| RUNNERS.contains(&word));
        let folder = self.text[at].trim_start_matches("./").split('/').next().unwrap_or_default();
        fence.is_shell() && runs && has(self.draft, folder) && !self.is_of_project(fence)
    }

    /// Returns `true` if the commands of a code block are for a project, because they use its `src/` or `tests/`.
    fn is_of_project(&mut self, fence: &CodeBlock) -> bool {
        if let Some((_, is_of_project)) = self.block.filter(|(start, _)| *start == fence.start) {
            return is_of_project;
        }
        let block = self.text.get(fence.start..fence.end).unwrap_or_default();
        skills_text::work::count(block.len());
        let mut words = block.split(|c: char| c.is_whitespace() || matches!(c, '=' | '"' | '\''));
        let is_of_project = words.any(|word| {
            let folder = word.trim_start_matches("./").split_once('/').map(|(folder, _)| folder);
            folder.is_some_and(|folder| matches!(folder, "src" | "tests") && !has(self.draft, folder))
        });
        self.block = Some((fence.start, is_of_project));
        is_of_project
    }

    fn path_in_skill<'p>(&self, place: &'p str) -> Option<&'p str> {
        path_below(place, &self.draft.skill.dir.path)
    }
}

/// Returns `true` if a path exists below a directory.
fn exists_below(around: &Surroundings<'_>, directory: &str, path: &str) -> bool {
    resolve(directory, path).is_some_and(|place| around.exists(&place))
}

/// Returns `true` if the text before a path is that of a command that writes the file: `run > `, `run -o `.
fn is_written(before: &str) -> bool {
    const OPTIONS: [&str; 4] = [" -o", " --output", " tee", " tee -a"];
    let before = before.strip_suffix("./").unwrap_or(before).trim_end_matches(['"', '\'']);
    let (command, is_spaced) = (before.trim_end(), before.ends_with([' ', '=']));
    let redirected = command.strip_suffix('>').map(|command| command.trim_end_matches('>'));
    // `->` and `=>` are arrows, and a `>` alone begins a quote.
    redirected.is_some_and(|command| command.ends_with(' ') && !command.trim().is_empty())
        || is_spaced && OPTIONS.iter().any(|option| command.trim_end_matches('=').ends_with(option))
}

/// Returns `true` if the text before the name of a file tells the reader to create it: "Create a `kb_index.json` file".
fn is_made(before: &str) -> bool {
    const VERBS: [&str; 6] = ["create", "creates", "generate", "generates", "write", "writes"];
    skills_text::work::count(before.len());
    let Some(before) = before.strip_suffix('`') else { return false };
    let line = before.rsplit('\n').next().unwrap_or_default().trim_end_matches(['*', ' ']);
    let mut words = line.rsplit(' ').map(str::to_ascii_lowercase);
    let last = words.next().unwrap_or_default();
    let verb = if matches!(&*last, "a" | "an" | "the") { words.next().unwrap_or_default() } else { last };
    VERBS.contains(&verb.trim_start_matches('*'))
}

/// The instructions for agents that a project has in its folders.
const GUIDES: [&str; 4] = ["AGENTS.md", "CLAUDE.md", "GEMINI.md", "REVIEW.md"];

/// Folders with documents about the development of a project.
const PLANS: [&str; 5] = ["adr", "designs", "plans", "rfcs", "specs"];

/// The largest number of skills named before a mention that are searched for its file.
const NAMED: usize = 64;

/// The largest number of missing files for which a body is searched.
const SCANS: usize = 32;

/// How many bytes before a path on its line are read.
const MAX_CONTEXT: usize = 256;
