//! Checks the templates of a pipeline, in its steps and in its `outputMapping`.

mod owner;
mod written;

use std::rc::Rc;
use std::slice::Iter;

use skills_schema::Part;
use skills_schema::lower::Lowered;
use skills_template::{ParsedTemplate, TemplateNode as Tree};
use skills_text::Places;

use super::infer::not_a_list;
use super::parsed::{check_parsed, error_diagnostic, infer, report_faults};
use crate::check::calls::FolderNames;
use crate::check::draft::SkillDraft;
use crate::check::pipeline::DraftStep;
use crate::check::template::infer::path::{EarlierSteps, TemplateScope};
use crate::check::template::paths::paths;
use crate::check::template::types::fit::Comparison;
use crate::check::template::types::{Kinds, Type};
use crate::check::templated::{Templated, TemplatedText};
use crate::rule::pipelines as rules;
use crate::tree::{Node, Value, json};
use crate::{Change, Report, SourceMap, Span, Spanned};
use owner::Owner;
use written::Written;

/// Checks the pipeline of one skill.
pub(super) fn check(
    draft: &SkillDraft,
    skills: FolderNames<'_, '_>,
    sources: &SourceMap,
    report: &mut Report,
) {
    let Some(typed) = draft.typed.as_ref().filter(|typed| typed.steps.is_some()) else { return };
    let steps = draft.steps();
    let names: Vec<&str> = steps.iter().filter_map(DraftStep::name).collect();
    let mut last = Places::default();
    for (at, name) in names.iter().enumerate() {
        last.insert((*name).to_owned(), at);
    }
    let scope = TemplateScope {
        input: Type::from_schema(draft.input()),
        steps: Some(EarlierSteps {
            before: Rc::default(),
            places: Rc::default(),
            last: Rc::new(last),
            at: 0,
        }),
        item: None,
    };
    let mut pass = Pass { sources, scope, report, comparison: Comparison::default() };
    let mut seen = Places::default();
    let mut named = 0;
    for step in steps {
        let before = &names[..named];
        named += usize::from(step.name.is_some());
        let callee = step.skill.as_ref().and_then(|skill| skills.draft(&skill.value));
        if let Some(steps) = &mut pass.scope.steps {
            steps.at = named;
        }
        pass.depends(step, &seen, before);
        let output = pass.step(step, callee);
        let (Some(name), Some(known)) = (&step.name, &mut pass.scope.steps) else { continue };
        if seen.insert(name.value.clone(), named).is_none() {
            Rc::make_mut(&mut known.places).insert(name.value.clone(), known.before.len());
            Rc::make_mut(&mut known.before).push((&name.value, output));
        } else {
            let fix = Change::string(name.span, &format!("{}_2", name.value)).unsafe_fix();
            rules::STEP_TWICE
                .report_at(name.span, format!("two steps have the name `{}`", name.value))
                .label("the second step with this name")
                .help("rename one of them: `steps.NAME` must identify one step")
                .fix(fix)
                .add_to(pass.report);
        }
    }
    let Some(output) = draft.output() else { return };
    match &typed.output_mapping {
        Some(mapping) => {
            let mapping = pass.templated(mapping);
            pass.compare(&mapping, output, Owner::Output);
        }
        None => pass.last_output(steps, output.document.root()),
    }
}

struct Pass<'p, 's> {
    sources: &'p SourceMap,
    scope: TemplateScope<'s>,
    report: &'p mut Report,
    comparison: Comparison,
}

