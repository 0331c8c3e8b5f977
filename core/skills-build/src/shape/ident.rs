//! Converts any JSON text to a valid Rust identifier, deterministically.

use skills_core::name::is_keyword;

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

/// Returns the name of the variant for a text. Different texts have different names, so a name depends on nothing but
/// its text (SPEC 6.1).
pub(super) fn variant(text: &str) -> String {
    if is_upper(text) {
        // `A` is the name of `a`.
        let is_letter = text.bytes().skip(1).all(|byte| byte.is_ascii_digit());
        return if is_letter { format!("{text}_") } else { text.to_owned() };
    }
    if let Some(name) = lower_words(text) {
        // `USD` is the name of `USD`, and not of `u_s_d`.
        let is_upper = text.contains(['_', '-']) && !name.contains(|c: char| c.is_ascii_lowercase());
        return if is_upper || name == "Self" { name + "_lower" } else { name };
    }
    if let Some(name) = other_words(text) {
        return name;
    }
    if !text.is_empty() && text.chars().all(is_cjk) {
        return text.to_owned();
    }
    spelled(text)
}

/// Returns the name of the variant for an integer.
pub(super) fn integer_variant(value: i64) -> String {
    let digits = value.unsigned_abs();
    if value < 0 { format!("Minus{digits}") } else { format!("N{digits}") }
}

/// Returns `true` for words of capitals and digits with single underscores between them, such as `NOT_SPAM`.
fn is_upper(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        && text.split('_').all(|word| !word.is_empty())
}

/// Joins lower-case words with single underscores or hyphens between them. No two texts have the same result: a capital
/// stands for an underscore before a letter, `_` and a capital for a hyphen before a letter, and `_` and `__` for an
/// underscore and a hyphen before a digit.
fn lower_words(text: &str) -> Option<String> {
    if !text.starts_with(|c: char| c.is_ascii_lowercase()) {
        return None;
    }
    let mut name = String::with_capacity(text.len());
    let mut between = Some('_');
    for c in text.chars() {
        match (between.take(), c) {
            (None, 'a'..='z' | '0'..='9') => name.push(c),
            (None, '_' | '-') => between = Some(c),
            (Some('_'), 'a'..='z') => name.push(c.to_ascii_uppercase()),
            (Some(_), 'a'..='z') => name.extend(['_', c.to_ascii_uppercase()]),
            (Some('_'), '0'..='9') => name.extend(['_', c]),
            (Some(_), '0'..='9') => name.extend(['_', '_', c]),
            _ => return None,
        }
    }
    between.is_none().then_some(name)
}

/// Joins words of ASCII letters and digits. The underscores between them say what stood there, and those at the end
/// whether the first letter was a capital.
fn other_words(text: &str) -> Option<String> {
    let first = text.chars().next().filter(char::is_ascii_alphabetic)?;
    let mut name = String::with_capacity(text.len() + 2);
    let mut is_between = false;
    for c in text.chars() {
        let between = match c {
            ' ' => "_",
            '-' => "__",
            '_' => "___",
            c if c.is_ascii_alphanumeric() => {
                name.push(if name.is_empty() { c.to_ascii_uppercase() } else { c });
                is_between = false;
                continue;
            }
            _ => return None,
        };
        if is_between {
            return None;
        }
        name.push_str(between);
        is_between = true;
    }
    name.push_str(if first.is_ascii_uppercase() { "_" } else { "__" });
    (!is_between).then_some(name)
}

/// Writes each character that is not a letter or a digit by its name between underscores.
fn spelled(text: &str) -> String {
    let mut name = "v".to_owned();
    if text.is_empty() {
        name.push_str("_empty_");
    }
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || is_cjk(c) {
            name.push(c);
            continue;
        }
        match CHARACTERS.iter().find(|(known, _)| *known == c) {
            Some((_, word)) => name.push_str(&format!("_{word}_")),
            None => name.push_str(&format!("_u{:x}_", u32::from(c))),
        }
    }
    name
}

