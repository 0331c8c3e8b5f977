//! What can be folded: the frontmatter, and what stands between brackets on several lines (SPEC 17.13).

use serde_json::{Value, json};

/// Returns the foldings of a text.
pub(crate) fn ranges(text: &str, is_json: bool) -> Vec<Value> {
    let fold =
        |start: usize, end: usize, kind: &str| json!({ "startLine": start, "endLine": end, "kind": kind });
    if !is_json {
        let mut lines = text.lines().enumerate();
        let is_open =
            lines.next().is_some_and(|(_, line)| line.trim_start_matches('\u{feff}').starts_with("---"));
        let close = lines.find(|(_, line)| line.trim_end() == "---").filter(|_| is_open);
        return close.map(|(at, _)| fold(0, at, "region")).into_iter().collect();
    }
    let mut folds = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let (mut line, mut quoted, mut escaped) = (0, false, false);
    for c in text.chars() {
        match c {
            '\n' => (line, quoted) = (line + 1, false),
            _ if escaped => {}
            '"' => quoted = !quoted,
            _ if quoted => {}
            '{' | '[' => open.push(line),
            '}' | ']' => {
                if let Some(start) = open.pop().filter(|start| start + 1 < line) {
                    folds.push(fold(start, line - 1, "region"));
                }
            }
            _ => {}
        }
        escaped = quoted && c == '\\' && !escaped;
    }
    folds
}
