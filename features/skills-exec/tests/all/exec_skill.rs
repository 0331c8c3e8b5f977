//! A skill and its input become a run: from the program's own tables and from disk, or a refusal in the known words.

#![allow(clippy::unwrap_used)] // helpers of tests may panic as tests may

use std::future::Future;
use std::path::Path;
use std::task::{Context, Poll, Waker};

use skills_exec::cache::Cache;
use skills_exec::{Environment, NotRun, Outcome, RunOptions, run_skill, start_skill};
use skills_registry::{CompiledFile, CompiledSkill, Declared, Facts, Layout, Registry, write};

use crate::support::{self, Scratch};

const SCRIPT: &str =
    "#!/bin/sh\nprintf '%s|' \"$SKILL_NAME\" \"$SKILL_VERSION\" \"$COGOS_SKILL_PATH\"\ncat\n";

const SCHEMA: &str =
    "\u{feff}{\"properties\": {\"query\": {\"$ref\": \"types/text.json\"}}, \"required\": [\"query\"]}";

fn registry(skill: impl Into<CompiledSkill<'static>>, files: &[(&str, &str)]) -> Registry {
    let mut files: Vec<CompiledFile<'_>> = files
        .iter()
        .map(|(path, text)| CompiledFile {
            path,
            bytes: text.as_bytes(),
            executable: text.starts_with("#!"),
            sha256: hmac_sha256::Hash::hash(text.as_bytes()),
        })
        .collect();
    files.sort_by_key(|file| file.path);
    let skill = CompiledSkill { files, ..skill.into() };
    Registry::new(write(&[skill], Layout::Joined, 8_000).unwrap().into_tables())
}

fn echo() -> Facts {
    Facts {
        name: "echo".to_owned(),
        version: "1.2.0".to_owned(),
        tier: 2,
        exec: Some("run".to_owned()),
        program: Some("bin/run".to_owned()),
        frontmatter: r#"{"exec":"run"}"#.to_owned(),
        ..Facts::default()
    }
}

/// Judges the files of one skill and makes the registry that a program would have of them.
fn checked(scratch: &Scratch, files: &[(&str, &str)]) -> Registry {
    for (path, text) in files {
        scratch.file(&format!("root/echo/{path}"), text, if text.starts_with("#!") { 0o755 } else { 0o644 });
    }
    let root = scratch.path().join("root");
    let loaded = skills_core::load(&root, "root", &skills_core::options::Options::default());
    assert_eq!(loaded.report.errors(), 0, "{:?}", loaded.report);
    Registry::new(skills_core::lower::tables(&loaded.catalog, 8_000).unwrap())
}

fn at(facts: Facts, location: impl Into<String>) -> CompiledSkill<'static> {
    CompiledSkill { location: Some(location.into()), ..facts.into() }
}

fn options(scratch: &Scratch) -> RunOptions {
    let root = scratch.path().join("cache");
    RunOptions::of_process().cache(Cache::new(Some(root), scratch.path().join("tmp")))
}

fn run(registry: &Registry, input: &str, options: &RunOptions) -> Result<Outcome, NotRun> {
    run_skill(registry.iter().next().unwrap(), input, options)
}

// SPEC 7.1, 7.4
#[test]
fn a_bundled_skill_runs_from_the_cache() {
    let scratch = Scratch::new();
    let registry = registry(echo(), &[("bin/run", SCRIPT), ("SKILL.md", "")]);
    let outcome = run(&registry, "not { json", &options(&scratch)).unwrap();
    assert_eq!((outcome.exit_code, outcome.error.as_str()), (0, ""));
    let parts: Vec<&str> = outcome.stdout.split('|').collect();
    assert_eq!((parts[0], parts[1], parts[3]), ("echo", "1.2.0", "not { json"), "verbatim without a schema");
    assert!(Path::new(parts[2]).starts_with(scratch.path().join("cache")), "{}", parts[2]);
}

