//! Follows references to the schema they mean.

use super::documents::{Index, address};
use super::uri;
use crate::json::{Kind, Node};
use crate::pointer;

/// Where a reference leads.
pub(super) enum Target<'d> {
    /// A schema, its resource, and the name of the dynamic anchor that the reference named.
    Found { node: &'d Node, resource: usize, dynamic: Option<String> },
    /// Into a document that is at hand, but to nothing in it.
    Nowhere,
    /// To a document that is not at hand.
    Remote(String),
}

impl<'d> Index<'d> {
    pub(super) fn resolve(&self, from: usize, reference: &str) -> Target<'d> {
        let (base, fragment) = uri::fragment(reference);
        let full = uri::resolve(&self.resources[from].uri, base);
        let resource = if base.is_empty() { Some(&from) } else { self.by_uri.get(&full) };
        let Some(&resource) = resource else {
            return if uri::is_absolute(&full) || !base.is_empty() {
                Target::Remote(full)
            } else {
                Target::Nowhere
            };
        };
        let fragment = uri::decode(fragment);
        if fragment.is_empty() || fragment.starts_with('/') {
            return match self.follow(resource, &fragment) {
                Some((node, resource)) => Target::Found { node, resource, dynamic: None },
                None => Target::Nowhere,
            };
        }
        match self.anchors.get(&(resource, fragment.clone())) {
            Some(&(node, dynamic)) => Target::Found { node, resource, dynamic: dynamic.then_some(fragment) },
            None => Target::Nowhere,
        }
    }

    /// Follows a JSON pointer from a resource's root, minding the resources it crosses.
    fn follow(&self, from: usize, text: &str) -> Option<(&'d Node, usize)> {
        let (mut node, mut resource) = (self.resources[from].root, from);
        for step in pointer::steps(text)? {
            node = match &node.kind {
                Kind::Object(_) => node.get(&step)?,
                Kind::Array(items) => {
                    let plain = step == "0" || !step.starts_with('0');
                    let digits = plain && step.bytes().all(|b| b.is_ascii_digit());
                    items.get(step.parse::<usize>().ok().filter(|_| digits)?)?
                }
                _ => return None,
            };
            resource = self.scopes.get(&address(node)).copied().unwrap_or(resource);
        }
        Some((node, resource))
    }
}
