//! The skills of the tests.

use std::fs;
use std::path::Path;

/// The skills that are functions of the host.
pub const FUNCTIONS: [&str; 6] = ["research", "tally", "summarize", "merge", "echo", "slow"];

/// The skills that `report` needs, split between two machines.
pub const SPLIT: [&[&str]; 2] = [&["report", "polish", "research", "tally", "merge"], &["summarize"]];

/// Writes the skills of the tests below a directory.
pub fn write_skills(root: &Path, version: &str) {
    let code = |name: &str, input: &str, output: &str| {
        let text = format!(
            r#"{{"name": "{name}", "description": "{name}{version}", "category": "test", "mode": "code",
                "input": {{"type": "object", {input}}}, "output": {{"type": "object", {output}}}}}"#
        );
        write(root, name, &text);
        text
    };
    code(
        "research",
        r#""required": ["count"]"#,
        r#""required": ["notes"], "properties": {"notes": {"type": "array"}}"#,
    );
    code("tally", r#""required": ["notes"]"#, r#""required": ["count"]"#);
    code("summarize", r#""required": ["id"]"#, r#""required": ["summary"]"#);
    code("merge", r#""required": ["parts"]"#, r#""required": ["text"]"#);
    code("echo", r#""properties": {}"#, r#""properties": {}"#);
    code("slow", r#""properties": {}"#, r#""properties": {}"#);
    let pipeline = |name: &str, calls: &str, steps: &str, rest: &str| {
        let text = format!(
            r#"{{"name": "{name}", "description": "{name}", "category": "test", "mode": "composite", "timeout": 3600000,
                "input": {{"type": "object"}}, "output": {{"type": "object"}}, "calls": [{calls}], "pipeline": [{steps}]{rest}}}"#
        );
        write(root, name, &text);
    };
    pipeline(
        "report",
        r#""research", "tally", "summarize", "merge", "polish""#,
        r#"{"step": "research", "skill": "research", "input": {"count": "{{input.count}}"}},
           {"step": "tally", "skill": "tally", "input": {"notes": "{{steps.research.notes}}"}},
           {"step": "summarize", "skill": "summarize", "foreach": "{{steps.research.notes}}", "maxConcurrency": 4,
            "retry": 2, "retryDelay": 100, "timeout": 5000, "input": {"id": "{{item.id}}", "fault": "{{input.fault}}"}},
           {"step": "merge", "skill": "merge", "input": {"parts": "{{steps.summarize.results | map: summary}}"}},
           {"step": "polish", "skill": "polish", "input": {"text": "{{steps.merge.text}}"}}"#,
        r#", "outputMapping": {"text": "{{steps.polish.text}}", "count": "{{steps.tally.count}}"}"#,
    );
    pipeline(
        "polish",
        r#""merge""#,
        r#"{"step": "again", "skill": "merge", "input": {"parts": ["{{input.text}}"]}}"#,
        r#", "outputMapping": {"text": "{{steps.again.text}}"}"#,
    );
    pipeline(
        "wide",
        r#""research", "summarize""#,
        r#"{"step": "r", "skill": "research", "input": {"count": "{{input.count}}"}},
           {"step": "w", "skill": "summarize", "foreach": "{{steps.r.notes}}", "maxConcurrency": 8,
            "input": {"id": "{{item.id}}"}}"#,
        r#", "outputMapping": {"n": "{{steps.w.results | map: id}}"}"#,
    );
    for length in [50, 200] {
        let step = |at: usize| {
            let before = if at == 0 { "a".to_owned() } else { format!("{{{{steps.s{}.text}}}}", at - 1) };
            format!(r#"{{"step": "s{at}", "skill": "merge", "input": {{"parts": ["{before}"]}}}}"#)
        };
        let steps: Vec<String> = (0..length).map(step).collect();
        pipeline(&format!("chain{length}"), r#""merge""#, &steps.join(","), "");
    }
    pipeline(
        "exact",
        r#""echo""#,
        r#"{"step": "e", "skill": "echo", "input": {"z": "{{input.z}}", "a": "{{input.a}}"}}"#,
        "",
    );
    pipeline(
        "waits",
        r#""slow""#,
        r#"{"step": "one", "skill": "slow", "input": {"ms": "{{input.ms}}", "fails": "{{input.fails}}"}, "retry": 1, "retryDelay": 200,
            "timeout": 1500}"#,
        "",
    );
    pipeline(
        "sleepy",
        r#""slow""#,
        r#"{"step": "one", "skill": "slow", "input": {"ms": "{{input.ms}}"}}"#,
        "",
    );
    code("tool", r#""properties": {}"#, r#""required": ["n"]"#);
    let script = "#!/bin/sh\necho \"$TRACEPARENT $TRACESTATE\" >> \"$SKILL_PATH/../../trace\"\necho \"0 $$ begin program\" >> \"$SKILL_PATH/../../log\"\ncat\necho \"0 $$ end program\" >> \"$SKILL_PATH/../../log\"\n";
    program(root, "tool", script);
    // The sandbox must deny what the skill does not request: reading other files, and creating a socket.
    let asked =
        code("nosy", r#""properties": {}"#, "").replace("{\"name\"", "{\"permissions\": {}, \"name\"");
    write(root, "nosy", &asked);
    program(
        root,
        "nosy",
        "#!/bin/sh\ncat >/dev/null\nif cat \"$SKILL_PATH/../../secret\" >/dev/null; then r=true; else r=false; fi\nif touch \"$SKILL_PATH/left\"; then w=true; else w=false; fi\necho \"{\\\"reads\\\": $r, \\\"writes\\\": $w, \\\"key\\\": \\\"$API_KEY\\\"}\"\n",
    );
    pipeline("asks_nosy", r#""nosy""#, r#"{"step": "one", "skill": "nosy", "input": {}}"#, "");
    let ask = r#"{"name": "ask", "description": "ask", "category": "test", "mode": "llm", "input": {"type": "object",
        "properties": {"n": {"type": "integer"}}, "required": ["n"]}, "output": {"type": "object", "required": ["said"]}}"#;
    write(root, "ask", ask);
    fs::write(root.join("ask/prompt.md"), "Say {{input.n}}.").expect("a file");
    pipeline(
        "mixed",
        r#""tool", "ask", "slow""#,
        r#"{"step": "program", "skill": "tool", "input": {"n": "{{input.n}}"}},
           {"step": "model", "skill": "ask", "input": {"n": "{{steps.program.n}}"}},
           {"step": "last", "skill": "slow", "input": {"ms": 3000, "said": "{{steps.model.said}}"}}"#,
        r#", "outputMapping": {"n": "{{steps.program.n}}", "said": "{{steps.model.said}}", "key": "{{steps.last.key}}"}"#,
    );
    pipeline(
        "large",
        r#""echo""#,
        r#"{"step": "e", "skill": "echo", "foreach": "{{input.list}}", "maxConcurrency": 0,
            "input": {"i": "{{item}}", "text": "{{input.text}}"}}"#,
        r#", "outputMapping": {"n": "{{steps.e.results | map: i}}"}"#,
    );
    let text = fs::read_to_string(root.join("sleepy/skill.json")).expect("it was written");
    write(root, "limited", &text.replace("sleepy", "limited").replace("3600000", "2000"));
    let text = fs::read_to_string(root.join("wide/skill.json")).expect("it was written");
    write(root, "capped", &text.replace("\"wide\"", "\"capped\"").replace("3600000", "8000"));
}

/// Writes the program of a skill.
fn program(root: &Path, name: &str, script: &str) {
    let place = root.join(name);
    fs::write(place.join("SKILL.md"), "---\nexec: run.sh\n---\n").expect("a file");
    fs::write(place.join("run.sh"), script).expect("a file");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(place.join("run.sh"), fs::Permissions::from_mode(0o755)).expect("a program");
    }
}

fn write(root: &Path, name: &str, text: &str) {
    fs::create_dir_all(root.join(name)).expect("a directory");
    fs::write(root.join(name).join("skill.json"), text).expect("a file");
}
