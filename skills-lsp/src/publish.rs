//! The report of a directory becomes the diagnostics of its files; those that changed are sent (SPEC 17.10).

use std::collections::BTreeMap;

use serde_json::{Value, json};
use skills_core::diagnostic::Diagnostic;
use skills_core::fix::Judged;
use skills_core::level::Level;

use crate::place;
use crate::root::Root;

/// What was sent last, by URI.
pub(crate) type Sent = BTreeMap<String, Value>;

/// Returns the messages that bring a client up to date.
pub(crate) fn changes<'r>(roots: impl Iterator<Item = &'r Root>, sent: &mut Sent) -> Vec<Value> {
    let mut now: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for root in roots {
        for found in &root.report().diagnostics {
            let file = root.judged.sources().file_of(found.span);
            now.entry(place::uri(&root.path_of(file))).or_default().push(diagnostic(root, found));
        }
    }
    let mut messages = Vec::new();
    let gone = sent.keys().filter(|uri| !now.contains_key(*uri)).cloned().collect::<Vec<_>>();
    for uri in gone {
        sent.remove(&uri);
        messages.push(json!({ "uri": uri, "diagnostics": [] }));
    }
    for (uri, list) in now {
        let list = Value::Array(list);
        if sent.get(&uri) != Some(&list) {
            messages.push(json!({ "uri": uri, "diagnostics": list }));
            sent.insert(uri, list);
        }
    }
    messages
}

/// Writes one problem.
pub(crate) fn diagnostic(root: &Root, found: &Diagnostic) -> Value {
    let sources = root.judged.sources();
    let text = &sources.file_of(found.span).text;
    let mut message = found.title.clone();
    for (lead, part) in [("\n", &found.label), ("\nhelp: ", &found.help)] {
        if !part.is_empty() {
            message.push_str(lead);
            message.push_str(part);
        }
    }
    let related: Vec<Value> = found
        .related
        .iter()
        .map(|other| {
            let file = sources.file_of(other.span);
            let range = place::range(&file.text, sources.range(other.span));
            json!({ "location": { "uri": place::uri(&root.path_of(file)), "range": range }, "message": other.label })
        })
        .collect();
    json!({
        "range": place::range(text, sources.range(found.span)),
        "severity": if found.level == Level::Error { 1 } else { 2 },
        "code": found.rule.code,
        "source": "skills",
        "message": message,
        "relatedInformation": related,
    })
}