// SPEC 7.1
#[test]
fn a_skill_on_disk_runs_in_its_own_directory() {
    let scratch = Scratch::new();
    scratch.file("echo/bin/run", SCRIPT, 0o755);
    let base = scratch.path().join("echo");
    let location = base.join("SKILL.md").display().to_string();
    let registry = registry(at(echo(), location), &[("bin/run", "stale"), ("SKILL.md", "")]);
    let outcome = run(&registry, "", &options(&scratch)).unwrap();
    assert_eq!(outcome.stdout, format!("echo|1.2.0|{}|", base.display()));
    assert!(!scratch.path().join("cache").exists());
}

// SPEC 7.1, 12.4
#[test]
fn options_reach_the_program() {
    let scratch = Scratch::new();
    let script = "#!/bin/sh\npwd\necho \"$TOKEN,$COGOS_WORKSPACE\"\n";
    let registry = registry(echo(), &[("bin/run", script)]);
    let mut options = options(&scratch);
    options.workspace = Some(scratch.path().to_owned());
    options.environment = Environment::from_variables([("TOKEN".into(), "t".into())], ["TOKEN"]);
    let here = scratch.path().display();
    assert_eq!(run(&registry, "", &options).unwrap().stdout, format!("{here}\nt,{here}\n"));
}

// SPEC 7.1
#[test]
fn the_limit_is_the_calls_then_the_skills() {
    let scratch = Scratch::new();
    let slow = [("bin/run", "#!/bin/sh\nsleep 10\n")];
    let registry = registry(Facts { timeout_ms: Some(60), ..echo() }, &slow);
    let mut options = options(&scratch);
    let outcome = run(&registry, "", &options).unwrap();
    assert_eq!((outcome.exit_code, outcome.error.as_str()), (124, "timeout after 60ms"));
    options.timeout = Some("80ms".to_owned());
    assert_eq!(run(&registry, "", &options).unwrap().error, "timeout after 80ms");
    for text in ["0", "-1", "soon"] {
        options.timeout = Some(text.to_owned());
        assert_eq!(run(&registry, "", &options).unwrap_err().code(), "invalid_timeout");
    }
}

// SPEC 2.13, 2.3, 7.1: the checker and a run agree on valid time limits
#[test]
fn the_checker_and_a_run_agree_on_invalid_limits() {
    let scratch = Scratch::new();
    let profile = skills_core::levels::Profile::Disk;
    for (value, expected, refused) in [
        ("[5]", &["key-foreign"][..], None),
        ("{a: 5}", &["key-foreign"], None),
        ("", &[], None),
        ("5m", &[], None),
        ("~", &["timeout-invalid"], Some("~")),
        ("\"~\"", &["timeout-invalid"], Some("~")),
        ("soon ", &["timeout-invalid"], Some("soon")),
    ] {
        let document =
            format!("---\nname: echo\ndescription: Echoes.\nexec: run\ntimeout: {value}\n---\nIt echoes.\n");
        scratch.file("limits/echo/SKILL.md", &document, 0o644);
        scratch.file("limits/echo/bin/run", SCRIPT, 0o755);
        let options = skills_core::options::Options { profile, ..Default::default() };
        let loaded = skills_core::load(&scratch.path().join("limits"), "limits", &options);
        let codes: Vec<_> = loaded.report.diagnostics.iter().map(|found| found.rule.code).collect();
        assert_eq!(codes, expected, "{value}");
        let registry = Registry::new(skills_core::lower::tables(&loaded.catalog, 8_000).unwrap());
        let refusal = run(&registry, "", &self::options(&scratch)).err().map(|refusal| refusal.to_string());
        let expected = refused.map(|text| format!("invalid_timeout: \"{text}\" is not a time limit"));
        assert_eq!(refusal.is_some(), expected.is_some(), "{value}: {refusal:?}");
        assert!(
            refusal.iter().zip(expected).all(|(text, start)| text.starts_with(&start)),
            "{value}: {refusal:?}"
        );
    }
}

