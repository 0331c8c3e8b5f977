//! The extension for VS Code, packed by npm as its README says, and activated.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::command::{Place, Run};

const EXTENSION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../editors/vscode");
const FILES: [&str; 13] = [
    "package.json",
    "tsconfig.json",
    ".vscodeignore",
    "README.md",
    "LICENSE",
    "icon.png",
    "pictures/editor.png",
    "complete.mjs",
    "src/extension.ts",
    "walkthrough/install.md",
    "walkthrough/write.md",
    "walkthrough/fix.md",
    "walkthrough/run.md",
];
const FAULTY: &str = "---\nname: pdf\ndescription: Reads: PDF files.\n---\n# PDF\n";

// SPEC 18.13: the package has only the client and the schema that the command prints; an editor that unpacks it has
// the server's problems, fixes and hovers
#[test]
#[ignore = "needs node, npm and python3"]
fn it_is_packed_and_starts() {
    test_bed::need("python3");
    let tools = test_bed::packages(Path::new(EXTENSION), Path::new(env!("CARGO_TARGET_TMPDIR")));
    let place = Place::new(&[
        ("folder/skills/pdf/SKILL.md", FAULTY),
        ("folder/skills/run-me/SKILL.md", "---\nname: run-me\ndescription: Runs.\nexec: run\n---\n"),
        ("folder/skills/run-me/bin/run", "#!/bin/sh\n"),
    ]);
    for file in FILES {
        let target = place.top.join(file);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(Path::new(EXTENSION).join(file), target).unwrap();
    }
    symlink(tools.join("node_modules"), place.top.join("node_modules")).unwrap();
    let incomplete =
        Run::of(Command::new("npm").args(["run", "--silent", "package"]).current_dir(&place.top));
    assert_ne!(incomplete.code, 0, "a package without the schema");
    assert!(incomplete.err.contains("skills schema > skill.schema.json"), "{incomplete:?}");
    place.write("skill.schema.json", &place.run(&["schema"]).out);
    let run = |program: &str, arguments: &[&str]| {
        Run::of(Command::new(program).args(arguments).current_dir(&place.top))
    };
    let packed = run("npm", &["run", "--silent", "package"]);
    assert_eq!(packed.code, 0, "{packed:?}");
    let name = format!("skills-bundle-{}.vsix", env!("CARGO_PKG_VERSION"));
    let script = format!(
        "import zipfile; file = zipfile.ZipFile('{name}'); file.extractall('packed'); print(*sorted(file.namelist()), sep='\\n')"
    );
    let list = run("python3", &["-c", &script]);
    let files: Vec<&str> = list.out.lines().filter_map(|file| file.strip_prefix("extension/")).collect();
    let wanted = [
        "LICENSE.txt",
        "dist/extension.js",
        "icon.png",
        "package.json",
        "pictures/editor.png",
        "readme.md",
        "skill.schema.json",
        "walkthrough/fix.md",
        "walkthrough/install.md",
        "walkthrough/run.md",
        "walkthrough/write.md",
    ];
    assert_eq!(files, wanted, "{list:?}");

    let editor = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/editor/vscode.cjs");
    let (extension, folder) = (place.path("packed/extension"), place.path("folder"));
    let ran = run("node", &[editor, &extension, env!("CARGO_BIN_EXE_skills"), &folder]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let printed: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let wanted = json!({
        "commands": ["skills.check", "skills.eval", "skills.fixAll", "skills.restart", "skills.run", "skills.showOutput"],
        "ran": ["skills exec run-me --dir ", true], "codes": ["yaml-unquoted-colon"], "line": 2,
        "fix": "\"Reads: PDF files.\"", "hover": true, "again": 1,
    });
    for (key, value) in wanted.as_object().unwrap() {
        assert_eq!(&printed[key], value, "{key} of {printed}");
    }
    let errors: Vec<&str> =
        printed["errors"].as_array().unwrap().iter().filter_map(|text| text.as_str()).collect();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[0].contains("/nothing` of this extension was not found"), "{errors:?}");
    assert!(errors[1].starts_with("The program `skills` of this extension was not found"), "{errors:?}");
    for error in errors {
        assert!(
            error.contains("cargo install --path CHECKOUT/tools/skills-cli")
                && error.contains("setting skills.path"),
            "{error}"
        );
    }
}

// SPEC 18.13: everything that the manifest names exists, and the versions are equal
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

// SPEC 18.13: Zed gets the server by the same name, and the versions are equal
#[test]
fn the_extension_for_zed_fits() {
    let read = |file: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../editors/zed").join(file);
        fs::read_to_string(path).unwrap()
    };
    let version = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    let manifest = read("extension.toml");
    assert!(manifest.contains(&version) && read("Cargo.toml").contains(&version));
    assert!(manifest.contains("[language_servers.skills]"));
    assert!(read("src/lib.rs").contains("lsp.skills.binary.path"));
    let program = Place::new(&[]).run(&["lsp", "--help"]);
    assert_eq!(program.code, 0, "{program:?}");
}
