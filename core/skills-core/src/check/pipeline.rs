//! Reads the `pipeline` of a `skill.json` once: steps with their templates parsed, and the edges between them.

use std::borrow::Cow;

use skills_template::pipeline::{Pipeline, Step as PlannedStep};
use skills_template::{ParsedTemplate, Tree, parse_condition, parse_template, references};
use skills_text::{Places, sort};

use super::templated::Templated;
use super::value::{Expected, flag, milliseconds, whole, wrong, wrong_node};
use crate::rule::{manifest as rules, modes};
use crate::tree::{MapEntry, Node, text::listed};
use crate::{Change, Report, Span, Spanned};

/// The wait before the first repetition of a step, in milliseconds.
const RETRY_DELAY_MS: u64 = 1000;

const KEYS: &str = "\
    step skill input condition foreach maxConcurrency depends timeout retry retryDelay \
    continueOnError";

#[derive(Debug)]
pub(super) struct DraftSteps {
    pub(super) span: Span,
    pub(super) list: Vec<DraftStep>,
}

/// One step. A missing or invalid part was reported and is absent here.
#[derive(Debug, Default)]
pub(super) struct DraftStep {
    pub(super) span: Span,
    pub(super) name: Option<Spanned<String>>,
    pub(super) skill: Option<Spanned<String>>,
    pub(super) input: Option<Templated>,
    pub(super) condition: Option<Spanned<ParsedTemplate>>,
    pub(super) foreach: Option<Spanned<ParsedTemplate>>,
    pub(super) depends: Vec<Spanned<String>>,
    pub(super) continue_on_error: bool,
    /// The numbers of the steps that must finish first, ascending.
    pub(super) after: Vec<u32>,
    /// The steps whose results this step needs, ascending. If one of them is skipped, this one is, too.
    needs: Vec<u32>,
    /// Whether, for any input of the pipeline, the step calls its skill and fails if the call fails.
    is_certain: bool,
    concurrency: Option<u64>,
    timeout: Option<u64>,
    retry: Option<u64>,
    retry_delay: Option<u64>,
}

impl DraftSteps {
    pub(super) fn read(node: &Node, report: &mut Report) -> Self {
        let mut steps = Self { span: node.span, list: Vec::new() };
        let Some(items) = node.as_list() else {
            wrong_node(node, "pipeline", Expected::Steps, report);
            return steps;
        };
        if items.is_empty() {
            modes::PIPELINE_EMPTY
                .report_at(node.span, "the pipeline has no steps")
                .label("expected at least one step")
                .help(
                    "add a step: { \"step\": \"first\", \"skill\": \"NAME\", \"input\": {} }\n\
                 or delete the key: the host then runs the skill",
                )
                .add_to(report);
        }
        steps.list = items.iter().filter_map(|item| step(item, report)).collect();
        steps.connect();
        steps
    }

    /// Returns the skills that each run of the pipeline calls, for any input.
    pub(super) fn certain_calls(&self) -> Vec<String> {
        let mut known = Places::default();
        let steps = self.list.iter().filter(|step| step.is_certain);
        let skills = steps.filter_map(|step| Some(step.skill.as_ref()?.value.clone()));
        skills.filter(|skill| known.insert(skill.clone(), 0).is_none()).collect()
    }

    /// Converts valid steps to the form that the engine runs; `mapping` is the `outputMapping`.
    pub(super) fn into_pipeline(self, mapping: Option<Templated>) -> Option<Pipeline> {
        let steps: Option<Vec<PlannedStep>> = self.list.into_iter().map(DraftStep::into_planned).collect();
        let mapping = match mapping {
            Some(mapping) => Some(mapping.into_sound()?),
            None => None,
        };
        Some(Pipeline { steps: Cow::Owned(steps?), mapping })
    }

