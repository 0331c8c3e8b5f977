//! Whether two skills have the same schemas, so that one can run in the place of the other (SPEC 1.6).

use skills_registry::Skill;
use skills_schema::lower::Options;
use skills_schema::{Document, Part, Value};

/// Tells whether two skills take the same input and give the same output.
///
/// Schemas are compared as JSON: blanks and the order of keys do not matter, the spelling of a number does. Where one
/// refers to another file, the JSON files of both skills must be the same too. False when one has no schemas.
pub(super) fn same_schemas(a: Skill<'_>, b: Skill<'_>) -> bool {
    let (mut leads_out, mut to_manifest) = (false, false);
    for pair in [(a.input_schema(), b.input_schema()), (a.output_schema(), b.output_schema())] {
        let (Some(x), Some(y)) = pair else { return false };
        let [x, y] = [x, y].map(|text| Document::read(text, &Options::default()));
        if !same(x.root(), y.root()) {
            return false;
        }
        leads_out |= !x.missing().is_empty();
        to_manifest |= x.missing().iter().any(|uri| uri.contains("skill.json"));
    }
    !leads_out || documents(a, to_manifest).eq(documents(b, to_manifest))
}

fn same(a: Part<'_>, b: Part<'_>) -> bool {
    match (a.value(), b.value()) {
        (Value::Array(x), Value::Array(y)) => {
            x.len() == y.len() && a.items().into_iter().zip(b.items()).all(|(x, y)| same(x, y))
        }
        (Value::Object(x), Value::Object(y)) => {
            let is_there = |key: &str, x: Part<'_>| b.get(key).is_some_and(|y| same(x, y));
            x.len() == y.len() && a.members().iter().all(|member| is_there(member.key, member.value))
        }
        (x, y) => x == y,
    }
}

/// The files that references may lead to.
fn documents<'a>(skill: Skill<'a>, with_manifest: bool) -> impl Iterator<Item = (&'a str, &'a [u8])> {
    let is_meant = move |path: &str| path.ends_with(".json") && (path != "skill.json" || with_manifest);
    skill.files().filter(move |file| is_meant(file.path())).map(|file| (file.path(), file.bytes()))
}
