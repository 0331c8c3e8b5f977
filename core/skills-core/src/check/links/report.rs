//! Reports links and mentions of missing files: each file once, and all links out of the skill together.

use super::super::draft::SkillDraft;
use super::references::{self, MANY};
use super::similar::{file_name, is_common, similar_file, similar_place};
use super::{LinkSearch, MissingFolder, SCANS, has};
use crate::link_paths::{home_help, is_host, is_sibling, path_of, relative, resolve};
use crate::markdown::Markdown;
use crate::rule::lints;
use crate::{Change, DirectoryKind, Fix, Span};

/// The path that a missing one probably means.
struct Intended {
    path: String,
    /// Whether everybody who has the skill has the file, too.
    is_reachable: bool,
}

impl LinkSearch<'_, '_> {
    /// Checks a path that stays in the skill.
    pub(super) fn check_inside(&mut self, span: Span, what: &str, path: &str, place: &str) {
        let Some(inside) = self.path_in_skill(place).map(str::to_owned) else { return };
        if has(self.draft, &inside) || self.is_at_source(path) {
            return;
        }
        if self.missing_at.get(&inside).is_none() && (self.is_elsewhere(&inside) || self.is_copied_in(path)) {
            return;
        }
        if self.around.exists(place) {
            // The file exists in the repository, but the bundle leaves it out, so a program will not find it.
            let is_hidden = inside.split('/').any(|part| part.starts_with('.'));
            if self.around.scope == DirectoryKind::Bundle && !self.around.is_of_skill(place) {
                let (label, help) = match is_hidden {
                    true => {
                        ("hidden", format!("add the line `!/{inside}` to the `.skillignore` of the skill"))
                    }
                    false => ("excluded", "remove the line of `.skillignore` that excludes it".to_owned()),
                };
                lints::BROKEN_LINK
                    .report_at(
                        span,
                        format!("the {what} `{path}` names a file that is left out of the bundle"),
                    )
                    .label(label)
                    .help(help)
                    .add_to(self.report);
            }
            return;
        }
        let known = self.missing_at.get(&inside).and_then(|at| self.missing.get_mut(at));
        if let Some((.., at, count, near)) = known {
            *count += 1;
            let fix = self.report.diagnostics.get_mut(*at).and_then(|found| found.fix.as_mut());
            if let (Some(fix), Some(near)) = (fix, near) {
                fix.changes.push(Change::replace(span.part(0, path.len()), near.as_str()));
            }
            return;
        }
        let intended = self.intended(what, path, &inside, place);
        let owner = if intended.is_none() && !path.ends_with('/') { self.owner(&inside) } else { None };
        let home = home_help(path);
        if what != "path" && intended.is_none() && owner.is_none() && home.is_none() {
            self.add_to_folder(what, path, &inside);
        }
        let slashed = inside.replace('\\', "/");
        let help = match (&intended, owner) {
            (Some(near), _) if slashed != inside && near.path == slashed => {
                format!("use `/` as the separator: `{slashed}`")
            }
            (Some(near), _) => format!("change the path to `{}`", near.path),
            _ if home.is_some() => home.unwrap_or_default(),
            _ if what == "link" && is_host(path) => format!("add the scheme: `https://{path}`"),
            (None, Some((other, path))) => {
                format!("tell the reader to use the skill `{other}`, which has the file `{path}`")
            }
            (None, None) => format!("add the file `{slashed}` to the skill"),
        };
        // The text after `#` or `?` is kept; a name with a space would need another form of link.
        let near = intended.filter(|near| near.is_reachable && !near.path.contains([' ', '(', ')']));
        let near = near.map(|near| near.path);
        let fix = near.as_deref().map(|near| Change::replace(span.part(0, path.len()), near).unsafe_fix());
        self.missing_at.insert(inside.clone(), self.missing.len());
        self.missing.push((inside, self.report.diagnostics.len(), 1, near));
        let label = if path.starts_with("~/") {
            "a link cannot lead to a home directory"
        } else {
            "no such file in the skill"
        };
        lints::BROKEN_LINK
            .report_at(span, format!("the {what} `{path}` points to a file that does not exist"))
            .label(label)
            .help(help)
            .fix(fix)
            .add_to(self.report);
    }

    /// Returns the path that a missing one probably means.
    fn intended(&self, what: &str, path: &str, inside: &str, place: &str) -> Option<Intended> {
        if home_help(path).is_some() {
            return None;
        }
        let mut above = None;
        if what == "link" {
            if let Some(path) = self.of_another(inside) {
                return Some(Intended { path, is_reachable: true });
            }
            above = if inside.contains('/') { self.place_above(inside) } else { None };
        }
        let is_led = above.as_deref().is_some_and(|place| self.may_lead_to(place));
        if let Some(near) = self.near_file(inside).filter(|_| !is_led) {
            return Some(Intended { path: near.to_owned(), is_reachable: true });
        }
        let place = above.or_else(|| self.similar(what, inside, place))?;
        let is_reachable = is_led || self.may_lead_to(&place) || self.path_in_skill(&place).is_some();
        Some(Intended { path: relative(&self.draft.skill.dir.path, &place), is_reachable })
    }

