//! Folds letter case, for the comparisons of `filter` and `trigger`.

/// Folds the letter case of a text. Each character gives exactly one character.
///
/// A character whose other case has several characters (`ß`, `İ`) is not changed.
pub fn fold(text: &str) -> String {
    text.chars().map(fold_char).collect()
}

/// Folds the letter case of one character.
pub fn fold_char(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_lowercase();
    }
    // Going through upper case maps both forms of the small sigma to one letter.
    single(single(character, char::to_uppercase), char::to_lowercase)
}

fn single<I: Iterator<Item = char>>(character: char, case: impl Fn(char) -> I) -> char {
    let mut mapped = case(character);
    match (mapped.next(), mapped.next()) {
        (Some(only), None) => only,
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn letters_of_both_cases_are_equal() {
        assert_eq!(fold("PDF Größe ΣΟΦΟΣ"), fold("pdf GRÖßE σοφος"));
        assert_eq!(fold("İß日本"), "İß日本");
    }
}
