//! A mistyped filter or block becomes the known one most like it, for "did you mean".

/// Returns the name with the fewest edits to `name`, when these are at most one for each three characters or one in all.
pub(crate) fn nearest(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let name: Vec<char> = name.chars().take(24).flat_map(char::to_lowercase).collect();
    let mut best: Option<(usize, &'static str)> = None;
    for candidate in known {
        let distance = distance(&name, &candidate.chars().collect::<Vec<char>>());
        let near = distance <= (name.len().max(candidate.len()) / 3).max(1);
        if near && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The edit distance, with a swap of neighbours as one edit.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (row, x) in a.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, y) in b.iter().enumerate() {
            let replace = last[column] + usize::from(x != y);
            let mut least = replace.min(last[column + 1] + 1).min(next[column] + 1);
            if row > 0 && column > 0 && *x == b[column - 1] && a[row - 1] == *y {
                least = least.min(before[column - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut last, next);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let known = ["map", "join", "upcase", "downcase"];
        assert_eq!(nearest("jion", &known), Some("join"));
        assert_eq!(nearest("Upcase", &known), Some("upcase"));
        assert_eq!(nearest("mp", &known), Some("map"));
        assert_eq!(nearest("format", &known), None);
        assert_eq!(nearest(&"x".repeat(100_000), &known), None);
    }
}