    /// Returns the file of the skill that a path in it probably means: one with a similar path or the same name. Many
    /// directories have a file with a name such as `README.md`.
    fn near_file(&self, inside: &str) -> Option<&str> {
        let wanted = file_name(inside);
        if is_common(&wanted) {
            return None;
        }
        let draft: &SkillDraft = self.draft;
        let files = draft.skill.dir.files.iter().map(|file| file.path.as_str());
        // Windows separates folders by a character that is a part of a name on other systems.
        let slashed = inside.replace('\\', "/");
        let turned = files.clone().find(|file| slashed != inside && *file == slashed);
        // Compare only file names, because folder names are often the same.
        let files = files.filter(|path| skills_text::nearest(&wanted, [file_name(path).as_str()]).is_some());
        let files = files.take(if self.report.has_room() { usize::MAX } else { 0 });
        let near = turned.or_else(|| skills_text::nearest(inside, files));
        let near = near.or_else(|| references::moved_file(draft, inside));
        // A file that the text also names by its path is another one.
        near.filter(|near| file_name(near) == wanted || !self.is_named(near))
    }

    /// Adds the next finding to those about files below one folder, which are often reported together: the first missing
    /// folder of a link, or the first folder of a mention.
    fn add_to_folder(&mut self, what: &str, path: &str, inside: &str) {
        let mut parts = inside.match_indices('/').map(|(at, _)| &inside[..at]);
        let folder = match what {
            "link" => parts.find(|part| !has(self.draft, part)).unwrap_or(inside).to_owned(),
            _ => format!("{}/", parts.next().unwrap_or(inside)),
        };
        let at = self.folders_at.get(&folder).unwrap_or(self.folders.len());
        if at == self.folders.len() {
            let is_folder = what == "link" && (folder != inside || path.ends_with('/'));
            self.folders_at.insert(folder.clone(), at);
            self.folders.push(MissingFolder { path: folder, found: Vec::new(), is_folder });
        }
        if let Some(folder) = self.folders.get_mut(at) {
            folder.found.push(self.report.diagnostics.len());
        }
    }

    /// Returns the name of a neighbouring skill that has a missing file, and the path to the file.
    fn owner(&self, path: &str) -> Option<(String, String)> {
        let other = self.around.other_with(self.draft, path).filter(|_| self.report.has_room())?;
        let dir = &self.draft.skill.dir.path;
        Some((other.name.clone(), relative(dir, &other.skill.dir.below(path))))
    }

    /// Returns the place of the file that a path probably means. Only links may lead out of the skill.
    fn similar(&self, what: &str, inside: &str, place: &str) -> Option<String> {
        if !self.report.has_room() {
            return None;
        }
        let found = match what {
            "link" => similar_place(self.around, &self.draft.skill.dir.path, inside),
            _ => similar_file(self.around, place),
        };
        // A file that the text also names is another one.
        found.filter(|found| self.path_in_skill(found).is_none_or(|found| !self.is_named(found)))
    }

    /// Returns `true` if the text names a file. Each call reads the whole text, so the number of calls is limited.
    fn is_named(&self, path: &str) -> bool {
        skills_text::work::count(self.text.len());
        self.missing.len() < SCANS && self.text.contains(path)
    }

    /// Reports a file that a plugin or a repository lacks.
    pub(super) fn missing_below(&mut self, span: Span, path: &str, place: &str, whole: &str) {
        lints::BROKEN_LINK
            .report_at(span, format!("the path `{path}` points to a file that does not exist"))
            .label(format!("no such file in the {whole}"))
            .help(format!("add the file `{place}` to the {whole}"))
            .add_to(self.report);
    }

