//! Compares two reports.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::{Report, Unread};

/// The changes since an earlier report.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The pass rates of runs with the skills, before and after.
    pub pass_rate: (Option<f64>, Option<f64>),
    /// The rates of trigger queries that passed, before and after.
    pub trigger_rate: (Option<f64>, Option<f64>),
    /// The tokens of the model, before and after.
    pub tokens: (u64, u64),
    /// Cases and queries whose rate changed, by name: `skill/id` for a case, `skill: message` for a query.
    pub changes: Vec<CaseChange>,
    /// Cases and queries that are only in the new report.
    pub new: Vec<String>,
    /// Cases and queries that are only in the earlier report.
    pub gone: Vec<String>,
}

/// A rate that changed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CaseChange {
    /// The case or query.
    pub name: String,
    /// The rate before; `None` if nothing was graded.
    pub before: Option<f64>,
    /// The rate after; `None` if nothing was graded.
    pub after: Option<f64>,
}

/// The largest report that is read, in bytes.
const MAX_REPORT: u64 = 64 << 20;

impl Difference {
    /// Compares a report with an earlier one in a JSON file.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a report.
    pub fn to(report: &Report, path: &Path) -> Result<Self, Unread> {
        let bytes = skills_files::read(path, MAX_REPORT).map_err(|error| Unread::new(path, error))?;
        let before: Value = serde_json::from_slice(&bytes).map_err(|error| Unread::new(path, error))?;
        if !before.get("cases").is_some_and(Value::is_array) {
            return Err(Unread::new(path, "this is not a report: it has no list `cases`"));
        }
        Ok(Self::between(&before, &report.to_json()))
    }

    /// Compares two reports in the format of [`Report::to_json`].
    pub fn between(before: &Value, after: &Value) -> Self {
        let (old, new) = (rates(before), rates(after));
        let both = new.iter().filter_map(|(name, after)| Some((name, *old.get(name)?, *after)));
        let changes = both.filter(|(_, before, after)| is_other_rate(*before, *after));
        Self {
            pass_rate: (rate(before, "/pass_rate/rate"), rate(after, "/pass_rate/rate")),
            trigger_rate: (rate(before, "/trigger_rate/rate"), rate(after, "/trigger_rate/rate")),
            tokens: (tokens(before), tokens(after)),
            changes: changes
                .map(|(name, before, after)| CaseChange { name: name.clone(), before, after })
                .collect(),
            new: new.keys().filter(|name| !old.contains_key(*name)).cloned().collect(),
            gone: old.keys().filter(|name| !new.contains_key(*name)).cloned().collect(),
        }
    }

    /// Returns the difference as JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "pass_rate": json_pair(self.pass_rate), "trigger_rate": json_pair(self.trigger_rate),
            "tokens": {"before": self.tokens.0, "after": self.tokens.1},
            "changes": self.changes.iter().map(|change| json!({"name": change.name, "before": change.before, "after": change.after})).collect::<Vec<_>>(),
            "new": self.new, "gone": self.gone,
        })
    }

    /// Returns the difference as text for people.
    pub fn text(&self) -> String {
        let mut out = String::from("Since the report given:\n");
        out.push_str(&format!("  runs with the skills: {}\n", write_pair(self.pass_rate)));
        if self.trigger_rate != (None, None) {
            out.push_str(&format!("  trigger queries: {}\n", write_pair(self.trigger_rate)));
        }
        out.push_str(&format!("  tokens: {} -> {}\n", self.tokens.0, self.tokens.1));
        for change in &self.changes {
            let word = match change.before.zip(change.after) {
                Some((before, after)) if after < before => "worse",
                Some(_) => "better",
                None => "other",
            };
            out.push_str(&format!(
                "  {word}: {}: {}\n",
                change.name,
                write_pair((change.before, change.after))
            ));
        }
        self.new.iter().for_each(|name| out.push_str(&format!("  new: {name}\n")));
        self.gone.iter().for_each(|name| out.push_str(&format!("  gone: {name}\n")));
        out
    }
}

fn write_pair((before, after): (Option<f64>, Option<f64>)) -> String {
    format!("{} -> {}", show_rate(before), show_rate(after))
}

fn show_rate(rate: Option<f64>) -> String {
    rate.map_or("-".to_owned(), |rate| format!("{:.0} %", rate * 100.0))
}

fn json_pair((before, after): (Option<f64>, Option<f64>)) -> Value {
    json!({"before": before, "after": after})
}

fn is_other_rate(before: Option<f64>, after: Option<f64>) -> bool {
    match (before, after) {
        (Some(before), Some(after)) => (before - after).abs() > 1e-9,
        (before, after) => before.is_some() != after.is_some(),
    }
}

fn rate(report: &Value, place: &str) -> Option<f64> {
    report.pointer(place)?.as_f64()
}

fn tokens(report: &Value) -> u64 {
    read_count("/tokens/input", report).saturating_add(read_count("/tokens/output", report))
}

fn read_count(place: &str, report: &Value) -> u64 {
    report.pointer(place).and_then(Value::as_u64).unwrap_or_default()
}

fn rates(report: &Value) -> BTreeMap<String, Option<f64>> {
    let cases = list_items("cases", report).map(|case| {
        (
            format!("{}/{}", read_text(case, "skill"), read_text(case, "id")),
            rate(case, "/with_skill/pass_rate/rate"),
        )
    });
    let queries = list_items("queries", report).map(|query| {
        let rate = query.get("passed").and_then(Value::as_bool).map(|passed| if passed { 1.0 } else { 0.0 });
        (format!("{}: {}", read_text(query, "skill"), read_text(query, "query")), rate)
    });
    cases.chain(queries).collect()
}

fn read_text(item: &Value, key: &str) -> String {
    item.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn list_items<'r>(key: &str, report: &'r Value) -> impl Iterator<Item = &'r Value> {
    report.get(key).and_then(Value::as_array).into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Difference;

    // SPEC 16.16
    #[test]
    fn changes_are_reported_by_case_and_query() {
        let report = |rate: f64, passed: bool, id: &str| {
            json!({
                "pass_rate": {"rate": rate}, "trigger_rate": null, "tokens": {"input": 10, "output": 1},
                "cases": [
                    {"skill": "pdf", "id": "1", "with_skill": {"pass_rate": {"rate": rate}}},
                    {"skill": "pdf", "id": id, "with_skill": {"pass_rate": null}},
                ],
                "queries": [{"skill": "pdf", "query": "read it", "passed": passed}],
            })
        };
        let found = Difference::between(&report(1.0, true, "2"), &report(0.5, false, "3"));
        let changed: Vec<_> =
            found.changes.iter().map(|change| (change.name.as_str(), change.after)).collect();
        assert_eq!(changed, [("pdf/1", Some(0.5)), ("pdf: read it", Some(0.0))]);
        assert_eq!((found.new, found.gone), (vec!["pdf/3".to_owned()], vec!["pdf/2".to_owned()]));
        let same = Difference::between(&report(1.0, true, "2"), &report(1.0, true, "2"));
        assert!(same.changes.is_empty());
    }
}
