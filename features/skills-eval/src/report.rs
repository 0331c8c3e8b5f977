//! The results of a trial: runs, cases, and totals.

use super::check::State;
use super::interval::figure;
use super::triggers::{Confusion, QueryReport};
use super::{Interval, Mark};
use skills_call::model::Usage;

/// The results of a trial.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The name of the model.
    pub model: String,
    /// The name of the judge, if there was one.
    pub judge: Option<String>,
    /// How many times each case was run.
    pub runs: u32,
    /// The cases, by skill and in file order.
    pub cases: Vec<CaseReport>,
    /// The trigger queries, in the same order.
    pub queries: Vec<QueryReport>,
    /// Which skill was chosen in place of which.
    pub confusion: Confusion,
    /// The price of tokens, if prices were given.
    pub price: Price,
    /// Additional notes for the user.
    pub notes: Vec<String>,
}

/// The price of a model per million tokens, in dollars or any other currency (default: unknown).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Price {
    /// The price of a million input tokens and of a million output tokens.
    pub model: Option<(f64, f64)>,
    /// The same for the judge. The default is the price of the model.
    pub judge: Option<(f64, f64)>,
}

/// The results of a case.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CaseReport {
    /// The skill.
    pub skill: String,
    /// The id of the case.
    pub id: String,
    /// The request: the message, or the input as JSON.
    pub ask: String,
    /// The runs with the skill.
    pub with: Arm,
    /// The runs without it. `None` for a function, because without the skill there is nothing to call.
    pub without: Option<Arm>,
}

/// The runs of a case, with or without its skill.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Arm {
    /// Each run, in order.
    pub runs: Vec<CaseRun>,
}

/// The result of a run. By default it is an error.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct CaseRun {
    /// The overall result.
    pub state: State,
    /// The result of each check, in the order of the case.
    pub marks: Vec<Mark>,
    /// The answer.
    pub answer: String,
    /// The called tools, such as `load_skill(pdf)`.
    pub tools: Vec<String>,
    /// The reason why the run could not be made, or the error of the call.
    pub error: Option<String>,
    /// Tokens used by the model.
    pub usage: Usage,
    /// Tokens used by the judge.
    pub judge_usage: Usage,
    /// The time that the model took in milliseconds; for a run without a model, the time of the whole call.
    pub ms: u64,
}

/// The mean over runs, and the standard deviation of the sample (0 for one run).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Statistic {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub stddev: f64,
}

impl Statistic {
    /// Returns the statistic of some numbers.
    pub fn from_figures(figures: &[f64]) -> Self {
        if figures.is_empty() {
            return Self::default();
        }
        let mean = figures.iter().sum::<f64>() / figure_of_count(figures.len());
        let squares: f64 = figures.iter().map(|figure| (figure - mean).powi(2)).sum();
        let stddev =
            if figures.len() < 2 { 0.0 } else { (squares / figure_of_count(figures.len() - 1)).sqrt() };
        Self { mean, stddev }
    }
}

fn figure_of_count(count: usize) -> f64 {
    figure(count as u64)
}

impl Price {
    /// Returns the cost of tokens, or `None` without a price.
    pub fn cost(&self, usage: Usage, judge: Usage) -> Option<f64> {
        let model = self.model?;
        Some(price_usage(model, usage) + price_usage(self.judge.unwrap_or(model), judge))
    }
}

fn price_usage((input, output): (f64, f64), usage: Usage) -> f64 {
    (figure(usage.input_tokens) * input + figure(usage.output_tokens) * output) / 1_000_000.0
}

impl Arm {
    /// Counts the runs with a result.
    pub fn count(&self, state: State) -> usize {
        self.runs.iter().filter(|run| run.state == state).count()
    }

    /// Returns the overall result: the worst of its runs.
    pub fn state(&self) -> State {
        [State::Error, State::Failed, State::Ungraded]
            .into_iter()
            .find(|state| self.count(*state) > 0)
            .unwrap_or(State::Passed)
    }

    /// Returns the rate of passed runs among the passed and failed ones, or `None` without such runs.
    pub fn rate(&self) -> Option<Interval> {
        let passed = self.count(State::Passed);
        Interval::from_counts(passed, passed + self.count(State::Failed))
    }

