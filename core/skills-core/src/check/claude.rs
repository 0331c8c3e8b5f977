//! Checks values that only Claude's clients read: with `profile = "claude"`, and in skills below a directory `.claude`.
//!
//! Sources: <https://code.claude.com/docs/en/skills>, its pages on hooks, tools and models, and
//! <https://platform.claude.com/docs/en/agents-and-tools/agent-skills/overview> for what an upload refuses.

use super::draft::{Check, SkillDraft};
use super::read_fields::{argument_names, split_tools};
use crate::markdown::Markdown;
use crate::rule::lints;
use crate::tree::{MapEntry, Node, Value};
use crate::{Diagnostic, Report, SourceMap, Span};

const EVENTS: [&str; 33] = [
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "PermissionRequest",
    "PermissionDenied",
    "Notification",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "Elicitation",
    "ElicitationResult",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "Setup",
    "InstructionsLoaded",
    "CwdChanged",
    "FileChanged",
    "ConfigChange",
    "WorktreeCreate",
    "WorktreeRemove",
    "SessionStart",
    "SessionEnd",
    "PreModelSwitch",
    "PostModelSwitch",
    "MessageDisplay",
    "DirectoryAdded",
];

/// The tools, with the former names that Claude Code still accepts.
const TOOLS: [&str; 47] = [
    "Agent",
    "Artifact",
    "AskUserQuestion",
    "Bash",
    "BashOutput",
    "CronCreate",
    "CronDelete",
    "CronList",
    "Edit",
    "EnterPlanMode",
    "EnterWorktree",
    "ExitPlanMode",
    "ExitWorktree",
    "Glob",
    "Grep",
    "KillBash",
    "KillShell",
    "ListMcpResources",
    "ListMcpResourcesTool",
    "LS",
    "LSP",
    "Monitor",
    "MultiEdit",
    "NotebookEdit",
    "NotebookRead",
    "PowerShell",
    "PushNotification",
    "Read",
    "ReadMcpResource",
    "ReadMcpResourceTool",
    "RemoteTrigger",
    "ScheduleWakeup",
    "SendMessage",
    "SendUserFile",
    "Skill",
    "SlashCommand",
    "Task",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "TaskUpdate",
    "TeamCreate",
    "TeamDelete",
    "TodoRead",
    "TodoWrite",
];
const MORE_TOOLS: [&str; 5] = ["ToolSearch", "WebFetch", "WebSearch", "Workflow", "Write"];

const MODELS: [&str; 8] = ["inherit", "default", "best", "sonnet", "opus", "haiku", "opusplan", "fable"];
const EFFORTS: [&str; 5] = ["low", "medium", "high", "xhigh", "max"];
const HOOKS: [&str; 5] = ["command", "prompt", "agent", "http", "mcp_tool"];

pub(super) fn check(draft: &mut SkillDraft, check: &mut Check<'_>) {
    let Check { sources, options, .. } = *check;
    let Some(document) = &draft.skill.document else { return };
    let path = &sources.file(document.file).path;
    let is_in_folder = sources.root.split('/').chain(path.split('/')).any(|part| part == ".claude");
    draft.is_for_claude = options.is_for_claude || is_in_folder;
    if !draft.is_for_claude || draft.frontmatter().is_none() {
        return;
    }
    // Claude Code loads these skills from disk; only uploads are refused.
    if options.is_for_claude {
        check_upload(draft, check);
    }
    for key in ["allowed-tools", "disallowed-tools"] {
        if let Some(entry) = draft.entry(key) {
            check_tools(&entry.value, check);
        }
    }
    if let Some(entry) = draft.entry("model") {
        check_word(entry, "model", &MODELS, check.report);
    }
    if let Some(entry) = draft.entry("effort") {
        check_word(entry, "effort level", &EFFORTS, check.report);
    }
    if let Some(entry) = draft.entry("context") {
        match entry.value.as_scalar().and_then(|scalar| scalar.text.trim().strip_prefix('!')) {
            Some(command) => report_command(command, entry.value.span, check.report),
            None => check_word(entry, "context", &["fork"], check.report),
        }
    }
    if let Some(entry) = draft.entry("shell") {
        check_word(entry, "shell", &["bash", "powershell"], check.report);
    }
    if let Some(entry) = draft.entry("hooks") {
        check_hooks(&entry.value, check.report);
    }
    let body = sources.text(document.body);
    check_arguments(draft, body, check.report);
    if body.contains('$') {
        check_code(draft, document.body, document.markdown(sources), check);
    }
}

