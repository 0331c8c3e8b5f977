//! Merges the findings about unknown keys and keys of other systems into one per key.

use skills_text::Places;

use crate::report::Report;
use crate::rule::{Rule, fields as rules};
use crate::span::SourceMap;

/// Keeps one finding for each unknown or foreign key: the first place, with the number of places.
pub(super) fn gather(report: &mut Report, sources: &SourceMap) {
    let gathered = [&raw const rules::KEY_UNKNOWN, &raw const rules::KEY_FOREIGN];
    let mut first = Places::default();
    let mut counts: Vec<(usize, usize)> = Vec::new();
    let mut kept = Vec::with_capacity(report.diagnostics.len());
    for diagnostic in report.diagnostics.drain(..) {
        let rule: *const Rule = diagnostic.rule;
        if !gathered.contains(&rule) {
            kept.push(diagnostic);
            continue;
        }
        let key = sources.text(diagnostic.span).trim_matches(['"', '\'']);
        let key = format!("{} {key}", diagnostic.rule.code);
        match first.get(&key) {
            Some(at) => {
                let (place, count) = &mut counts[at];
                *count += 1;
                // One fix for all places.
                if let (Some(fix), Some(more)) = (&mut kept[*place].fix, diagnostic.fix) {
                    fix.changes.extend(more.changes);
                }
            }
            None => {
                first.insert(key, counts.len());
                counts.push((kept.len(), 1));
                kept.push(diagnostic);
            }
        }
    }
    for (at, count) in counts.into_iter().filter(|(_, count)| *count > 1) {
        let diagnostic = &mut kept[at];
        diagnostic.title.push_str(&format!(", in {count} skills"));
        diagnostic.label.push_str("; this is the first one");
    }
    report.diagnostics = kept;
}