    /// Returns the tokens that the model and the judge used in all runs.
    pub fn usage(&self) -> (Usage, Usage) {
        let (mut usage, mut judge) = (Usage::default(), Usage::default());
        for run in &self.runs {
            usage += run.usage;
            judge += run.judge_usage;
        }
        (usage, judge)
    }

    /// Returns the tokens of the model per run.
    pub fn tokens(&self) -> Statistic {
        Statistic::from_figures(
            &self
                .runs
                .iter()
                .map(|run| figure(run.usage.input_tokens.saturating_add(run.usage.output_tokens)))
                .collect::<Vec<_>>(),
        )
    }

    /// Returns the seconds per run.
    pub fn seconds(&self) -> Statistic {
        Statistic::from_figures(&self.runs.iter().map(|run| figure(run.ms) / 1_000.0).collect::<Vec<_>>())
    }
}

impl Report {
    /// Returns all runs with the skills.
    pub fn with(&self) -> Arm {
        Arm { runs: self.cases.iter().flat_map(|case| case.with.runs.iter().cloned()).collect() }
    }

    /// Returns all runs without the skills.
    pub fn without(&self) -> Arm {
        let arms = self.cases.iter().filter_map(|case| case.without.as_ref());
        Arm { runs: arms.flat_map(|arm| arm.runs.iter().cloned()).collect() }
    }

    /// Returns the runs with a skill and the runs without it, for the cases that were graded both ways, and the number
    /// of these cases. Only these runs can be compared. Returns `None` if no case was graded both ways.
    pub fn compared(&self) -> Option<(Arm, Arm, usize)> {
        let (mut with, mut without, mut count) = (Arm::default(), Arm::default(), 0);
        for case in &self.cases {
            let Some(bare) = case.without.as_ref().filter(|bare| bare.rate().is_some()) else { continue };
            if case.with.rate().is_some() {
                with.runs.extend_from_slice(&case.with.runs);
                without.runs.extend_from_slice(&bare.runs);
                count += 1;
            }
        }
        (count > 0).then_some((with, without, count))
    }

    /// Returns the rate of the trigger queries that passed, or `None` if none could be run.
    pub fn trigger_rate(&self) -> Option<Interval> {
        let results: Vec<bool> = self.queries.iter().filter_map(QueryReport::passed).collect();
        Interval::from_counts(results.iter().filter(|passed| **passed).count(), results.len())
    }

    /// Returns the number of runs that could not be made.
    pub fn errors(&self) -> usize {
        let arms = [self.with(), self.without()];
        let runs: usize = arms.iter().map(|arm| arm.count(State::Error)).sum();
        let choices = self.queries.iter().flat_map(|query| &query.choices);
        runs + choices.filter(|choice| choice.error.is_some()).count()
    }

    /// Returns the number of ungraded runs with the skills.
    pub fn ungraded(&self) -> usize {
        self.with().count(State::Ungraded)
    }

    /// Returns the tokens that the model and the judge used in all runs.
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

    /// Returns `true` if the pass rates of runs with the skills and of trigger queries both reach a
    /// threshold, from 0 to 1, and if every run could be made. Ungraded runs count as passed only if
    /// `allow_ungraded` is set, and something must be graded.
    pub fn passes(&self, threshold: f64, allow_ungraded: bool) -> bool {
        let (runs, queries) = (self.with().rate(), self.trigger_rate());
        let is_graded = runs.is_some() || queries.is_some();
        is_graded
            && is_reached(runs, threshold)
            && is_reached(queries, threshold)
            && self.errors() == 0
            && (allow_ungraded || self.ungraded() == 0)
    }
}

fn is_reached(rate: Option<Interval>, threshold: f64) -> bool {
    rate.is_none_or(|interval| interval.rate >= threshold)
}

#[cfg(test)]
mod tests {
    use super::Statistic;

    // SPEC 16.15
    #[test]
    fn the_deviation_is_the_sample_deviation() {
        let found = Statistic::from_figures(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!(format!("{:.2} {:.4}", found.mean, found.stddev), "5.00 2.1381");
        assert_eq!(Statistic::from_figures(&[3.0]), Statistic { mean: 3.0, stddev: 0.0 });
    }
}
