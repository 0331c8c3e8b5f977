//! Finds the JSON in the text of a model's answer: the whole text, a fenced block, or the first object.

use serde_json::Value;

/// How many positions are searched for a JSON value.
const MAX_PLACES: usize = 1_000;

/// Returns the candidates, best first; each is valid JSON. If the whole answer is JSON, it is the only
/// candidate.
///
/// A block ends where its JSON ends and not at the next fence, so fences inside of strings do no harm.
pub fn candidates(answer: &str) -> impl Iterator<Item = &str> {
    let whole = prefix(answer).filter(|found| found.len() == answer.trim().len());
    let parts = if whole.is_none() { answer } else { "" };
    let fenced = fences(parts).take(MAX_PLACES).filter_map(fenced);
    let object = || parts.match_indices('{').take(MAX_PLACES).find_map(|(at, _)| prefix(parts.get(at..)?));
    whole.into_iter().chain(fenced).chain(std::iter::once_with(object).flatten())
}

/// Returns the text after each run of backticks.
fn fences(answer: &str) -> impl Iterator<Item = &str> {
    let mut rest = answer;
    std::iter::from_fn(move || {
        let at = rest.find("```")?;
        rest = rest.get(at..)?.trim_start_matches('`');
        Some(rest)
    })
}

/// Parses the block after a fence, which may begin with a word such as `json`.
fn fenced(block: &str) -> Option<&str> {
    prefix(block.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric()))
}

/// Returns the JSON value at the start of a text, without the text after it.
fn prefix(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    values.next()?.ok()?;
    text.get(..values.byte_offset())
}

#[cfg(test)]
mod tests {
    use super::candidates;

    // SPEC 7.5
    #[test]
    fn the_answer_is_all_text_a_fenced_block_or_the_first_object() {
        let first = |answer| candidates(answer).next();
        assert_eq!(first(" {\"a\": 1}\n"), Some("{\"a\": 1}"));
        assert_eq!(first("[1, 2]"), Some("[1, 2]"));
        assert_eq!(first("Here it is:\n```json\n{\"a\": 1}\n```\nDone."), Some("{\"a\": 1}"));
        assert_eq!(first("```\n\"text\"\n```"), Some("\"text\""));
        assert_eq!(first("See {this}: {\"a\": {\"b\": 2}} and {\"c\": 3}"), Some("{\"a\": {\"b\": 2}}"));
        let nested = "```json\n{\"code\": \"```rust\\nfn f() {}\\n```\"}\n```";
        assert_eq!(first(nested), Some("{\"code\": \"```rust\\nfn f() {}\\n```\"}"));
        assert_eq!(first("```python\nprint({})\n```\n```json\n{\"a\": 1}\n```"), Some("{\"a\": 1}"));
        let whole = "{\"a\": \"```[1]```\"}";
        assert!(candidates(whole).eq([whole]));
        for nothing in ["", "none", "{", "{\"a\": ", "```json\n", "```"] {
            assert_eq!(first(nothing), None, "{nothing}");
        }
    }

    // SPEC 12.1
    #[test]
    fn no_answer_takes_long_or_panics() {
        for unit in ["{", "{\"a\":", "[", "```", "```{", "{\"a\":[{},", "\u{fffd}{\"", "{\"\\u"] {
            let giant = unit.repeat(200_000);
            assert!(candidates(&giant).count() <= 1_002, "{unit}");
        }
    }
}
