//! Splits the text of `allowed-tools` into its tools.

/// Splits at spaces and commas outside parentheses, so that `Bash(git log:*)` stays one tool.
pub(super) fn split(text: &str) -> Vec<String> {
    let tools = text.split(outside(|c| c == ',' || c.is_whitespace()));
    tools.filter(|tool| !tool.is_empty()).map(str::to_owned).collect()
}

/// Returns a function for the characters of a text, in order. It returns `true` for wanted characters outside
/// parentheses.
pub(super) fn outside(is_wanted: fn(char) -> bool) -> impl FnMut(char) -> bool {
    let mut depth = 0_usize;
    move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && is_wanted(c)
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    // SPEC 2.5
    #[test]
    fn tool_names_are_not_split() {
        assert_eq!(split("Read, Bash(git log:*) Grep"), ["Read", "Bash(git log:*)", "Grep"]);
        assert_eq!(split("Bash(jq:*),Read"), ["Bash(jq:*)", "Read"]);
        assert_eq!(split("Bash(a, b"), ["Bash(a, b"]);
        assert_eq!(split("  "), Vec::<String>::new());
    }
}
