//! Writes a report as a static page: bars for pass rates, and a table of the skills that were chosen for
//! messages of other skills.
//!
//! Names, messages and answers are untrusted: they are escaped, and the page has no scripts and loads
//! nothing.

use std::collections::BTreeMap;

use skills_text::{entity, push_visible};

use super::check::State;
use super::report::{Arm, CaseReport, CaseRun, Report};
use super::text::{INTERVAL, line, rate};
use super::triggers::QueryReport;
use super::{Interval, Verdict};

/// The length of a request in the summary of a case, in characters.
const SHOWN: usize = 160;

impl Report {
    /// Returns the report as an HTML page in one file, with light and dark colours.
    pub fn page(&self) -> String {
        let mut out = String::from(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Evaluation of skills</title>\n<style>\n",
        );
        out.push_str(include_str!("page.css"));
        out.push_str("</style>\n<main>\n<h1>Evaluation of skills</h1>\n");
        let judge =
            self.judge.as_deref().map_or("no judge".to_owned(), |judge| format!("judge {}", escape(judge)));
        let model = escape(&self.model);
        out.push_str(&format!("<p class=\"quiet\">model {model}, {judge}, {} runs each</p>\n", self.runs));
        self.tiles(&mut out);
        self.filter(&mut out);
        self.table(&mut out);
        self.matrix(&mut out);
        self.list(&mut out);
        for note in &self.notes {
            out.push_str(&format!("<p class=\"quiet\">note: {}</p>\n", escape(note)));
        }
        out + "</main>\n</html>\n"
    }

    fn tiles(&self, out: &mut String) {
        let (usage, judge) = self.usage();
        let with = self.with();
        let tokens = usage.input_tokens.saturating_add(usage.output_tokens);
        let mut tiles: Vec<(String, String)> = Vec::new();
        let compared = self.compared();
        if let Some((with, without, count)) = &compared {
            let cases =
                if *count == 1 { "1 graded case".to_owned() } else { format!("{count} graded cases") };
            tiles.push((rate(with.rate()), format!("{cases} with the skill")));
            tiles.push((rate(without.rate()), format!("{cases} without it")));
        }
        if !with.runs.is_empty() && compared.is_none_or(|(both, ..)| both.runs.len() < with.runs.len()) {
            tiles.push((rate(with.rate()), "all runs with a skill".to_owned()));
        }
        if !self.queries.is_empty() {
            tiles.push((rate(self.trigger_rate()), "trigger queries".to_owned()));
        }
        tiles.push((tokens.to_string(), "tokens of the model".to_owned()));
        tiles.extend(self.price.cost(usage, judge).map(|cost| (format!("{cost:.4}"), "cost".to_owned())));
        for (count, what) in [(self.ungraded(), "runs not graded"), (self.errors(), "runs not tried")] {
            if count > 0 {
                tiles.push((count.to_string(), what.to_owned()));
            }
        }
        out.push_str("<ul class=\"tiles\">");
        for (figure, what) in tiles {
            out.push_str(&format!("<li><b>{figure}</b><span>{what}</span></li>"));
        }
        out.push_str(&format!(
            "</ul>\n<p class=\"quiet\">{INTERVAL} A line in each bar shows the same range.</p>\n"
        ));
    }

    /// Writes a choice of results. The style sheet hides the rows with other results, since the page has no scripts.
    fn filter(&self, out: &mut String) {
        let states: Vec<State> = self
            .cases
            .iter()
            .map(|case| case.with.state())
            .chain(self.queries.iter().map(QueryReport::state))
            .collect();
        if states.is_empty() {
            return;
        }
        out.push_str("<fieldset class=\"filter\"><legend>Show</legend>");
        out.push_str(&format!(
            "<label><input type=\"radio\" name=\"show\" id=\"show-all\" checked> all {}</label>",
            states.len()
        ));
        for state in State::ALL {
            let count = states.iter().filter(|found| **found == state).count();
            if count > 0 {
                let (name, words) = (state.as_str(), state.in_words());
                out.push_str(&format!(
                    "<label><input type=\"radio\" name=\"show\" id=\"show-{name}\"> {words} {count}</label>"
                ));
            }
        }
        out.push_str("</fieldset>\n");
    }

