//! Settings that hide a skill from models and users fail closed, in each spelling and file that clients
//! support.
#![allow(clippy::unwrap_used, reason = "a test that cannot read its material must fail")]

use skills_core::levels::Profile;
use skills_core::lower::tables;
use skills_core::options::Options;
use skills_registry::{Prompt, Registry, Style};

use crate::disk::Disk;

/// Loads the skill `fix` as a program does at run time; also returns the reported codes.
fn load(files: &[(&str, &str)]) -> (Registry, Vec<&'static str>) {
    let disk = Disk::new(files);
    let options = Options { profile: Profile::Disk, ..Options::default() };
    let loaded = skills_core::load(&disk.root(), "skills", &options);
    let codes = loaded.report.diagnostics.iter().map(|diagnostic| diagnostic.rule.code).collect();
    (Registry::new(tables(&loaded.catalog, 8_000).unwrap()), codes)
}

fn skill(lines: &str) -> String {
    format!("---\nname: fix\ndescription: Fixes it.\n{lines}---\nFix it.\n")
}

/// Returns whether a model and a user may call the skill with these lines, and the reported codes.
fn seen(lines: &str) -> (bool, bool, Vec<&'static str>) {
    let (registry, codes) = load(&[("fix/SKILL.md", &skill(lines))]);
    match registry.get("fix") {
        Some(fix) => (fix.is_model_invocable(), fix.is_user_invocable(), codes),
        None => (false, false, codes),
    }
}

// SPEC 8.12
#[test]
fn a_flag_is_read_as_clients_read_it() {
    for value in ["true", "True", "yes", "YES", "on", "1", "\"true\"", "'yes'"] {
        for key in ["disable-model-invocation", "disable_model_invocation", "disableModelInvocation"] {
            assert_eq!(seen(&format!("{key}: {value}\n")), (false, true, vec![]), "{key}: {value}");
        }
    }
    for value in ["false", "no", "Off", "0", "\"false\"", ""] {
        assert_eq!(seen(&format!("disable-model-invocation: {value}\n")), (true, true, vec![]), "{value}");
    }
    for value in ["false", "no", "off", "0"] {
        assert_eq!(seen(&format!("user-invocable: {value}\n")), (true, false, vec![]), "{value}");
        assert_eq!(seen(&format!("defaultEnabled: {value}\n")), (false, true, vec![]), "{value}");
    }
    assert_eq!(seen("userInvocable: yes\ndefault-enabled: on\n"), (true, true, vec![]));
}

// SPEC 8.12
#[test]
fn unreadable_restrictions_apply_and_are_reported() {
    for value in ["maybe", "[true]", "{a: b}", "2", "tru", "yes please", "null"] {
        let (model, user, codes) = seen(&format!("disable-model-invocation: {value}\n"));
        assert_eq!((model, user), (false, true), "{value}");
        assert_eq!(codes, ["value-type"], "{value}");
        let (model, user, codes) = seen(&format!("user-invocable: {value}\n"));
        assert_eq!((model, user), (true, false), "{value}");
        assert_eq!(codes, ["value-type"], "{value}");
    }
    // If two spellings differ, the restricting one counts, in any order.
    for lines in [
        "disable-model-invocation: false\ndisableModelInvocation: true\n",
        "disable-model-invocation: true\ndisable_model_invocation: false\n",
    ] {
        let (model, _, codes) = seen(lines);
        assert!(!model && codes == ["key-twice"], "{lines} {codes:?}");
    }
    // A syntax error does not remove a restriction.
    for lines in [
        "disable-model-invocation: [true\n",
        "disable-model-invocation: \"true\nlicense: MIT\n",
        "disableModelInvocation: {true\n",
        "disable-model-invocation true\n",
    ] {
        let (model, _, codes) = seen(lines);
        assert!(!model && !codes.is_empty(), "{lines} {codes:?}");
    }
}

