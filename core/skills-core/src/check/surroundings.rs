//! The files that the text of a skill may name: all files below the root. Used by `links`.

use std::cell::{Cell, OnceCell};

use skills_text::{Places, path_below, sort};

use super::draft::SkillDraft;
use crate::SourceMap;
use crate::link_paths::{DirectoryVariable, resolve, rooted};
use crate::read::DirectoryKind;

/// All known files below the root.
pub(crate) struct Surroundings<'a> {
    pub(super) drafts: &'a [SkillDraft],
    skills: Places,
    /// The same paths, sorted.
    paths: Vec<&'a str>,
    /// The length of the longest of them.
    longest: usize,
    /// The names of the skills, and of their directories, with their numbers, sorted.
    names: Vec<(&'a str, usize)>,
    /// Files that are part of no skill, sorted.
    others: &'a [String],
    pub(super) scope: DirectoryKind,
    /// Whether these are all files below the root.
    is_whole: bool,
    /// Whether more files could change an answer that was given.
    is_incomplete: Cell<bool>,
    /// See [`workspaces`](Self::workspaces).
    workspaces: OnceCell<Vec<&'a str>>,
}

impl<'a> Surroundings<'a> {
    /// Creates surroundings with the files of one skill only, which are enough for most texts.
    /// [`is_incomplete`](Self::is_incomplete) returns `true` if a text named another file.
    pub(super) fn of_one(draft: &'a SkillDraft, scope: DirectoryKind) -> Self {
        Self { is_whole: false, ..Self::new(std::slice::from_ref(draft), &[], scope) }
    }

    /// Collects all skills, and the files that do not belong to one.
    pub(crate) fn new(drafts: &'a [SkillDraft], others: &'a [String], scope: DirectoryKind) -> Self {
        let mut skills = Places::default();
        for (at, draft) in drafts.iter().enumerate() {
            skills.insert(draft.skill.dir.path.clone(), at);
        }
        let mut paths: Vec<&str> = drafts.iter().map(|draft| draft.skill.dir.path.as_str()).collect();
        sort(&mut paths, &|a, b| a.cmp(b));
        let mut names: Vec<(&str, usize)> = Vec::new();
        for (at, draft) in drafts.iter().enumerate() {
            names.extend([(&*draft.name, at), (&*draft.skill.dir.name, at)]);
        }
        sort(&mut names, &|a, b| a.cmp(b));
        names.dedup();
        let longest = paths.iter().map(|path| path.len()).max().unwrap_or_default();
        let is_incomplete = Cell::new(false);
        let workspaces = OnceCell::new();
        Self {
            drafts,
            skills,
            paths,
            longest,
            names,
            others,
            scope,
            is_whole: true,
            is_incomplete,
            workspaces,
        }
    }

    /// Returns `true` if more files may change an answer that was given.
    pub(super) fn is_incomplete(&self) -> bool {
        self.is_incomplete.get()
    }

    /// Records that more files may change an answer, unless all files are known.
    fn mark_incomplete(&self) {
        self.is_incomplete.set(self.is_incomplete.get() || !self.is_whole);
    }

    /// Returns the skill whose directory has a path below the root.
    pub(super) fn skill(&self, path: &str) -> Option<&SkillDraft> {
        let found = self.skills.get(path).and_then(|at| self.drafts.get(at));
        if found.is_none() {
            self.mark_incomplete();
        }
        found
    }

    /// Returns `true` if a file or directory exists at a path below the root.
    pub(super) fn exists(&self, place: &str) -> bool {
        place.is_empty()
            || has_path(self.others, String::as_str, place)
            || has_path(&self.paths, |path| path, place)
            || self.is_of_skill(place)
    }

