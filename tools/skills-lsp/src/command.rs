//! Commands that run a skill or its evaluations. The server itself runs nothing: it returns a command line,
//! and the client runs it in a terminal, where a person can see and interrupt it.

use std::path::Path;

use lsp_server::ErrorCode;
use lsp_types::{CodeLens, Command};
use serde_json::{Map, Value, json};
use skills_schema::Part;
use skills_text::{shell_path, shell_word};

use crate::index::IndexedSkill;
use crate::request::{Refusal, refusal};
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
    let argument = json!({ "name": skill.name, "directory": root.path });
    let mut commands = Vec::new();
    if verb(root, skill).is_some() {
        commands.push(Command::new(
            "Run this skill".to_owned(),
            RUN.to_owned(),
            Some(vec![argument.clone()]),
        ));
    }
    if has_evals(root, skill) {
        commands.push(Command::new("Run its evals".to_owned(), EVAL.to_owned(), Some(vec![argument])));
    }
    commands
}

/// Returns the code lenses of a file, above the name of its skill.
pub(crate) fn lenses(root: &Root, path: &Path) -> Vec<CodeLens> {
    let (Some(file), Some(skill)) = (root.file(path), entry(root, path)) else { return Vec::new() };
    let sources = root.sources();
    let named = skill.named.iter().find(|span| sources.file_of(**span).path == file.path);
    let place = named.filter(|_| !skill.is_drafted).map_or(0..0, |span| sources.range(*span));
    let range = root.encoding.range(&file.text, place);
    let commands = commands(root, path).into_iter();
    commands.map(|command| CodeLens { range, command: Some(command), data: None }).collect()
}

/// Returns the skill that a file defines.
fn entry<'r>(root: &'r Root, path: &Path) -> Option<&'r IndexedSkill> {
    let file = root.file(path)?;
    let name = file.path.rsplit('/').next()?;
    matches!(name, "SKILL.md" | "skill.json").then(|| root.of_dir(dir_of(&file.path)))?
}

/// Returns the subcommand that runs a skill; `None` if the skill is only text.
fn verb(root: &Root, skill: &IndexedSkill) -> Option<&'static str> {
    match (&skill.manifest, root.session()?.tier(&skill.dir)) {
        (Some(_), _) => Some("call"),
        (None, 2..) => Some("exec"),
        (None, _) => None,
    }
}

fn has_evals(root: &Root, skill: &IndexedSkill) -> bool {
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
pub(crate) fn execute(workspace: &Workspace, command: &str, arguments: &[Value]) -> Result<Value, Refusal> {
    let argument = arguments.first().unwrap_or(&Value::Null);
    let (name, directory) =
        (text_member(argument, "name", command)?, text_member(argument, "directory", command)?);
    let Some(root) = workspace.roots.get(Path::new(directory)) else {
        return Err(invalid(format!("`{directory}` is not a directory of skills in this session")));
    };
    let Some(skill) = root.find(name) else {
        return Err(invalid(format!("there is no skill `{name}` in `{directory}`")));
    };
    let mut line: Vec<String> = Vec::new();
    match command {
        RUN => {
            let Some(verb) = verb(root, skill) else {
                return Err(invalid(format!("`{name}` is text, and runs nothing")));
            };
            line.extend([verb, name, "--dir", directory].map(str::to_owned));
            let input = skill.schema(root.session(), "input").filter(|_| verb == "call").map(sample);
            line.extend(input.into_iter().flat_map(|input| ["--input".to_owned(), input.to_string()]));
        }
        EVAL => line.extend(["eval", "--skill", name, directory].map(str::to_owned)),
        _ => return Err(invalid(format!("there is no command `{command}`"))),
    }
    let mut shell = "skills".to_owned();
    for word in &line {
        shell.push(' ');
        shell.push_str(&if word.starts_with("--") { word.into() } else { shell_word(word) });
    }
    let cwd = root.path.parent().unwrap_or(&root.path);
    Ok(json!({ "program": "skills", "arguments": line, "directory": cwd, "line": shell }))
}

/// Returns a text in the argument of a command.
fn text_member<'a>(argument: &'a Value, key: &str, command: &str) -> Result<&'a str, Refusal> {
    let text = argument.get(key).and_then(Value::as_str);
    text.ok_or_else(|| invalid(format!("the first argument of `{command}` has no text `{key}`")))
}

fn invalid(why: String) -> Refusal {
    refusal(ErrorCode::InvalidParams, why)
}

/// Returns a value that has the form of a schema, for a person to fill in.
fn sample(part: Part<'_>) -> Value {
    let part = schema::resolved(part);
    let given = part.get("default").or_else(|| part.get("const"));
    let listed = ["examples", "enum"].into_iter().find_map(|key| part.items_of(key).first().copied());
    if let Some(value) = given.or(listed) {
        return serde_json::from_str(value.text()).unwrap_or(Value::Null);
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