/// Checks the name and the description by the rules of claude.ai and the Claude API.
fn check_upload(draft: &SkillDraft, check: &mut Check<'_>) {
    let sources = check.sources;
    if let Some(name) = &draft.fields.name {
        let lower = name.value.to_lowercase();
        if let Some(word) = ["anthropic", "claude"].into_iter().find(|word| lower.contains(word)) {
            lints::CLAUDE_UPLOAD
                .report_at(name.span, format!("the name contains the reserved word `{word}`"))
                .label("claude.ai and the Claude API refuse it")
                .help("choose a name without this word, and rename the directory")
                .add_to(check.report);
        } else if name.value.contains('_') {
            lints::CLAUDE_UPLOAD
                .report_at(name.span, format!("the name `{}` contains `_`", name.value))
                .label("claude.ai and the Claude API allow only lowercase letters, digits and `-`")
                .help(format!("rename the skill and its directory to `{}`", name.value.replace('_', "-")))
                .add_to(check.report);
        }
    }
    if let Some(description) = &draft.fields.description
        && let Some(tag) = find_tag(&description.value)
    {
        lints::CLAUDE_UPLOAD
            .report_at(
                place_of(tag, description.span, sources),
                format!("the description contains the tag `{tag}`"),
            )
            .label("claude.ai and the Claude API refuse XML tags")
            .help("write it without angle brackets")
            .add_to(check.report);
    }
}

/// Finds an XML tag, such as `<b>`, `</b>` or `<file name>`.
fn find_tag(text: &str) -> Option<&str> {
    text.match_indices('<').find_map(|(at, _)| {
        let rest = text.get(at + 1..)?;
        let name = rest.strip_prefix('/').unwrap_or(rest);
        let end = rest.find(['<', '>']).filter(|end| rest.as_bytes().get(*end) == Some(&b'>'))?;
        name.starts_with(|c: char| c.is_alphabetic() || c == '_').then(|| text.get(at..at + end + 2))?
    })
}

/// Returns the place of a part of a value, or of the whole value if its text has escapes.
fn place_of(part: &str, span: Span, sources: &SourceMap) -> Span {
    match sources.text(span).find(part) {
        Some(at) => span.part(at, at + part.len()),
        None => span,
    }
}

fn check_tools(node: &Node, check: &mut Check<'_>) {
    let sources = check.sources;
    let items = match &node.value {
        Value::List(items) => items.iter().collect(),
        _ => vec![node],
    };
    for item in items {
        let Some(text) = item.as_scalar().map(|scalar| scalar.text.as_str()) else { continue };
        for tool in split_tools(text) {
            let name = tool.split('(').next().unwrap_or_default();
            let is_word = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
            let mut known = TOOLS.iter().chain(&MORE_TOOLS).copied();
            if is_word && !name.starts_with("mcp__") && !known.any(|known| known == name) {
                let known = TOOLS.iter().chain(&MORE_TOOLS).copied();
                unknown("tool", name, place_of(name, item.span, sources), known, check.report);
            }
        }
    }
}

/// Checks a value of one word.
fn check_word(entry: &MapEntry, what: &str, known: &[&'static str], report: &mut Report) {
    let Some(text) = entry.value.as_scalar().map(|scalar| scalar.text.trim()) else { return };
    let word = text.strip_suffix("[1m]").unwrap_or(text);
    // Full names of models, and those of other providers, are not aliases.
    let is_full = what == "model" && (word.contains(['/', ':', '.', '$', '{']) || word.contains("claude"));
    let is_default = ["default", "inherit"].contains(&word);
    if !word.is_empty() && !is_full && !is_default && !known.contains(&word.to_ascii_lowercase().as_str()) {
        unknown(what, word, entry.value.span, known.iter().copied(), report);
    }
}

/// Reports a command in `context`. Clients run the commands of the text only.
fn report_command(command: &str, span: Span, report: &mut Report) {
    let command = command.lines().next().unwrap_or_default().trim().trim_matches('`');
    lints::CLAUDE_VALUE
        .report_at(span, "Claude Code runs no command in `context`")
        .label("Claude Code ignores it")
        .help(format!("move it into the text of the skill, as !`{command}`"))
        .add_to(report);
}

fn unknown<'w>(
    what: &str,
    word: &str,
    span: Span,
    known: impl Iterator<Item = &'w str> + Clone,
    report: &mut Report,
) {
    let found = lints::CLAUDE_VALUE
        .report_at(span, format!("Claude Code has no {what} `{word}`"))
        .label("Claude Code ignores it");
    let same = known.clone().find(|known| known.eq_ignore_ascii_case(word));
    report.push(match same.or_else(|| skills_text::nearest(word, known.clone())) {
        Some(near) => found.help(format!("change it to `{near}`")),
        None => found.help(list(known)),
    });
}