    /// Adds to each missing file how often it is named, and to each missing folder how many files below it are named.
    pub(super) fn count_missing(&mut self) {
        for (_, at, count, _) in self.missing.iter().filter(|(_, _, count, _)| *count > 1) {
            if let Some(found) = self.report.diagnostics.get_mut(*at) {
                found.label.push_str(&format!("; named {count} times"));
            }
        }
        let templates = self.templates_with_missing();
        let mut merged: Vec<usize> = Vec::new();
        for (folder, template) in self.folders.iter().zip(templates) {
            let Some((first, others)) = folder.found.split_first() else { continue };
            let Some(found) = self.report.diagnostics.get_mut(*first) else { continue };
            let (path, count) = (&folder.path, folder.found.len());
            if count >= MANY && path.ends_with('/') {
                let mut names = folder.found.iter().filter_map(|found| {
                    let at = self.missing.binary_search_by_key(found, |(_, at, ..)| *at).ok()?;
                    self.missing.get(at).map(|(path, ..)| format!("`{path}`"))
                });
                let named: Vec<String> = names.by_ref().take(MAX_NAMED).collect();
                let more = match names.count() {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                let folder = path.trim_end_matches('/');
                "no such file in the skill".clone_into(&mut found.label);
                let first = named.first().map_or("", String::as_str);
                found.title = format!(
                    "the text names {count} files below `{folder}` that do not exist, the first is {first}"
                );
                found.help = format!("add the files to the skill: {}{more}", named.join(", "));
                merged.extend(others);
            } else if count >= MANY {
                found.title =
                    format!("links point to {count} files below `{path}`, a folder that does not exist");
                "no such folder in the skill".clone_into(&mut found.label);
                found.help = format!("add the folder `{path}` to the skill, or remove the links");
                merged.extend(others);
            }
            if let Some(template) = template {
                found.label.push_str(&format!("; `{template}` links to it, too"));
            }
        }
        skills_text::sort(&mut merged, &|a, b| a.cmp(b));
        let mut at = 0;
        self.report.diagnostics.retain(|_| {
            at += 1;
            merged.binary_search(&(at - 1)).is_err()
        });
    }

    /// Finds for each missing folder the first file in a folder such as `assets` that also links to it. The links of these
    /// files are not checked otherwise, because many lead to files of other projects.
    fn templates_with_missing(&self) -> Vec<Option<String>> {
        let mut found = vec![None; self.folders.len()];
        if !self.folders.iter().any(|folder| folder.is_folder) {
            return found;
        }
        let dir = &self.draft.skill.dir;
        for path in references::material(self.draft) {
            let Some(file) = dir.file(path) else { continue };
            let Ok(text) = std::str::from_utf8(file.bytes(self.sources)) else { continue };
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            for link in Markdown::parse(text).links {
                let target = path_of(&link.path);
                for from in [folder, ""] {
                    let place = resolve(from, target).unwrap_or_default();
                    let mut parts = place.match_indices('/').map(|(at, _)| &place[..at]);
                    let at = parts.find_map(|part| self.folders_at.get(part));
                    if let Some(found) = at.and_then(|at| found.get_mut(at)) {
                        found.get_or_insert_with(|| path.to_owned());
                    }
                }
            }
        }
        found
    }

    /// Reports all links out of the skill that lead to no file, and all that name files of other skills wrongly.
    pub(super) fn report_missing(&mut self) {
        let (meant, lost): (Vec<_>, Vec<_>) = self.lost.iter().partition(|(_, _, meant)| meant.is_some());
        for (links, is_meant) in [(meant, true), (lost, false)] {
            let Some((span, path, near)) = links.first() else { continue };
            let title = match links.len() {
                1 => format!("the link `{path}` points to a file that does not exist"),
                count => format!("{count} links point to files that do not exist, the first to `{path}`"),
            };
            let found = lints::BROKEN_LINK.report_at(*span, title);
            let changes = links.iter().filter_map(|(span, path, near)| {
                Some(Change::replace(span.part(0, path.len()), near.as_deref()?))
            });
            self.report.push(match near {
                Some(near) if is_meant => found
                    .label("no such file; a similar path exists")
                    .help(format!("change the path to `{near}`"))
                    .fix(Fix::from_changes(changes.collect())),
                _ if is_sibling(path) => {
                    found.label("no skill has this name").help("name a skill that exists, or remove the link")
                }
                _ => found
                    .label("no such file; the path is also outside the skill")
                    .help("correct the path, or remove the link"),
            });
        }
    }

    pub(super) fn report_outside(&mut self) {
        let outward: Vec<_> = self.outward.iter().filter(|(_, path, _)| !is_sibling(path)).collect();
        let Some((span, path, is_out)) = outward.first() else { return };
        let title = match outward.len() {
            1 => format!("the link `{path}` leads out of the skill"),
            count => format!("{count} links lead out of the skill, the first to `{path}`"),
        };
        let is_lost = *is_out && self.around.scope == DirectoryKind::Repository;
        let dir = &self.draft.skill.dir.path;
        let similar = if is_lost { similar_place(self.around, dir, path) } else { None };
        let (label, help) = match is_lost {
            true => (
                "leads out of the checked directory, where a checkout of it has nothing",
                match similar {
                    Some(place) => format!("change the path to `{}`", relative(dir, &place)),
                    None => "correct the path, or remove the link".to_owned(),
                },
            ),
            false => ("does not travel with the skill", "copy the file into the skill".to_owned()),
        };
        lints::LINK_LEAVES_SKILL.report_at(*span, title).label(label).help(help).add_to(self.report);
    }
}

/// The largest number of files that the help names.
const MAX_NAMED: usize = 8;
