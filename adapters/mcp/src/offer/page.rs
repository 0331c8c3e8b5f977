//! Splits long lists into pages. A cursor names the last item of a page, so it stays valid if the list
//! changes.

use std::borrow::Cow;

use rmcp::ErrorData;

/// The number of items in a page. Most servers have fewer items, and some clients only request the first
/// page.
pub(crate) const SIZE: usize = 250;

/// The sort key of lists: the name of a skill, and a path in it.
pub(crate) type Key<'a> = (&'a str, Cow<'a, str>);

/// A page, and the cursor of the next one.
pub(crate) type Page<T> = (Vec<T>, Option<String>);

/// Returns the page after `cursor` from a sorted list. Only the items of this page are created. Sources
/// that yield no item are skipped.
pub(crate) fn cut<'a, S, T>(
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
    while page.len() < SIZE
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
    use super::{SIZE, cut};

    // SPEC 11.4, 12.2
    #[test]
    fn pages_list_everything_once() {
        let names: Vec<String> = (0..SIZE * 2 + 1).map(|n| format!("{n:05}")).collect();
        let items = || names.iter().enumerate().map(|(n, name)| ((name.as_str(), "".into()), n));
        let mut all = Vec::new();
        let mut cursor = None;
        loop {
            let (page, next) = cut(items(), cursor.as_deref(), Some).expect("a page");
            all.extend(page);
            cursor = next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(all, (0..SIZE * 2 + 1).collect::<Vec<_>>());
        let (page, next) = cut(items().take(SIZE), None, Some).expect("a page");
        assert_eq!((page.len(), next), (SIZE, None), "no empty page at the end");
        assert!(cut(items(), Some("7"), Some).is_err() && cut(items(), Some(""), Some).is_err());
        let made = std::cell::Cell::new(0);
        let odd = |n: usize| {
            made.set(made.get() + 1);
            (n % 2 == 1).then_some(n)
        };
        let (page, next) = cut(items(), Some(r#"["00099",""]"#), odd).expect("a page");
        assert_eq!(
            (page.first(), page.len(), next),
            (Some(&101), 200, None),
            "sources without an item are left out"
        );
        assert_eq!(made.get(), SIZE * 2 + 1 - 100, "no items of earlier pages are created");
    }
}
