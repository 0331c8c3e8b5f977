//! Commands that run a skill or its evaluations. The server itself runs nothing: it returns a command line,
//! and the client runs it in a terminal, where a person can see and interrupt it.

use std::path::Path;

use lsp_types::{CodeLens, Command};
use serde_json::{Map, Value, json};
use skills_schema::Part;
use skills_text::{shell_path, shell_word};

use crate::index::Skill;
use crate::root::{Root, dir_of};
use crate::schema;
use crate::workspace::Workspace;

/// Answers the command line that runs a skill.
pub(crate) const RUN: &str = "skills.run";
/// Returns the command line that runs the evaluations of a skill.
pub(crate) const EVAL: &str = "skills.eval";

/// Returns the commands for the skill whose `SKILL.md` or `skill.json` is at a path.
pub(crate) fn commands(root: &Root, path: &Path) -> Vec<Command> {
    let Some(skill) = entry(root, path) else { return Vec::new() };
    let command = |title: &str, command: &str| {
        let skill = json!({ "name": skill.name, "directory": root.path });
        Command::new(title.to_owned(), command.to_owned(), Some(vec![skill]))
    };
    let run = verb(root, skill).map(|_| command("Run this skill", RUN));
    let eval = has_evals(root, skill).then(|| command("Run its evals", EVAL));
    run.into_iter().chain(eval).collect()
}

/// Returns the code lenses of a file, above the name of its skill.
pub(crate) fn lenses(root: &Root, path: &Path) -> Vec<CodeLens> {
    let (Some(file), Some(skill)) = (root.file(path), entry(root, path)) else { return Vec::new() };
    let sources = root.sources();
    let named = skill.named.iter().find(|span| sources.file_of(**span).path == file.path);
    let place = named.filter(|_| !skill.is_drafted).map_or(0..0, |span| sources.range(*span));
    let range = root.encoding.range(&file.text, place);
    let lens = |command| CodeLens { range, command: Some(command), data: None };
    commands(root, path).into_iter().map(lens).collect()
}

/// Returns the skill that a file defines.
fn entry<'r>(root: &'r Root, path: &Path) -> Option<&'r Skill> {
    let file = root.file(path)?;
    let name = file.path.rsplit('/').next()?;
    matches!(name, "SKILL.md" | "skill.json").then(|| root.of_dir(dir_of(&file.path)))?
}

/// Returns the subcommand that runs a skill; `None` if the skill is only text.
fn verb(root: &Root, skill: &Skill) -> Option<&'static str> {
    match (&skill.manifest, root.session()?.tier(&skill.dir)) {
        (Some(_), _) => Some("call"),
        (None, 2..) => Some("exec"),
        (None, _) => None,
    }
}

fn has_evals(root: &Root, skill: &Skill) -> bool {
    let files = root.path.join(&skill.dir).join("evals").read_dir();
    files.is_ok_and(|files| {
        files.flatten().any(|file| file.path().extension().is_some_and(|ending| ending == "json"))
    })
}

/// Returns the command line of a command: the program, its arguments, its directory, and all as one line for
/// a shell.
///
/// # Errors
/// Returns the reason if the argument does not name a skill that can run.
pub(crate) fn execute(workspace: &Workspace, command: &str, arguments: &[Value]) -> Result<Value, String> {
    let skill = arguments.first().unwrap_or(&Value::Null);
    let text = |key: &str| {
        let value = skill.get(key).and_then(Value::as_str);
        value.ok_or_else(|| format!("the first argument of `{command}` has no text `{key}`"))
    };
    let (name, directory) = (text("name")?, text("directory")?);
    let root = workspace.roots.get(Path::new(directory));
    let root = root.ok_or_else(|| format!("`{directory}` is not a directory of skills in this session"))?;
    let skill = root.find(name).ok_or_else(|| format!("there is no skill `{name}` in `{directory}`"))?;
    let mut line: Vec<String> = Vec::new();
    match command {
        RUN => {
            let verb = verb(root, skill).ok_or_else(|| format!("`{name}` is text, and runs nothing"))?;
            line.extend([verb, name, "--dir", directory].map(str::to_owned));
            let input = skill.schema(root.session(), "input").filter(|_| verb == "call").map(sample);
            line.extend(input.into_iter().flat_map(|input| ["--input".to_owned(), input.to_string()]));
        }
        EVAL => line.extend(["eval", "--skill", name, directory].map(str::to_owned)),
        _ => return Err(format!("there is no command `{command}`")),
    }
    let quoted =
        |word: &String| if word.starts_with("--") { word.clone() } else { shell_word(word).into_owned() };
    let words = line.iter().map(quoted);
    let shell = std::iter::once("skills".to_owned()).chain(words).collect::<Vec<_>>().join(" ");
    let cwd = root.path.parent().unwrap_or(&root.path);
    Ok(json!({ "program": "skills", "arguments": line, "directory": cwd, "line": shell }))
}

/// Returns a value that has the form of a schema, for a person to fill in.
fn sample(part: Part<'_>) -> Value {
    let part = schema::resolved(part);
    let read = |part: Part<'_>| serde_json::from_str(part.text()).unwrap_or(Value::Null);
    let given = part.get("default").or_else(|| part.get("const"));
    let first = |key| part.items_of(key).first().copied();
    if let Some(value) = given.or_else(|| first("examples")).or_else(|| first("enum")) {
        return read(value);
    }
    let required: Vec<&str> = part.items_of("required").iter().filter_map(|key| key.as_str()).collect();
    match part.types().first().copied() {
        Some("string") => json!(""),
        Some("integer" | "number") => json!(0),
        Some("boolean") => json!(false),
        Some("array") => json!([]),
        None | Some("object") => {
            let members = schema::members(part).into_iter().filter(|(key, _)| required.contains(key));
            Value::Object(members.map(|(key, part)| (key.to_owned(), sample(part))).collect::<Map<_, _>>())
        }
        Some(_) => Value::Null,
    }
}

/// Returns the text that shows the command line to a person.
pub(crate) fn message(answer: &Value) -> String {
    let directory = answer["directory"].as_str().unwrap_or_default();
    format!("Run in {}: {}", shell_path(Path::new(directory)), answer["line"].as_str().unwrap_or_default())
}