// SPEC 7.3
#[test]
fn a_skill_without_a_program_is_refused_with_the_text_of_the_contract() {
    let scratch = Scratch::new();
    let text = |skill: CompiledSkill<'static>| {
        run(&registry(skill, &[]), "", &options(&scratch)).unwrap_err().to_string()
    };
    let prose = Facts { name: "prose".to_owned(), ..Facts::default() };
    assert_eq!(
        text(prose.clone().into()),
        "not_executable: skill \"prose\" is tier-0 (prose-only). Read its SKILL.md at skill://prose/SKILL.md and act \
         per its instructions."
    );
    assert_eq!(
        text(at(prose.clone(), "/s/prose/SKILL.md")),
        "not_executable: skill \"prose\" is tier-0 (prose-only). Read its SKILL.md at /s/prose/SKILL.md and act per \
         its instructions."
    );
    assert_eq!(
        text(Facts { tier: 1, ..prose.clone() }.into()),
        "no_canonical_entry_point: skill \"prose\" is tier-1 (scripts present but no canonical exec declared in \
         SKILL.md frontmatter). Promote to tier-2 by adding an exec: field."
    );
    let gone = Declared { exec: Some("bin/gone".to_owned()), ..Declared::default() };
    // SPEC 4.2: the file that `exec` names does not exist.
    assert_eq!(
        text(at(Facts { tier: 1, declared: gone, ..prose }, "/s/prose/SKILL.md")),
        "exec_not_found: skill \"prose\" exec binary not found at /s/prose/bin/gone"
    );
}