// SPEC 8.12
#[test]
fn internal_below_metadata_hides_from_all() {
    for lines in [
        "metadata:\n  internal: true\n",
        "metadata:\n  internal: \"yes\"\n",
        "metadata: '{\"internal\": true}'\n",
    ] {
        assert_eq!(seen(lines), (false, false, vec![]), "{lines}");
    }
    assert_eq!(seen("metadata:\n  internal: \"false\"\n"), (true, true, vec![]));
    assert_eq!(seen("metadata:\n  internal: [x]\n"), (false, false, vec!["restriction-unclear"]));
    let (registry, _) = load(&[("fix/SKILL.md", &skill("metadata:\n  internal: true\n"))]);
    assert!(registry.get("fix").unwrap().is_internal(), "a program finds it all the same");
    assert_eq!(Prompt::new(Style::Skills).render(registry.iter()), "");
}

// SPEC 6.3, 8.12: the tag counts in both files, is compared as by `--tag`, and may be part of a list with commas
#[test]
fn the_tag_internal_hides_in_any_file_and_case() {
    for lines in
        ["tags: [internal]\n", "tags: Internal\n", "tags: internal, x\n", "tags: \"[x, internal]\"\n"]
    {
        assert_eq!(seen(lines), (false, false, vec![]), "{lines}");
    }
    assert_eq!(seen("tags: [internal, [x]]\n"), (false, false, vec!["key-foreign"]));
    for lines in ["tags: [internals]\n", "tags: internal tools\n", "tags: {internal: no}\n"] {
        let (model, user, _) = seen(lines);
        assert!(model && user, "{lines}");
    }
    let manifest = |tags: &str| {
        format!(
            r#"{{"name": "fix", "description": "Fixes it.", "category": "t", "mode": "code",
                "input": {{"type": "object"}}, "output": {{"type": "object"}}, "tags": {tags}}}"#
        )
    };
    for (lines, tags) in [
        ("tags: [internal]\n", r#"["other"]"#),
        ("tags: [other]\n", r#"["INTERNAL"]"#),
        ("", r#"["x, internal"]"#),
    ] {
        let (registry, codes) = load(&[("fix/SKILL.md", &skill(lines)), ("fix/skill.json", &manifest(tags))]);
        let fix = registry.get("fix").unwrap();
        assert!(fix.is_internal() && !fix.is_model_invocable() && !fix.is_user_invocable(), "{lines} {tags}");
        assert_eq!(codes, [""; 0], "{lines} {tags}");
    }
}

// SPEC 8.12
#[test]
fn openai_yaml_hides_from_models() {
    let seen = |text: &str| {
        let (registry, codes) = load(&[("fix/SKILL.md", &skill("")), ("fix/agents/openai.yaml", text)]);
        let fix = registry.get("fix").unwrap();
        assert!(fix.is_user_invocable());
        (fix.is_model_invocable(), codes)
    };
    let shown = "interface:\n  display_name: \"Fix\"\n  short_description: \"Fixes it\"\n";
    assert_eq!(seen(&format!("{shown}policy:\n  allow_implicit_invocation: false\n")), (false, vec![]));
    assert_eq!(seen("policy: {allow_implicit_invocation: \"no\"}\n"), (false, vec![]));
    for text in [shown, "", "# nothing\n", "---\npolicy:\n  allow_implicit_invocation: true\n", "policy:\n"] {
        assert_eq!(seen(text), (true, vec![]), "{text}");
    }
    for text in [
        "policy:\n  allow_implicit_invocation: perhaps\n",
        "policy: closed\n",
        "policy:\n  allow_implicit_invocation: [false\n",
        "- a list\n",
        "\u{feff}policy:\n\tallow_implicit_invocation: false\n",
    ] {
        assert_eq!(seen(text), (false, vec!["restriction-unclear"]), "{text}");
    }
}

// SPEC 8.12
#[test]
fn tools_that_cannot_be_read_allow_nothing() {
    let (registry, _) =
        load(&[("fix/SKILL.md", &skill("disallowed-tools: {Bash: true}\nallowed-tools: {a: b}\n"))]);
    let fix = registry.get("fix").unwrap();
    assert_eq!(fix.disallowed_tools().collect::<Vec<_>>(), ["*"]);
    assert_eq!(fix.allowed_tools().count(), 0);
}

// SPEC 14.17: a misspelt restricting key still restricts
#[test]
fn a_misspelt_restriction_still_applies() {
    let reported = vec!["restriction-misspelt"];
    for key in [
        "disable-model-invocaton",
        "disable-model-invocations",
        "disable_model_invocatoin",
        "disableModelInvocations",
        "DisableModelInvocation",
        "Disable-Model-Invocation",
        "DISABLE_MODEL_INVOCATION",
        "disablemodelinvocation",
        "disable.model.invocation",
        "disable model invocation",
        "isable-model-invocation",
    ] {
        assert_eq!(seen(&format!("{key}: true\n")), (false, true, reported.clone()), "{key}");
        assert_eq!(seen(&format!("{key}: perhaps\n")), (false, true, reported.clone()), "{key}");
        assert_eq!(seen(&format!("{key}: false\n")), (true, true, reported.clone()), "{key}");
    }
    for key in ["user-invokable", "userInvokable", "user-invocabel", "User-Invocable"] {
        assert_eq!(seen(&format!("{key}: false\n")), (true, false, reported.clone()), "{key}");
        assert_eq!(seen(&format!("{key}: true\n")), (true, true, reported.clone()), "{key}");
    }
    assert_eq!(seen("default-enable: no\n"), (false, true, reported.clone()));
    // Between a misspelled key and the correct key, the restricting one counts.
    let both = "disable-model-invocation: false\ndisable-model-invocaton: true\n";
    assert_eq!(seen(both), (false, true, reported.clone()));
    assert_eq!(seen("metadata:\n  Internal: true\n"), (false, false, vec![]));
    for (lines, expected) in [
        ("disallowd-tools: Bash Write\n", vec!["Bash", "Write"]),
        ("disallow-tools: [Bash]\n", vec!["Bash"]),
        ("disallowed-tools: Read\nDisallowed-Tools: Bash\n", vec!["Read", "Bash"]),
        ("disallowd-tools: {Bash: true}\n", vec!["*"]),
    ] {
        let (registry, codes) = load(&[("fix/SKILL.md", &skill(lines))]);
        assert_eq!(registry.get("fix").unwrap().disallowed_tools().collect::<Vec<_>>(), expected, "{lines}");
        assert_eq!(codes, reported, "{lines}");
    }
    let policy = |text: &str| {
        let (registry, codes) = load(&[("fix/SKILL.md", &skill("")), ("fix/agents/openai.yaml", text)]);
        (registry.get("fix").unwrap().is_model_invocable(), codes)
    };
    assert_eq!(policy("policy:\n  allow_implicit_invocaton: false\n"), (false, reported.clone()));
    assert_eq!(policy("polcy:\n  allow_implicit_invocation: false\n"), (false, reported));
    assert_eq!(policy("interface:\n  allow: false\n"), (true, vec![]));
}

// SPEC 14.17: a similar key with another meaning restricts nothing
#[test]
fn a_similar_key_with_another_meaning_restricts_nothing() {
    for key in [
        "enable-model-invocation",
        "model-invocation",
        "disable-logging",
        "disabled",
        "user-invocation-count",
        "users",
        "default-model",
        "default-disabled",
        "permission-mode",
        "permissionMode",
        "omissions",
        "versions",
        "allowed-tool",
        "not-user-invocable",
    ] {
        let (model, user, codes) = seen(&format!("{key}: true\n"));
        assert!(model && user, "{key}");
        assert!(!codes.contains(&"restriction-misspelt"), "{key}: {codes:?}");
    }
    for key in ["external", "interval", "permitted", "missions"] {
        let (registry, codes) = load(&[("fix/SKILL.md", &skill(&format!("metadata:\n  {key}: \"5\"\n")))]);
        assert!(registry.get("fix").unwrap().permissions().is_none() && codes.is_empty(), "{key}: {codes:?}");
    }
}

// SPEC 14.17: an invalid `permissions` requests nothing
#[test]
fn permissions_under_a_wrong_key_grant_nothing() {
    let nothing = Some(skills_registry::Permissions::default());
    let grants = "'{\"read\": [\"$WORKSPACE\"], \"net\": \"all\"}'";
    for lines in [
        format!("metadata:\n  permisions: {grants}\n"),
        format!("metadata:\n  Permissions: {grants}\n"),
        format!("metadata:\n  permissions: {grants}\n  permission: none\n"),
        format!("permissions: {grants}\n"),
        format!("permisions: {grants}\nmetadata:\n  permissions: {grants}\n"),
    ] {
        let (registry, codes) = load(&[("fix/SKILL.md", &skill(&lines))]);
        assert_eq!(registry.get("fix").unwrap().permissions(), nothing.clone(), "{lines}");
        assert!(codes.contains(&"restriction-misspelt"), "{lines} {codes:?}");
    }
    let manifest = |keys: &str| {
        format!(
            r#"{{"name": "fix", "description": "Fixes.", "category": "t", "mode": "code", "input": {{"type": "object"}},
                "output": {{"type": "object"}}, {keys}}}"#
        )
    };
    for keys in [
        r#""permisions": {"read": ["$WORKSPACE"]}"#,
        r#""Permissions": {"read": ["$WORKSPACE"]}"#,
        r#""permissions": {"read": ["$WORKSPACE"]}, "permission": {}"#,
        r#""permissions": {"raed": ["$WORKSPACE"], "wirte": ["$WORKSPACE"], "nett": "all"}"#,
    ] {
        let (registry, codes) = load(&[("fix/skill.json", &manifest(keys))]);
        assert_eq!(registry.get("fix").unwrap().permissions(), nothing.clone(), "{keys}");
        assert!(!codes.is_empty(), "{keys}");
    }
    // In a bundle it is an error, and the skill is left out.
    for files in [
        [("fix/SKILL.md", skill("disable-model-invocaton: true\n"))],
        [("fix/SKILL.md", skill("metadata:\n  permisions: '{}'\n"))],
        [("fix/skill.json", manifest(r#""permisions": {}"#))],
    ] {
        let disk = Disk::new(&files.each_ref().map(|(path, text)| (*path, text.as_str())));
        let loaded = skills_core::load(&disk.root(), "skills", &Options::default());
        assert!(loaded.report.errors() > 0 && loaded.catalog.skills().is_empty(), "{files:?}");
    }
}

// SPEC 8.8, 8.11
#[test]
fn fields_of_clients_are_read_and_inert_ones_reported() {
    let lines = "when_to_use: |\n  Use it when asked\n  to fix.\neffort: high\nmodel: opus\ncontext: fork\nagent: Explore\nshell: bash\n\
        displayName: The Fixer\npaths: \"src/**/*.rs, docs/*\"\ndisallowedTools: Bash(rm:*) Write\nbackground: true\nfallback: x\n";
    let (registry, codes) = load(&[("fix/SKILL.md", &skill(lines))]);
    assert_eq!(codes, [""; 0]);
    let fix = registry.get("fix").unwrap();
    assert_eq!((fix.effort(), fix.model(), fix.context()), (Some("high"), Some("opus"), Some("fork")));
    assert_eq!(
        (fix.agent(), fix.shell(), fix.display_name()),
        (Some("Explore"), Some("bash"), Some("The Fixer"))
    );
    assert_eq!(fix.paths().collect::<Vec<_>>(), ["src/**/*.rs", "docs/*"]);
    assert_eq!(fix.disallowed_tools().collect::<Vec<_>>(), ["Bash(rm:*)", "Write"]);
    let inert: Vec<&str> = fix.inert_keys().collect();
    assert_eq!(inert, ["model", "effort", "context", "agent", "shell", "paths", "disallowed-tools"]);
    assert_eq!(fix.description(), "Fixes it.");
    assert_eq!(fix.offer(), "Fixes it. Use it when asked\nto fix.");
    for style in Style::ALL {
        let text = Prompt::new(style).render(registry.iter());
        assert!(text.contains("Fixes it. Use it when asked to fix."), "{text}");
    }
    assert!(registry.prompt().contains("Fixes it. Use it when asked to fix."), "the one made before");
    let (registry, _) = load(&[("fix/SKILL.md", &skill("tags: [a]\n"))]);
    assert_eq!(registry.get("fix").unwrap().inert_keys().count(), 0);
}

// SPEC 8.8
#[test]
fn the_standard_has_no_camel_case() {
    let disk = Disk::new(&[("fix/SKILL.md", &skill("allowedTools: Read\n"))]);
    let options = Options { profile: Profile::Standard, ..Options::default() };
    let loaded = skills_core::load(&disk.root(), "skills", &options);
    let codes: Vec<_> = loaded.report.diagnostics.iter().map(|diagnostic| diagnostic.rule.code).collect();
    assert_eq!(codes, ["key-unknown"]);
}
