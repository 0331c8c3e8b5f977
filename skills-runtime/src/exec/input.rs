//! The input of a program is checked by its schema and gets its defaults, before anything is started (SPEC 4.3, 6.1).

use std::borrow::Cow;

use skills_registry::Skill;
use skills_schema::{Tables, insert_defaults};

use super::{NotRun, Program};

/// Checks the input of a skill with a `skill.json` or of tier 3 and adds the defaults; that of any other is passed on as
/// it is (SPEC 7.1).
pub(super) fn check(program: Program<'_>, input: String) -> Result<String, NotRun> {
    let skill = program.skill;
    let name = || skill.name().to_owned();
    let bad = |schema: &str, reason| NotRun::BadSchema { name: name(), schema: schema.to_owned(), reason };
    let Some((path, _)) = skill.input_document() else {
        return match skill.schema().filter(|_| skill.tier() == 3) {
            Some(path) => Err(bad(path, "it is no text".to_owned())),
            None => Ok(input),
        };
    };
    let tables = match program.input {
        Some(tables) => Cow::Borrowed(tables),
        None => Cow::Owned(tables(skill).ok_or_else(|| bad(path, "it was not read".to_owned()))?),
    };
    let schema = path.to_owned();
    if input.is_empty() {
        return Err(NotRun::NoInput { name: name(), schema });
    }
    insert_defaults(&tables, &input).map_err(|invalid| NotRun::InvalidInput { name: name(), schema, invalid })
}

/// The tables that lie with the skill since it was checked: for a handle that comes alone.
fn tables(skill: Skill<'_>) -> Option<Tables> {
    let (numbers, text) = skill.checker()?;
    let (numbers, _) = numbers.as_chunks();
    Some(Tables::from_parts(
        numbers.iter().map(|number| u32::from_le_bytes(*number)).collect(),
        text.to_owned(),
    ))
}
