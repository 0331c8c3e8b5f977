//! The input of a program is checked by the schema file of its skill, before anything is started (SPEC 4.3).

use skills_registry::Skill;
use skills_schema::lower::{Level, Options, ProblemKind, lower};
use skills_schema::{Tables, validate_str};

use super::NotRun;

/// What paths below the skill are called inside references, as where bundles are checked.
const BASE: &str = "skill:/";

/// Checks the input of a skill of tier 3; that of any other is passed on as it is (SPEC 7.1).
pub(super) fn check(skill: Skill<'_>, input: &str) -> Result<(), NotRun> {
    let Some(path) = skill.schema().filter(|_| skill.tier() == 3) else { return Ok(()) };
    let (name, schema) = (|| skill.name().to_owned(), || path.to_owned());
    let tables =
        tables(skill, path).map_err(|reason| NotRun::BadSchema { name: name(), schema: schema(), reason })?;
    if input.is_empty() {
        return Err(NotRun::NoInput { name: name(), schema: schema() });
    }
    validate_str(&tables, input).map_err(|invalid| NotRun::InvalidInput {
        name: name(),
        schema: schema(),
        invalid,
    })
}

/// Lowers the schema file, with the files of the skill that it refers to.
fn tables(skill: Skill<'_>, path: &str) -> Result<Tables, String> {
    let text = |path: &str| {
        let text = skill.file(path)?.text()?;
        Some(text.strip_prefix('\u{feff}').unwrap_or(text))
    };
    let schema = text(path).ok_or("it is no text")?;
    let uri = format!("{BASE}{path}");
    let mut documents: Vec<(String, &str)> = Vec::new();
    loop {
        let given: Vec<(&str, &str)> = documents.iter().map(|(uri, text)| (uri.as_str(), *text)).collect();
        let lowered = lower(schema, &Options { uri: &uri, documents: &given, ..Options::default() });
        let known = documents.len();
        for problem in &lowered.problems {
            let ProblemKind::RemoteRef { uri, .. } = &problem.kind else { continue };
            let is_new = documents.iter().all(|(known, _)| known != uri);
            if let Some(text) = uri.strip_prefix(BASE).filter(|_| is_new).and_then(text) {
                documents.push((uri.clone(), text));
            }
        }
        if documents.len() == known {
            let error = lowered.problems.iter().find(|problem| problem.level() == Level::Error);
            return match error {
                Some(problem) => Err(problem.kind.to_string()),
                None => Ok(lowered.tables),
            };
        }
    }
}
