//! Converts skills to the objects of the protocol: tools, prompts, resources and entries of the Skills extension.
//! This file has what they share: who may see which skill, the pages of long lists, and the source of a skill.
//!
//! Layers find no gated skills, so they need no check here. Skills of other servers are not served on.

pub(crate) mod prompt;
pub(crate) mod resource;
pub(crate) mod shown;
pub(crate) mod skill;
pub(crate) mod tool;

use std::borrow::Cow;

use rmcp::ErrorData;
use rmcp::model::MetaObject;
use serde_json::{Value, json};
use skills_call::Layers;
use skills_registry::Skill;
use skills_text::clean;

/// Finds a skill that clients may see. Internal skills are treated like unknown ones.
fn find<'a>(layers: &'a Layers, name: &str) -> Option<Skill<'a>> {
    layers.get(name).filter(|skill| !skill.is_internal() && !skill.is_remote())
}

/// Returns the skills with a `SKILL.md` that models may see, sorted by name.
pub(crate) fn documents(layers: &Layers) -> impl Iterator<Item = Skill<'_>> {
    layers.iter().filter(|skill| skill.is_offered() && !skill.is_remote())
}

/// Returns `true` if a user may call the skill by its name. This includes skills that models must not see.
fn is_for_users(skill: Skill<'_>) -> bool {
    !skill.is_remote() && skill.is_user_invocable() && skill.has_document() && !skill.body().trim().is_empty()
}

/// The metadata key for the source of a skill.
const SOURCE: &str = "skills/source";

/// Adds the source and its revision to the metadata, if the skill is from another project.
fn add_origin(meta: &mut Option<MetaObject>, skill: Skill<'_>) {
    if let Some(source) = skill.source() {
        let mut value = json!({ "name": clean(source.name) });
        if let Some(revision) = source.revision {
            value["revision"] = Value::from(clean(revision));
        }
        meta.get_or_insert_default().0.insert(SOURCE.to_owned(), value);
    }
}

/// The number of items in a page. Most servers have fewer items, and some clients only request the first
/// page.
const PAGE_SIZE: usize = 250;

/// The sort key of lists: the name of a skill, and a path in it.
type Key<'a> = (&'a str, Cow<'a, str>);

/// A page, and the cursor of the next one.
type Page<T> = (Vec<T>, Option<String>);

/// Returns the page after `cursor` from a sorted list. A cursor names the last item of a page, so it stays valid if the list
/// changes. Only the items of this page are created. Sources
/// that yield no item are skipped.
fn cut_page<'a, S, T>(
    sources: impl Iterator<Item = (Key<'a>, S)>,
    cursor: Option<&str>,
    make: impl Fn(S) -> Option<T>,
) -> Result<Page<T>, ErrorData> {
    let after: Option<(String, String)> = match cursor {
        None => None,
        Some(text) => {
            Some(serde_json::from_str(text).map_err(|_| ErrorData::invalid_params("invalid cursor", None))?)
        }
    };
    let is_behind = |(name, path): &Key<'_>| {
        after.as_ref().is_none_or(|(last, at)| (*name, &**path) > (last.as_str(), at.as_str()))
    };
    let mut rest = sources
        .filter(|(key, _)| is_behind(key))
        .filter_map(|(key, source)| Some((key, make(source)?)))
        .peekable();
    let mut page = Vec::new();
    let mut last = None;
    while page.len() < PAGE_SIZE
        && let Some((key, item)) = rest.next()
    {
        page.push(item);
        last = Some(key);
    }
    let next = rest.peek().and(last).map(|(name, path)| serde_json::json!([name, path]).to_string());
    Ok((page, next))
}

#[cfg(test)]
mod tests {
    use super::{PAGE_SIZE, cut_page};

    // SPEC 11.4, 12.2
    #[test]
    fn pages_list_everything_once() {
        let names: Vec<String> = (0..PAGE_SIZE * 2 + 1).map(|n| format!("{n:05}")).collect();
        let items = || names.iter().enumerate().map(|(n, name)| ((name.as_str(), "".into()), n));
        let mut all = Vec::new();
        let mut cursor = None;
        loop {
            let (page, next) = cut_page(items(), cursor.as_deref(), Some).expect("a page");
            all.extend(page);
            cursor = next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(all, (0..PAGE_SIZE * 2 + 1).collect::<Vec<_>>());
        let (page, next) = cut_page(items().take(PAGE_SIZE), None, Some).expect("a page");
        assert_eq!((page.len(), next), (PAGE_SIZE, None), "no empty page at the end");
        assert!(cut_page(items(), Some("7"), Some).is_err() && cut_page(items(), Some(""), Some).is_err());
        let made = std::cell::Cell::new(0);
        let odd = |n: usize| {
            made.set(made.get() + 1);
            (n % 2 == 1).then_some(n)
        };
        let (page, next) = cut_page(items(), Some(r#"["00099",""]"#), odd).expect("a page");
        assert_eq!(
            (page.first(), page.len(), next),
            (Some(&101), 200, None),
            "sources without an item are left out"
        );
        assert_eq!(made.get(), PAGE_SIZE * 2 + 1 - 100, "no items of earlier pages are created");
    }
}