/// Returns the help that lists the values, if they are few. A key with a single value is left out for the default.
fn list<'w>(known: impl Iterator<Item = &'w str>) -> String {
    let known: Vec<&str> = known.collect();
    match known.len() {
        1 => "delete this line".to_owned(),
        0..=10 => format!("use one of `{}`", known.join("`, `")),
        _ => "use a name from the documentation of Claude Code".to_owned(),
    }
}

fn check_hooks(node: &Node, report: &mut Report) {
    for event in node.as_map().unwrap_or_default() {
        if !EVENTS.contains(&event.key.as_str()) {
            unknown("hook event", &event.key, event.key_span, EVENTS.into_iter(), report);
        }
        for hook in hooks_of(event) {
            let Some(kind) = hook.get("type") else {
                missing_type(hook).add_to(report);
                continue;
            };
            let word = kind.as_scalar().map(|scalar| scalar.text.trim()).unwrap_or_default();
            if !HOOKS.contains(&word) {
                unknown("type of hook", word, kind.span, HOOKS.into_iter(), report);
            }
        }
    }
}

fn missing_type(hook: &Node) -> Diagnostic {
    lints::CLAUDE_VALUE
        .report_at(hook.span.head(), "the hook has no `type`")
        .label("Claude Code ignores it")
        .help("add `type: command`, `prompt`, `agent`, `http` or `mcp_tool`")
}

/// Returns the hooks of an event, below its matchers.
fn hooks_of(event: &MapEntry) -> impl Iterator<Item = &Node> {
    let matchers = event.value.as_list().unwrap_or_default().iter();
    let hooks = matchers.filter_map(|matcher| matcher.get("hooks").and_then(Node::as_list));
    hooks.flatten().filter(|hook| hook.as_map().is_some())
}

/// Returns the texts of all commands of the hooks in a frontmatter.
pub(super) fn hook_commands(draft: &SkillDraft) -> Vec<&Node> {
    let Some(entry) = draft.entry("hooks").filter(|_| draft.is_for_claude) else { return Vec::new() };
    let hooks = entry.value.as_map().unwrap_or_default().iter().flat_map(hooks_of);
    hooks.filter_map(|hook| hook.get("command").filter(|command| command.as_string().is_some())).collect()
}

/// Reports a hint for arguments that the text does not use. Claude Code appends them to a text without a placeholder, so
/// a text that speaks of its arguments is accepted.
fn check_arguments(draft: &SkillDraft, body: &str, report: &mut Report) {
    let Some(hint) = draft.entry("argument-hint").filter(|hint| !is_blank(&hint.value)) else { return };
    let names = draft.entry("arguments").map(|entry| argument_names(&entry.value)).unwrap_or_default();
    let is_used = ["argument", "引数", "参数", "인수"].iter().any(|word| body.to_lowercase().contains(word))
        || shows_hint(&hint.value, body)
        || shows_call(&draft.name, body)
        || body.match_indices('$').any(|(at, _)| body[at + 1..].starts_with(|c: char| c.is_ascii_digit()))
        || names.iter().any(|name| body.contains(&format!("${name}")));
    if !is_used {
        lints::ARGUMENTS_UNUSED
            .report_at(hint.key_span.to(hint.value.span), "the text of the skill does not use its arguments")
            .label("promises users that the skill takes arguments")
            .help("write `$ARGUMENTS` where the text needs them, or delete this line")
            .add_to(report);
    }
}

/// Returns `true` if a hint has no text.
fn is_blank(hint: &Node) -> bool {
    match hint.as_list() {
        Some(items) => items.iter().all(is_blank),
        None => hint.as_scalar().is_some_and(|scalar| scalar.text.trim().is_empty()),
    }
}

