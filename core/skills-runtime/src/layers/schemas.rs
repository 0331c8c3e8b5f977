//! Compares the schemas of two skills, to decide whether one can replace the other in a typed call.

use std::sync::OnceLock;

use skills_registry::Skill;
use skills_schema::files::schema_of;
use skills_schema::{Part, Value};

/// A skill of the program that another skill hides, and whether their schemas are equal. This is computed at
/// the first call.
pub(super) struct Hidden {
    own: Skill<'static>,
    is_matched: OnceLock<bool>,
}

impl Hidden {
    pub(super) fn new(own: Skill<'static>) -> Self {
        Self { own, is_matched: OnceLock::new() }
    }
}

/// Returns `true` if the winning skill has the same schemas as the skill of the program with the same name, which is
/// `hidden` unless it is the winner.
pub(super) fn is_matched(own: Skill<'_>, winner: Skill<'_>, hidden: &[Hidden]) -> bool {
    let own_hidden = hidden.iter().find(|hidden| hidden.own.is(own));
    winner.is(own)
        || own_hidden
            .is_some_and(|own_hidden| *own_hidden.is_matched.get_or_init(|| have_equal_schemas(winner, own)))
}

/// Returns `true` if two skills have the same input and output schemas.
///
/// Schemas are compared as JSON, including the files that they refer to: whitespace and the order of keys do
/// not matter, but the notation of numbers does. Returns `false` if one has no schemas.
fn have_equal_schemas(a: Skill<'_>, b: Skill<'_>) -> bool {
    let pairs = [(a.input_schema(), b.input_schema()), (a.output_schema(), b.output_schema())];
    pairs.into_iter().all(|pair| {
        let (Some(x), Some(y)) = pair else { return false };
        let (x, y) = (read_schema(x, a), read_schema(y, b));
        x.roots().count() == y.roots().count()
            && x.roots().all(|x| y.roots().any(|y| x.source_uri() == y.source_uri() && is_equal(x, y)))
    })
}

fn read_schema(text: &str, skill: Skill<'_>) -> skills_schema::Document {
    schema_of("skill.json", text, &|path| skill.file(path)?.text())
}

fn is_equal(a: Part<'_>, b: Part<'_>) -> bool {
    match (a.value(), b.value()) {
        (Value::Array(x), Value::Array(y)) => {
            x.len() == y.len() && a.items().into_iter().zip(b.items()).all(|(x, y)| is_equal(x, y))
        }
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len()
                && a.members()
                    .iter()
                    .all(|member| b.get(member.key).is_some_and(|y| is_equal(member.value, y)))
        }
        (x, y) => x == y,
    }
}
