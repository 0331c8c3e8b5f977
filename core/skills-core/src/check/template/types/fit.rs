//! Checks whether any value of a type can be valid for a schema. Values that may be absent, and elements that an array
//! may have, are checked as if they were there.

use skills_schema::{Part as Schema, one_of};
use skills_text::Decimal;

use super::alternative::{Alternative, ListedScalar, Member, accepts, alternatives};
use super::kinds::Kinds;
use super::{Type, TypePart};
use crate::tree::{ScalarType, text};

/// The reason why no value of a type can be valid.
#[derive(Debug)]
pub(crate) struct Misfit {
    /// The path inside the value: `.limit`, `[].name`; empty for the value itself.
    pub(crate) at: String,
    pub(crate) expected: String,
    /// The actual type; `None` if no value can be present.
    pub(crate) given: Option<String>,
}

/// The maximum number of comparisons for one skill; values after the limit count as fitting.
const MAX_COMPARISONS: usize = 200_000;

/// Compares types with schemas, for all values of one skill together.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    /// The number of comparisons so far.
    count: usize,
}

impl Comparison {
    /// Counts comparisons; `None` if there were too many.
    pub(crate) fn count(&mut self, comparisons: usize) -> Option<()> {
        skills_text::work::count(comparisons);
        self.count = self.count.saturating_add(comparisons);
        (self.count <= MAX_COMPARISONS).then_some(())
    }

    /// Returns the reason why no value of a type can be valid, or `None` if one may be.
    pub(crate) fn misfit(&mut self, given: &Type<'_>, wanted: Schema<'_>) -> Option<Misfit> {
        self.count(1)?;
        let (parts, alternatives) = (given.parts()?, alternatives(wanted)?);
        let mut deepest: Option<Misfit> = None;
        for part in &parts {
            for alternative in &alternatives {
                self.count(1)?;
                let found = self.pair(part, alternative)?;
                if deepest.as_ref().is_none_or(|best| found.at.len() > best.at.len()) {
                    deepest = Some(found);
                }
            }
        }
        // If several values are expected at the same place, they are listed together.
        match deepest {
            Some(found) if found.at.is_empty() => {
                Some(Misfit { expected: expected(wanted), given: Some(given.describe()), ..found })
            }
            found => found,
        }
    }

    /// Compares one alternative of the type with one alternative of the schema, for each kind that both have.
    fn pair(&mut self, part: &TypePart<'_, '_>, wanted: &Alternative<'_>) -> Option<Misfit> {
        let mut common = part.kinds().and(wanted.kinds());
        let mut found = Misfit { at: String::new(), expected: String::new(), given: None };
        if common.meets(Kinds::ARRAY) {
            found = self.elements(part, wanted)?;
            common = common.without(Kinds::ARRAY);
        }
        if common.meets(Kinds::OBJECT) {
            found = self.members(part, wanted)?;
            common = common.without(Kinds::OBJECT);
        }
        let scalar_fits = !common.is_empty()
            && match (listed(part), wanted.scalars()) {
                (Some(given), Some(wanted)) => self.share(&given, &wanted)?,
                _ => true,
            };
        (!scalar_fits).then_some(found)
    }

    /// Returns `true` if two lists have a scalar in common.
    fn share(&mut self, given: &[ListedScalar<'_>], wanted: &[ListedScalar<'_>]) -> Option<bool> {
        for one in given {
            for other in wanted {
                // Long texts take long to compare.
                self.count(1 + one.text.len().min(other.text.len()) / 64)?;
                if is_same(*one, *other) {
                    return Some(true);
                }
            }
        }
        Some(false)
    }

    fn elements(&mut self, part: &TypePart<'_, '_>, wanted: &Alternative<'_>) -> Option<Misfit> {
        let given = part.elements(None)?;
        let schemas = wanted.elements(None).filter(|schemas| !schemas.is_empty())?;
        let mut first = None;
        for schema in schemas {
            let found = self.misfit(&given, schema)?;
            first.get_or_insert(found);
        }
        first.map(|found| Misfit { at: format!("[]{}", found.at), ..found })
    }

    fn members(&mut self, part: &TypePart<'_, '_>, wanted: &Alternative<'_>) -> Option<Misfit> {
        let required = wanted.first_required();
        let mut members: Vec<(&str, Type<'_>)> = Vec::new();
        match part {
            TypePart::Record(own) => {
                members.extend(own.iter().map(|(name, member)| (*name, member.clone())));
                if let Some(absent) = required.iter().find(|name| own.iter().all(|(own, _)| own != *name)) {
                    return Some(absence(absent));
                }
            }
            TypePart::Alternative(own) => {
                for name in required {
                    match own.member(name) {
                        Member::Schema(schema) => members.push((name, Type::Schema(schema))),
                        Member::Anything => {}
                        Member::Nothing(_) => return Some(absence(name)),
                    }
                }
                for name in own.first_required() {
                    if let Member::Schema(schema) = own.member(name) {
                        members.push((name, Type::Schema(schema)));
                    }
                }
            }
            _ => {}
        }
        members.iter().find_map(|(name, member)| self.member(name, member, wanted))
    }

    fn member(&mut self, name: &str, given: &Type<'_>, wanted: &Alternative<'_>) -> Option<Misfit> {
        wanted.parts.iter().find_map(|part| match accepts(*part, name) {
            Member::Anything => None,
            Member::Nothing(known) => Some(Misfit {
                at: format!(".{name}"),
                expected: if known.is_empty() {
                    "no member".to_owned()
                } else {
                    format!("no member but {}", text::listed(&known.names()))
                },
                given: Some(given.describe()),
            }),
            Member::Schema(schema) => {
                let found = self.misfit(given, schema)?;
                Some(Misfit { at: format!(".{name}{}", found.at), ..found })
            }
        })
    }
}

fn absence(name: &str) -> Misfit {
    Misfit { at: format!(".{name}"), expected: "a value".to_owned(), given: None }
}

/// Returns the scalars to which a part is limited, if they are listed.
fn listed<'p>(part: &'p TypePart<'_, '_>) -> Option<Vec<ListedScalar<'p>>> {
    match part {
        TypePart::Text(text) => Some(vec![ListedScalar { kind: ScalarType::String, text }]),
        TypePart::Alternative(one) => one.scalars(),
        _ => None,
    }
}

/// Returns `true` if two scalars may be the same value.
fn is_same(one: ListedScalar<'_>, other: ListedScalar<'_>) -> bool {
    match (one.kind, other.kind) {
        (ScalarType::Number, ScalarType::Number) => Decimal::parse(one.text) == Decimal::parse(other.text),
        (left, right) => left == right && one.text == other.text,
    }
}

fn format_scalar(scalar: ListedScalar<'_>) -> String {
    match scalar.kind {
        ScalarType::String => text::quote(scalar.text),
        _ => scalar.text.to_owned(),
    }
}

/// Describes the expectation of a schema, for messages.
pub(crate) fn expected(wanted: Schema<'_>) -> String {
    let Some(alternatives) = alternatives(wanted) else { return "something else".to_owned() };
    let mut kinds = Kinds::NONE;
    let mut names: Vec<String> = Vec::new();
    for alternative in &alternatives {
        match alternative.scalars() {
            Some(scalars)
                if scalars.len() <= 8 && !alternative.kinds().meets(Kinds::ARRAY.or(Kinds::OBJECT)) =>
            {
                names.extend(scalars.into_iter().map(format_scalar));
            }
            _ => kinds = kinds.or(alternative.kinds()),
        }
    }
    if !kinds.is_empty() || names.is_empty() {
        names.push(kinds.describe());
    }
    one_of(&names)
}
