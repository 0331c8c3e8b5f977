//! A long list becomes pages; a cursor names the last item of a page, so that it outlives changes of the list.

use rmcp::ErrorData;

/// How many items a page has. Most servers have fewer, since there are clients that ask for the first page only.
pub(crate) const SIZE: usize = 250;

/// What lists are sorted by: the name of a skill, and a path in it.
pub(crate) type Key = (String, String);

/// Cuts the page behind `cursor` out of a sorted list, and returns the cursor of the next one.
///
/// # Errors
/// The cursor is none of this server's.
pub(crate) fn cut<T>(
    items: impl Iterator<Item = (Key, T)>,
    cursor: Option<&str>,
) -> Result<(Vec<T>, Option<String>), ErrorData> {
    let after: Option<Key> = match cursor {
        None => None,
        Some(text) => {
            Some(serde_json::from_str(text).map_err(|_| ErrorData::invalid_params("invalid cursor", None))?)
        }
    };
    let mut rest = items.filter(|(key, _)| after.as_ref().is_none_or(|after| key > after)).peekable();
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
    fn pages_hold_everything_once() {
        let items = || (0..SIZE * 2 + 1).map(|n| ((format!("{n:05}"), String::new()), n));
        let mut all = Vec::new();
        let mut cursor = None;
        loop {
            let (page, next) = cut(items(), cursor.as_deref()).expect("a page");
            all.extend(page);
            cursor = next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(all, (0..SIZE * 2 + 1).collect::<Vec<_>>());
        let (page, next) = cut(items().take(SIZE), None).expect("a page");
        assert_eq!((page.len(), next), (SIZE, None), "no empty page at the end");
        assert!(cut(items(), Some("7")).is_err() && cut(items(), Some("")).is_err());
    }
}
