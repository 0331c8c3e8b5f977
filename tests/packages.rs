//! The packages below `tests/packages` are built and run as a stranger's would be.

#![allow(clippy::unwrap_used)] // helpers of tests may panic as tests may

use std::path::Path;
use std::process::Command;

fn cargo(arguments: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--offline", "--quiet", "--manifest-path"])
        .arg(root.join("tests/packages/Cargo.toml"))
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages"))
        .env_remove("RUSTFLAGS")
        .env("RUSTDOCFLAGS", "-D warnings")
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "cargo {arguments:?}:\n{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn generated_code_is_at_home_in_any_crate() {
    // SPEC 2.6: names such as `type` and `3d` work everywhere.
    assert_eq!(cargo(&["run", "-p", "shadowed"]), "shadowed: ok\n");
    assert_eq!(cargo(&["run", "-p", "prelude"]), "prelude: ok\n");
}

#[test]
fn a_build_script_makes_what_the_macro_makes() {
    let output = cargo(&["test", "-p", "built"]);
    assert!(output.contains("1 passed"), "{output}");
    cargo(&["doc", "-p", "built", "--no-deps"]);
}
