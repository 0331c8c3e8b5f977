//! The text of `allowed-tools` becomes its tools, each whole (SPEC 2.5).

/// Splits at blanks and commas outside parentheses, so that `Bash(git log:*)` stays one tool.
pub(super) fn split(text: &str) -> Vec<String> {
    let mut tools = Vec::new();
    let mut tool = String::new();
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && (c == ',' || c.is_whitespace()) {
            tools.extend((!tool.is_empty()).then(|| std::mem::take(&mut tool)));
        } else {
            tool.push(c);
        }
    }
    tools.extend((!tool.is_empty()).then_some(tool));
    tools
}

#[cfg(test)]
mod tests {
    use super::split;

    // SPEC 2.5
    #[test]
    fn tools_stay_whole() {
        assert_eq!(split("Read, Bash(git log:*) Grep"), ["Read", "Bash(git log:*)", "Grep"]);
        assert_eq!(split("Bash(jq:*),Read"), ["Bash(jq:*)", "Read"]);
        assert_eq!(split("Bash(a, b"), ["Bash(a, b"]);
        assert_eq!(split("  "), Vec::<String>::new());
    }
}
