//! Whether two skills have the same schemas, so that one can run in the place of the other (SPEC 1.6).

use skills_registry::Skill;
use skills_schema::json::{Kind, Node, parse};

/// Tells whether two skills take the same input and give the same output.
///
/// Schemas are compared as JSON: blanks and the order of keys do not matter, the spelling of a number does. Where one
/// refers to another file, the JSON files of both skills must be the same too. False when one has no schemas.
pub(super) fn same_schemas(a: Skill<'_>, b: Skill<'_>) -> bool {
    let pairs = [(a.input_schema(), b.input_schema()), (a.output_schema(), b.output_schema())];
    let mut leads_out = None;
    for pair in pairs {
        let (Some(x), Some(y)) = pair else { return false };
        let (Ok(x), Ok(y)) = (parse(x), parse(y)) else { return false };
        if !same(&x, &y) {
            return false;
        }
        leads_out = leads_out.max(refers_out(&x));
    }
    leads_out.is_none_or(|out| documents(a, out).eq(documents(b, out)))
}

/// Where a reference leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Out {
    /// To other files.
    Files,
    /// To other parts of `skill.json` too.
    Manifest,
}

fn same(a: &Node, b: &Node) -> bool {
    match (&a.kind, &b.kind) {
        (Kind::Array(x), Kind::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y)),
        (Kind::Object(x), Kind::Object(y)) => {
            x.len() == y.len()
                && x.iter().all(|member| b.get(&member.key).is_some_and(|y| same(&member.value, y)))
        }
        (x, y) => x == y,
    }
}

/// Tells whether a reference leads out of a schema.
fn refers_out(node: &Node) -> Option<Out> {
    let is_reference = |key: &str| key == "$ref" || key == "$dynamicRef";
    let target = |node: &Node| match node.as_str() {
        None => None,
        Some(target) if target.starts_with('#') => None,
        Some(target) if target.contains("skill.json") => Some(Out::Manifest),
        Some(_) => Some(Out::Files),
    };
    let own = node.members().iter().filter(|member| is_reference(&member.key));
    let below = node.members().iter().map(|member| &member.value).chain(node.items());
    own.filter_map(|member| target(&member.value)).chain(below.filter_map(refers_out)).max()
}

fn documents<'a>(skill: Skill<'a>, out: Out) -> impl Iterator<Item = (&'a str, &'a [u8])> {
    let is_meant =
        move |path: &str| path.ends_with(".json") && (path != "skill.json" || out == Out::Manifest);
    skill.files().filter(move |file| is_meant(file.path())).map(|file| (file.path(), file.bytes()))
}
