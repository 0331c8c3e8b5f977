//! What a trial found: runs, cases, and what they say together (SPEC 16.15).

use super::interval::figure;
use super::triggers::{Confusion, QueryReport};
use super::{Interval, Mark, Verdict};
use skills_call::model::Usage;

/// What a trial found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The name of the model.
    pub model: String,
    /// The name of the judge, when there was one.
    pub judge: Option<String>,
    /// How often each case was run.
    pub runs: u32,
    /// The cases, by skill and in the order of their files.
    pub cases: Vec<CaseReport>,
    /// The trigger queries, in the same order.
    pub queries: Vec<QueryReport>,
    /// Which skill was chosen in place of which.
    pub confusion: Confusion,
    /// What tokens cost, when prices were given.
    pub price: Price,
    /// What a user should know besides.
    pub notes: Vec<String>,
}

/// What a model costs, by its tokens: dollars, or whatever the prices are in, for a million (default: unknown).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Price {
    /// A million tokens of what is asked, and one of what is answered.
    pub model: Option<(f64, f64)>,
    /// The same for the judge; the model's when absent.
    pub judge: Option<(f64, f64)>,
}

/// What became of one case.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CaseReport {
    /// The skill.
    pub skill: String,
    /// The id of the case.
    pub id: String,
    /// What was asked: the message, or the input as JSON.
    pub ask: String,
    /// With the skill.
    pub with: Arm,
    /// Without it; nothing for a function, which is not there then.
    pub without: Option<Arm>,
}

/// The runs of a case with its skill, or without.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Arm {
    /// Each run, in order.
    pub runs: Vec<Run>,
}

/// What became of one run; by default it could not be tried.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Run {
    /// What it comes to.
    pub state: State,
    /// Each check, in the order of the case.
    pub marks: Vec<Mark>,
    /// The answer.
    pub answer: String,
    /// Tools that were called, as `load_skill(pdf)`.
    pub tools: Vec<String>,
    /// Why it could not be tried, or what the call failed with.
    pub error: Option<String>,
    /// Tokens of the model.
    pub usage: Usage,
    /// Tokens of the judge.
    pub judge_usage: Usage,
    /// Milliseconds that the model took; for a run without a model, those of the whole call.
    pub ms: u64,
}

/// What a run comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// All checks hold.
    Passed,
    /// One does not.
    Failed,
    /// Nobody could tell of one, and none failed.
    Ungraded,
    /// It could not be tried.
    #[default]
    Error,
}

/// The mean of a figure over runs, and how far they stray (the standard deviation of a sample; 0 for one run).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistic {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub stddev: f64,
}

impl State {
    /// Returns it as a word: `passed`, `failed`, `ungraded` or `error`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Ungraded => "ungraded",
            Self::Error => "error",
        }
    }

    /// Judges a run by its checks; one without any says nothing.
    pub(super) fn of(marks: &[Mark]) -> Self {
        let any = |verdict| marks.iter().any(|mark| mark.verdict == verdict);
        if any(Verdict::Failed) {
            Self::Failed
        } else if marks.is_empty() || any(Verdict::Ungraded) {
            Self::Ungraded
        } else {
            Self::Passed
        }
    }
}

impl Statistic {
    /// Returns the statistic of some figures.
    pub fn of(figures: &[f64]) -> Self {
        let count = |count: usize| figure(count as u64);
        if figures.is_empty() {
            return Self::default();
        }
        let mean = figures.iter().sum::<f64>() / count(figures.len());
        let squares: f64 = figures.iter().map(|figure| (figure - mean).powi(2)).sum();
        let stddev = if figures.len() < 2 { 0.0 } else { (squares / count(figures.len() - 1)).sqrt() };
        Self { mean, stddev }
    }
}

impl Price {
    /// Returns what tokens cost; nothing without a price.
    pub fn cost(&self, usage: Usage, judge: Usage) -> Option<f64> {
        let cost = |(input, output): (f64, f64), usage: Usage| {
            (figure(usage.input_tokens) * input + figure(usage.output_tokens) * output) / 1_000_000.0
        };
        let model = self.model?;
        Some(cost(model, usage) + cost(self.judge.unwrap_or(model), judge))
    }
}

