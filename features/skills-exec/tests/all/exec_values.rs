//! Tests requests and outcomes as values: environment, limits, refusals, outcomes, ids.

use std::collections::HashSet;
use std::time::Duration;

use skills_exec::{DEFAULT_TIMEOUT, Environment, Outcome, Refusal, RunId, choose_timeout};

// SPEC 7.2
#[test]
fn a_nested_run_knows_its_outer_runs() {
    let inside = |host: &[(&str, &str)]| {
        let host = host.iter().map(|(name, value)| (name.into(), value.into()));
        let environment = Environment::from_variables(host, ["SKILL_RUN_ID"]);
        assert_eq!(environment.get("SKILL_RUN_ID"), None, "each run has its own");
        environment.get("SKILL_RUN_PARENTS").map(|parents| parents.to_string_lossy().into_owned())
    };
    assert_eq!(inside(&[("PATH", "/bin")]), None);
    assert_eq!(inside(&[("SKILL_RUN_ID", "b")]).as_deref(), Some("b"));
    assert_eq!(inside(&[("SKILL_RUN_ID", "b"), ("SKILL_RUN_PARENTS", "a")]).as_deref(), Some("b:a"));
}

// SPEC 7.2
#[test]
fn json_has_the_keys_of_the_contract_in_order() {
    let every: String = (0..0x3000).filter_map(char::from_u32).chain(['\u{fffd}', '😀']).collect();
    let mut outcome = Outcome::refused("a\"b", 3, String::new());
    outcome.stdout = every.clone();
    outcome.stderr = "\u{0}\u{1f}\u{7f}".to_owned();
    outcome.duration = Duration::from_micros(1_999);
    let json = outcome.to_json();
    assert!(json.starts_with(r#"{"name":"a\"b","exit_code":3,"stdout":""#));
    assert!(json.ends_with(",\"duration_ms\":1}"), "no error key when nothing went wrong");
    let value: serde_json::Value = serde_json::from_str(&json).expect("valid JSON");
    assert_eq!(value["stdout"], every);
    assert_eq!(value["stderr"], "\u{0}\u{1f}\u{7f}");
    outcome.error = "e".to_owned();
    assert!(outcome.to_json().ends_with(",\"duration_ms\":1,\"error\":\"e\"}"));
}

// SPEC 7.3
#[test]
fn the_error_texts_follow_the_contract() {
    let name = || "n".to_owned();
    let texts = [
        (
            Refusal::NotExecutable { name: name(), directory: "/s/n".into(), has_document: true },
            r#"not_executable: skill "n" is tier-0 (prose-only). Read its SKILL.md at /s/n/SKILL.md and act per its instructions."#,
        ),
        (
            Refusal::NotExecutable { name: name(), directory: "/s/n/".into(), has_document: false },
            r#"not_executable: skill "n" is tier-0 (no program). Read its skill.json at /s/n/skill.json and call it as a function."#,
        ),
        (
            Refusal::NoCanonicalEntryPoint { name: name() },
            r#"no_canonical_entry_point: skill "n" is tier-1 (scripts present but no canonical exec declared in SKILL.md frontmatter). Promote to tier-2 by adding an exec: field."#,
        ),
        (
            Refusal::ExecNotFound { name: name(), path: "/s/n/run".into() },
            r#"exec_not_found: skill "n" exec binary not found at /s/n/run"#,
        ),
    ];
    for (refusal, text) in texts {
        assert_eq!(refusal.to_string(), text);
        assert!(text.starts_with(refusal.code()));
    }
}

// SPEC 7.1
#[test]
fn the_limit_of_the_call_then_of_the_skill_then_the_default() {
    let choose = |call, skill| choose_timeout(call, skill, DEFAULT_TIMEOUT);
    assert_eq!(choose(Some("1s"), Some("2s")), Ok(Duration::from_secs(1)));
    assert_eq!(choose(None, Some("250")), Ok(Duration::from_millis(250)));
    assert_eq!(choose(None, None), Ok(DEFAULT_TIMEOUT));
    for text in ["0", "-1s", "later"] {
        assert_eq!(choose(Some(text), Some("2s")).map_err(|refusal| refusal.code()), Err("invalid_timeout"));
    }
}

// SPEC 7.2
#[test]
fn ids_are_unique_and_plain() {
    let ids: HashSet<RunId> = (0..10_000).map(|_| RunId::fresh()).collect();
    assert_eq!(ids.len(), 10_000);
    assert!(ids.iter().all(|id| id.as_str().len() == 32));
    assert!(ids.iter().all(|id| id.as_str().bytes().all(|byte| byte.is_ascii_hexdigit())));
}