/// The names of characters in the names of variants. No name begins with `u` and a hexadecimal digit.
const CHARACTERS: [(char, &str); 33] = [
    (' ', "space"),
    ('!', "bang"),
    ('"', "quote"),
    ('#', "hash"),
    ('$', "dollar"),
    ('%', "percent"),
    ('&', "and"),
    ('\'', "tick"),
    ('(', "open"),
    (')', "close"),
    ('*', "star"),
    ('+', "plus"),
    (',', "comma"),
    ('-', "dash"),
    ('.', "dot"),
    ('/', "slash"),
    (':', "colon"),
    (';', "semicolon"),
    ('<', "less"),
    ('=', "equal"),
    ('>', "greater"),
    ('?', "question"),
    ('@', "at"),
    ('[', "begin"),
    ('\\', "backslash"),
    (']', "end"),
    ('^', "caret"),
    ('_', "line"),
    ('`', "backtick"),
    ('{', "left"),
    ('|', "pipe"),
    ('}', "right"),
    ('~', "tilde"),
];

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
    let (cut, end) = match last.as_bytes() {
        [] | [_] | [_, _] => (0, ""),
        [_, _, .., b'i', b'e', b's'] => (3, "y"),
        [.., b's', b's', b'e', b's'] | [.., b's' | b'c', b'h', b'e', b's'] | [.., b'x', b'e', b's'] => {
            (2, "")
        }
        [.., b's' | b'u' | b'i', b's'] => (0, ""),
        [.., b's'] => (1, ""),
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
    fn a_variant_is_named_by_its_value_alone() {
        for (text, name) in [
            ("spam", "Spam"),
            ("not_spam", "NotSpam"),
            ("read-only", "Read_Only"),
            ("gpt-4", "Gpt__4"),
            ("level_1", "Level_1"),
            ("level1", "Level1"),
            ("a", "A"),
            ("a1", "A1"),
            ("a_b", "AB_lower"),
            ("self", "Self_lower"),
            ("SPAM", "SPAM"),
            ("NOT_SPAM", "NOT_SPAM"),
            ("A", "A_"),
            ("A1", "A1_"),
            ("USD", "USD"),
            ("High", "High_"),
            ("Self", "Self_"),
            ("In Progress", "In_Progress_"),
            ("readOnly", "ReadOnly__"),
            ("a b", "A_b__"),
            ("type", "Type"),
            ("查询", "查询"),
            ("", "v_empty_"),
            ("c++", "vc_plus__plus_"),
            ("1.5", "v1_dot_5"),
            ("°C", "v_ub0_C"),
            (">=", "v_greater__equal_"),
            ("_a", "v_line_a"),
        ] {
            assert_eq!(variant(text), name, "{text}");
        }
        assert_eq!([integer_variant(0), integer_variant(-3)], ["N0", "Minus3"]);
    }

    // SPEC 6.1
    #[test]
    fn no_two_values_have_the_same_variant() {
        let letters = ['a', 'b', 'v', 'A', 'N', '1', '_', '-', ' ', '+', '查'];
        let mut texts = vec![String::new()];
        for _ in 0..5 {
            let longer =
                texts.iter().flat_map(|text| letters.iter().map(move |letter| format!("{text}{letter}")));
            texts.extend(longer.collect::<Vec<_>>());
            texts.sort();
            texts.dedup();
        }
        texts.extend(
            ["self", "Self", "a_lower", "A_lower", "v_empty_", "empty", "v_plus_", "plus"].map(str::to_owned),
        );
        texts.sort();
        texts.dedup();
        let mut names = std::collections::HashMap::new();
        for text in &texts {
            let name = variant(text);
            assert!(
                name.starts_with(char::is_alphabetic)
                    && name.chars().all(|c| c.is_alphanumeric() || c == '_')
            );
            assert!(!is_keyword(&name) && name != "_", "{text}: {name}");
            if let Some(other) = names.insert(name.clone(), text) {
                panic!("{text:?} and {other:?} are both {name}");
            }
        }
        assert!(
            CHARACTERS
                .iter()
                .enumerate()
                .all(|(at, (_, word))| CHARACTERS[..at].iter().all(|(_, other)| other != word))
        );
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