impl Arm {
    /// Counts the runs of a state.
    pub fn count(&self, state: State) -> usize {
        self.runs.iter().filter(|run| run.state == state).count()
    }

    /// Returns the rate of the runs that passed among those that passed or failed; nothing when there are none.
    pub fn rate(&self) -> Option<Interval> {
        let passed = self.count(State::Passed);
        Interval::of(passed, passed + self.count(State::Failed))
    }

    /// Returns what all runs cost in tokens: of the model, and of the judge.
    pub fn usage(&self) -> (Usage, Usage) {
        let (mut usage, mut judge) = (Usage::default(), Usage::default());
        for run in &self.runs {
            usage += run.usage;
            judge += run.judge_usage;
        }
        (usage, judge)
    }

    /// Returns the tokens of the model by run.
    pub fn tokens(&self) -> Statistic {
        let of = |run: &Run| figure(run.usage.input_tokens.saturating_add(run.usage.output_tokens));
        Statistic::of(&self.runs.iter().map(of).collect::<Vec<_>>())
    }

    /// Returns the seconds of a run.
    pub fn seconds(&self) -> Statistic {
        Statistic::of(&self.runs.iter().map(|run| figure(run.ms) / 1_000.0).collect::<Vec<_>>())
    }
}

impl Report {
    /// Returns all runs with the skills.
    pub fn with(&self) -> Arm {
        Arm { runs: self.cases.iter().flat_map(|case| case.with.runs.iter().cloned()).collect() }
    }

    /// Returns all runs without; of the cases that were run so.
    pub fn without(&self) -> Arm {
        let arms = self.cases.iter().filter_map(|case| case.without.as_ref());
        Arm { runs: arms.flat_map(|arm| arm.runs.iter().cloned()).collect() }
    }

    /// Returns the rate of the trigger queries that passed; nothing when there are none that could be tried.
    pub fn trigger_rate(&self) -> Option<Interval> {
        let told: Vec<bool> = self.queries.iter().filter_map(QueryReport::passed).collect();
        Interval::of(told.iter().filter(|passed| **passed).count(), told.len())
    }

    /// Returns how many runs could not be tried.
    pub fn errors(&self) -> usize {
        let arms = [self.with(), self.without()];
        let runs: usize = arms.iter().map(|arm| arm.count(State::Error)).sum();
        let choices = self.queries.iter().flat_map(|query| &query.choices);
        runs + choices.filter(|choice| choice.error.is_some()).count()
    }

    /// Returns how many runs with the skills nobody could grade.
    pub fn ungraded(&self) -> usize {
        self.with().count(State::Ungraded)
    }

    /// Returns the tokens of the model and those of the judge, of all runs.
    pub fn usage(&self) -> (Usage, Usage) {
        let (mut usage, mut judge) = self.with().usage();
        let (without, without_judge) = self.without().usage();
        usage += without;
        judge += without_judge;
        for choice in self.queries.iter().flat_map(|query| &query.choices) {
            usage += choice.usage;
        }
        (usage, judge)
    }

    /// Tells whether the rates of the runs with the skills and of the trigger queries both reach a threshold, from 0 to 1,
    /// and every run could be tried. Runs that nobody could grade pass only if they are allowed, and never alone
    /// (SPEC 16.15).
    pub fn passes(&self, threshold: f64, allow_ungraded: bool) -> bool {
        let (runs, queries) = (self.with().rate(), self.trigger_rate());
        let reach = |rate: Option<Interval>| rate.is_none_or(|interval| interval.rate >= threshold);
        let is_told = runs.is_some() || queries.is_some();
        is_told
            && reach(runs)
            && reach(queries)
            && self.errors() == 0
            && (allow_ungraded || self.ungraded() == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::Statistic;

    // SPEC 16.15
    #[test]
    fn the_deviation_is_that_of_a_sample() {
        let found = Statistic::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!(format!("{:.2} {:.4}", found.mean, found.stddev), "5.00 2.1381");
        assert_eq!(Statistic::of(&[3.0]), Statistic { mean: 3.0, stddev: 0.0 });
    }
}