    fn table(&self, out: &mut String) {
        if self.cases.is_empty() {
            return;
        }
        out.push_str(
            "<h2>Cases</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Cases\"><table>\
             <tr><th>Case<th>Pass rate: with the skill, and without<th class=\"number\">Tokens\
             <th class=\"number\">Seconds<th class=\"number\">Cost<th>Request and results</tr>\n",
        );
        for state in State::ALL {
            for case in self.cases.iter().filter(|case| case.with.state() == state) {
                self.row(case, out);
            }
        }
        out.push_str("</table></div>\n");
    }

    fn row(&self, case: &CaseReport, out: &mut String) {
        let arms: Vec<&Arm> = [Some(&case.with), case.without.as_ref()].into_iter().flatten().collect();
        out.push_str(&format!(
            "<tr class=\"is-{state}\"><td><b>{}</b><br>{}<br><span class=\"{state}\">{words}</span><td class=\"rate\">",
            escape(&case.skill),
            escape(&case.id),
            state = case.with.state().as_str(),
            words = case.with.state().in_words(),
        ));
        out.push_str(&bar(case.with.rate(), "with"));
        if let Some(without) = &case.without {
            out.push_str(&bar(without.rate(), "without"));
        }
        out.push_str(&format!(
            "{}{}{}<td class=\"ask\"><details><summary>{}</summary>",
            number("Tokens", &join_lines(&arms, &|arm| format!("{:.0}", arm.tokens().mean))),
            number("Seconds", &join_lines(&arms, &|arm| format!("{:.1}", arm.seconds().mean))),
            number(
                "Cost",
                &join_lines(&arms, &|arm: &Arm| {
                    let (usage, judge) = arm.usage();
                    self.price.cost(usage, judge).map_or("–".to_owned(), |cost| format!("{cost:.4}"))
                })
            ),
            escape(&line(&case.ask, SHOWN)),
        ));
        if case.ask.chars().count() > SHOWN {
            out.push_str(&format!("<p class=\"quiet\">the whole request:</p>{}", pre(&case.ask, "")));
        }
        for (arm, word) in [(Some(&case.with), "with the skill"), (case.without.as_ref(), "without")] {
            for (run, number) in arm.into_iter().flat_map(|arm| &arm.runs).zip(1..) {
                run_of(run, number, word, out);
            }
        }
        out.push_str("</details></tr>\n");
    }

