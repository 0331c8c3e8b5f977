//! The extension for VS Code, packed by npm as its README says; skipped where npm or its registry is missing.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

mod command;

use std::fs;
use std::path::Path;
use std::process::Command;

use command::{Place, Run};

const EXTENSION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../editors/vscode");
const FILES: [&str; 6] =
    ["package.json", "package-lock.json", "tsconfig.json", ".vscodeignore", "README.md", "src/extension.ts"];

// SPEC 18.13: the package has the client, the schema that the command prints, and nothing else
#[test]
fn it_is_packed() {
    if !test_bed::has("npm") || !test_bed::has("python3") {
        return;
    }
    let place = Place::new(&[]);
    for file in FILES {
        place.write(file, &fs::read_to_string(Path::new(EXTENSION).join(file)).unwrap());
    }
    place.write("skill.schema.json", &place.run(&["schema"]).out);
    let run = |program: &str, arguments: &[&str]| {
        Run::of(Command::new(program).args(arguments).current_dir(&place.top))
    };
    let installed = run("npm", &["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]);
    if installed.code != 0 {
        test_bed::skip("npm cannot install what packs the extension");
        return;
    }
    let packed = run("npm", &["run", "--silent", "package"]);
    assert_eq!(packed.code, 0, "{packed:?}");
    let name = format!("skills-bundle-{}.vsix", env!("CARGO_PKG_VERSION"));
    let script = format!("import zipfile; print(*sorted(zipfile.ZipFile('{name}').namelist()), sep='\\n')");
    let list = run("python3", &["-c", &script]);
    let files: Vec<&str> = list.out.lines().filter_map(|file| file.strip_prefix("extension/")).collect();
    assert_eq!(files, ["dist/extension.js", "package.json", "readme.md", "skill.schema.json"], "{list:?}");
    let client = fs::read_to_string(place.top.join("dist/extension.js")).unwrap();
    assert!(client.contains("\"lsp\"") && client.contains("skills.path"));
}

// SPEC 18.13: what the manifest names exists, and the versions are one
#[test]
fn its_manifest_fits() {
    let read = |file: &str| fs::read_to_string(Path::new(EXTENSION).join(file)).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&read("package.json")).unwrap();
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    let validation = &manifest["contributes"]["jsonValidation"][0];
    assert_eq!(
        (&validation["fileMatch"], &validation["url"]),
        (&"skill.json".into(), &"./skill.schema.json".into())
    );
    let source = read("src/extension.ts");
    for command in manifest["contributes"]["commands"].as_array().unwrap() {
        let name = command["command"].as_str().unwrap();
        assert!(source.contains(&format!("registerCommand(\"{name}\"")), "{name} does nothing");
    }
}
