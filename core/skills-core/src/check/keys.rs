//! Unknown keys and keys of other systems: suggests the known key that may be meant, and merges findings into
//! one per key.

use skills_text::Places;

use crate::known;
use crate::report::Report;
use crate::rule::{Rule, fields as rules};
use crate::span::SourceMap;

/// Finds the key of which a key is probably a misspelling, but never a key with another meaning.
pub(super) fn slip(key: &str, keys: &[&'static str]) -> Option<&'static str> {
    let folded = known::fold(key).to_lowercase();
    let is_negated = ["dis", "un", "non"].iter().any(|begin| folded.starts_with(begin))
        || folded.split('-').any(|part| matches!(part, "no" | "not" | "non" | "un" | "disabled"));
    let near = skills_text::nearest(&folded, keys.iter().copied())?;
    // `disallowed-tools` is similar to `allowed-tools`, and `parent` to `agent`. A typo keeps the first
    // letter or is a single letter, and does not turn one word into another.
    let is_same_start = folded.chars().next() == near.chars().next();
    let is_slip = folded.len().abs_diff(near.len()) <= 2
        && (is_same_start || near.len() > 5 && folded.ends_with(&near[1..]));
    (is_slip && is_negated == near.starts_with("dis")).then_some(near)
}

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

#[cfg(test)]
mod tests {
    use super::{known, slip};

    // SPEC 2.14
    #[test]
    fn a_key_of_another_meaning_is_never_offered() {
        let keys: Vec<&str> = known::KEYS.iter().map(|known| known.key).collect();
        for key in
            ["unallowed-tools", "when_not_to_use", "parent", "not-tags", "priority", "role", "agents-md"]
        {
            assert_eq!(slip(key, &keys), None, "{key}");
        }
        for (key, near) in [
            ("licence", "license"),
            ("descripton", "description"),
            ("allowed-tool", "allowed-tools"),
            ("Name", "name"),
            ("tag", "tags"),
            ("ersion", "version"),
            ("disable-model-invocaton", "disable-model-invocation"),
        ] {
            assert_eq!(slip(key, &keys), Some(near), "{key}");
        }
    }
}
