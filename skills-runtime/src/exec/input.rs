//! The input of a program is checked by its schema and gets its defaults, before anything is started (SPEC 4.3, 6.1).

use std::borrow::Cow;

use skills_registry::Skill;
use skills_schema::lower::{Formats, Level, Options, lower_document};
use skills_schema::{Document, Tables, insert_defaults};

use super::{NotRun, Program};

/// What paths below the skill are called inside references, as where bundles are checked.
const BASE: &str = "skill:/";

/// Checks the input of a skill with a `skill.json` or of tier 3 and adds the defaults; that of any other is passed on as
/// it is (SPEC 7.1).
pub(super) fn check(program: Program<'_>, input: String) -> Result<String, NotRun> {
    let skill = program.skill;
    let name = || skill.name().to_owned();
    let bad = |schema: &str, reason| NotRun::BadSchema { name: name(), schema: schema.to_owned(), reason };
    let Some((path, text)) = skill.input_document() else {
        return match skill.schema().filter(|_| skill.tier() == 3) {
            Some(path) => Err(bad(path, "it is no text".to_owned())),
            None => Ok(input),
        };
    };
    let tables = match program.input {
        Some(tables) => Cow::Borrowed(tables),
        None => Cow::Owned(tables(skill, path, text).map_err(|reason| bad(path, reason))?),
    };
    let schema = path.to_owned();
    if input.is_empty() {
        return Err(NotRun::NoInput { name: name(), schema });
    }
    insert_defaults(&tables, &input).map_err(|invalid| NotRun::InvalidInput { name: name(), schema, invalid })
}

/// Lowers the schema that stands in a file, with the files of the skill that it refers to: for a handle that comes without
/// the tables which were made when it was checked.
fn tables(skill: Skill<'_>, path: &str, schema: &str) -> Result<Tables, String> {
    // Within `skill.json` the schema is a part, so that its own name must not mean the whole.
    let part = if skill.mode().is_some() { "?input" } else { "" };
    let uri = format!("{BASE}{path}{part}");
    let formats = match skill.asserts_formats() {
        None => Formats::AsDraft,
        Some(true) => Formats::Assert,
        Some(false) => Formats::Ignore,
    };
    let options = Options { formats, uri: &uri, ..Options::default() };
    let document = Document::gather(schema, &options, &mut |uri| {
        let text = skill.file(uri.strip_prefix(BASE)?)?.text()?;
        Some(text.trim_start_matches('\u{feff}').to_owned())
    });
    let lowered = lower_document(document);
    match lowered.problems.iter().find(|problem| problem.level() == Level::Error) {
        Some(problem) => Err(problem.kind.to_string()),
        None => Ok(lowered.tables),
    }
}
