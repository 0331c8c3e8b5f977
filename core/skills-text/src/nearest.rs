//! Compares names: finds the one that a misspelled name probably means, and folds letter case.

/// Returns the candidate most similar to `name`, if one is similar enough.
///
/// The limit is one edit (insertion, deletion, replacement, swap of neighbours) for each three characters of
/// the longer name. Differences in letter case and between `-` and `_` count as half an edit. The first of
/// equal candidates wins.
///
/// ```
/// let known = ["description", "license", "allowed-tools"];
/// assert_eq!(skills_text::nearest("descripton", known), Some("description"));
/// assert_eq!(skills_text::nearest("colour", known), None);
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(name, &mut candidates.into_iter())
}

fn nearest_of<'a>(name: &str, candidates: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut search = Search { name: name.chars().take(LONGEST).collect(), best: None };
    for candidate in candidates {
        search.offer(candidate);
    }
    search.best.map(|(_, candidate)| candidate)
}

struct Search<'a> {
    name: Vec<char>,
    /// The distance of the nearest so far.
    best: Option<(usize, &'a str)>,
}

impl<'a> Search<'a> {
    fn offer(&mut self, candidate: &'a str) {
        crate::work::count(1);
        let other: Vec<char> = candidate.chars().take(LONGEST + 1).collect();
        let limit = self.name.len().max(other.len()) * 2 / 3;
        // A candidate must be closer than the best so far.
        let limit = self.best.map_or(limit, |(least, _)| limit.min(least.saturating_sub(1)));
        if self.name.len().abs_diff(other.len()) * 2 > limit {
            return;
        }
        if let Some(distance) = edit_distance::<{ LONGEST + 2 }, char>(&self.name, &other, limit, cost)
            && self.best.is_none_or(|(least, _)| distance < least)
        {
            self.best = Some((distance, candidate));
        }
    }
}

const LONGEST: usize = 128;

/// Returns the edit distance of two texts (optimal string alignment) if it is at most `limit`. An insertion, a deletion
/// and a swap of neighbours cost 2, and a replacement costs what `cost` returns, so that half an edit is an integer.
///
/// Does not allocate. `N` must be larger than the length of `b`; otherwise returns `None`.
pub fn edit_distance<const N: usize, T: Copy + PartialEq>(
    a: &[T],
    b: &[T],
    limit: usize,
    cost: impl Fn(T, T) -> u16,
) -> Option<usize> {
    if b.len() >= N {
        return None;
    }
    let limit = u16::try_from(limit).unwrap_or(u16::MAX);
    let mut rows = [[0_u16; N]; 3];
    let [first, second, third] = &mut rows;
    let (mut before, mut above, mut now) = (first, second, third);
    for (cell, far) in above.iter_mut().zip((0..).step_by(2)) {
        *cell = far;
    }
    let mut least_above = 0;
    for (row, &x) in a.iter().enumerate() {
        now[0] = above[0].saturating_add(2);
        let mut least = now[0];
        for (column, &y) in b.iter().enumerate() {
            let replaced = above[column].saturating_add(cost(x, y));
            let mut cell = replaced.min(above[column + 1].min(now[column]).saturating_add(2));
            if row > 0 && column > 0 && x == b[column - 1] && a[row - 1] == y {
                cell = cell.min(before[column - 1].saturating_add(2));
            }
            now[column + 1] = cell;
            least = least.min(cell);
        }
        // A row's minimum is at least the minimum of the two rows before it.
        if least_above > limit && least > limit {
            return None;
        }
        least_above = least;
        (before, above, now) = (above, now, before);
    }
    Some(above[b.len()]).filter(|distance| *distance <= limit).map(usize::from)
}

fn cost(x: char, y: char) -> u16 {
    if x == y {
        0
    } else if x.eq_ignore_ascii_case(&y) || matches!((x, y), ('-', '_') | ('_', '-')) {
        1
    } else {
        2
    }
}

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
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let known = ["name", "description", "allowed-tools", "code_review", "摘要总结"];
        assert_eq!(nearest("nmae", known), Some("name"));
        assert_eq!(nearest("Descripton", known), Some("description"));
        assert_eq!(nearest("allowed_tools", known), Some("allowed-tools"));
        assert_eq!(nearest("code-revew", known), Some("code_review"));
        assert_eq!(nearest("摘要总洁", known), Some("摘要总结"));
        assert_eq!(nearest("jion", ["map", "join"]), Some("join"));
        assert_eq!(nearest("mp", ["map", "join"]), Some("map"));
        assert_eq!(nearest("x", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest(&"n".repeat(10_000), known), None);
    }

    #[test]
    fn letters_of_both_cases_are_equal() {
        assert_eq!(fold("PDF Größe ΣΟΦΟΣ"), fold("pdf GRÖßE σοφος"));
        assert_eq!(fold("İß日本"), "İß日本");
    }
}
