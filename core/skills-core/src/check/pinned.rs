//! Reads the key `mcp` of a `skill.json`: the tool of an MCP server that the skill calls.

use skills_registry::PinnedTool;

use super::value::{Expected, string, wrong};
use crate::rule::modes as rules;
use crate::tree::MapEntry;
use crate::{Change, Diagnostic, Report, Span};

const KEYS: [&str; 3] = ["server", "tool", "digest"];

/// Reads the object. `None` if a part is missing or invalid, which was reported.
pub(super) fn pinned_tool(entry: &MapEntry, report: &mut Report) -> Option<PinnedTool> {
    let Some(entries) = entry.value.as_map() else {
        wrong(entry, Expected::Object, report);
        return None;
    };
    let mut read = [None, None, None];
    for part in entries {
        let Some(at) = KEYS.iter().position(|key| *key == part.key) else {
            let near = skills_text::nearest(&part.key, KEYS).filter(|near| entry.value.get(near).is_none());
            let found = invalid(part.key_span, format!("unknown key `{}` in `mcp`", part.key));
            report.push(found.fix(near.map(|near| Change::string(part.key_span, near).safe())));
            continue;
        };
        let Some(text) = string(part, report) else { continue };
        let is_valid = if at == 2 { is_digest(&text.value) } else { !text.value.trim().is_empty() };
        if is_valid {
            read[at] = Some(text.value);
        } else if at == 2 {
            report.push(invalid(text.span, "`digest` is not `sha256:` and 64 hexadecimal digits"));
        } else {
            report.push(invalid(text.span, format!("`{}` is empty", part.key)));
        }
    }
    for key in KEYS.iter().filter(|key| entry.value.get(key).is_none()) {
        report.push(invalid(entry.key_span, format!("`mcp` has no `{key}`")));
    }
    let [server, tool, digest] = read;
    Some(PinnedTool { server: server?, tool: tool?, digest: digest? })
}

fn is_digest(text: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.strip_prefix("sha256:").is_some_and(|digits| digits.len() == 64 && digits.bytes().all(is_digit))
}

fn invalid(span: Span, title: impl Into<String>) -> Diagnostic {
    rules::MCP_TOOL_INVALID
        .at(span, title)
        .label("expected `server`, `tool` and `digest`")
        .help("let `skills pin` write this object; `skills pin --update` renews its digest")
}
