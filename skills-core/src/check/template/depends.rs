//! `depends` of the steps: it names steps before its own, and is not forgotten between two that run code (SPEC 5.6).

use super::pipeline::Step;
use crate::diagnostic::{Diagnostic, Report};
use crate::rule::pipelines as rules;
use crate::tree::Node;

/// Checks what a step depends on; `before` and `later` are the names around it.
pub(super) fn check(step: &Node, before: &[&str], later: &[&str], report: &mut Report) {
    let own = step.get("step").and_then(Node::as_string);
    for name in step.get("depends").and_then(Node::as_list).unwrap_or_default() {
        let Some(text) = name.as_string().filter(|text| !before.contains(text)) else { continue };
        let (title, help) = if own == Some(text) {
            (format!("the step `{text}` cannot wait for itself"), "delete it".to_owned())
        } else if later.contains(&text) {
            let help = format!("steps run in file order: move `{text}` before this one");
            (format!("the step `{text}` runs after this one"), help)
        } else {
            let help = match skills_registry::nearest(text, before.iter().copied()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => "name a step that stands before this one".to_owned(),
            };
            (format!("no step `{text}` runs before this one"), help)
        };
        report
            .push(Diagnostic::new(&rules::STEP_DEPENDS, name.span, title, help).label("nothing to wait for"));
    }
}

/// Points out steps that run code right behind another such step and do not say whether they wait for it.
pub(super) fn lint(steps: &[Step<'_>], report: &mut Report) {
    for pair in steps.windows(2) {
        let [first, second] = pair else { continue };
        let (Some(name), Some(own)) = (first.name, second.node.get("step")) else { continue };
        let depends = second.node.get("depends").and_then(Node::as_list).unwrap_or_default();
        let mut depends: Vec<&str> = depends.iter().filter_map(Node::as_string).collect();
        let is_tied =
            second.reads_all || second.reads.iter().any(|read| read == name) || depends.contains(&name);
        // A name that no step has was reported, and may have been meant for this one.
        let is_known = |name: &&str| steps.iter().any(|step| step.name == Some(*name));
        if !first.runs_code || !second.runs_code || is_tied || !depends.iter().all(is_known) {
            continue;
        }
        depends.push(name);
        let list: Vec<String> = depends.iter().map(|name| crate::tree::text::quote(name)).collect();
        report.push(
            Diagnostic::new(
                &rules::STEP_ORDER,
                own.span,
                format!("nothing ties this step to `{name}` before it: the two may run at once"),
                format!("when it relies on what `{name}` did, add to it: \"depends\": [{}]", list.join(", ")),
            )
            .label("runs code, as the step before it does"),
        );
    }
}
