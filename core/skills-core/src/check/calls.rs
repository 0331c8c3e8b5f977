//! Checks the calls between skills: each names a known skill, and there are no cycles.

use skills_text::{Places, nearest, sort};

use super::draft::Draft;
use crate::diagnostic::Diagnostic;
use crate::edit::{Change, Fix};
use crate::report::Report;
use crate::rule::modes as rules;
use crate::span::Spanned;
use crate::tree::text::quote;

/// The names of the skills, sorted, each with the first skill that has it.
pub(crate) struct Names<'d>(Vec<(&'d str, usize)>);

impl<'d> Names<'d> {
    pub(crate) fn new(drafts: &'d [Draft]) -> Self {
        let mut names: Vec<(&str, usize)> =
            drafts.iter().enumerate().map(|(at, draft)| (draft.name.as_str(), at)).collect();
        sort(&mut names, &|a, b| a.cmp(b));
        names.dedup_by_key(|(name, _)| *name);
        Self(names)
    }

    /// Returns the number of the first skill with a name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let at = self.0.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
        Some(self.0[at].1)
    }
}

/// Checks the calls of all skills.
pub(super) fn check(drafts: &[Draft], report: &mut Report) {
    let names = Names::new(drafts);
    for draft in drafts {
        let Some(typed) = &draft.typed else { continue };
        let steps = typed.steps.as_ref().map(|steps| steps.list.as_slice()).unwrap_or_default();
        let steps: Vec<&Spanned<String>> = steps.iter().filter_map(|step| step.skill.as_ref()).collect();
        let room = report.room();
        for call in typed.calls.iter().filter(|call| names.find(&call.value).is_none()) {
            if report.has(room) { unknown(call, &steps, &names, report) } else { report.push(no_skill(call)) }
        }
        let mut declared = Places::default();
        for (at, call) in typed.calls.iter().enumerate() {
            declared.first(call.value.clone(), at);
        }
        let room = report.room();
        for skill in steps.into_iter().filter(|skill| declared.get(&skill.value).is_none()) {
            if report.has(room) {
                undeclared(skill, draft, &names, report);
            } else {
                report.push(not_in_calls(skill));
            }
        }
    }
    cycles(drafts, &names, report);
}

fn unknown(call: &Spanned<String>, steps: &[&Spanned<String>], names: &Names<'_>, report: &mut Report) {
    let found = no_skill(call);
    report.push(match nearest(&call.value, names.0.iter().map(|(name, _)| *name)) {
        Some(near) => {
            // Steps that use the same spelling are fixed together, because one fix alone would not help.
            let spelled = steps.iter().filter(|step| step.value == call.value);
            let mut changes = vec![Change::string(call.span, near)];
            changes.extend(spelled.map(|step| Change::string(step.span, near)));
            found.near_string(near).fix(Fix::of(changes))
        }
        None => found.help(format!("add a skill with that name; the known skills are {}", listed(names))),
    });
}

fn no_skill(call: &Spanned<String>) -> Diagnostic {
    let title = format!("`calls` names an unknown skill: `{}`", call.value);
    rules::CALL_UNKNOWN.at(call.span, title).label("no such skill")
}

fn not_in_calls(step: &Spanned<String>) -> Diagnostic {
    let title = format!("the step uses `{}`, which is not in `calls`", step.value);
    rules::CALL_UNDECLARED.at(step.span, title).label("not in `calls`")
}

fn undeclared(step: &Spanned<String>, draft: &Draft, names: &Names<'_>, report: &mut Report) {
    let declared = draft.typed.as_ref().map(|typed| typed.calls.as_slice()).unwrap_or_default();
    let near = nearest(&step.value, declared.iter().map(|call| call.value.as_str()));
    let calls = draft.manifest().and_then(|manifest| manifest.get("calls"));
    let found = not_in_calls(step);
    let diagnostic = match near {
        Some(near) if names.find(&step.value).is_none() => found.near_string(near),
        _ => {
            let quoted = quote(&step.value);
            let change = match calls {
                Some(calls) => calls.as_list().map(|_| Change::AddMember { to: calls.span, text: quoted }),
                None => draft.added_member("calls", &format!("[{quoted}]")),
            };
            // At run time a step calls its skill even if `calls` does not list it.
            let is_known = names.find(&step.value).is_some();
            let fix = change.map(|change| if is_known { change.safe() } else { change.looked_at() });
            // If the name is also misspelled in `calls`, the fix there corrects both places.
            let is_misspelt = near.is_some_and(|near| names.find(near).is_none());
            let fix = fix.filter(|_| !is_misspelt);
            let mut calls: Vec<String> = declared.iter().map(|call| format!("\"{}\"", call.value)).collect();
            calls.push(format!("\"{}\"", step.value));
            found.help(format!("write it as: \"calls\": [{}]", calls.join(", "))).fix(fix)
        }
    };
    report.push(match calls {
        Some(calls) => diagnostic.related(calls.span, "the calls of this skill are declared here"),
        None => diagnostic,
    });
}

