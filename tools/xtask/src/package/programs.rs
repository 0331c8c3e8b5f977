//! Builds external programs that only depend on the packed crates, and bundle skills with and without a build
//! script.

use std::fs;
use std::path::Path;

use super::alone::Alone;
use crate::command::{at, write};

const SKILL: &str = "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n";

const FUNCTION: &str = r#"{"name": "add", "description": "Adds numbers.", "category": "math", "mode": "code",
"input": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, "output": {"type": "object"}}"#;

const MAIN: &str = r###"skills::skills!("skills/");

fn main() {
    let input = add::Input::from_json(r##"{"a": 3}"##).expect("it fits");
    println!("{} {}", SKILLS.pdf.description(), input.a);
}
"###;

const SCRIPT: &str = "fn main() {\n    skills_build::bundle(\"skills\");\n}\n";

/// The name of each program, its dependencies, and whether it has a build script.
const PROGRAMS: [(&str, &str, bool); 3] = [
    ("plain", "[dependencies]\nskills-bundle = \"0.1\"\n", false),
    ("renamed", "[dependencies]\nskills = { package = \"skills-bundle\", version = \"0.1\" }\n", false),
    (
        "scripted",
        "[dependencies]\nskills-bundle = \"0.1\"\n\n[build-dependencies]\nskills-build = \"0.1\"\n",
        true,
    ),
];

/// Builds and runs the programs.
pub(super) fn run(alone: &Alone) -> Result<(), String> {
    for (name, dependencies, has_script) in PROGRAMS {
        let place = std::env::temp_dir().join(format!("skills-packed-{}-{name}", std::process::id()));
        let outcome = lay_out(&place, alone, name, dependencies, has_script)
            .and_then(|()| alone.cargo(&["run", "--quiet"], &place, &[]));
        fs::remove_dir_all(&place).map_err(at(&place))?;
        let printed = outcome?;
        if printed != "Reads PDF files. 3\n" {
            return Err(format!("the program `{name}` said {printed:?}"));
        }
    }
    Ok(())
}

fn lay_out(
    place: &Path,
    alone: &Alone,
    name: &str,
    dependencies: &str,
    has_script: bool,
) -> Result<(), String> {
    let manifest = format!(
        "[package]\nname = \"packed-{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n{dependencies}\n[workspace]\n{}",
        alone.patch
    );
    let files = [
        ("Cargo.toml", manifest.as_str()),
        ("src/main.rs", MAIN),
        ("skills/pdf/SKILL.md", SKILL),
        ("skills/add/skill.json", FUNCTION),
    ];
    for (path, text) in files.into_iter().chain(has_script.then_some(("build.rs", SCRIPT))) {
        write(&place.join(path), text)?;
    }
    fs::copy("Cargo.lock", place.join("Cargo.lock")).map(drop).map_err(at(place))
}
