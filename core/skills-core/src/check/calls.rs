//! Checks the calls between skills: each names a known skill, and there are no cycles.

use skills_text::{Places, nearest, sort};

use super::draft::SkillDraft;
use crate::rule::modes as rules;
use crate::tree::text::{listed, quote};
use crate::{Change, Diagnostic, Fix, Report, Spanned};

/// The skills by folder and name. A name leads only to a skill of the same folder, because a program bundles one folder.
pub(crate) struct Names<'d> {
    drafts: &'d [SkillDraft],
    /// The folders and names, sorted, each with the number of the first skill that has it.
    sorted: Vec<(&'d str, &'d str, usize)>,
}

/// The skills of one folder by name.
#[derive(Clone, Copy)]
pub(crate) struct FolderNames<'n, 'd> {
    drafts: &'d [SkillDraft],
    sorted: &'n [(&'d str, &'d str, usize)],
}

impl<'d> Names<'d> {
    pub(crate) fn new(drafts: &'d [SkillDraft]) -> Self {
        let names = drafts.iter().enumerate();
        let mut sorted: Vec<_> =
            names.map(|(at, draft)| (draft.skill.dir.folder.as_str(), &*draft.name, at)).collect();
        sort(&mut sorted, &|a, b| a.cmp(b));
        sorted.dedup_by_key(|(folder, name, _)| (*folder, *name));
        Self { drafts, sorted }
    }

    /// Returns the names to which a skill may refer.
    pub(crate) fn beside(&self, draft: &SkillDraft) -> FolderNames<'_, 'd> {
        let folder = draft.skill.dir.folder.as_str();
        // Most directories have one folder. Its name is compared with the ends only.
        let mut ends = self.sorted.first().into_iter().chain(self.sorted.last());
        if ends.all(|(other, ..)| *other == folder) {
            return FolderNames { drafts: self.drafts, sorted: &self.sorted };
        }
        let start = self.sorted.partition_point(|(other, ..)| *other < folder);
        let end = self.sorted.partition_point(|(other, ..)| *other <= folder);
        FolderNames { drafts: self.drafts, sorted: self.sorted.get(start..end).unwrap_or_default() }
    }
}

impl<'d> FolderNames<'_, 'd> {
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let at = self.sorted.binary_search_by(|(_, known, _)| (*known).cmp(name)).ok()?;
        Some(self.sorted.get(at)?.2)
    }

    pub(crate) fn draft(&self, name: &str) -> Option<&'d SkillDraft> {
        self.drafts.get(self.find(name)?)
    }

    /// Returns the skills, in the order of their names.
    pub(crate) fn drafts(&self) -> impl Iterator<Item = &'d SkillDraft> {
        self.sorted.iter().filter_map(|(.., at)| self.drafts.get(*at))
    }
}

pub(super) fn check(drafts: &[SkillDraft], report: &mut Report) {
    let all = Names::new(drafts);
    for draft in drafts.iter().filter(|draft| !draft.calls().is_empty() || !draft.steps().is_empty()) {
        let names = all.beside(draft);
        let steps: Vec<_> = draft.steps().iter().filter_map(|step| step.skill.as_ref()).collect();
        let mut problems = Report::default();
        for call in draft.calls().iter().filter(|call| names.find(&call.value).is_none()) {
            let title = format!("`calls` names an unknown skill: `{}`", call.value);
            let mut found = rules::CALL_UNKNOWN.report_at(call.span, title).label("no such skill");
            if problems.has_room() {
                found = suggest_skill(found, call, &steps, names);
            }
            problems.push(found);
        }
        let mut declared = Places::default();
        for (at, call) in draft.calls().iter().enumerate() {
            declared.first(call.value.clone(), at);
        }
        for step in steps.into_iter().filter(|step| declared.get(&step.value).is_none()) {
            let title = format!("the step uses `{}`, which is not in `calls`", step.value);
            let mut found = rules::CALL_UNDECLARED.report_at(step.span, title).label("not in `calls`");
            if problems.has_room() {
                found = suggest_declaration(found, step, draft, names);
            }
            problems.push(found);
        }
        report.diagnostics.append(&mut problems.diagnostics);
    }
    cycles(&all, report);
}

fn suggest_skill(
    found: Diagnostic,
    call: &Spanned<String>,
    steps: &[&Spanned<String>],
    names: FolderNames<'_, '_>,
) -> Diagnostic {
    let known: Vec<&str> = names.sorted.iter().map(|(_, name, _)| *name).collect();
    let Some(near) = nearest(&call.value, known.iter().copied()) else {
        return found.help(format!("add a skill with that name; the known skills are {}", listed(&known)));
    };
    // Steps that use the same spelling are fixed together, because one fix alone would not help.
    let misspelt = steps.iter().copied().filter(|step| step.value == call.value);
    let changes = std::iter::once(call).chain(misspelt).map(|name| Change::string(name.span, near));
    found.near_string(near).fix(Fix::from_changes(changes.collect()))
}

