//! Finds the program of a skill and its tier: `exec` and `schema` must name existing files.

use skills_text::{path_fault, shell_word};

use super::draft::{Check, Fields, SkillDraft};
use crate::rule::{fields as rules, lints};
use crate::{Change, Content, Diagnostic, Report, SourceMap, Spanned, tier};

/// Finds the program and the schema file of one skill, and determines its tier.
pub(super) fn check(draft: &mut SkillDraft, check: &mut Check<'_>) {
    if let Some(exec) = draft.fields.exec.clone() {
        draft.program_path = find_exec(draft, &exec, check);
    }
    if let Some(schema) = draft.fields.schema.clone() {
        draft.schema_path = find_schema(draft, &schema, check.report);
        if draft.fields.exec.is_none() {
            rules::SCHEMA_WITHOUT_EXEC
                .report_at(schema.span, "`schema` describes the input of `exec`, but there is no `exec`")
                .label("not used")
                .help("delete this line")
                .add_to(check.report);
        }
    }
    let Fields { exec, schema, .. } = &draft.fields;
    let [exec, schema] = [exec, schema].map(|path| path.as_ref().map(|path| path.value.as_str()));
    draft.tier = tier::infer(&draft.skill.dir, exec, schema);
}

/// Resolves a path below the skill, or below its `bin/` if the path has no slash.
fn find_exec(draft: &SkillDraft, exec: &Spanned<String>, check: &mut Check<'_>) -> Option<String> {
    let sources = check.sources;
    if let Some(fault) = path_fault(&exec.value) {
        check.report.push(bad_path(draft, "exec", exec, fault));
        return None;
    }
    let Some(file) = tier::find_program(&draft.skill.dir, &exec.value) else {
        let path = tier::normalize(&exec.value);
        // A name without a folder may also be in `bin/`.
        let mut named = Vec::new();
        for path in candidates(draft) {
            named.push(path);
            named.extend(in_bin(path));
        }
        let near = skills_text::nearest(&path, named);
        let found = rules::EXEC_MISSING
            .report_at(exec.span, format!("`exec` names a file that does not exist: `{}`", exec.value))
            .label("not found below the skill");
        check.report.push(match near {
            Some(near) => found.near(near).fix(draft.rewrite("exec", near).map(Change::unsafe_fix)),
            None if exec.value.contains('/') => found.help(format!("add the file `{path}` to the skill")),
            None => found.help(format!("add the file `{path}` or `bin/{path}` to the skill")),
        });
        return None;
    };
    if !file.executable && !matches!(file.content, Content::Unread) {
        rules::EXEC_NOT_EXECUTABLE
            .report_at(exec.span, format!("`{}` cannot be executed", file.path))
            .label("has neither the executable bit nor a `#!` line")
            .help(format!(
                "run `chmod +x {}`, and start a script with `#!`",
                typed(draft, &file.path, sources)
            ))
            .fix(executable(draft, &file.path).unsafe_fix())
            .add_to(check.report);
    } else if file.crlf_shebang {
        rules::EXEC_NOT_EXECUTABLE
            .report_at(exec.span, format!("the `#!` line of `{}` ends in CR LF, as on Windows", file.path))
            .label("the interpreter is not found, because the CR counts as part of its name")
            .help(format!(
                "save it with LF line ends; to make git keep them, add to a `.gitattributes` beside SKILL.md: {} text eol=lf",
                file.path
            ))
            .add_to(check.report);
    } else if !file.mode_executable {
        lints::SHEBANG_NOT_EXECUTABLE
            .report_at(exec.span, format!("`{}` starts with `#!` but lacks the executable bit", file.path))
            .label("runs from the bundle, not from a checkout")
            .help(format!("run `chmod +x {}`", typed(draft, &file.path, sources)))
            .fix(executable(draft, &file.path).safe_fix())
            .add_to(check.report);
    }
    Some(file.path.clone())
}

/// Returns the name by which `exec` can name a file directly in `bin/`.
fn in_bin(path: &str) -> Option<&str> {
    path.strip_prefix("bin/").filter(|name| !name.contains('/'))
}

/// Returns the path of a file as it is typed where the command runs.
fn typed(draft: &SkillDraft, path: &str, sources: &SourceMap) -> String {
    shell_word(&sources.shown(&draft.skill.dir.below(path))).into_owned()
}

fn executable(draft: &SkillDraft, path: &str) -> Change {
    Change::Executable { path: draft.skill.dir.below(path) }
}

fn candidates(draft: &SkillDraft) -> Vec<&str> {
    let mut paths: Vec<&str> = draft.skill.dir.files.iter().map(|file| file.path.as_str()).collect();
    paths.retain(|path| !matches!(*path, "SKILL.md" | "skill.json" | "prompt.md"));
    paths
}

/// Finds the schema file; the pass `schema` checks its contents.
fn find_schema(draft: &SkillDraft, schema: &Spanned<String>, report: &mut Report) -> Option<String> {
    if let Some(fault) = path_fault(&schema.value) {
        report.push(bad_path(draft, "schema", schema, fault));
        return None;
    }
    let path = tier::normalize(&schema.value);
    let Some(file) = tier::find_schema(&draft.skill.dir, &schema.value) else {
        let found = rules::SCHEMA_MISSING
            .report_at(schema.span, format!("`schema` names a file that does not exist: `{}`", schema.value))
            .label("not found below the skill");
        report.push(match skills_text::nearest(&path, candidates(draft)) {
            Some(near) => found.near(near).fix(draft.rewrite("schema", near).map(Change::unsafe_fix)),
            None => found.help(format!("add the file `{path}` to the skill")),
        });
        return None;
    };
    if let Content::Bytes(_) = &file.content {
        rules::SCHEMA_MISSING
            .report_at(
                schema.span,
                format!("`{}` is not UTF-8, so it cannot be read as a JSON Schema", file.path),
            )
            .label("this path")
            .help("save the file as UTF-8")
            .add_to(report);
    }
    Some(path)
}

fn bad_path(draft: &SkillDraft, key: &str, path: &Spanned<String>, fault: &str) -> Diagnostic {
    // Find a file of the skill with that name, in any folder.
    let name = path.value.rsplit(['/', '\\']).next().unwrap_or_default();
    let near = candidates(draft).into_iter().find(|path| path.rsplit('/').next() == Some(name));
    let (rule, example, near) = match key {
        "exec" => (&rules::PATH_OUTSIDE, "bin/run", near.map(|near| in_bin(near).unwrap_or(near))),
        _ => (&rules::SCHEMA_MISSING, "schema.json", near),
    };
    rule.report_at(path.span, format!("`{key}` {fault}"))
        .label("must stay inside the skill")
        .help(format!("name a file inside the skill: {}", draft.line(key, example)))
        .fix(near.and_then(|near| draft.rewrite(key, near).map(Change::unsafe_fix)))
}