fn listed(names: &Names<'_>) -> String {
    const MAX_NAMES: usize = 8;
    let mut shown: Vec<String> =
        names.0.iter().take(MAX_NAMES).map(|(name, _)| format!("`{name}`")).collect();
    if names.0.len() > MAX_NAMES {
        shown.push(format!("{} more", names.0.len() - MAX_NAMES));
    }
    shown.join(", ")
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

/// Finds cycles with an iterative depth-first search, because a chain of calls may be as long as the bundle.
fn cycles(drafts: &[Draft], names: &Names<'_>, report: &mut Report) {
    let mut edges: Vec<Vec<(usize, &Spanned<String>)>> = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let calls = draft.typed.as_ref().map(|typed| typed.calls.as_slice()).unwrap_or_default();
        edges.push(calls.iter().filter_map(|call| Some((names.find(&call.value)?, call))).collect());
    }
    let room = report.room();
    let mut marks = vec![Mark::New; drafts.len()];
    for start in 0..drafts.len() {
        if marks[start] != Mark::New {
            continue;
        }
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        marks[start] = Mark::Open;
        while let Some((node, next)) = path.last_mut() {
            let Some((target, call)) = edges[*node].get(*next).copied() else {
                marks[*node] = Mark::Done;
                path.pop();
                continue;
            };
            *next += 1;
            match marks[target] {
                Mark::New => {
                    marks[target] = Mark::Open;
                    path.push((target, 0));
                }
                Mark::Open if report.has(room) => circle(drafts, &edges, &path, target, call, report),
                // Once the report is full, only the call is named: if all skills call each other, there is a
                // circle for each call, and listing each circle would take too long.
                Mark::Open => report.push(in_circle(call, &drafts[target].name)),
                Mark::Done => {}
            }
        }
    }
}

/// The number of skills of a circle that are named.
const LISTED: usize = 32;

/// Names the skills of a circle in order. If there are many, names only the first ones.
fn circle_of<'d>(names: impl Iterator<Item = &'d str>, count: usize) -> String {
    let mut shown: Vec<String> = names.take(LISTED).map(|name| format!("`{name}`")).collect();
    if count > LISTED {
        shown.push(format!("{} more", count - LISTED));
    }
    shown.join(" -> ")
}

fn in_circle(call: &Spanned<String>, target: &str) -> Diagnostic {
    rules::CALL_CYCLE
        .at(call.span, format!("skills call each other in a circle through `{target}`"))
        .label("this call closes the circle")
        .help("remove one of the calls of this circle")
}

fn circle(
    drafts: &[Draft],
    edges: &[Vec<(usize, &Spanned<String>)>],
    path: &[(usize, usize)],
    target: usize,
    call: &Spanned<String>,
    report: &mut Report,
) {
    skills_text::work::count(path.len());
    let from = path.iter().position(|(node, _)| *node == target).unwrap_or(0);
    let members = &path[from..];
    let names = circle_of(members.iter().map(|(node, _)| drafts[*node].name.as_str()), members.len());
    let names = format!("{names} -> `{}`", drafts[target].name);
    let calls: Vec<(usize, usize, &Spanned<String>)> = members[..members.len() - 1]
        .iter()
        .filter_map(|(node, next)| edges[*node].get(next - 1).map(|(to, call)| (*node, *to, *call)))
        .collect();
    let mut diagnostic = rules::CALL_CYCLE
        .at(call.span, format!("skills call each other in a circle: {names}"))
        .label("this call closes the circle")
        .help("remove one of these calls");
    for (_, to, call) in calls.iter().take(LISTED) {
        diagnostic = diagnostic.related(call.span, format!("calls `{}`", drafts[*to].name));
    }
    report.push(diagnostic);
}