    /// Finds the edges between the steps, and the steps that always run.
    fn connect(&mut self) {
        // A step is skipped by its own condition, or if it needs the result of a skipped step (SPEC 5.4).
        let mut is_never_skipped: Vec<bool> = Vec::new();
        let mut before = Places::default();
        // The last step that waits for all earlier ones. A step that waits for it waits for them, too.
        let mut barrier = 0;
        for (at, step) in (0..).zip(&mut self.list) {
            barrier = if step.connect(&before, barrier, at) { at } else { barrier };
            if let Some(name) = step.name() {
                before.first(name.to_owned(), at as usize);
            }
            let mut needs = step.needs.iter().filter_map(|need| usize::try_from(*need).ok());
            let runs = step.condition.is_none()
                && needs.all(|need| is_never_skipped.get(need).copied().unwrap_or(false));
            // An empty list causes no call, and `continue_on_error` hides a failure.
            step.is_certain = runs && step.foreach.is_none() && !step.continue_on_error;
            is_never_skipped.push(runs);
        }
    }
}

impl DraftStep {
    /// Finds the edges to the earlier steps. Returns `true` if this step, number `at`, waits for all of them.
    fn connect(&mut self, before: &Places, barrier: u32, at: u32) -> bool {
        let mut is_barrier = false;
        let (mut after, mut needs): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        let condition = self.condition.as_ref().and_then(|condition| condition.value.tree.as_ref());
        let foreach = self.foreach.as_ref().and_then(|foreach| foreach.value.tree.as_ref());
        let input = self.input.as_ref().map(|input| &input.tree);
        for (tree, is_data) in [(input, true), (foreach, true), (condition, false)] {
            for reference in tree.map(|tree| references(tree.root())).unwrap_or_default() {
                let mut keys = reference.path.children().map(skills_template::TemplateNode::text);
                if keys.next() != Some("steps") {
                    continue;
                }
                // `steps` alone contains the results of all earlier steps.
                let Some(name) = keys.next() else {
                    if !std::mem::replace(&mut is_barrier, true) {
                        after.extend(barrier..at);
                    }
                    continue;
                };
                // Any other name was already reported and adds no edge.
                let Some(other) = find_step(before, name) else { continue };
                after.push(other);
                if is_data && !reference.has_fallback {
                    needs.push(other);
                }
            }
        }
        after.extend(self.depends.iter().filter_map(|name| find_step(before, &name.value)));
        for steps in [&mut after, &mut needs] {
            sort(steps, &|a, b| a.cmp(b));
            steps.dedup();
        }
        skills_text::work::count(after.len() + needs.len());
        (self.after, self.needs) = (after, needs);
        is_barrier
    }

    pub(super) fn name(&self) -> Option<&str> {
        self.name.as_ref().map(|name| name.value.as_str())
    }

    fn into_planned(self) -> Option<PlannedStep> {
        Some(PlannedStep {
            name: Cow::Owned(self.name?.value),
            skill: Cow::Owned(self.skill?.value),
            input: self.input?.into_sound()?,
            condition: lower_template(self.condition)?,
            foreach: lower_template(self.foreach)?,
            concurrency: self.concurrency.map_or(1, saturate),
            after: self.after.into(),
            needs: self.needs.into(),
            timeout_ms: self.timeout,
            retry: self.retry.map_or(0, saturate),
            retry_delay_ms: self.retry_delay.unwrap_or(RETRY_DELAY_MS),
            continue_on_error: self.continue_on_error,
        })
    }
}

/// Returns the tree of an optional template; `None` if it has an error.
fn lower_template(parsed: Option<Spanned<ParsedTemplate>>) -> Option<Option<Tree>> {
    match parsed {
        Some(parsed) => parsed.value.tree.map(Some),
        None => Some(None),
    }
}

/// Returns the number of an earlier step.
fn find_step(before: &Places, name: &str) -> Option<u32> {
    u32::try_from(before.get(name)?).ok()
}