// SPEC 4.3
#[test]
fn the_input_of_a_typed_program_is_checked_before_it_starts() {
    let scratch = Scratch::new();
    let registry = checked(
        &scratch,
        &[
            ("SKILL.md", "---\nname: echo\ndescription: Echoes.\nexec: run\nschema: input.json\n---\n"),
            ("bin/run", SCRIPT),
            ("input.json", SCHEMA),
            ("types/text.json", r#"{"type": "string"}"#),
        ],
    );
    let lowered = skills_schema::lower::count();
    let outcome = run(&registry, r#"{"query": "a"}"#, &options(&scratch)).unwrap();
    assert!(outcome.stdout.ends_with(r#"|{"query":"a"}"#));
    let error = run(&registry, r#"{"query": 3}"#, &options(&scratch)).unwrap_err();
    assert_eq!(error.code(), "invalid_input");
    assert_eq!(
        error.to_string(),
        "invalid_input: skill \"echo\" needs input that matches input.json\n/query: type: expected a string, found 3"
    );
    let error = run(&registry, "{", &options(&scratch)).unwrap_err();
    assert!(
        error.to_string().contains("matches input.json\n(root): json: expected a JSON value, found 1:2: "),
        "{error}"
    );
    assert!(matches!(run(&registry, "", &options(&scratch)), Err(NotRun::NoInput { .. })));
    assert_eq!(skills_schema::lower::count(), lowered, "SPEC 3.9: the tables of check are used");
}

// SPEC 4.3, 6.1, 6.4: the input of a `skill.json` is checked too, and defaults are inserted once
#[test]
fn a_program_gets_checked_input_with_defaults() {
    let input = r#"{"properties": {"n": {"type": "integer", "default": 3}, "q": {"$ref": "q.json"}}}"#;
    let manifest = format!(
        r#"{{"name": "echo", "description": "Echoes.", "category": "math", "mode": "code", "input": {input}, "output": {{}}}}"#
    );
    let document = "---\nname: echo\ndescription: Echoes.\nexec: run\n---\n";
    let tier_3 = "---\nname: echo\ndescription: Echoes.\nexec: run\nschema: in.json\n---\n";
    let shared = [("bin/run", SCRIPT), ("in.json", input), ("q.json", r#"{"type": "string"}"#)];
    for (own, file) in [
        (vec![("SKILL.md", document), ("skill.json", &*manifest)], "skill.json"),
        (vec![("SKILL.md", tier_3)], "in.json"),
    ] {
        let scratch = Scratch::new();
        let registry = checked(&scratch, &[&shared, &*own].concat());
        let outcome = run(&registry, "{}", &options(&scratch)).unwrap();
        assert!(outcome.stdout.ends_with(r#"|{"n":3}"#), "{}", outcome.stdout);
        let error = run(&registry, r#"{"n": "x", "q": 1}"#, &options(&scratch)).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "invalid_input: skill \"echo\" needs input that matches {file}\n/n: type: expected an integer, found \
                 \"x\"\n/q: type: expected a string, found 1"
            )
        );
        assert!(matches!(run(&registry, "", &options(&scratch)), Err(NotRun::NoInput { .. })));
    }
}

// SPEC 7.1: a path that is not UTF-8 is passed to the program unchanged
#[cfg(target_os = "linux")]
#[test]
fn a_directory_that_is_not_utf8_is_passed_unchanged() {
    use std::os::unix::ffi::OsStrExt;
    let scratch = Scratch::new();
    scratch.file(
        "echo/bin/run",
        "#!/bin/sh\nprintf %s \"$SKILL_PATH\" | od -An -tx1 | tr -d ' \\n'\n",
        0o755,
    );
    let directory = scratch.path().join(std::ffi::OsStr::from_bytes(b"e\xff"));
    std::fs::rename(scratch.path().join("echo"), &directory).unwrap();
    let location = directory.join("SKILL.md").display().to_string();
    let registry = registry(at(echo(), location), &[]);
    let given = options(&scratch).directory(&directory);
    let hex: String = directory.as_os_str().as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(run(&registry, "", &given).unwrap().stdout, hex);
    assert_eq!(run(&registry, "", &options(&scratch)).unwrap().exit_code, 127, "its text names no directory");
}

// SPEC 12.1, 12.2: no input is passed unchecked
#[test]
fn a_schema_without_tables_stops_the_run() {
    let scratch = Scratch::new();
    let facts = Facts { tier: 3, schema: Some("input.json".to_owned()), ..echo() };
    for files in [vec![("bin/run", SCRIPT), ("input.json", "{}")], vec![("bin/run", SCRIPT)]] {
        let registry = registry(facts.clone(), &files);
        assert_eq!(run(&registry, "{}", &options(&scratch)).unwrap_err().code(), "invalid_schema");
    }
}

// SPEC 7.1
#[test]
fn a_started_skill_is_a_future_and_keeps_its_files() {
    let scratch = Scratch::new();
    let script = "#!/bin/sh\nsleep 0.2\ncat \"$SKILL_PATH/data\"\n";
    let registry = registry(echo(), &[("bin/run", script), ("data", "here")]);
    // Without a cache the files lie in a temporary directory, which lasts as long as the run.
    std::fs::create_dir(scratch.path().join("tmp")).unwrap();
    let options = options(&scratch).cache(Cache::new(None, scratch.path().join("tmp")));
    let skill = registry.get("echo").unwrap();
    let mut running = start_skill(skill, "", &options).unwrap();
    let mut context = Context::from_waker(Waker::noop());
    assert!(std::pin::Pin::new(&mut running).poll(&mut context).is_pending());
    let mut outcome = None;
    assert!(support::eventually(|| {
        match std::pin::Pin::new(&mut running).poll(&mut context) {
            Poll::Ready(ready) => outcome = Some(ready),
            Poll::Pending => {}
        }
        outcome.is_some()
    }));
    assert_eq!(outcome.unwrap().stdout, "here");
    let left = std::fs::read_dir(scratch.path().join("tmp")).unwrap().count();
    assert_eq!(left, 0, "the temporary directory is gone");
    assert_eq!(start_skill(skill, "", &options).unwrap().wait().stdout, "here");
}
