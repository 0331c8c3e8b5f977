//! Converts any JSON text to a valid Rust identifier, deterministically.

use skills_core::keywords::is_keyword;

/// Returns a field name in snake case: `recentChanges` gives `recent_changes`, `type` gives `type_`.
pub(super) fn field(text: &str) -> String {
    let words = words(text);
    let mut name = words.iter().map(|word| word.to_lowercase()).collect::<Vec<_>>().join("_");
    if !name.starts_with(|c: char| c.is_alphabetic()) {
        name.insert_str(0, if name.is_empty() { "empty" } else { "n" });
    }
    if is_keyword(&name) {
        name.push('_');
    }
    name
}

/// Returns a name of a type or a variant in camel case: `recent-changes` gives `RecentChanges`.
pub(super) fn camel(text: &str) -> String {
    let mut name = String::new();
    for word in words(text) {
        let mut chars = word.chars();
        let Some(first) = chars.next() else { continue };
        // Adjacent digits would be read as one number: `1_2` is not `12`.
        if first.is_ascii_digit() && name.ends_with(|c: char| c.is_ascii_digit()) {
            name.push('_');
        }
        name.extend(first.to_uppercase());
        name.extend(chars.flat_map(char::to_lowercase));
    }
    if !name.starts_with(|c: char| c.is_alphabetic()) {
        name.insert_str(0, if name.is_empty() { "Empty" } else { "N" });
    }
    if name == "Self" {
        name.push('_');
    }
    name
}

/// Exceptions to the rules of [`singular`], sorted; the last word of a name is looked up.
const IRREGULAR: &[(&str, &str)] = &[
    ("Aliases", "Alias"),
    ("Analyses", "Analysis"),
    ("Axes", "Axis"),
    ("Biases", "Bias"),
    ("Buses", "Bus"),
    ("Caches", "Cache"),
    ("Canvas", "Canvas"),
    ("Children", "Child"),
    ("Cookies", "Cookie"),
    ("Criteria", "Criterion"),
    ("Gas", "Gas"),
    ("Indices", "Index"),
    ("Knives", "Knife"),
    ("Lens", "Lens"),
    ("Lives", "Life"),
    ("Matrices", "Matrix"),
    ("Men", "Man"),
    ("Movies", "Movie"),
    ("News", "News"),
    ("People", "Person"),
    ("Series", "Series"),
    ("Species", "Species"),
    ("Statuses", "Status"),
    ("Vertices", "Vertex"),
    ("Viruses", "Virus"),
    ("Women", "Woman"),
];

/// Returns the name of an item from the name of its list, both in camel case: `Notes` gives `Note`.
///
/// Only the last word changes. It is looked up in [`IRREGULAR`]; otherwise `…ies` is replaced by `…y`;
/// `…sses`, `…shes`, `…ches` and `…xes` lose `es`; `…ss`, `…us`, `…is` and words of one or two letters stay;
/// any other final `s` is dropped.
pub(super) fn singular(name: &str) -> String {
    let at = name.rfind(|c: char| c.is_uppercase()).unwrap_or_default();
    let (before, last) = name.split_at(at);
    if let Ok(at) = IRREGULAR.binary_search_by_key(&last, |(many, _)| many) {
        return format!("{before}{}", IRREGULAR[at].1);
    }
    let ends = |endings: &[&str]| endings.iter().any(|ending| last.ends_with(ending));
    let (cut, end) = match last.len() {
        ..=2 => (0, ""),
        5.. if ends(&["ies"]) => (3, "y"),
        _ if ends(&["sses", "shes", "ches", "xes"]) => (2, ""),
        _ if ends(&["ss", "us", "is"]) => (0, ""),
        _ if ends(&["s"]) => (1, ""),
        _ => (0, ""),
    };
    format!("{before}{}{end}", &last[..last.len() - cut])
}

/// Splits at capitals and at characters that are not valid in identifiers. A non-ASCII character is kept if
/// it is a CJK letter; otherwise its code point is written.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before = ' ';
    let chars: Vec<char> = text.chars().take(LONGEST).collect();
    for (at, c) in chars.iter().copied().enumerate() {
        let next = chars.get(at + 1).copied().unwrap_or(' ');
        let begins = c.is_ascii_uppercase()
            && (before.is_ascii_lowercase()
                || before.is_ascii_digit()
                || (before.is_ascii_uppercase() && next.is_ascii_lowercase()));
        if begins && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_ascii_alphanumeric() || is_cjk(c) {
            word.push(c);
        } else {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            match c {
                '+' => words.push("plus".to_owned()),
                '-' if at == 0 => words.push("minus".to_owned()),
                c if !c.is_ascii() => words.push(format!("u{:x}", u32::from(c))),
                _ => {}
            }
        }
        before = c;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

const LONGEST: usize = 80;

/// Returns `true` for letters that are valid in identifiers in every edition, have no case, and do not look
/// like Latin letters.
fn is_cjk(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fa5}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{ac00}'..='\u{d7a3}')
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 6.1
    #[test]
    fn names_are_legal_and_stable() {
        for (text, snake, camel_case) in [
            ("query", "query", "Query"),
            ("recentChanges", "recent_changes", "RecentChanges"),
            ("type", "type_", "Type"),
            ("self", "self_", "Self_"),
            ("HTTPServer", "http_server", "HttpServer"),
            ("max-results", "max_results", "MaxResults"),
            ("", "empty", "Empty"),
            ("$ref", "ref_", "Ref"),
            ("3d", "n3d", "N3d"),
            ("查询", "查询", "查询"),
            ("a.b/c d", "a_b_c_d", "ABCD"),
            ("é", "ue9", "Ue9"),
            ("c++", "c_plus_plus", "CPlusPlus"),
            ("-1", "minus_1", "Minus1"),
            ("1.2", "n1_2", "N1_2"),
            ("🎉", "u1f389", "U1f389"),
        ] {
            assert_eq!((field(text).as_str(), camel(text).as_str()), (snake, camel_case), "{text}");
        }
        assert!(IRREGULAR.is_sorted());
        assert!(field(&"x".repeat(1_000)).len() <= LONGEST);
    }

    // SPEC 6.1
    #[test]
    fn an_item_is_named_in_the_singular() {
        let pairs = "Notes Note, Addresses Address, Address Address, Data Data, Categories Category, \
                     RecentMatches RecentMatch, Boxes Box, Sizes Size, Responses Response, Status Status, \
                     Analysis Analysis, OldStatuses OldStatus, People Person, News News, Ids Id, Tags Tag, \
                     Bus Bus, 查询 查询, N3ds N3d";
        for pair in pairs.split(", ") {
            let (many, one) = pair.split_once(' ').unwrap();
            assert_eq!(singular(many), one, "{many}");
        }
    }
}
