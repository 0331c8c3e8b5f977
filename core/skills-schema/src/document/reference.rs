//! Resolves every reference of a document, once all schemas are known.

use skills_text::{is_digits, percent_decoded};

use super::arena::{ArenaEntry, Key, Lead};
use super::{Document, Value};
use crate::pointer;
use crate::uri;

/// The keywords whose value leads to a schema.
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

impl Document {
    /// Returns the references of an object, each with the number of its value.
    pub(super) fn leads_of<'e>(&'e self, entry: &'e ArenaEntry) -> impl Iterator<Item = (u32, &'e Lead)> {
        let keys = if let Value::Object(keys) = &entry.value { keys.as_slice() } else { &[] };
        let references = keys.iter().filter(|key| REFERENCES.contains(&key.key.as_str()));
        references.map(|Key { value, .. }| (*value, &self.entry(*value).lead))
    }

    pub(super) fn resolve(&mut self) {
        let mut found: Vec<(u32, Lead)> = Vec::new();
        for entry in &self.entries {
            for (at, _) in self.leads_of(entry) {
                if let Value::String(reference) = &self.entry(at).value {
                    found.push((at, self.lead(entry.resource, reference)));
                }
            }
        }
        for (at, lead) in found {
            if let Lead::Found { at, .. } = &lead {
                self.accept(*at);
            }
            self.entries[at as usize].lead = lead;
        }
    }

    /// Marks the target of a reference as a schema, even if no keyword makes it one.
    fn accept(&mut self, at: u32) {
        if !std::mem::replace(&mut self.entries[at as usize].is_schema, true) {
            for schema in self.schemas_in(at, self.part(at).draft()) {
                self.accept(schema);
            }
        }
    }

    /// Finds the target of a reference in a resource.
    fn lead(&self, from: u32, reference: &str) -> Lead {
        let (base, fragment) = uri::fragment(reference);
        let full = uri::resolve(&self.resource(from).uri, base);
        let resource = match base {
            "" => Some(from),
            _ => self.by_uri.get(&full).and_then(|number| u32::try_from(number).ok()),
        };
        let Some(resource) = resource else {
            return if uri::is_absolute(&full) || !base.is_empty() {
                Lead::Remote(full.into())
            } else {
                Lead::Nowhere
            };
        };
        // Bytes that are not UTF-8 after decoding are replaced.
        let fragment = String::from_utf8_lossy(&percent_decoded(fragment)).into_owned();
        if fragment.is_empty() || fragment.starts_with('/') {
            let found = self.follow(self.resource(resource).root, &fragment);
            return found.map_or(Lead::Nowhere, |at| Lead::Found { at, anchor: None });
        }
        match self.anchors.get(&(resource, fragment.clone())) {
            Some(anchor) => Lead::Found { at: anchor.at, anchor: anchor.is_dynamic.then(|| fragment.into()) },
            None => Lead::Nowhere,
        }
    }

    /// Follows a JSON pointer.
    fn follow(&self, from: u32, text: &str) -> Option<u32> {
        let mut at = from;
        for step in pointer::steps(text)? {
            at = match &self.entry(at).value {
                Value::Object(_) => self.part(at).get(&step)?.number(),
                Value::Array(items) => {
                    let plain = step == "0" || !step.starts_with('0');
                    let digits = plain && is_digits(&step);
                    *items.get(step.parse::<usize>().ok().filter(|_| digits)?)?
                }
                _ => return None,
            };
        }
        Some(at)
    }
}
