//! The static type of an expression's result: a superset of all values that it can have.

pub(crate) mod alternative;
pub(crate) mod fit;
mod kinds;

use skills_schema::Part as Schema;
use skills_schema::lower::Lowered;
use skills_text::is_digits;

use alternative::{Alternative, Known, Member, alternatives, kind_of};
pub(crate) use kinds::Kinds;

/// The possible values of an expression; every type also includes an absent value.
#[derive(Clone, Debug)]
pub(crate) enum Type<'s> {
    Any,
    /// Any value of these kinds.
    Kinds(Kinds),
    Text(String),
    Schema(Schema<'s>),
    /// Arrays with elements of this type.
    Array(Box<Type<'s>>),
    /// Objects with exactly these members.
    Record(Vec<(&'static str, Type<'s>)>),
    Union(Vec<Type<'s>>),
}

/// One alternative of a type.
#[derive(Debug)]
pub(crate) enum TypePart<'t, 's> {
    Kinds(Kinds),
    Text(&'t str),
    Alternative(Alternative<'s>),
    Array(&'t Type<'s>),
    Record(&'t [(&'static str, Type<'s>)]),
}

/// The result for a key that cannot exist.
#[derive(Debug)]
pub(crate) struct Nothing<'s> {
    /// The possible kinds of the value. No value of these kinds has the key.
    pub(crate) kinds: Kinds,
    /// The schemas and records that name the existing keys.
    pub(crate) known: Known<'s>,
}

const MAX_UNION_TYPES: usize = 64;

impl<'s> Type<'s> {
    /// Returns the type that the schema of a function describes; any value without one.
    pub(crate) fn from_schema(schema: Option<&'s Lowered>) -> Self {
        schema.map_or(Self::Any, |lowered| Self::Schema(lowered.document.root()))
    }

    /// Joins two types. Only the kinds of many schemas are kept, since each new one is compared with all others.
    pub(crate) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Any, _) | (_, Self::Any) => Self::Any,
            (Self::Kinds(left), Self::Kinds(right)) => Self::Kinds(left.or(right)),
            (one, other) => {
                let mut types = one.flat();
                let others = other.flat();
                if types.len() + others.len() > MAX_UNION_TYPES {
                    let kinds = types.iter().chain(&others).map(Self::kinds).fold(Kinds::NONE, Kinds::or);
                    return Self::Kinds(kinds);
                }
                for new in others {
                    skills_text::work::count(types.len());
                    let is_new =
                        |old: &Self| !matches!((old, &new), (Self::Schema(a), Self::Schema(b)) if a == b);
                    if types.iter().all(is_new) {
                        types.push(new);
                    }
                }
                Self::Union(types)
            }
        }
    }

    fn flat(self) -> Vec<Self> {
        match self {
            Self::Union(types) => types,
            other => vec![other],
        }
    }

    /// Returns the alternatives of the type; `None` if nothing is known, or no value can be valid.
    pub(crate) fn parts(&self) -> Option<Vec<TypePart<'_, 's>>> {
        let mut parts = Vec::new();
        self.collect(&mut parts)?;
        parts.retain(|part| !part.kinds().is_empty());
        (!parts.is_empty()).then_some(parts)
    }

    fn collect<'t>(&'t self, parts: &mut Vec<TypePart<'t, 's>>) -> Option<()> {
        match self {
            Self::Any => return None,
            Self::Kinds(kinds) => parts.push(TypePart::Kinds(*kinds)),
            Self::Text(text) => parts.push(TypePart::Text(text)),
            Self::Schema(schema) => {
                let alternatives = alternatives(*schema)?;
                let kinds = alternatives.iter().map(Alternative::kinds).fold(Kinds::NONE, Kinds::or);
                // A default is inserted after validation, so it may have another kind (SPEC 6.1).
                let default = schema.get("default").map(kind_of).filter(|kind| !kind.is_within(kinds));
                parts.extend(alternatives.into_iter().map(TypePart::Alternative));
                parts.extend(default.map(TypePart::Kinds));
            }
            Self::Array(element) => parts.push(TypePart::Array(element)),
            Self::Record(members) => parts.push(TypePart::Record(members)),
            Self::Union(types) => types.iter().try_for_each(|part| part.collect(parts))?,
        }
        Some(())
    }

    /// Returns the kinds of possible values; all kinds if nothing is known.
    pub(crate) fn kinds(&self) -> Kinds {
        let Some(parts) = self.parts() else { return Kinds::ALL };
        parts.iter().map(TypePart::kinds).fold(Kinds::NONE, Kinds::or)
    }

    /// Returns the type without null, as left by a fallback.
    pub(crate) fn without_null(self) -> Self {
        match self {
            Self::Kinds(kinds) => Self::Kinds(kinds.without(Kinds::NULL)),
            Self::Union(types) => Self::Union(types.into_iter().map(Self::without_null).collect()),
            Self::Schema(schema) => match alternatives(schema) {
                // For a schema of scalars, the kinds are an equally good description.
                Some(alternatives) if alternatives.iter().any(|one| one.kinds().meets(Kinds::NULL)) => {
                    let kinds = self.kinds().without(Kinds::NULL);
                    if kinds.meets(Kinds::ARRAY.or(Kinds::OBJECT)) { self } else { Self::Kinds(kinds) }
                }
                _ => self,
            },
            other => other,
        }
    }

    /// Returns `true` if a property with this name is declared and not only allowed.
    pub(crate) fn declares(&self, name: &str) -> bool {
        self.parts().into_iter().flatten().any(|part| match part {
            TypePart::Alternative(one) => one.declares(name),
            TypePart::Record(members) => members.iter().any(|(own, _)| *own == name),
            _ => false,
        })
    }

    /// Returns the type of a member, or of an element when the key is all digits.
    pub(crate) fn member(&self, key: &str) -> Result<Self, Nothing<'s>> {
        let Some(parts) = self.parts() else { return Ok(Self::Any) };
        let place = is_digits(key).then(|| key.parse().unwrap_or(usize::MAX));
        let mut found: Option<Self> = None;
        let mut nothing = Nothing { kinds: Kinds::NONE, known: Known::default() };
        for part in &parts {
            nothing.kinds = nothing.kinds.or(part.kinds());
            let inside = part.member(key, place, &mut nothing.known);
            found = match (found, inside) {
                (Some(found), Some(inside)) => Some(found.or(inside)),
                (found, inside) => found.or(inside),
            };
        }
        found.ok_or(nothing)
    }

    /// Returns `true` if a value of the type is an object that always has a member.
    pub(crate) fn always_has(&self, key: &str) -> bool {
        let Some(parts) = self.parts() else { return false };
        parts.iter().all(|part| match part {
            TypePart::Alternative(one) => {
                one.kinds() == Kinds::OBJECT && one.declares(key) && one.first_required().contains(&key)
            }
            TypePart::Record(members) => members.iter().any(|(name, _)| *name == key),
            _ => false,
        })
    }

    /// Returns the type of the elements that arrays of the type have.
    pub(crate) fn elements(&self) -> Self {
        let Some(parts) = self.parts() else { return Self::Any };
        let types = parts.iter().filter_map(|part| part.elements(None));
        types.reduce(Self::or).unwrap_or(Self::Any)
    }

    /// Describes the values of the type, for messages.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Text(text) => format!("the string {}", crate::tree::text::quote(text)),
            _ => self.kinds().describe(),
        }
    }
}

