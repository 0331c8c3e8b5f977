//! A program that was written for cogos' package `skills`: it lists skills, picks one and runs it.

use skills_load::compat::{
    CompatError, ExecResult, Record, discover, exec, find_by_name, infer_tier, load_record, parse_frontmatter,
};

use crate::planted::{Planted, document};

/// `cog skill exec NAME`: finds the skill, and runs it with a payload.
fn cmd_skill_exec(dirs: &[&std::path::Path], name: &str, payload: &str) -> Result<ExecResult, CompatError> {
    let skill: Record = find_by_name(dirs, name)?;
    exec(&skill, payload, "10s", &dirs[0].to_string_lossy())
}

// SPEC 7.1, 7.2, 7.3
#[cfg(unix)]
#[test]
fn a_program_of_cogos_runs() {
    use std::os::unix::fs::PermissionsExt;

    let text = "---\nname: echo\ndescription: Says it again.\nexec: echo\nschema: in.json\n---\n# Echo\n";
    let planted =
        Planted::new(&[("pdf/SKILL.md", &document("pdf", "Reads PDF files.")), ("echo/SKILL.md", text)]);
    planted.write("echo/bin/echo", "#!/bin/sh\ncat\nprintf ' in %s' \"$COGOS_WORKSPACE\"\nexit 3\n");
    planted.write("echo/in.json", r#"{"type": "object", "required": ["n"]}"#);
    let program = planted.path().join("echo/bin/echo");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();

    let dirs = [planted.path()];
    let tiers: Vec<(String, u8)> =
        discover(&dirs).unwrap().into_iter().map(|skill| (skill.name, skill.tier)).collect();
    assert_eq!(tiers, [("echo".to_owned(), 3), ("pdf".to_owned(), 0)]);
    let (fields, title, _) = parse_frontmatter(text.as_bytes());
    assert_eq!((fields.exec.as_str(), title.as_str()), ("echo", "Echo"));
    assert_eq!(infer_tier(planted.path().join("echo"), &fields), 3);
    assert_eq!(load_record(planted.path().join("echo")).unwrap().tier, 3);

    // An exit code is not an error, and the result has the keys of `ExecResult`.
    let result = cmd_skill_exec(&dirs, "echo", r#"{"n":1}"#).unwrap();
    let stdout = format!("{{\"n\":1}} in {}", planted.path().display());
    assert_eq!((result.exit_code, result.stdout.as_str()), (3, stdout.as_str()));
    assert!(
        result.to_json().starts_with(r#"{"name":"echo","exit_code":3,"stdout":"#),
        "{}",
        result.to_json()
    );

    let refused = |name: &str, payload: &str| cmd_skill_exec(&dirs, name, payload).unwrap_err().to_string();
    assert!(refused("pdf", "").starts_with("not_executable: skill \"pdf\" is tier-0 (prose-only)."));
    assert!(refused("echo", "{}").contains("required"), "{}", refused("echo", "{}"));
    assert_eq!(refused("ecko", ""), "skill not found: ecko");
    let gone = Record { path: planted.path().join("none").display().to_string(), ..Record::default() };
    assert!(matches!(exec(&gone, "", "", ""), Err(CompatError::NoSkill { .. })));
}

// SPEC 2.9: a skill whose capability is refused does not run
#[test]
fn a_gated_record_is_not_run() {
    let text = "---\nname: shut\ndescription: x\nexec: run\nrequires: cap:x\n---\n";
    let planted = Planted::new(&[("shut/SKILL.md", text), ("shut/run", "#!/bin/sh\n")]);
    let record = discover(&[planted.path()]).unwrap().remove(0);
    assert!(record.gated);
    assert!(matches!(exec(&record, "", "", ""), Err(CompatError::NotFound(_))));
}
