//! Formats the indentation and spaces of a `skill.json`; the line breaks stay as the author wrote them.

use skills_schema::json::DEPTH;

/// Returns the formatted text; `None` if a string is not closed, or brackets do not match.
pub(crate) fn json(text: &str, unit: &str) -> Option<String> {
    let body = skills_text::unmarked(text);
    let bom = text.get(..text.len() - body.len()).unwrap_or_default();
    let end = if body.contains("\r\n") { "\r\n" } else { "\n" };
    let mut out = String::from(bom);
    let mut depth = 0_usize;
    let mut blank = false;
    let mut is_first = true;
    for line in body.lines() {
        let tokens = tokens(line.trim())?;
        if tokens.is_empty() {
            // One empty line between others is kept.
            blank = !is_first;
            continue;
        }
        let closing = tokens.iter().take_while(|token| matches!(**token, "}" | "]")).count();
        let indent = depth.checked_sub(closing)?;
        if !is_first {
            out.push_str(end);
            if blank {
                out.push_str(end);
            }
        }
        (blank, is_first) = (false, false);
        out.push_str(&unit.repeat(indent));
        out.push_str(&spaced(&tokens));
        for token in &tokens {
            match *token {
                // The nesting is limited, because each level makes the indentation longer. No JSON parser of
                // this workspace accepts deeper nesting.
                "{" | "[" if depth >= DEPTH as usize => return None,
                "{" | "[" => depth += 1,
                "}" | "]" => depth = depth.checked_sub(1)?,
                _ => {}
            }
        }
    }
    out.push_str(end);
    (depth == 0 && !is_first).then_some(out)
}

/// Splits a line into strings, punctuation and words.
fn tokens(line: &str) -> Option<Vec<&str>> {
    let mut tokens = Vec::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '"' => {
                let mut escaped = false;
                let close = rest.char_indices().skip(1).find(|(_, c)| {
                    let is_end = *c == '"' && !escaped;
                    escaped = *c == '\\' && !escaped;
                    is_end
                });
                close?.0 + 1
            }
            '{' | '}' | '[' | ']' | ',' | ':' => 1,
            // Text that is not JSON is not formatted.
            '/' => return None,
            _ => rest
                .find(|c: char| c.is_whitespace() || "{}[],:\"".contains(c))
                .unwrap_or(rest.len())
                .max(c.len_utf8()),
        };
        let (token, behind) = rest.split_at(length);
        tokens.push(token);
        rest = behind.trim_start();
    }
    Some(tokens)
}

/// Joins tokens with spaces where needed.
fn spaced(tokens: &[&str]) -> String {
    let mut out = String::new();
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at)).copied();
        let space = match (before, *token) {
            (None, _) | (_, "," | ":") | (Some("["), _) | (_, "]") => false,
            (Some("{"), "}") => false,
            (Some(_), _) => true,
        };
        if space {
            out.push(' ');
        }
        out.push_str(token);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::json;

    // SPEC 17.13
    #[test]
    fn lines_stay_and_blanks_are_corrected() {
        let text = "{\n\"a\":1 ,\n\n\n      \"b\":[ 1,2 ],\"c\":{\"d\":\"x  \\\" y\"},\n  \"e\":[\n  {\"f\":{}}\n]}\n";
        let wanted = "{\n  \"a\": 1,\n\n  \"b\": [1, 2], \"c\": { \"d\": \"x  \\\" y\" },\n  \"e\": [\n    { \"f\": {} }\n] }\n";
        let formatted = json(text, "  ").unwrap();
        assert_eq!(formatted, wanted);
        assert_eq!(json(&formatted, "  ").as_deref(), Some(wanted), "again, nothing changes");
        assert_eq!(json("{\r\n\"a\":1}\r\n", "\t").as_deref(), Some("{\r\n\t\"a\": 1 }\r\n"));
        // SPEC 12.10: the indentation alone would be much larger than the text.
        let deep = |depth: usize| format!("{}{}", "[\n".repeat(depth), "]\n".repeat(depth));
        assert!(json(&deep(128), "  ").is_some());
        assert_eq!(json(&deep(129), "  "), None);
        for broken in ["{\n\"a: 1\n}", "{ }}", "// x\n{}", ""] {
            assert_eq!(json(broken, "  "), None, "{broken}");
        }
    }
}