/// Returns `true` if a text has a word of a hint as a placeholder or as code: `<file>`.
fn shows_hint(hint: &Node, body: &str) -> bool {
    const SIGNS: [(char, char); 4] = [('<', '>'), ('[', ']'), ('{', '}'), ('`', '`')];
    let items = hint.as_list().unwrap_or(std::slice::from_ref(hint)).iter();
    let texts = items.filter_map(|item| Some(&*item.as_scalar()?.text));
    let mut words = texts.flat_map(|text| text.split(|c: char| !(c.is_alphanumeric() || "-_".contains(c))));
    words.any(|word| {
        let mut signs = SIGNS.iter().map(|(begin, end)| format!("{begin}{word}{end}"));
        word.len() > 2 && signs.any(|placeholder| body.contains(&placeholder))
    })
}

/// Returns `true` if a text shows how a user calls the skill with arguments: `/NAME all files`.
fn shows_call(name: &str, body: &str) -> bool {
    body.match_indices(&format!("/{name} ")).any(|(at, _)| {
        let before = body[..at].chars().next_back();
        !name.is_empty() && before.is_none_or(|c| c.is_whitespace() || matches!(c, '`' | '(' | '"'))
    })
}

/// Reports variables of shells and awk in code that Claude Code replaces by an argument of the skill. In the code of a
/// skill that takes arguments they are meant as such, except in a program for awk.
fn check_code(draft: &SkillDraft, body: Span, markdown: &Markdown, check: &mut Check<'_>) {
    let text = check.sources.text(body);
    let takes_arguments = text.contains("$ARGUMENTS")
        || ["argument-hint", "arguments"].iter().any(|key| draft.entry(key).is_some());
    let blocks = markdown.blocks.iter().map(|block| block.content.clone());
    let mut found: Option<(usize, &str)> = None;
    let mut count = 0;
    for place in blocks.chain(markdown.inline_code.iter().cloned()) {
        let mut start = place.start;
        for line in text.get(place).unwrap_or_default().split_inclusive('\n') {
            if !takes_arguments || line.contains("awk") {
                for (at, variable) in arguments_in(line) {
                    count += 1;
                    found.get_or_insert((start + at, variable));
                }
            }
            start += line.len();
        }
    }
    let Some((at, variable)) = found else { return };
    let more = if count > 1 { format!("; {count} places") } else { String::new() };
    lints::ARGUMENT_IN_CODE
        .report_at(
            body.part(at, at + variable.len()),
            format!("Claude Code replaces `{variable}` in this code by an argument of the skill"),
        )
        .label(format!("another text whenever the skill gets arguments{more}"))
        .help(format!("write `\\{variable}`"))
        .add_to(check.report);
}

/// Returns the variables `$0` to `$9` in a line of code, with their places. `$5.00` is a price.
fn arguments_in(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.match_indices('$').filter_map(|(at, _)| {
        let (variable, behind) = line[at..].split_at_checked(2)?;
        let is_one = variable.ends_with(|c: char| c.is_ascii_digit());
        let cents = behind.strip_prefix('.').unwrap_or(behind);
        let ends = !cents.starts_with(|c: char| c.is_ascii_digit()) && !behind.starts_with(is_word_letter);
        (is_one && ends && !line[..at].ends_with(['\\', '$'])).then_some((at, variable))
    })
}

fn is_word_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::{arguments_in, find_tag};

    // SPEC 2.20
    #[test]
    fn variables_are_distinguished_from_prices() {
        let found: Vec<&str> = arguments_in("awk '{print $1,$2}' \\$2 $30 $5.00 $$4 $ARGUMENTS \"$3\"")
            .map(|(_, name)| name)
            .collect();
        assert_eq!(found, ["$1", "$2", "$3"]);
    }

    // SPEC 2.20
    #[test]
    fn tags_are_distinguished_from_comparisons() {
        for (text, tag) in [
            ("Builds <example>x</example>.", Some("<example>")),
            ("Closes </b> it.", Some("</b>")),
            ("Breaks <br/> lines.", Some("<br/>")),
            ("For <file name> only.", Some("<file name>")),
            ("If a < b and c > d.", None),
            ("Values <3 or >5.", None),
            ("a << b <c <d>", Some("<d>")),
        ] {
            assert_eq!(find_tag(text), tag, "{text}");
        }
    }
}