    fn matrix(&self, out: &mut String) {
        if self.confusion.rows.values().all(BTreeMap::is_empty) {
            return;
        }
        let columns = self.confusion.columns();
        out.push_str(
            "<h2>Which skill was chosen</h2>\n<p class=\"quiet\">Each row has the messages for one skill, each \
             column is a skill that the model chose, and each figure is a number of runs. Green is right, red \
             is wrong.</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Which skill was chosen\">\
             <table class=\"matrix\"><tr><td>",
        );
        for column in &columns {
            let name = if column.is_empty() { "(none)".to_owned() } else { escape(column) };
            out.push_str(&format!("<th class=\"column\" scope=\"col\">{name}"));
        }
        out.push_str("</tr>\n");
        for ((skill, is_own), row) in &self.confusion.rows {
            let not = if *is_own { "" } else { "not " };
            out.push_str(&format!("<tr><th class=\"row\" scope=\"row\">{not}<b>{}</b>", escape(skill)));
            let total: usize = row.values().sum();
            for column in &columns {
                out.push_str(&cell(skill, *is_own, column, row, total));
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</table></div>\n");
        for (intended, chosen, count) in self.confusion.confused_pairs() {
            let (intended, chosen) = (escape(intended), escape(chosen));
            out.push_str(&format!(
                "<p class=\"failed\"><b>{chosen}</b> was chosen for messages of <b>{intended}</b> in {count} runs.</p>\n"
            ));
        }
    }

    fn list(&self, out: &mut String) {
        if self.queries.is_empty() {
            return;
        }
        out.push_str(
            "<h2>Trigger queries</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Trigger queries\">\
             <table><tr><th>Skill<th>Message<th>Should it trigger\
             <th class=\"number\">Chosen<th>Chosen besides or instead<th>Result</tr>\n",
        );
        let ordered = State::ALL
            .into_iter()
            .flat_map(|state| self.queries.iter().filter(move |query| query.state() == state));
        for query in ordered {
            let (word, class) = (query.state().in_words(), query.state().as_str());
            let instead: Vec<String> =
                query.instead().iter().map(|(name, count)| format!("{} ({count})", escape(name))).collect();
            let instead = match instead.is_empty() {
                true => "<td>".to_owned(),
                false => format!("<td data-label=\"Chosen instead\"><span>{}</span>", instead.join(", ")),
            };
            let why = query.choices.iter().find_map(|choice| choice.error.as_deref());
            out.push_str(&format!(
                "<tr class=\"is-{class}\"><td><b>{}</b><td class=\"ask\">{}<td data-label=\"Should it trigger\"><span>{}</span>{}{instead}\
                 <td class=\"{class}\">{word} {}</tr>\n",
                escape(&query.skill),
                escape(&query.query),
                if query.should_trigger { "yes" } else { "no" },
                number("Chosen", &format!("{} of {}", query.triggers(), query.tried())),
                why.map(escape).unwrap_or_default(),
            ));
        }
        out.push_str("</table></div>\n");
    }
}

/// Draws a rate with its confidence interval.
fn bar(interval: Option<Interval>, class: &str) -> String {
    let drawn = interval.map(|Interval { rate, low, high }| {
        format!(
            "<rect class=\"{class}\" width=\"{:.1}\" height=\"10\"/><line class=\"sure\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"5\" y2=\"5\"/>",
            rate * 100.0,
            low * 100.0,
            high * 100.0
        )
    });
    let drawn = drawn.unwrap_or_default();
    format!(
        "<p><svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
         <rect class=\"ground\" width=\"100\" height=\"10\"/>{drawn}</svg>{}</p>",
        rate(interval)
    )
}

fn cell(skill: &str, is_own: bool, column: &str, row: &BTreeMap<String, usize>, total: usize) -> String {
    let count = row.get(column).copied().unwrap_or_default();
    if count == 0 {
        return "<td>".to_owned();
    }
    // If the message is meant for other skills, it is right to choose another skill, or none.
    let is_right = if is_own { column == skill } else { column != skill };
    let heat = (count * 3).div_ceil(total.max(1)).clamp(1, 3);
    let class = if is_right { "right" } else { "wrong" };
    format!("<td class=\"{class}{heat}\">{count}")
}

/// Returns a cell with a number, or with one number for each arm. On a narrow screen, the cell shows its heading itself.
fn number(heading: &str, text: &str) -> String {
    format!("<td class=\"number\" data-label=\"{heading}\"><span>{text}</span>")
}

fn run_of(run: &CaseRun, number: usize, word: &str, out: &mut String) {
    let (state, words) = (run.state.as_str(), run.state.in_words());
    out.push_str(&format!("<p>{word}, run {number}: <b class=\"{state}\">{words}</b></p>"));
    if let Some(error) = &run.error {
        out.push_str(&pre(error, " class=\"error\""));
    }
    if !run.tools.is_empty() {
        out.push_str(&format!("<p class=\"quiet\">tools: {}</p>", escape(&run.tools.join(", "))));
    }
    if !run.answer.is_empty() {
        out.push_str(&pre(&run.answer, ""));
    }
    out.push_str("<ul>");
    for mark in &run.marks {
        let (class, word) = match mark.verdict {
            Verdict::Passed => ("passed", "passed"),
            Verdict::Failed => ("failed", "failed"),
            Verdict::Ungraded => ("ungraded", "not graded"),
        };
        let (text, evidence) = (escape(&mark.text), escape(&mark.evidence));
        out.push_str(&format!(
            "<li><span class=\"{class}\">{word}</span> {text}<br><span class=\"quiet\">{evidence}</span></li>"
        ));
    }
    out.push_str("</ul>");
}

/// Writes a text of several lines. A long one is scrolled, also with the keyboard.
fn pre(text: &str, attributes: &str) -> String {
    format!("<pre tabindex=\"0\"{attributes}>{}</pre>", escape(text))
}

/// Escapes a text for HTML and XML, and makes hidden characters visible.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c),
            // XML cannot represent these two.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => match entity(c) {
                Some(entity) => out.push_str(entity),
                None => push_visible(&mut out, c),
            },
        }
    }
    out
}

/// Writes a figure of each arm on its own line.
fn join_lines(arms: &[&Arm], figure: &dyn Fn(&Arm) -> String) -> String {
    arms.iter().map(|arm| figure(arm)).collect::<Vec<_>>().join("<br>")
}