fn suggest_declaration(
    found: Diagnostic,
    step: &Spanned<String>,
    draft: &SkillDraft,
    names: FolderNames<'_, '_>,
) -> Diagnostic {
    let near = nearest(&step.value, draft.calls().iter().map(|call| call.value.as_str()));
    let calls = draft.manifest().and_then(|manifest| manifest.get("calls"));
    let is_known = names.find(&step.value).is_some();
    let found = match near.filter(|_| !is_known) {
        Some(near) => found.near_string(near),
        None => {
            let text = quote(&step.value);
            let change = match calls {
                Some(calls) => calls.as_list().map(|_| Change::AddMember { to: calls.span, text }),
                None => draft.added_member("calls", &format!("[{text}]")),
            };
            // At run time a step calls its skill even if `calls` does not list it.
            let fix = change.map(|change| if is_known { change.safe_fix() } else { change.unsafe_fix() });
            // If the name is also misspelled in `calls`, the fix there corrects both places.
            let fix = fix.filter(|_| near.is_none_or(|near| names.find(near).is_some()));
            let calls = draft.calls().iter().chain([step]).map(|call| format!("\"{}\"", call.value));
            let calls = calls.collect::<Vec<_>>().join(", ");
            found.help(format!("write it as: \"calls\": [{calls}]")).fix(fix)
        }
    };
    match calls {
        Some(calls) => found.related(calls.span, "the calls of this skill are declared here"),
        None => found,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Visit {
    New,
    Active,
    Done,
}

/// Finds cycles with an iterative depth-first search, because a chain of calls may be as long as the bundle.
fn cycles(names: &Names<'_>, report: &mut Report) {
    let drafts = names.drafts;
    let mut edges: Vec<Vec<(usize, &Spanned<String>)>> = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let mut called = Vec::new();
        if !draft.calls().is_empty() {
            let names = names.beside(draft);
            called.extend(draft.calls().iter().filter_map(|call| Some((names.find(&call.value)?, call))));
        }
        edges.push(called);
    }
    let mut found = Report::default();
    let mut visits = vec![Visit::New; drafts.len()];
    for start in 0..drafts.len() {
        if visits[start] != Visit::New {
            continue;
        }
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        visits[start] = Visit::Active;
        while let Some((node, next)) = path.last_mut() {
            let Some((target, call)) = edges[*node].get(*next).copied() else {
                visits[*node] = Visit::Done;
                path.pop();
                continue;
            };
            *next += 1;
            match visits[target] {
                Visit::New => {
                    visits[target] = Visit::Active;
                    path.push((target, 0));
                }
                Visit::Active if found.has_room() => found.push(cycle(drafts, &edges, &path, target, call)),
                // Listing all circles takes too long if all skills call each other, so a full report names the call.
                Visit::Active => {
                    let title =
                        format!("skills call each other in a circle through `{}`", drafts[target].name);
                    let problem =
                        rules::CALL_CYCLE.report_at(call.span, title).label("this call closes the circle");
                    found.push(problem.help("remove one of the calls of this circle"));
                }
                Visit::Done => {}
            }
        }
    }
    report.diagnostics.append(&mut found.diagnostics);
}

/// Describes the circle that a call closes. If it has many skills, names only the first ones.
fn cycle(
    drafts: &[SkillDraft],
    edges: &[Vec<(usize, &Spanned<String>)>],
    path: &[(usize, usize)],
    target: usize,
    call: &Spanned<String>,
) -> Diagnostic {
    const MAX_NAMES: usize = 32;
    skills_text::work::count(path.len());
    let from = path.iter().position(|(node, _)| *node == target).unwrap_or(0);
    let members = &path[from..];
    let mut names: Vec<String> =
        members.iter().take(MAX_NAMES).map(|(node, _)| format!("`{}`", drafts[*node].name)).collect();
    if members.len() > MAX_NAMES {
        names.push(format!("{} more", members.len() - MAX_NAMES));
    }
    names.push(format!("`{}`", drafts[target].name));
    let mut found = rules::CALL_CYCLE
        .report_at(call.span, format!("skills call each other in a circle: {}", names.join(" -> ")))
        .label("this call closes the circle")
        .help("remove one of these calls");
    for (node, next) in members[..members.len() - 1].iter().take(MAX_NAMES) {
        if let Some((to, call)) = edges[*node].get(next - 1) {
            found = found.related(call.span, format!("calls `{}`", drafts[*to].name));
        }
    }
    found
}
