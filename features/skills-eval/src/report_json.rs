//! Writes a report as JSON, for programs and later comparisons.

use serde_json::{Map, Value, json};

use super::check::State;
use super::interval::figure;
use super::report::{Arm, CaseReport, CaseRun, Report, Statistic};
use super::triggers::QueryReport;
use super::{Interval, Mark, Verdict};
use skills_call::model::Usage;

impl Report {
    /// Returns the report as JSON: `run_summary` as in the standard's `benchmark.json`, then each case with
    /// its runs and their `assertion_results` as in `grading.json`, then the trigger queries and the
    /// confusion of skills. Two replays of one cassette give equal results, except for `ms` of programs.
    pub fn to_json(&self) -> Value {
        let (usage, judge) = self.usage();
        let with = self.with();
        let confusion: Vec<Value> = self
            .confusion
            .rows
            .iter()
            .map(|((skill, is_own), row)| {
                let chosen: Map<String, Value> = row
                    .iter()
                    .map(|(name, count)| {
                        (if name.is_empty() { "(none)" } else { name }.to_owned(), json!(count))
                    })
                    .collect();
                json!({"skill": skill, "should_trigger": is_own, "chosen": chosen})
            })
            .collect();
        json!({
            "model": self.model,
            "judge": self.judge,
            "runs": self.runs,
            "pass_rate": rate(with.rate()),
            "trigger_rate": rate(self.trigger_rate()),
            "errors": self.errors(),
            "ungraded": self.ungraded(),
            "run_summary": self.summary(),
            "tokens": tokens(usage),
            "judge_tokens": tokens(judge),
            "cost": self.price.cost(usage, judge),
            "cases": self.cases.iter().map(|case| self.case(case)).collect::<Vec<_>>(),
            "queries": self.queries.iter().map(query).collect::<Vec<_>>(),
            "confusion": confusion,
            "notes": self.notes,
        })
    }

    fn summary(&self) -> Value {
        let with = self.with();
        let (both, without) = match self.compared() {
            Some((both, without, _)) => (both, without),
            None => (with.clone(), self.without()),
        };
        if without.runs.is_empty() {
            return json!({"with_skill": summary(&with)});
        }
        let gain = both.rate().zip(without.rate()).map(|(with, without)| with.rate - without.rate);
        let delta = json!({
            "pass_rate": gain,
            "time_seconds": both.seconds().mean - without.seconds().mean,
            "tokens": both.tokens().mean - without.tokens().mean,
        });
        json!({"with_skill": summary(&with), "without_skill": summary(&without), "delta": delta})
    }

    fn case(&self, case: &CaseReport) -> Value {
        json!({
            "skill": case.skill, "id": case.id, "ask": case.ask,
            "with_skill": self.arm(&case.with),
            "without_skill": case.without.as_ref().map(|arm| self.arm(arm)),
        })
    }

    fn arm(&self, arm: &Arm) -> Value {
        let (usage, judge) = arm.usage();
        json!({
            "pass_rate": rate(arm.rate()),
            "passed": arm.count(State::Passed), "failed": arm.count(State::Failed),
            "ungraded": arm.count(State::Ungraded), "errors": arm.count(State::Error),
            "tokens": tokens(usage), "judge_tokens": tokens(judge), "cost": self.price.cost(usage, judge),
            "ms": arm.runs.iter().map(|run| run.ms).sum::<u64>(),
            "runs": arm.runs.iter().map(run).collect::<Vec<_>>(),
        })
    }
}

fn summary(arm: &Arm) -> Value {
    let passed: Vec<f64> = arm
        .runs
        .iter()
        .filter_map(|run| match run.state {
            State::Passed => Some(1.0),
            State::Failed => Some(0.0),
            _ => None,
        })
        .collect();
    let pass_rate = (!passed.is_empty()).then(|| write_statistic(Statistic::from_figures(&passed)));
    json!({"pass_rate": pass_rate, "time_seconds": write_statistic(arm.seconds()), "tokens": write_statistic(arm.tokens())})
}

fn write_statistic(Statistic { mean, stddev }: Statistic) -> Value {
    json!({"mean": mean, "stddev": stddev})
}

fn rate(interval: Option<Interval>) -> Value {
    interval
        .map_or(Value::Null, |Interval { rate, low, high }| json!({"rate": rate, "low": low, "high": high}))
}

fn tokens(usage: Usage) -> Value {
    json!({"input": usage.input_tokens, "output": usage.output_tokens})
}

fn run(run: &CaseRun) -> Value {
    let (passed, failed) =
        (count_marks(Verdict::Passed, &run.marks), count_marks(Verdict::Failed, &run.marks));
    let graded = passed + failed;
    let share = figure(passed as u64) / figure(graded as u64);
    json!({
        "state": run.state.as_str(), "answer": run.answer, "tools": run.tools, "error": run.error,
        "tokens": tokens(run.usage), "judge_tokens": tokens(run.judge_usage), "ms": run.ms,
        "assertion_results": run.marks.iter().map(mark).collect::<Vec<_>>(),
        "summary": {
            "passed": passed, "failed": failed, "total": run.marks.len(),
            "pass_rate": (graded > 0).then_some(share),
        },
    })
}

fn count_marks(verdict: Verdict, run_marks: &[Mark]) -> usize {
    run_marks.iter().filter(|mark| mark.verdict == verdict).count()
}

fn mark(mark: &Mark) -> Value {
    let passed = match mark.verdict {
        Verdict::Passed => Some(true),
        Verdict::Failed => Some(false),
        Verdict::Ungraded => None,
    };
    json!({"text": mark.text, "passed": passed, "evidence": mark.evidence})
}

fn query(query: &QueryReport) -> Value {
    let (triggers, tried) = (query.triggers(), query.tried());
    let share = figure(triggers as u64) / figure(tried as u64);
    json!({
        "skill": query.skill, "query": query.query, "should_trigger": query.should_trigger, "file": query.file,
        "triggers": triggers, "runs": tried, "trigger_rate": (tried > 0).then_some(share), "passed": query.passed(),
        "choices": query.choices.iter().map(|choice| {
        json!({
            "chosen": choice.skills, "error": choice.error, "tokens": tokens(choice.usage), "ms": choice.ms,
        })
    }).collect::<Vec<_>>(),
    })
}
