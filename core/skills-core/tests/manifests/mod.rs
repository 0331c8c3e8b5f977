//! Texts of skill.json, each with whether its shape is valid, for all validators.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a wrong row fails its test, and says which")]

const BASE: &str = r#"{"name": "add", "description": "Adds.", "category": "math", "input": {}, "output": {}, "mode": "code"}"#;

/// Returns the valid skill.json with one key changed, or removed if the value is empty.
fn changed(key: &str, value: &str) -> String {
    let mut manifest: serde_json::Map<String, serde_json::Value> = serde_json::from_str(BASE).unwrap();
    if value.is_empty() {
        manifest.remove(key);
    } else {
        manifest
            .insert(key.to_owned(), serde_json::from_str(value).unwrap_or_else(|e| panic!("{e}: {value}")));
    }
    serde_json::to_string(&manifest).unwrap()
}

fn step(more: &str) -> String {
    let comma = if more.is_empty() { "" } else { ", " };
    changed("pipeline", &format!(r#"[{{"step": "a", "skill": "b", "input": {{}}{comma}{more}}}]"#))
}

/// Returns each text with whether it is valid.
pub(crate) fn table() -> Vec<(String, bool)> {
    let long = format!("\"{}\"", "x".repeat(65));
    let fits = format!("\"{}\"", "x".repeat(64));
    let mut table = vec![
        (BASE.to_owned(), true),
        ("{}".to_owned(), false),
        ("[]".to_owned(), false),
        ("\"add\"".to_owned(), false),
        (step(""), true),
    ];
    let digest = format!("sha256:{}", "a0".repeat(32));
    for (mcp, valid) in [
        (format!(r#"{{"server": "files", "tool": "read", "digest": "{digest}"}}"#), true),
        (
            format!(
                r#"{{"server": "files", "tool": "read", "digest": "{digest}", "title": "T", "annotations": {{"readOnlyHint": true}}}}"#
            ),
            true,
        ),
        (format!(r#"{{"server": "files", "tool": "read", "digest": "{digest}", "annotations": 1}}"#), false),
        (format!(r#"{{"server": "files", "tool": "read", "digest": "{digest}", "title": []}}"#), false),
        (format!(r#"{{"server": "npx -y a", "tool": "read", "digest": "{digest}", "mode": 1}}"#), false),
        (format!(r#"{{"server": " ", "tool": "read", "digest": "{digest}"}}"#), false),
        (format!(r#"{{"server": "files", "tool": 1, "digest": "{digest}"}}"#), false),
        (format!(r#"{{"server": "files", "digest": "{digest}"}}"#), false),
        (format!(r#"{{"server": "files", "tool": "read", "digest": "{}"}}"#, digest.to_uppercase()), false),
    ] {
        table.push((changed("mcp", &mcp).replace(r#""code""#, r#""mcp""#), valid));
    }
    for (key, value, valid) in [
        ("name", "", false),
        ("description", "", false),
        ("category", "", false),
        ("input", "", false),
        ("output", "", false),
        ("mode", "", false),
        ("name", "3", false),
        ("name", "\"\"", false),
        ("name", "\"Add\"", false),
        ("name", "\"add-up\"", false),
        ("name", "\"3d\"", false),
        ("name", "\"_a\"", false),
        ("name", "\"a_\"", true),
        ("name", "\"a\\n\"", false),
        ("name", &long, false),
        ("name", &fits, true),
        ("description", "\" \\t\"", false),
        ("description", "null", false),
        ("category", "[]", false),
        ("mode", "\"prompt\"", false),
        ("mode", "true", false),
        ("mode", "\"mcp\"", false),
        ("mcp", "[]", false),
        ("mcp", "{}", false),
        ("version", "\"1\"", true),
        ("version", "1", false),
        ("author", "\"me\"", true),
        ("author", "{}", false),
        ("$schema", "\"https://example.com/skill.schema.json\"", true),
        ("$schema", "7", false),
        ("tags", "[\"a\", \"a\"]", true),
        ("tags", "\"a\"", false),
        ("tags", "[1]", false),
        ("calls", "[]", true),
        ("calls", "[null]", false),
        ("timeout", "1", true),
        ("timeout", "30.0", true),
        ("timeout", "3e4", true),
        ("timeout", "0", false),
        ("timeout", "-1", false),
        ("timeout", "1.5", true),
        ("timeout", "\"30s\"", false),
        ("timeout", "18446744073709551616", false),
        ("retry", "0", true),
        ("retry", "-0", true),
        ("retry", "-1", false),
        ("retry", "true", false),
        ("prompt", "\"x\"", false),
        ("inputs", "{}", false),
        ("permissions", "{}", true),
        ("permissions", "[]", false),
        ("permissions", "\"none\"", false),
        (
            "permissions",
            r#"{"read": ["$WORKSPACE", "$WORKSPACE/a", "$TMPDIR", "data/x", ".", "~", "~/.x", "/", "/srv"]}"#,
            true,
        ),
        ("permissions", r#"{"write": []}"#, true),
        ("permissions", r#"{"read": "data"}"#, false),
        ("permissions", r#"{"read": [1]}"#, false),
        ("permissions", r#"{"read": [""]}"#, false),
        ("permissions", r#"{"read": ["../x"]}"#, false),
        ("permissions", r#"{"read": ["$WORKSPACE/a/../b"]}"#, false),
        ("permissions", r#"{"read": ["a/..b"]}"#, true),
        ("permissions", r#"{"read": ["*.txt"]}"#, false),
        ("permissions", r#"{"read": ["a\\b"]}"#, false),
        ("permissions", r#"{"read": ["$HOME"]}"#, false),
        ("permissions", r#"{"read": ["$WORKSPACEX"]}"#, false),
        ("permissions", r#"{"read": ["a/$TMPDIR"]}"#, false),
        ("permissions", r#"{"read": ["~root/x"]}"#, false),
        ("permissions", r#"{"reads": []}"#, false),
        ("permissions", r#"{"net": "none"}"#, true),
        ("permissions", r#"{"net": "all"}"#, true),
        ("permissions", r#"{"net": "some"}"#, false),
        ("permissions", r#"{"net": true}"#, false),
        ("permissions", r#"{"net": []}"#, true),
        ("permissions", r#"{"net": ["a.example", "*.b.example:8443", "10.0.0.1", "[::1]:80"]}"#, true),
        ("permissions", r#"{"net": ["https://a.example"]}"#, false),
        ("permissions", r#"{"net": ["a.*.example"]}"#, false),
        ("permissions", r#"{"net": ["a.example:0"]}"#, false),
        ("permissions", r#"{"env": ["LANG", "_x1"]}"#, true),
        ("permissions", r#"{"env": ["$LANG"]}"#, false),
        ("permissions", r#"{"env": ["1A"]}"#, false),
        ("permissions", r#"{"env": "LANG"}"#, false),
        ("pipeline", "[]", false),
        ("pipeline", "{}", false),
        ("pipeline", "[1]", false),
        ("pipeline", "[{\"step\": \"a\", \"skill\": \"b\"}]", false),
        ("outputMapping", "{\"a\": 1}", true),
        ("outputMapping", "\"x\"", false),
        ("input", "true", true),
        ("input", "1", false),
        (
            "input",
            "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"integer\", \"minimum\": 1}}}",
            true,
        ),
        ("input", "{\"type\": \"int\"}", false),
        ("input", "{\"properties\": {\"a\": 3}}", false),
        ("input", "{\"required\": true}", false),
        ("input", "{\"minLength\": -1}", false),
        ("input", "{\"pattern\": \"[\"}", false),
        ("input", "{\"items\": [{}, true]}", true),
        ("input", "{\"allOf\": []}", false),
        (
            "input",
            "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"prefixItems\": [{}]}",
            true,
        ),
        ("input", "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"items\": [{}]}", false),
        (
            "output",
            "{\"$schema\": \"https://json-schema.org/draft/2019-09/schema\", \"dependentRequired\": {\"a\": [\"b\"]}}",
            true,
        ),
        (
            "output",
            "{\"$schema\": \"https://json-schema.org/draft/2019-09/schema\", \"dependentRequired\": {\"a\": 1}}",
            false,
        ),
        ("output", "{\"$schema\": \"http://json-schema.org/draft-07/schema#\"}", true),
        ("output", "{\"$schema\": \"http://json-schema.org/draft-04/schema#\"}", false),
        ("output", "{\"$schema\": 7}", false),
    ] {
        table.push((changed(key, value), valid));
    }
    for (more, valid) in [
        ("\"condition\": \"a == 1\", \"foreach\": \"input.l\", \"depends\": [\"x\"]", true),
        ("\"condition\": true", false),
        ("\"foreach\": []", false),
        ("\"depends\": \"x\"", false),
        ("\"depends\": [1]", false),
        ("\"maxConcurrency\": 0, \"retry\": 2, \"retryDelay\": 0, \"timeout\": 5", true),
        ("\"maxConcurrency\": -1", false),
        ("\"timeout\": 0", false),
        ("\"timeout\": 1e-99", true),
        ("\"timeout\": -1.5", false),
        ("\"timeout\": 1e99", false),
        ("\"retry\": 0.5", false),
        ("\"retryDelay\": 0.5", true),
        ("\"retryDelay\": -1", false),
        ("\"retryDelay\": \"1s\"", false),
        ("\"continueOnError\": true", true),
        ("\"continueOnError\": 1", false),
        ("\"when\": \"x\"", false),
    ] {
        table.push((step(more), valid));
    }
    table
}
