//! Splits text into words: runs of letters and digits in lower case, and pairs of characters in scripts
//! without spaces.

use skills_text::fold_char;

/// The maximum length of a word in bytes; longer ones are cut.
pub(super) const LONGEST: usize = 40;

/// Stop words.
const EMPTY: [&str; 110] = [
    "a", "about", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because",
    "been", "being", "both", "but", "by", "can", "could", "did", "do", "does", "doing", "don", "each",
    "every", "for", "from", "get", "give", "had", "has", "have", "he", "help", "her", "here", "him", "his",
    "how", "i", "if", "in", "into", "is", "it", "its", "just", "let", "ll", "may", "me", "might", "must",
    "my", "need", "no", "not", "of", "on", "only", "or", "other", "our", "please", "re", "s", "same", "she",
    "should", "so", "some", "such", "t", "than", "that", "the", "their", "them", "then", "there", "these",
    "they", "this", "those", "to", "too", "until", "us", "ve", "very", "want", "was", "we", "were", "what",
    "when", "where", "which", "while", "who", "whose", "why", "will", "with", "would", "you", "your",
];

/// The lower case of each ASCII letter and digit, or 0 for a character that ends a word. This is a `static`,
/// because a `const` would be copied at each use.
static LOWER: [u8; 128] = {
    let mut table = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        if (byte as u8).is_ascii_alphanumeric() {
            table[byte] = (byte as u8).to_ascii_lowercase();
        }
        byte += 1;
    }
    table
};

/// Returns `true` for a stop word.
pub(super) fn is_empty(word: &[u8]) -> bool {
    EMPTY.binary_search_by(|empty| empty.as_bytes().cmp(word)).is_ok()
}

/// Calls `each` with every word of a text, in order. `each` may modify the word.
///
/// Works on bytes: build scripts are compiled without optimisation, and every byte of every skill passes
/// through here.
pub(super) fn words(text: &str, each: &mut dyn FnMut(&mut [u8])) {
    let bytes = text.as_bytes();
    let mut word = [0; LONGEST];
    let mut length = 0;
    let mut at = 0;
    // The previous character, if it belongs to a script without spaces.
    let mut before: Option<char> = None;
    while at < bytes.len() {
        let byte = bytes[at];
        if byte < 128 {
            let lower = LOWER[byte as usize];
            if lower == 0 {
                if length > 0 {
                    each(&mut word[..length]);
                    length = 0;
                }
            } else if length < LONGEST {
                word[length] = lower;
                length += 1;
            }
            before = None;
            at += 1;
            continue;
        }
        let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) else { return };
        at += character.len_utf8();
        if !is_paired(character) && character.is_alphanumeric() {
            let character = fold_char(character);
            let end = length + character.len_utf8();
            if let Some(room) = word.get_mut(length..end) {
                character.encode_utf8(room);
                length = end;
            }
            before = None;
            continue;
        }
        if length > 0 {
            each(&mut word[..length]);
            length = 0;
        }
        if is_paired(character) {
            // The first character of a run is also a word, so that a run of a single character can be found.
            let mut pair = [0; 8];
            let first = before.unwrap_or(character).encode_utf8(&mut pair).len();
            let second = before.map_or(0, |_| character.encode_utf8(&mut pair[first..]).len());
            each(&mut pair[..first + second]);
            before = Some(character);
        } else {
            before = None;
        }
    }
    if length > 0 {
        each(&mut word[..length]);
    }
}

/// Returns the parts of each word that has several, split where the case changes and between letters and digits.
pub(super) fn parts_of_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| first_part(word) < word.len()).flat_map(
        |word| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let (part, after) = rest.split_at(first_part(rest));
                rest = after;
                (!part.is_empty()).then_some(part)
            })
        },
    )
}

/// Returns the length of the first part of a word of ASCII letters and digits.
fn first_part(word: &str) -> usize {
    let bytes = word.as_bytes();
    for at in 1..bytes.len() {
        let (before, byte) = (bytes[at - 1], bytes[at]);
        let is_next_lower = bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        let is_new_word = byte.is_ascii_uppercase() && (!before.is_ascii_uppercase() || is_next_lower);
        if is_new_word || byte.is_ascii_digit() != before.is_ascii_digit() {
            return at;
        }
    }
    bytes.len()
}

/// Returns `true` if a character belongs to a script that writes words without spaces.
fn is_paired(character: char) -> bool {
    matches!(character,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}' | '\u{0e01}'..='\u{0e5b}')
}

#[cfg(test)]
mod tests {
    use super::{EMPTY, parts_of_words, words};

    fn all(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        words(text, &mut |word| found.push(String::from_utf8(word.to_vec()).unwrap()));
        found
    }

    // SPEC 16.1
    #[test]
    fn text_becomes_words() {
        assert!(EMPTY.is_sorted());
        assert_eq!(all("Extract tables, from PDF-files!"), ["extract", "tables", "from", "pdf", "files"]);
        assert_eq!(all("代码审查 x"), ["代", "代码", "码审", "审查", "x"]);
        assert_eq!(all("用pdf审"), ["用", "pdf", "审"]);
        assert_eq!(all("Ärger STRASSE\u{a0}ΣΑΣ"), ["ärger", "strasse", "σασ"]);
        assert_eq!(all(&"x".repeat(100)), ["x".repeat(40)]);
        assert_eq!(all(&"ä".repeat(100)), ["ä".repeat(20)]);
        assert!(all("").is_empty() && all("-- !! \u{2028}").is_empty());
    }

    // SPEC 16.1
    #[test]
    fn identifiers_have_parts() {
        let parts = |text: &'static str| parts_of_words(text).collect::<Vec<_>>();
        assert_eq!(parts("sendMail"), ["send", "Mail"]);
        assert_eq!(parts("get_HTTPServer2, plain"), ["HTTP", "Server", "2"]);
        assert!(parts("plain words_only").is_empty() && parts("").is_empty());
    }
}
