//! Checks `depends` of the steps: it names only earlier steps, and two consecutive steps that run code need
//! it.

use crate::check::pipeline::Step;
use crate::edit::Change;
use crate::report::Report;
use crate::rule::pipelines as rules;

/// Checks the dependencies of a step; `before` and `later` are the names around it.
pub(super) fn check(step: &Step, before: &[&str], later: &[&str], report: &mut Report) {
    for name in &step.depends {
        let text = name.value.as_str();
        if before.contains(&text) {
            continue;
        }
        let (mut near, mut fix) = (None, None);
        let (title, help) = if step.name() == Some(text) {
            fix = Some(Change::DeleteMember(name.span).looked_at());
            (format!("the step `{text}` cannot wait for itself"), "delete it".to_owned())
        } else if later.contains(&text) {
            let help = format!("steps run in file order: move `{text}` before this one");
            (format!("the step `{text}` runs after this one"), help)
        } else {
            near = skills_registry::nearest(text, before.iter().copied());
            let help = "name an earlier step".to_owned();
            (format!("no step `{text}` runs before this one"), help)
        };
        let found = rules::STEP_DEPENDS.at(name.span, title).label("this dependency");
        report.push(match near {
            Some(near) => found.near_string(near),
            None => found.help(help).fix(fix),
        });
    }
}

/// Reports consecutive steps that both run code without declaring whether one waits for the other;
/// `runs_code` says for each step whether its skill is code, which may have side effects.
pub(super) fn lint(steps: &[Step], runs_code: &[bool], report: &mut Report) {
    for ((at, pair), run_code) in (0..).zip(steps.windows(2)).zip(runs_code.windows(2)) {
        let [first, second] = pair else { continue };
        let (Some(name), Some(own)) = (first.name(), &second.name) else { continue };
        let mut depends: Vec<&str> = second.depends.iter().map(|name| name.value.as_str()).collect();
        let is_tied = second.after.contains(&at);
        // An unknown name was reported, and may have been meant for this step.
        let is_known = |name: &&str| steps.iter().any(|step| step.name() == Some(*name));
        if run_code != [true, true] || is_tied || !depends.iter().all(is_known) {
            continue;
        }
        depends.push(name);
        let list: Vec<String> = depends.iter().map(|name| crate::tree::text::quote(name)).collect();
        rules::STEP_ORDER
            .at(
                own.span,
                format!("this step does not depend on `{name}` before it: the two may run at the same time"),
            )
            .label("this step and the one before it run code")
            .fix(second.depends.is_empty().then(|| {
                let text = format!("\"depends\": [{}]", list.join(", "));
                Change::AddMember { to: second.span, text }.looked_at()
            }))
            .help(format!("if it relies on `{name}`, add \"depends\": [{}]", list.join(", ")))
            .add_to(report);
    }
}
