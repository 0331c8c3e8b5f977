//! Checks the parts that the mode of a skill requires: a prompt, a pipeline, a program.

use skills_template::parse_prompt;

use super::draft::{Check, SkillDraft, Typed};
use crate::rule::modes as rules;
use crate::{Change, Mode, Report, SourceMap, Spanned};

pub(super) fn check(draft: &SkillDraft, check: &mut Check<'_>) {
    if draft.has_manifest() {
        foreign_scripts(draft, check.report);
    }
    let Some(typed) = &draft.typed else { return };
    let Some(mode) = &typed.mode else { return };
    if mode.value == Mode::Llm {
        prompt(draft, mode.span, check);
    }
    pure(typed, mode.value, check.report);
    let Some(manifest) = draft.manifest() else { return };
    if mode.value == Mode::Mcp && manifest.get("mcp").is_none() {
        rules::MCP_TOOL_MISSING
            .report_at(mode.span, "mode `mcp` needs a tool of an MCP server")
            .label("no `mcp` in this `skill.json`")
            .help("let `skills pin SERVER --to DIR --tool NAME` write the skill")
            .add_to(check.report);
    }
    for (key, owner, rule) in [
        ("pipeline", Mode::Composite, &rules::PIPELINE_MISPLACED),
        ("outputMapping", Mode::Composite, &rules::PIPELINE_MISPLACED),
        ("mcp", Mode::Mcp, &rules::MCP_TOOL_MISPLACED),
    ] {
        let Some(entry) = manifest.entry(key).filter(|_| mode.value != owner) else { continue };
        let owner = owner.as_str();
        rule.report_at(entry.key_span, format!("`{key}` has no effect in mode `{}`", mode.value.as_str()))
            .label(format!("only for mode `{owner}`"))
            .help(format!("write \"mode\": \"{owner}\""))
            .fix((key != "outputMapping").then(|| Change::string(mode.span, owner).unsafe_fix()))
            .related(mode.span, "the mode is set here")
            .add_to(check.report);
    }
}

/// Reports `pure` if it has no effect because the mode or the pipeline decides.
fn pure(typed: &Typed, mode: Mode, report: &mut Report) {
    let Some(pure) = &typed.pure else { return };
    let (title, help) = match mode {
        Mode::Llm => ("`pure` has no effect in mode `llm`", "delete it: a call of a model changes nothing"),
        Mode::Composite if typed.steps.is_some() => (
            "`pure` has no effect on a pipeline",
            "write it in the manifests of the skills that the steps use",
        ),
        Mode::Code | Mode::Composite | Mode::Mcp => return,
    };
    rules::PURE_MISPLACED.report_at(pure.span, title).label("not read").help(help).add_to(report);
}

/// Parses the text that an `llm` skill sends: `prompt.md`, or else the body of `SKILL.md`.
pub(super) fn read_prompt(draft: &mut SkillDraft, sources: &SourceMap) {
    if draft.mode() != Some(Mode::Llm) {
        return;
    }
    draft.prompt = draft
        .skill
        .prompt_span(sources)
        .map(|span| Spanned { value: parse_prompt(sources.text(span)), span });
}

fn prompt(draft: &SkillDraft, mode: crate::span::Span, check: &mut Check<'_>) {
    let sources = check.sources;
    let text = draft.skill.prompt_span(sources).map(|span| sources.text(span).trim());
    if let Some(file) = draft.skill.prompt {
        let file = sources.file(file);
        if text.is_some_and(str::is_empty) {
            rules::PROMPT_EMPTY
                .report_at(file.span(0..0), "`prompt.md` is empty")
                .label("expected text")
                .help("describe what the model should do with the input")
                .related(mode, "mode `llm` sends it to the model")
                .add_to(check.report);
        }
    } else if draft.skill.dir.file("prompt.md").is_none() && text.is_none_or(str::is_empty) {
        // An unreadable prompt.md was reported with its own place.
        rules::PROMPT_MISSING
            .report_at(mode, "mode `llm` needs a prompt")
            .label("no `prompt.md` in this skill")
            .help("add the file `prompt.md` beside `skill.json`")
            .add_to(check.report);
    }
}

fn foreign_scripts(draft: &SkillDraft, report: &mut Report) {
    let Some(manifest) = draft.manifest() else { return };
    for name in ["index.js", "index.ts"] {
        if draft.skill.dir.file(name).is_some() {
            let place = manifest.get("mode").map_or(manifest.span.head(), |mode| mode.span);
            rules::SCRIPT_INDEX
                .report_at(place, format!("`{name}` is bundled as a plain file and never run"))
                .label("no JavaScript engine runs it")
                .help("implement the skill as a method of the host, or as a program named by `exec` in `SKILL.md`")
                .add_to(report);
        }
    }
}
