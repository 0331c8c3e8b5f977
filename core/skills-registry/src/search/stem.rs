//! Stems words, so that related words are the same term: `validates`, `validation`, `validator`.
//!
//! This is a light stemmer for English. It removes endings that are common in descriptions of work. Its
//! results need not be linguistically right. They only need to be the same for skills and queries. Words in
//! other scripts stay unchanged.

/// Words with this ending keep it.
const KEEP_ALL: usize = usize::MAX;
/// The endings to remove in each step, in this order; the number is the minimum length of the rest.
const ENDINGS: [&[EndingGroup]; 3] = [
    &[(&[b"ss", b"us"], KEEP_ALL), (&[b"ies"], 3), (&[b"es"], 4), (&[b"s"], 3)],
    &[(&[b"ing", b"ed"], 3)],
    &[(&[b"ization", b"isation", b"ation", b"ement"], 4), (&[b"ment"], 5), (LAST, 4)],
];
type EndingGroup = (&'static [&'static [u8]], usize);
const LAST: &[&[u8]] = &[
    b"ator", b"ating", b"able", b"ible", b"ance", b"ence", b"ical", b"ness", b"ize", b"ise", b"ate", b"ion",
    b"ity", b"ive", b"ful", b"al", b"ic", b"er", b"or", b"ly", b"at", b"iz", b"is",
];

/// Removes the ending of a lower-case word. Returns the length of the stem, whose bytes may have changed.
pub(super) fn stem(word: &mut [u8]) -> usize {
    let mut length = word.len();
    if length < 4 || !word.iter().all(u8::is_ascii_lowercase) {
        return length;
    }
    for groups in ENDINGS {
        let endings = groups.iter().flat_map(|(endings, stays)| endings.iter().map(move |end| (end, stays)));
        for (ending, stays) in endings {
            if !word[..length].ends_with(ending) {
                continue;
            }
            let rest = length - ending.len();
            if *stays == KEEP_ALL {
                break;
            }
            if rest >= *stays && word[..rest].iter().any(|letter| b"aeiouy".contains(letter)) {
                length = rest;
                break;
            }
        }
    }
    // These endings belong to words such as `create` and `copy`, and to the doubled letter of `running`.
    while length > 3 && matches!(word[length - 1], b'e' | b'y' | b'i') {
        length -= 1;
    }
    if length > 3 && word[length - 1] == word[length - 2] {
        length -= 1;
    }
    if word[length - 1] == b'z' {
        word[length - 1] = b's';
    }
    length
}

#[cfg(test)]
mod tests {
    use super::stem;

    fn stemmed(word: &str) -> String {
        let mut bytes = word.as_bytes().to_vec();
        let length = stem(&mut bytes);
        String::from_utf8(bytes[..length].to_vec()).unwrap()
    }

    // SPEC 16.1
    #[test]
    fn forms_of_a_word_are_one_term() {
        for forms in [
            &["validate", "validates", "validated", "validating", "validation", "validator"][..],
            &["summary", "summaries", "summarize", "summarise", "summarizing"],
            &["run", "running"],
            &["create", "creates", "creating", "created"],
            &["parse", "parser", "parsing"],
            &["deploy", "deployment", "deploys"],
            &["document", "documents"],
            &["optimize", "optimization", "optimise"],
            &["extract", "extraction", "extracting"],
            &["test", "tests", "testing", "tester"],
            &["analysis", "analyse", "analyze"],
        ] {
            let first = stemmed(forms[0]);
            for form in forms {
                assert_eq!(stemmed(form), first, "{form}");
            }
        }
        for word in ["css", "pdf", "bus", "class", "ing", "größe"] {
            assert!(!stemmed(word).is_empty());
        }
    }
}