impl<'s> Pass<'_, 's> {
    /// Checks one step and returns the type of its result.
    fn step(&mut self, step: &'s DraftStep, callee: Option<&'s SkillDraft>) -> Type<'s> {
        if let Some(condition) = &step.condition {
            self.template(condition);
        }
        if let Some(list) = &step.foreach {
            let (at, found) = self.template(list);
            if !found.kinds().meets(Kinds::ARRAY) {
                self.report.push(not_a_list("`foreach`", &found, at));
            }
            self.scope.item = Some(found.elements());
        }
        if let Some(input) = &step.input {
            let written = self.templated(input);
            if let Some((callee, wanted)) = callee.and_then(|callee| Some((callee, callee.input()?))) {
                self.compare(&written, wanted, Owner::Input(&callee.name));
            }
        }
        let is_loop = self.scope.item.take().is_some();
        let mut output = Type::from_schema(callee.and_then(SkillDraft::output));
        if step.continue_on_error {
            // The result of a failed attempt that `continueOnError` allows (SPEC 5.7).
            let failed = vec![("_error", Type::Any), ("_failed", Type::Kinds(Kinds::BOOL))];
            output = output.or(Type::Record(failed));
        }
        if is_loop { Type::Record(vec![("results", Type::Array(Box::new(output)))]) } else { output }
    }

    /// Checks that a step depends only on earlier steps, whose names are in `before` and in `known`.
    fn depends(&mut self, step: &DraftStep, known: &Places, before: &[&str]) {
        for name in step.depends.iter().filter(|name| known.get(&name.value).is_none()) {
            let text = name.value.as_str();
            let mut near = None;
            let (title, help) = if step.name() == Some(text) {
                (format!("the step `{text}` cannot wait for itself"), "delete it".to_owned())
            } else if self.scope.steps.as_ref().is_some_and(|steps| steps.is_later(text)) {
                let help = format!("steps run in file order: move `{text}` before this one");
                (format!("the step `{text}` runs after this one"), help)
            } else {
                let before = if self.report.has_room() { before } else { &[] };
                near = skills_text::nearest(text, before.iter().copied());
                (format!("no step `{text}` runs before this one"), "name an earlier step".to_owned())
            };
            let found = rules::STEP_DEPENDS.report_at(name.span, title).label("this dependency");
            self.report.push(match near {
                Some(near) => found.near_string(near),
                None => found.help(help),
            });
        }
    }

    /// Checks one template and returns the place of its expression and the type of its result.
    fn template(&mut self, template: &Spanned<ParsedTemplate>) -> (Span, Type<'s>) {
        let (sources, span) = (self.sources, template.span);
        let literal = literal(sources.text(span));
        let place = |start, end| literal.place(span, start, end);
        let found = check_parsed(&template.value, &place, &self.scope, self.report);
        let root = template.value.tree.as_ref().and_then(|tree| expression(tree.root()));
        (root.map_or(span, |(start, end)| place(start, end)), found)
    }

    /// Checks the templates of a value.
    fn templated<'n>(&mut self, templated: &'n Templated) -> Written<'n, 's> {
        if let Some(fault) = &templated.fault {
            self.report.push(error_diagnostic(fault, &|_, _| templated.value.span));
        }
        self.written(&templated.value, templated.tree.root(), &mut templated.texts.iter())
    }

    fn written<'n>(
        &mut self,
        node: &'n Node,
        tree: Tree<'_>,
        texts: &mut Iter<'_, TemplatedText>,
    ) -> Written<'n, 's> {
        match &node.value {
            Value::Scalar(_) => match node.as_string().and_then(|text| Some((text, texts.next()?))) {
                Some((text, of)) => self.string(node, text, tree, of),
                None => Written::Scalar(node),
            },
            Value::List(items) => {
                let items = items.iter().zip(tree.children());
                Written::Array(node, items.map(|(item, tree)| self.written(item, tree, texts)).collect())
            }
            Value::Map(entries) => {
                // The tree contains the keys, too.
                let members = entries.iter().zip(tree.children().skip(1).step_by(2));
                let written = members.map(|(entry, tree)| (entry, self.written(&entry.value, tree, texts)));
                Written::Object(node, written.collect())
            }
        }
    }

    fn string<'n>(
        &mut self,
        node: &'n Node,
        text: &str,
        tree: Tree<'_>,
        of: &TemplatedText,
    ) -> Written<'n, 's> {
        let sources = self.sources;
        let base = of.base as usize;
        let literal = literal(sources.text(node.span));
        let place = |start: usize, end: usize| {
            literal.place(node.span, start.saturating_sub(base), end.saturating_sub(base))
        };
        report_faults(&of.errors, &of.lints, &place, self.report);
        if !text.contains("{{") {
            return Written::Scalar(node);
        }
        if !of.errors.is_empty() {
            return Written::Template(node.span, Type::Any);
        }
        let found = infer(tree, &place, &self.scope, self.report);
        Written::Template(expression(tree).map_or(node.span, |(start, end)| place(start, end)), found)
    }

    fn compare(&mut self, value: &Written<'_, 's>, wanted: &Lowered, owner: Owner<'_>) {
        let found = written::check(value, wanted, owner, self.sources, &mut self.comparison);
        found.into_iter().for_each(|found| self.report.push(found));
    }

    /// Checks the output of a pipeline without a mapping: the result of the last step that ran, or `{}`.
    fn last_output(&mut self, all: &[DraftStep], wanted: Part<'_>) {
        let (Some(steps), Some(last)) = (&self.scope.steps, all.last()) else { return };
        let outputs = steps.before.iter().map(|(_, output)| output.clone());
        let given = if all.iter().any(|step| step.condition.is_some()) {
            outputs.fold(Type::Record(Vec::new()), Type::or)
        } else {
            let output = steps.before.iter().find(|(step, _)| Some(*step) == last.name());
            output.map_or(Type::Any, |(_, output)| output.clone())
        };
        let Some(found) = self.comparison.misfit(&given, wanted) else { return };
        let misfit = Owner::Output.misfit_title(&found.at, &found);
        let title = format!("{misfit}; it is the output of the last step");
        let at = last.skill.as_ref().map_or(last.span, |skill| skill.span);
        let help = "add \"outputMapping\" to the skill: { \"KEY\": \"{{steps.NAME.KEY}}\" }";
        let found = rules::OUTPUT_MAPPING.report_at(at, title).help(help);
        self.report.push(found.label("its output is the output of the pipeline"));
    }
}

/// Reads the string of a template once, for all places in it.
fn literal(text: &str) -> json::Literal<'_> {
    skills_text::work::count(text.len());
    json::Literal::new(text)
}

/// Returns the place of the only expression of a template; `None` if there is text around expressions.
fn expression(root: Tree<'_>) -> Option<(usize, usize)> {
    root.span().filter(|_| !root.is_text()).map(|span| (span.start as usize, span.end as usize))
}

/// Finds all places that name a step, for an editor: its own name, `depends`, and templates.
pub(crate) fn named(draft: &SkillDraft, name: &str, sources: &SourceMap) -> Vec<Span> {
    let names = draft.steps().iter().flat_map(|step| step.name.iter().chain(&step.depends));
    let mut found: Vec<Span> = names.filter(|known| known.value == name).map(|known| known.span).collect();
    found.extend(paths(draft, sources).into_iter().filter_map(|path| match path.keys.as_slice() {
        [(root, _), (step, span), ..] if root == "steps" && step == name => Some(*span),
        _ => None,
    }));
    skills_text::sort(&mut found, &|a, b| a.cmp(b));
    found
}