fn saturate(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

fn step(node: &Node, report: &mut Report) -> Option<DraftStep> {
    let Some(entries) = node.as_map() else {
        wrong_node(node, "pipeline", Expected::Steps, report);
        return None;
    };
    let mut step = DraftStep { span: node.span, ..DraftStep::default() };
    for entry in entries {
        let span = entry.value.span;
        let text = entry.value.as_string();
        let parsed =
            |parse: fn(&str) -> ParsedTemplate| text.map(|text| Spanned { value: parse(text), span });
        let mut key = entry.key.as_str();
        if !is_known(key) {
            unknown(entry, key, report);
            // A misspelled key that defines an edge is read, so that the edge is not lost.
            key = intended_key(key)
                .filter(|near| *near == "depends" && node.get(near).is_none())
                .unwrap_or_default();
        }
        match key {
            "step" => step.name = entry.value.spanned(),
            "skill" => step.skill = entry.value.spanned(),
            "condition" => step.condition = parsed(parse_condition),
            "foreach" => step.foreach = parsed(parse_template),
            "input" => step.input = Some(Templated::read(&entry.value)),
            "depends" => step.depends = depends(entry, report),
            "timeout" => step.timeout = milliseconds(entry, 1, report),
            "maxConcurrency" => step.concurrency = whole(entry, report),
            "retry" => step.retry = whole(entry, report),
            "retryDelay" => step.retry_delay = milliseconds(entry, 0, report),
            "continueOnError" => step.continue_on_error = flag(entry, report).unwrap_or_default(),
            _ => {}
        }
        match key {
            "step" | "skill" | "condition" | "foreach" if text.is_none() => {
                wrong(entry, Expected::Text, report)
            }
            "input" if entry.value.as_map().is_none() => wrong(entry, Expected::Object, report),
            _ => {}
        }
    }
    for key in ["step", "skill", "input"] {
        if node.get(key).is_none() {
            let example = if key == "input" { "{}" } else { "\"NAME\"" };
            // Renaming a misspelled key keeps its value.
            let is_misspelt =
                entries.iter().any(|entry| !is_known(&entry.key) && near(&entry.key) == Some(key));
            rules::MANIFEST_MISSING_KEY
                .report_at(node.span.head(), format!("the step has no `{key}`"))
                .label("in this object")
                .help(format!("add it: \"{key}\": {example}"))
                .fix((key == "input" && !is_misspelt).then(|| {
                    Change::AddMember { to: node.span, text: format!("\"{key}\": {example}") }.unsafe_fix()
                }))
                .add_to(report);
        }
    }
    Some(step)
}

/// Returns the key of this format for which pipelines of other systems use the name `key`.
fn intended_key(key: &str) -> Option<&'static str> {
    Some(match key {
        "dependsOn" | "depends_on" | "needs" | "after" => "depends",
        "with" | "args" | "arguments" | "params" | "parameters" => "input",
        "id" | "name" => "step",
        "uses" | "call" | "tool" | "function" => "skill",
        "if" | "when" => "condition",
        "for_each" | "each" | "loop" => "foreach",
        _ => return None,
    })
}

pub(super) fn is_known(key: &str) -> bool {
    KEYS.split(' ').any(|known| known == key)
}

/// Returns the key that an unknown key means.
fn near(key: &str) -> Option<&'static str> {
    intended_key(key).or_else(|| skills_text::nearest(key, KEYS.split(' ')))
}

fn unknown(entry: &MapEntry, key: &str, report: &mut Report) {
    let found = rules::MANIFEST_UNKNOWN_KEY
        .report_at(entry.key_span, format!("unknown key `{key}` in a step"))
        .label("no such key");
    report.push(match near(key) {
        Some(near) => found.near_key(near),
        None => found.help(format!("use one of the keys {}", listed(&KEYS.split(' ').collect::<Vec<_>>()))),
    });
}

fn depends(entry: &MapEntry, report: &mut Report) -> Vec<Spanned<String>> {
    let items = entry.value.as_list();
    let names: Vec<_> = items.unwrap_or_default().iter().filter_map(Node::spanned).collect();
    if items.is_none_or(|items| items.len() > names.len()) {
        wrong(entry, Expected::Texts, report);
    }
    names
}
