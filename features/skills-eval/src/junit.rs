//! Writes a report as JUnit XML for CI systems.

use super::check::State;
use super::page::escape;
use super::report::{Arm, Report};
use super::{Mark, Verdict};

impl Report {
    /// Returns the report as JUnit XML: a suite for each skill, a test for each case and query. A case passes
    /// if its rate reaches the threshold. An ungraded case is skipped.
    pub fn junit(&self, threshold: f64) -> String {
        let mut skills: Vec<&str> = Vec::new();
        let named =
            self.cases.iter().map(|case| &case.skill).chain(self.queries.iter().map(|query| &query.skill));
        for skill in named {
            if !skills.contains(&skill.as_str()) {
                skills.push(skill);
            }
        }
        let mut out =
            String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"skills eval\">\n");
        for skill in skills {
            let mut tests = Vec::new();
            for case in self.cases.iter().filter(|case| case.skill == skill) {
                let seconds = case.with.seconds().mean;
                tests.push(test(
                    skill,
                    &format!("case {}", case.id),
                    seconds,
                    case_outcome(&case.with, threshold),
                ));
            }
            for query in self.queries.iter().filter(|query| query.skill == skill) {
                let (count, tried) = (query.triggers(), query.tried());
                let wanted = if query.should_trigger { "should" } else { "should not" };
                let outcome = match query.passed() {
                    Some(true) => ("passed", String::new()),
                    Some(false) => ("failure", format!("chosen in {count} of {tried} runs, and {wanted} be")),
                    None => {
                        let why = query.choices.iter().find_map(|choice| choice.error.clone());
                        ("error", why.unwrap_or_default())
                    }
                };
                tests.push(test(skill, &format!("query {}", query.query), 0.0, outcome));
            }
            out.push_str(&format!(
                "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n",
                escape(skill),
                tests.len(),
                count_kind("failure", &tests),
                count_kind("error", &tests),
                count_kind("skipped", &tests),
            ));
            tests.iter().for_each(|(_, text)| out.push_str(text));
            out.push_str("  </testsuite>\n");
        }
        out + "</testsuites>\n"
    }
}

fn count_kind(kind: &str, tests: &[(&str, String)]) -> usize {
    tests.iter().filter(|(found, _)| *found == kind).count()
}

/// The outcome of a test in the terms of JUnit, and the reason.
type Outcome = (&'static str, String);

fn case_outcome(arm: &Arm, threshold: f64) -> Outcome {
    if let Some(error) = arm.runs.iter().find(|run| run.state == State::Error) {
        return ("error", error.error.clone().unwrap_or_default());
    }
    match arm.rate() {
        Some(interval) if interval.rate < threshold => ("failure", join_reasons(Verdict::Failed, &arm.runs)),
        Some(_) if arm.count(State::Ungraded) == 0 => ("passed", String::new()),
        _ => ("skipped", join_reasons(Verdict::Ungraded, &arm.runs)),
    }
}

fn join_reasons(verdict: Verdict, arm_runs: &[crate::CaseRun]) -> String {
    let matching = arm_runs.iter().flat_map(|run| &run.marks).filter(move |mark| mark.verdict == verdict);
    let lines: Vec<String> =
        matching.map(|Mark { text, evidence, .. }| format!("{text}: {evidence}")).collect();
    lines.join("\n")
}

fn test(skill: &str, name: &str, seconds: f64, (kind, why): Outcome) -> (&'static str, String) {
    let (skill, name) = (escape(skill), escape(name));
    let head = format!("    <testcase classname=\"{skill}\" name=\"{name}\" time=\"{seconds:.3}\"");
    let text = match kind {
        "passed" => format!("{head}/>\n"),
        "skipped" => format!("{head}>\n      <skipped message=\"{}\"/>\n    </testcase>\n", escape(&why)),
        kind => {
            let first = escape(why.lines().next().unwrap_or_default());
            format!("{head}>\n      <{kind} message=\"{first}\">{}</{kind}>\n    </testcase>\n", escape(&why))
        }
    };
    (kind, text)
}
