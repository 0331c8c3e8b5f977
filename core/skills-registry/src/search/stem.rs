//! Stems words, so that related words are the same term: `validates`, `validation`, `validator`.
//!
//! This is a light stemmer for English. It removes endings that are common in descriptions of work. Its
//! results need not be linguistically right. They only need to be the same for skills and queries. Words in
//! other scripts stay unchanged.

/// Words with this ending keep it.
const KEEP_ALL: usize = usize::MAX;
/// Endings to remove, in this order; the number is the minimum length of the rest.
const ENDINGS: [&[(&[u8], usize)]; 3] = [
    &[(b"ss", KEEP_ALL), (b"us", KEEP_ALL), (b"ies", 3), (b"es", 4), (b"s", 3)],
    &[(b"ing", 3), (b"ed", 3)],
    &[
        (b"ization", 4),
        (b"isation", 4),
        (b"ation", 4),
        (b"ement", 4),
        (b"ment", 5),
        (b"ator", 4),
        (b"ating", 4),
        (b"able", 4),
        (b"ible", 4),
        (b"ance", 4),
        (b"ence", 4),
        (b"ical", 4),
        (b"ness", 4),
        (b"ize", 4),
        (b"ise", 4),
        (b"ate", 4),
        (b"ion", 4),
        (b"ity", 4),
        (b"ive", 4),
        (b"ful", 4),
        (b"al", 4),
        (b"ic", 4),
        (b"er", 4),
        (b"or", 4),
        (b"ly", 4),
        (b"at", 4),
        (b"iz", 4),
        (b"is", 4),
    ],
];

/// Removes the ending of a lower-case word. Returns the length of the stem, whose bytes may have changed.
pub(super) fn stem(word: &mut [u8]) -> usize {
    let mut length = word.len();
    if length < 4 || !word.iter().all(u8::is_ascii_lowercase) {
        return length;
    }
    for endings in ENDINGS {
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
