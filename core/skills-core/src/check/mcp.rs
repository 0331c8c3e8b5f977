//! Reads the MCP servers of a frontmatter, and the MCP tool that a `skill.json` names.

use skills_registry::PinnedTool;

use super::draft::SkillDraft;
use super::read_fields::report_foreign;
use super::value::{Expected, string, wrong};
use crate::catalog::ServerFacts;
use crate::rule::{fields as rules, modes};
use crate::tree::{MapEntry, Node};
use crate::{Change, Diagnostic, Report, Span};

/// Reads `mcp: {NAME: {command, args, env}}`, or `[mcp.NAME]` in TOML.
pub(super) fn read_tables(draft: &mut SkillDraft, entry: &MapEntry, report: &mut Report) {
    let Some(servers) = entry.value.as_map() else {
        return report_foreign("a map of servers", entry, report);
    };
    for server in servers {
        let Some(keys) = server.value.as_map() else {
            malformed(draft, server.value.span, "an MCP server must be a map with `command`", report);
            continue;
        };
        let Some(command) = server.value.get("command").filter(|node| node.as_scalar().is_some()) else {
            let place = server.value.get("command").map_or(server.key_span, |node| node.span);
            rules::MCP_SHAPE
                .report_at(place, format!("MCP server `{}` has no `command`", server.key))
                .label("expected a command")
                .help(form(draft, &server.key))
                .add_to(report);
            continue;
        };
        let mut found = ServerFacts {
            name: server.key.clone(),
            command: scalar(command),
            args: Vec::new(),
            env: Vec::new(),
        };
        let mut whole = true;
        for key in keys {
            match (key.key.as_str(), key.value.as_list(), key.value.as_map()) {
                ("command", ..) => {}
                ("args", Some(items), _) if items.iter().all(|item| item.as_scalar().is_some()) => {
                    found.args = items.iter().map(scalar).collect();
                }
                ("env", _, Some(names)) if names.iter().all(|name| name.value.as_scalar().is_some()) => {
                    found.env = names.iter().map(|name| (name.key.clone(), scalar(&name.value))).collect();
                }
                (other, ..) => {
                    whole = false;
                    let title = match other {
                        "args" => "`args` must be a list of strings".to_owned(),
                        "env" => "`env` must be a map of strings".to_owned(),
                        other => format!("unknown key `{other}` in an MCP server"),
                    };
                    malformed(draft, key.key_span, &title, report);
                }
            }
        }
        if whole {
            add(draft, found, command.span, report);
        }
    }
}

/// Reads `mcp-NAME: command args…`, split into words like a shell command.
pub(super) fn read_line(draft: &mut SkillDraft, entry: &MapEntry, report: &mut Report) {
    let name = entry.key.get("mcp-".len()..).unwrap_or_default().to_owned();
    if entry.value.as_list().is_some() || entry.value.as_map().is_some() {
        return report_foreign("a command", entry, report);
    }
    let Some(scalar) = entry.value.as_scalar().filter(|_| !name.is_empty()) else {
        return malformed(draft, entry.value.span, "an `mcp-NAME` line must have a command", report);
    };
    // Neither an address nor a list of names is a command.
    let mut names = scalar.text.split(", ");
    let is_list = scalar.text.contains(", ") && names.all(|name| fault(name.trim()).is_none());
    if scalar.text.contains("://") && !scalar.text.contains(' ') || is_list {
        return report_foreign("a command", entry, report);
    }
    let words = skills_text::split_words(&scalar.text);
    let Some(words) = words else {
        return malformed(draft, entry.value.span, "the command has an unclosed quote", report);
    };
    let mut words = words.into_iter();
    let command = words.next().unwrap_or_default();
    add(
        draft,
        ServerFacts { name, command, args: words.collect(), env: Vec::new() },
        entry.value.span,
        report,
    );
}

fn add(draft: &mut SkillDraft, server: ServerFacts, span: Span, report: &mut Report) {
    if let Some(fault) = fault(&server.command) {
        rules::MCP_COMMAND
            .report_at(span, format!("the command of MCP server `{}` {fault}", server.name))
            .label("not a safe command")
            .help(
                "name one program and move everything else to its arguments; \
                 a program name has only ASCII letters, digits and `- _ . / @`",
            )
            .add_to(report);
        return;
    }
    let at = draft.fields.mcp_servers.len();
    if draft.fields.mcp_names.insert(server.name.clone(), at).is_some() {
        let title = format!("MCP server `{}` is declared twice", server.name);
        return malformed(draft, span, &title, report);
    }
    draft.fields.mcp_servers.push(server);
}

