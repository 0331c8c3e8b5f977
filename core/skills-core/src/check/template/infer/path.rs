//! Computes the type of the value that a path reads, and reports a path that cannot exist.

use std::rc::Rc;

use skills_template::{Expr, TemplateNode as Template};
use skills_text::Places;

use crate::check::template::types::{Kinds, Nothing, Type};
use crate::rule::templates as rules;
use crate::tree::text::listed;
use crate::{Change, Diagnostic, Report, Span};

/// The values that a template can read.
#[derive(Clone)]
pub(crate) struct TemplateScope<'s> {
    pub(crate) input: Type<'s>,
    /// The steps around a template of a pipeline; `None` in a prompt.
    pub(crate) steps: Option<EarlierSteps<'s>>,
    /// The element type of the list around it.
    pub(crate) item: Option<Type<'s>>,
}

/// The steps of a pipeline, as seen from one of them.
#[derive(Clone)]
pub(crate) struct EarlierSteps<'s> {
    /// The earlier steps with the types of their results, shared between the scopes of all templates.
    pub(crate) before: Rc<Vec<(&'s str, Type<'s>)>>,
    /// The places of the earlier steps by name.
    pub(crate) places: Rc<Places>,
    /// The index of the last step with each name.
    pub(crate) last: Rc<Places>,
    /// The index from which a step runs later than this one.
    pub(crate) at: usize,
}

impl<'s> EarlierSteps<'s> {
    /// Returns `true` if a step with this name runs later.
    pub(crate) fn is_later(&self, name: &str) -> bool {
        self.last.get(name).is_some_and(|last| last >= self.at)
    }

    /// Returns the type of the result of the step with a name.
    fn get(&self, name: &str) -> Option<&Type<'s>> {
        self.before.get(self.places.get(name)?).map(|(_, output)| output)
    }
}

/// Converts a byte range of a template to a span of the file.
pub(crate) type Place<'p> = dyn Fn(usize, usize) -> Span + 'p;

impl<'s> TemplateScope<'s> {
    /// Returns the type of the value that a path reads.
    pub(crate) fn read(&self, path: Template<'_>, place: &Place<'_>, report: &mut Report) -> Type<'s> {
        let keys = keys(path, place);
        let Some(((root, at), rest)) = keys.split_first() else { return Type::Any };
        let index = Type::Kinds(Kinds::INTEGER);
        let start = match (*root, &self.steps, &self.item) {
            ("input", _, _) => self.input.clone(),
            ("item", _, Some(item)) => item.clone(),
            ("index", _, Some(_)) => index,
            ("steps", Some(steps), _) => return self.step(steps, rest, report),
            _ => {
                self.unknown_root(root, *at, report);
                return Type::Any;
            }
        };
        follow(start, rest, report)
    }

    fn unknown_root(&self, root: &str, at: Span, report: &mut Report) {
        let mut roots = vec!["input"];
        roots.extend(self.steps.as_ref().map(|_| "steps"));
        roots.extend(self.item.as_ref().map_or(&[][..], |_| &["item", "index"]));
        let title = format!("`{root}` is not available in this template");
        let found = rules::TEMPLATE_PATH.report_at(at, title).label("not defined here");
        if let Some(above) = self.holder_of(root) {
            return report.push(found.near(&format!("{above}.{root}")));
        }
        let is_loop = matches!(root, "item" | "index");
        report.push(match skills_text::nearest(root, roots.iter().copied()) {
            _ if is_loop && self.steps.is_none() => {
                found.help(format!("use `{root}` inside `{{{{#each input.list}}}}…{{{{/each}}}}`"))
            }
            _ if is_loop => found.help(format!("use `{root}` in the `input` of a step with `foreach`")),
            Some(near) => found.near(near),
            None => found.help(format!("begin the path with {}", listed(&roots))),
        });
    }

    /// Returns the name of the object that has a value with this name, as the start of a path.
    fn holder_of(&self, name: &str) -> Option<&'static str> {
        let is_step = self.steps.as_ref().is_some_and(|steps| steps.places.get(name).is_some());
        match &self.item {
            Some(item) if item.declares(name) => Some("item"),
            _ if self.input.declares(name) => Some("input"),
            _ => is_step.then_some("steps"),
        }
    }

    fn step(&self, steps: &EarlierSteps<'s>, keys: &[(&str, Span)], report: &mut Report) -> Type<'s> {
        let Some(((name, at), rest)) = keys.split_first() else { return Type::Any };
        if let Some(output) = steps.get(name) {
            return follow(output.clone(), rest, report);
        }
        let before = steps.before.iter().take(if report.has_room() { usize::MAX } else { 0 });
        let known: Vec<&str> = before.map(|(step, _)| *step).collect();
        let title = format!("no step `{name}` runs before this one");
        let found = rules::TEMPLATE_PATH.report_at(*at, title).label("not defined here");
        report.push(match skills_text::nearest(name, known.iter().copied()) {
            _ if steps.is_later(name) => {
                found.help(format!("steps run in file order: move `{name}` before this one"))
            }
            Some(near) => found.near(near),
            None if steps.before.is_empty() => {
                found.help("read `input` instead: no step runs before this one")
            }
            None => found.help(format!("use one of the earlier steps: {}", listed(&known))),
        });
        Type::Any
    }
}

/// Returns the keys of a path or field, each with its place.
pub(crate) fn keys<'t>(path: Template<'t>, place: &Place<'_>) -> Vec<(&'t str, Span)> {
    let keys = path.children().filter_map(|key| match (key.expr(), key.span()) {
        (Expr::Key(name), Some(span)) => Some((name, place(span.start as usize, span.end as usize))),
        _ => None,
    });
    keys.collect()
}

/// Follows keys through a type as far as the type is known.
pub(crate) fn follow<'s>(start: Type<'s>, keys: &[(&str, Span)], report: &mut Report) -> Type<'s> {
    let mut value = start;
    for (key, at) in keys {
        value = match value.member(key) {
            Ok(member) => member,
            Err(nothing) => {
                report.push(absent(key, *at, &nothing, report.has_room()));
                return Type::Any;
            }
        };
    }
    value
}

fn absent(key: &str, at: Span, nothing: &Nothing<'_>, has_room: bool) -> Diagnostic {
    let Nothing { kinds, known } = nothing;
    let title = match known.is_empty() {
        true => format!("{} has no property `{key}`", kinds.describe()),
        false => format!("the schema has no property `{key}`"),
    };
    let found = rules::TEMPLATE_PATH.report_at(at, title).label("no such property");
    if !has_room {
        return found;
    }
    let known = known.names();
    match skills_text::nearest(key, known.iter().copied()) {
        Some(near) => found.near(near),
        None if !known.is_empty() => found.help(format!("use one of the properties {}", listed(&known))),
        None if matches!(key, "length" | "size" | "count") => {
            // The dot before the key is replaced, too.
            let dotted = Span::new(at.start.saturating_sub(1), at.end);
            let fix = Change::replace(dotted, " | size").unsafe_fix();
            found.help("use the filter: `| size`").fix(fix)
        }
        None if kinds.meets(Kinds::ARRAY) => {
            found.help(format!("write `.0.{key}` for the first element, or `| map: {key}` for all elements"))
        }
        None => found.help(format!("read the value itself, without `.{key}`")),
    }
}
