//! Tests the server with clients of editors over pipes: the npm package of VS Code, and Neovim (SPEC 17.10 to 17.13).
//!
//! This program is also the server, if it is started with `lsp`.
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use libtest_mimic::{Arguments, Trial};
use serde_json::{Value, json};

fn main() {
    if std::env::args().nth(1).is_some_and(|argument| argument == "lsp") {
        return skills_lsp::stdio().unwrap();
    }
    let needs = |what: &str, name: &str, test: fn()| {
        let run = move || {
            test();
            Ok(())
        };
        Trial::test(name, run).with_kind(format!("needs {what}")).with_ignored_flag(true)
    };
    let trials = vec![
        needs(
            "node and npm",
            "each_request_is_asked_by_the_client_of_editors",
            each_request_is_asked_by_the_client_of_editors,
        ),
        needs("nvim", "neovim_types_and_takes_a_fix", neovim_types_and_takes_a_fix),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// A directory with the skills of this project, and one with projects; removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let top = std::env::temp_dir().canonicalize().unwrap();
        let top = top.join(format!("skills-lsp-{name}-{}", std::process::id()));
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../skills");
        test_bed::copy_directory(own, &top.join("skills"));
        fs::create_dir_all(top.join("projects/desk")).unwrap();
        fs::write(top.join("projects/desk/ROLE.md"), "---\nskills: [csv-profile]\n---\nWork.\n").unwrap();
        Self(top)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

// SPEC 17.10, 17.11, 17.12, 17.13
fn each_request_is_asked_by_the_client_of_editors() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/editors");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let packages = test_bed::packages(&source, target);
    let folder = Folder::new("node");
    let mut command = Command::new("node");
    command.current_dir(packages).arg("client.mjs").arg(std::env::current_exe().unwrap()).arg("lsp");
    let run = command.arg(&folder.0).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let reported: Value = serde_json::from_slice(&run.stdout).unwrap();
    let wanted = json!({
        "encoding": "utf-16",
        "fix": "\"Use when: a commit is written 🎉\"",
        "kinds": ["quickfix", "source.fixAll.skills"],
        "all": true,
        "hover": [true, true, true, true, true, true],
        "lenses": ["Run this skill"], "line": true, "hints": true, "tokens": true, "found": true, "links": true,
        "signature": true, "symbols": true, "folds": true, "formatted": true, "code": 0,
    });
    for (key, value) in wanted.as_object().unwrap() {
        assert_eq!(&reported[key], value, "{key} of {reported}");
    }
    let complete = &reported["complete"];
    for key in ["key", "calls", "step", "filter", "role", "schema"] {
        assert_eq!(complete[key], true, "{key} of {reported}");
    }
    assert_eq!(complete["value"], json!(["true", "false"]));
    assert_eq!(complete["mode"], json!(["code", "llm", "composite", "mcp"]));
    assert_eq!(complete["steps"], json!(["a", "b"]));
    for key in ["input", "path", "file", "prompt"] {
        assert!(!complete[key].as_array().unwrap().is_empty(), "{key} of {reported}");
    }
    assert_eq!(reported["definition"][1], "skills/csv-profile/SKILL.md:2");
    assert!(reported["references"].as_u64().unwrap() >= 3, "{reported}");
    let rename = reported["rename"].as_array().unwrap();
    assert!(rename.len() >= 2 && rename.last() == Some(&json!("rename")), "{reported}");
    assert!(reported["refused"].as_str().unwrap().contains("already"), "{reported}");
}

// SPEC 17.10, 17.11, 17.12
fn neovim_types_and_takes_a_fix() {
    test_bed::need("nvim");
    let folder = Folder::new("nvim");
    let result = folder.0.join("result.json");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/editors/nvim.lua");
    let run = Command::new("nvim")
        .args(["--headless", "--clean", "-c"])
        .arg(format!("luafile {}", script.display()))
        .args(["-c", "cquit"])
        .env("LSP_FOLDER", &folder.0)
        .env("LSP_COMMAND", std::env::current_exe().unwrap())
        .env("LSP_RESULT", &result)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = fs::read_to_string(&result);
    let reported: Value = serde_json::from_str(&text.unwrap_or_else(|_| format!("{run:?}"))).unwrap();
    let wanted = json!({
        "code": "yaml-unquoted-colon", "line": 2, "hover": true, "items": true,
        "fixed": "description: \"Use when: a commit is written\"",
        "lens": "Run this skill", "run": "skills exec csv-profile --dir FOLDER/skills", "links": true,
    });
    assert_eq!(reported, wanted, "{run:?}");
}