    /// Returns `true` if a path below the root leads to a file or directory of a skill.
    pub(super) fn is_of_skill(&self, place: &str) -> bool {
        // A path may be much deeper than any skill, so only its first parts are compared.
        let above = place.match_indices('/').map(|(at, _)| at).take_while(|at| *at <= self.longest);
        let is_found = std::iter::once(0).chain(above).chain([place.len()]).any(|at| {
            skills_text::work::count(at);
            let (skill, below) = place.split_at(at);
            let skill = self.skills.get(skill).map(|at| &self.drafts[at]);
            skill.is_some_and(|skill| has(skill, below.trim_start_matches('/')))
        });
        if !is_found {
            self.mark_incomplete();
        }
        is_found
    }

    /// Returns the directories above skills of a repository from which a path behind `{baseDir}` leads to a file that the
    /// skill with the path lacks. The text of each skill is read, at the first call.
    pub(super) fn workspaces(&self, sources: &SourceMap) -> &[&'a str] {
        self.mark_incomplete();
        self.workspaces.get_or_init(|| {
            let mut found = Vec::new();
            let drafts = if self.scope == DirectoryKind::Repository { self.drafts } else { &[] };
            for draft in drafts {
                let body = draft.skill.document.as_ref().map(|document| document.body);
                let text = body.map(|body| sources.text(body)).unwrap_or_default();
                skills_text::work::count(text.len());
                let paths =
                    rooted(text).into_iter().filter(|path| path.variable == DirectoryVariable::BaseDir);
                for path in paths.map(|path| &text[path.start..path.end]) {
                    if path.contains('/') && !has(draft, path) {
                        found.extend(self.directory_with(&draft.skill.dir.path, path));
                    }
                }
            }
            sort(&mut found, &|a, b| a.cmp(b));
            found.dedup();
            found
        })
    }

    /// Returns the nearest directory above a place from which a path leads to a file or directory.
    fn directory_with<'p>(&self, place: &'p str, path: &str) -> Option<&'p str> {
        let mut above = directories_above(place);
        above.find(|above| resolve(above, path).is_some_and(|place| self.exists(&place)))
    }

    /// Returns the names of the files in a directory below the root.
    pub(super) fn files_in(&self, directory: &str) -> Vec<&str> {
        self.mark_incomplete();
        let ends = directory.match_indices('/').map(|(at, _)| at).chain([directory.len()]);
        let ends = ends.chain((!directory.is_empty()).then_some(0));
        let skills = ends.filter_map(|at| {
            let (skill, below) = directory.split_at(at);
            Some((self.drafts.get(self.skills.get(skill)?)?, below.trim_start_matches('/')))
        });
        let mut found = names_in(self.others, String::as_str, directory);
        for (skill, below) in skills {
            found.extend(names_in(&skill.skill.dir.files, |file| &file.path, below));
        }
        found
    }

    /// Returns the numbers of the skills with a name, or with a directory of that name.
    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = usize> {
        self.mark_incomplete();
        let first = self.names.partition_point(|(known, _)| *known < name);
        let count = self.names[first..].partition_point(|(known, _)| *known <= name);
        self.names[first..first + count].iter().map(|(_, number)| *number)
    }

    /// Returns another skill in the folder of a skill that has a file of a path.
    pub(super) fn other_with(&self, draft: &SkillDraft, path: &str) -> Option<&SkillDraft> {
        self.mark_incomplete();
        let mut others = self.drafts.iter().take(MAX_OTHERS);
        others.find(|other| {
            skills_text::work::count(1);
            other.skill.dir.folder == draft.skill.dir.folder
                && !std::ptr::eq(*other, draft)
                && has(other, path)
        })
    }

    /// Returns the file of another skill that a wrong path in a skill probably means: the path ends with it, but begins with
    /// wrong directories. The skill is a neighbour, or the only one of a repository with this file.
    pub(super) fn of_another(&self, draft: &SkillDraft, path: &str) -> Option<String> {
        let own = &draft.skill.dir;
        path.match_indices('/').map(|(at, _)| at + 1).chain([0]).take(DEEPEST).find_map(|start| {
            let (name, file) = path[start..].split_once('/').filter(|(_, file)| !file.is_empty())?;
            let others = self.named(name).filter_map(|number| self.drafts.get(number));
            let others: Vec<_> = others
                .filter(|other| {
                    other.skill.dir.name == name && !std::ptr::eq(*other, draft) && has(other, file)
                })
                .collect();
            let mut neighbours = others.iter().filter(|other| {
                other.skill.dir.folder == own.folder
                    && directory(&other.skill.dir.path) == directory(&own.path)
            });
            let only =
                others.first().filter(|_| others.len() == 1 && self.scope == DirectoryKind::Repository);
            neighbours.next().or(only).map(|other| other.skill.dir.below(file))
        })
    }

    /// Returns `true` if a skill that is not checked has a directory of this name.
    pub(super) fn is_passed_over(&self, name: &str) -> bool {
        self.mark_incomplete();
        skills_text::work::count(self.others.len());
        self.others.iter().any(|path| {
            let directory = path.strip_suffix("/SKILL.md");
            directory.is_some_and(|directory| directory.rsplit('/').next() == Some(name))
        })
    }

    /// Returns `true` if a directory with this name is a plugin.
    pub(super) fn has_plugin(&self, name: &str) -> bool {
        self.mark_incomplete();
        skills_text::work::count(self.others.len());
        self.others.iter().any(|path| {
            let mut directories =
                MANIFESTS.iter().filter_map(|name| path.strip_suffix(name)?.strip_suffix('/'));
            directories.any(|directory| directory.rsplit('/').next() == Some(name))
        })
    }

    /// Returns the directory of the plugin around a path. A plugin is installed as a whole.
    pub(super) fn plugin<'p>(&self, path: &'p str) -> Option<&'p str> {
        self.mark_incomplete();
        directories_above(path).find(|place| {
            MANIFESTS.iter().any(|manifest| {
                let path =
                    if place.is_empty() { (*manifest).to_owned() } else { format!("{place}/{manifest}") };
                self.others.binary_search(&path).is_ok()
            })
        })
    }
}

