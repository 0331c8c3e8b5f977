//! Writes a report as text for people.

use skills_text::cut;

use super::check::State;
use super::report::{Arm, Report};
use super::triggers::QueryReport;
use super::{Interval, Verdict};

/// Explains a rate with a range.
pub(super) const INTERVAL: &str = "In brackets: the range in which the true rate lies with 95 % confidence.";

impl Report {
    /// Returns the report as text: a line for each case and query, the failures with their reasons, and the
    /// totals.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let judge = self.judge.as_deref().unwrap_or("none");
        out.push_str(&format!("model {}, judge {judge}, {} runs each\n", self.model, self.runs));
        let mut skill = "";
        for case in &self.cases {
            if case.skill != skill {
                skill = &case.skill;
                out.push_str(&format!("\n{}\n", line(skill, 100)));
            }
            let (word, id) = (case.with.state().as_str(), line(&case.id, 20));
            out.push_str(&format!("  {word:<8}  {id}  {}\n", line(&case.ask, 64 - id.chars().count())));
            for (name, arm) in [("with the skill", Some(&case.with)), ("without", case.without.as_ref())] {
                let Some(arm) = arm else { continue };
                let rate = rate(arm.rate());
                out.push_str(&format!("            {name:<14}  {rate:<16}  {}\n", self.spent(arm)));
            }
            self.reasons(&case.with, &mut out);
        }
        self.triggers(&mut out);
        self.sums(&mut out);
        out
    }

    /// Lists the reasons for failures, each once.
    fn reasons(&self, arm: &Arm, out: &mut String) {
        let mut reasons = Vec::new();
        for run in &arm.runs {
            if run.state == State::Error {
                count_text(format!("error: {}", run.error.as_deref().unwrap_or_default()), &mut reasons);
            }
            for mark in &run.marks {
                match mark.verdict {
                    Verdict::Passed => {}
                    // A long expectation is cut, so that the evidence is still visible on the line.
                    Verdict::Failed => {
                        let (text, evidence) = (line(&mark.text, 150), line(&mark.evidence, 120));
                        let text = format!("failed: {}: {evidence}", text.trim_end_matches('.'));
                        count_text(text, &mut reasons);
                    }
                    Verdict::Ungraded => {
                        count_text(format!("not graded: {}: {}", mark.text, mark.evidence), &mut reasons);
                    }
                }
            }
        }
        for (text, count) in reasons {
            let times = if count > 1 { format!(" ({count} runs)") } else { String::new() };
            out.push_str(&format!("            {}{times}\n", line(&text, 300)));
        }
    }

    fn triggers(&self, out: &mut String) {
        if self.queries.is_empty() {
            return;
        }
        out.push_str("\ntrigger queries\n");
        for query in &self.queries {
            let word = match query.passed() {
                Some(true) => "passed",
                Some(false) => "failed",
                None => "error",
            };
            let wanted = if query.should_trigger { "should be chosen" } else { "should not be chosen" };
            let QueryReport { skill, query: text, .. } = query;
            let (count, tried) = (query.triggers(), query.tried());
            let mut chosen: Vec<String> =
                query.instead().iter().map(|(name, count)| format!("{name} {}", times(*count))).collect();
            let none = query
                .choices
                .iter()
                .filter(|choice| choice.error.is_none() && choice.skills.is_empty())
                .count();
            if query.should_trigger && none > 0 {
                chosen.push(format!("no skill {}", times(none)));
            }
            out.push_str(&format!("  {word:<8}  {skill} ({wanted}): {count} of {tried} runs\n"));
            out.push_str(&format!("            {}\n", line(text, 66)));
            if !chosen.is_empty() {
                out.push_str(&format!("            chosen instead: {}\n", chosen.join(", ")));
            }
            if let Some(why) = query.choices.iter().find_map(|choice| choice.error.as_ref()) {
                out.push_str(&format!("           error: {}\n", line(why, 300)));
            }
        }
        for (intended, chosen, count) in self.confusion.confused_pairs() {
            out.push_str(&format!("  `{chosen}` was chosen for messages of `{intended}` {}\n", times(count)));
        }
    }

    fn sum(&self, name: &str, arm: &Arm, out: &mut String) {
        let rate = rate(arm.rate());
        out.push_str(&format!("  {name:<22}  {rate:<16}  {}\n", self.spent(arm)));
    }

    fn sums(&self, out: &mut String) {
        let with = self.with();
        out.push_str("\nin all\n");
        let compared = self.compared();
        if let Some((with, without, count)) = &compared {
            let cases = if *count == 1 { "case".to_owned() } else { format!("{count} cases") };
            self.sum(&format!("{cases} with the skill"), with, out);
            self.sum("the same without", without, out);
        }
        if !with.runs.is_empty() && compared.is_none_or(|(both, ..)| both.runs.len() < with.runs.len()) {
            self.sum("all runs with a skill", &with, out);
        }
        if !self.queries.is_empty() {
            out.push_str(&format!("  trigger queries         {}\n", rate(self.trigger_rate())));
        }
        let (usage, judge) = self.usage();
        let cost = self.price.cost(usage, judge).map(|cost| format!(", cost {cost:.4}")).unwrap_or_default();
        out.push_str(&format!(
            "  tokens                  {} in, {} out",
            usage.input_tokens, usage.output_tokens
        ));
        if judge != Default::default() {
            out.push_str(&format!("; judge {} in, {} out", judge.input_tokens, judge.output_tokens));
        }
        out.push_str(&format!("{cost}\n"));
        for (count, what) in [
            (self.ungraded(), "runs were not graded: they have assertions in prose, and there is no judge"),
            (self.errors(), "runs could not be tried"),
        ] {
            if count > 0 {
                out.push_str(&format!("  {count} {what}\n"));
            }
        }
        if out.contains(" % (") {
            out.push_str(&format!("  {INTERVAL}\n"));
        }
        self.notes.iter().for_each(|note| out.push_str(&format!("  note: {note}\n")));
    }

    fn spent(&self, arm: &Arm) -> String {
        let (usage, judge) = arm.usage();
        let cost = self.price.cost(usage, judge).map(|cost| format!(", {cost:.4}")).unwrap_or_default();
        format!("{:.0} tokens, {:.1} s{cost}", arm.tokens().mean, arm.seconds().mean)
    }
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

pub(super) fn rate(interval: Option<Interval>) -> String {
    interval.map_or_else(
        || "not graded".to_owned(),
        |Interval { rate, low, high }| {
            format!("{:.0} % ({:.0}-{:.0})", rate * 100.0, low * 100.0, high * 100.0)
        },
    )
}

/// Formats a text on one line, with at most this many characters.
pub(super) fn line(text: &str, most: usize) -> String {
    cut(&text.split_whitespace().collect::<Vec<_>>().join(" "), most)
}

/// Counts a text in a list of texts without duplicates.
fn count_text(text: String, counted: &mut Vec<(String, usize)>) {
    match counted.iter_mut().find(|(known, _)| *known == text) {
        Some((_, count)) => *count += 1,
        None => counted.push((text, 1)),
    }
}