impl<'s> TypePart<'_, 's> {
    pub(crate) fn kinds(&self) -> Kinds {
        match self {
            Self::Kinds(kinds) => *kinds,
            Self::Text(_) => Kinds::STRING,
            Self::Alternative(alternative) => alternative.kinds(),
            Self::Array(_) => Kinds::ARRAY,
            Self::Record(_) => Kinds::OBJECT,
        }
    }

    /// Returns the type of the elements, or of the element at a place; `None` if it is never an array.
    pub(crate) fn elements(&self, place: Option<usize>) -> Option<Type<'s>> {
        if !self.kinds().meets(Kinds::ARRAY) {
            return None;
        }
        Some(match self {
            Self::Array(element) => (*element).clone(),
            Self::Alternative(alternative) => match alternative.elements(place) {
                Some(schemas) => Type::Union(schemas.into_iter().map(Type::Schema).collect()),
                None => Type::Any,
            },
            _ => Type::Any,
        })
    }

    fn member(&self, key: &str, place: Option<usize>, known: &mut Known<'s>) -> Option<Type<'s>> {
        let element = place.and_then(|_| self.elements(place));
        let member = match self {
            Self::Alternative(one) if one.kinds().meets(Kinds::OBJECT) => match one.member(key) {
                Member::Schema(schema) => Some(Type::Schema(schema)),
                Member::Anything => Some(Type::Any),
                Member::Nothing(more) => {
                    known.extend(more);
                    None
                }
            },
            Self::Record(members) => {
                members.iter().for_each(|(name, _)| known.add(name));
                members.iter().find(|(name, _)| *name == key).map(|(_, member)| member.clone())
            }
            Self::Kinds(kinds) if kinds.meets(Kinds::OBJECT) => Some(Type::Any),
            _ => None,
        };
        match (element, member) {
            (Some(element), Some(member)) => Some(element.or(member)),
            (element, member) => element.or(member),
        }
    }
}