/// The files that make their directory a plugin.
const MANIFESTS: [&str; 5] = [
    "plugin.json",
    ".claude-plugin/plugin.json",
    ".claude-plugin/marketplace.json",
    ".codex-plugin/plugin.json",
    ".cursor-plugin/plugin.json",
];

/// Returns the directories above a place, the nearest first and the root last.
pub(super) fn directories_above(place: &str) -> impl Iterator<Item = &str> {
    place.match_indices('/').rev().map(|(at, _)| &place[..at]).chain([""])
}

/// Returns the directory of a path.
fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// The largest number of directories of a path that may be wrong.
const DEEPEST: usize = 64;

/// The largest number of skills that are searched for a missing file.
const MAX_OTHERS: usize = 1_000;

/// Returns `true` if a skill has a file or folder.
pub(super) fn has(draft: &SkillDraft, path: &str) -> bool {
    path.is_empty() || has_path(&draft.skill.dir.files, |file| &file.path, path)
}

/// Returns the names of the files in a directory that a list has, which is sorted by paths.
fn names_in<'l, T>(list: &'l [T], path_of: fn(&T) -> &str, directory: &str) -> Vec<&'l str> {
    let start = if directory.is_empty() { String::new() } else { format!("{directory}/") };
    let first = list.partition_point(|item| path_of(item) < start.as_str());
    let below = list[first..].iter().map_while(|item| path_of(item).strip_prefix(&start));
    let names = below.take(MAX_NAMES).filter(|name| !name.contains('/'));
    names.inspect(|_| skills_text::work::count(1)).collect()
}

/// The largest number of files of a directory that are searched for a similar name.
const MAX_NAMES: usize = 1_000;

/// Returns `true` if a list that is sorted by paths has a path, or a path below it.
fn has_path<T>(list: &[T], path_of: fn(&T) -> &str, path: &str) -> bool {
    // Paths such as `a-b` sort between `a` and `a/x`.
    [path, &format!("{path}/")].into_iter().any(|from| {
        let found = list.get(list.partition_point(|item| path_of(item) < from));
        found.is_some_and(|found| path_below(path_of(found), path).is_some())
    })
}