/// Returns the reason why a command is not safe to run.
fn fault(command: &str) -> Option<String> {
    let odd = command.chars().find(|c| !c.is_ascii_alphanumeric() && !"-_./@".contains(*c));
    match (command, odd) {
        ("", _) => Some("is empty".to_owned()),
        (_, Some(odd)) => Some(format!("contains `{}`", odd.escape_debug())),
        (command, _) if command.starts_with('-') => Some("starts with `-`".to_owned()),
        (command, _) if command.contains("..") => Some("contains `..`".to_owned()),
        _ => None,
    }
}

fn malformed(draft: &SkillDraft, span: Span, title: &str, report: &mut Report) {
    report.push(
        rules::MCP_SHAPE.report_at(span, title).label("not a valid declaration").help(form(draft, "NAME")),
    );
}

fn form(draft: &SkillDraft, name: &str) -> String {
    match draft.is_toml() {
        true => format!("write it as:\n[mcp.{name}]\ncommand = \"npx\"\nargs = [\"@scope/server\"]"),
        false => format!("write it as:\nmcp-{name}: npx @scope/server"),
    }
}

fn scalar(node: &Node) -> String {
    node.as_scalar().map(|scalar| scalar.text.clone()).unwrap_or_default()
}

const PINNED_KEYS: [&str; 3] = ["server", "tool", "digest"];
/// The server's own words about the tool. `skills pin` writes these keys, and they are part of the digest.
const HINT_KEYS: [&str; 2] = ["title", "annotations"];

/// Reads the key `mcp` of a `skill.json`: the tool that the skill calls. `None` if a part was reported.
pub(super) fn pinned_tool(entry: &MapEntry, report: &mut Report) -> Option<PinnedTool> {
    let Some(entries) = entry.value.as_map() else {
        wrong(entry, Expected::Object, report);
        return None;
    };
    let mut read = [None, None, None];
    for part in entries {
        if part.key == "title" {
            string(part, report);
            continue;
        }
        if part.key == "annotations" {
            if part.value.as_map().is_none() {
                wrong(part, Expected::Object, report);
            }
            continue;
        }
        let Some(at) = PINNED_KEYS.iter().position(|key| *key == part.key) else {
            let near = skills_text::nearest(&part.key, PINNED_KEYS.into_iter().chain(HINT_KEYS))
                .filter(|near| entry.value.get(near).is_none());
            let found = invalid(part.key_span, format!("unknown key `{}` in `mcp`", part.key));
            report.push(found.fix(near.map(|near| Change::string(part.key_span, near).safe_fix())));
            continue;
        };
        let Some(text) = string(part, report) else { continue };
        let is_valid = match at {
            2 => text.value.strip_prefix("sha256:").is_some_and(|digits| {
                digits.len() == 64 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
            }),
            _ => !text.value.trim().is_empty(),
        };
        if is_valid {
            read[at] = Some(text.value);
        } else if at == 2 {
            report.push(invalid(text.span, "`digest` is not `sha256:` and 64 hexadecimal digits"));
        } else {
            report.push(invalid(text.span, format!("`{}` is empty", part.key)));
        }
    }
    for key in PINNED_KEYS.iter().filter(|key| entry.value.get(key).is_none()) {
        report.push(invalid(entry.key_span, format!("`mcp` has no `{key}`")));
    }
    let [server, tool, digest] = read;
    Some(PinnedTool { server: server?, tool: tool?, digest: digest? })
}

fn invalid(span: Span, title: impl Into<String>) -> Diagnostic {
    modes::MCP_TOOL_INVALID
        .report_at(span, title)
        .label("expected `server`, `tool` and `digest`")
        .help("let `skills pin` write this object; `skills pin --update` renews its digest")
}

#[cfg(test)]
mod tests {
    use super::fault;

    // SPEC 2.10
    #[test]
    fn only_plain_commands_are_safe() {
        for command in ["npx", "/usr/bin/foo", "@playwright/mcp", "my_tool-1.0", "./server"] {
            assert_eq!(fault(command), None, "{command}");
        }
        for command in [
            "", "a;b", "a|b", "a&b", "$(x)", "`x`", "a>b", "a<b", "(a)", "-x", "../x", "a b", "é", "a~", "a#",
        ] {
            assert!(fault(command).is_some(), "{command}");
        }
    }
}
