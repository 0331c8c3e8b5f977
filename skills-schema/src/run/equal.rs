//! Tells whether two values on tapes are equal as JSON: numbers by value, objects in any order.

use super::source::Cursor;
use crate::json::number::{Decimal, small};
use crate::tape::TokenShape;
use skills_registry::order;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

/// Whether two number texts stand for one number.
pub(super) fn numbers(a: &str, b: &str) -> bool {
    match (small(a), small(b)) {
        (Some(a), Some(b)) => a == b,
        _ => a == b || Decimal::parse(a) == Decimal::parse(b),
    }
}

fn is_string(shape: TokenShape) -> bool {
    matches!(shape, TokenShape::String | TokenShape::OwnString)
}

fn is_number(shape: TokenShape) -> bool {
    matches!(shape, TokenShape::Number | TokenShape::OwnNumber)
}

/// The members of an object in the order of their keys.
fn by_key(object: Cursor<'_>) -> Vec<(&str, Cursor<'_>)> {
    let members: Vec<(&str, Cursor<'_>)> = object.members().collect();
    order(members.len(), &|a, b| members[a].0.cmp(members[b].0)).into_iter().map(|i| members[i]).collect()
}

pub(super) fn values(a: Cursor<'_>, b: Cursor<'_>) -> bool {
    let (x, y) = (a.token(), b.token());
    match (x.shape, y.shape) {
        (TokenShape::Null, TokenShape::Null) => true,
        (TokenShape::Bool, TokenShape::Bool) => x.a == y.a,
        (s, t) if is_string(s) && is_string(t) => a.tape.text(x) == b.tape.text(y),
        (s, t) if is_number(s) && is_number(t) => numbers(a.tape.text(x), b.tape.text(y)),
        (TokenShape::Array, TokenShape::Array) => {
            x.a == y.a && a.inside().zip(b.inside()).all(|(a, b)| values(a, b))
        }
        (TokenShape::Object, TokenShape::Object) => {
            let (left, right) = (by_key(a), by_key(b));
            x.a == y.a && left.iter().zip(&right).all(|((k, v), (l, w))| k == l && values(*v, *w))
        }
        _ => false,
    }
}

/// A number that equal values share.
fn digest(value: Cursor<'_>) -> u64 {
    let token = value.token();
    let mut hasher = DefaultHasher::new();
    match token.shape {
        TokenShape::Null => 0u8.hash(&mut hasher),
        TokenShape::Bool => (1u8, token.a).hash(&mut hasher),
        TokenShape::String | TokenShape::OwnString => (2u8, value.tape.text(token)).hash(&mut hasher),
        TokenShape::Number | TokenShape::OwnNumber => {
            let text = value.tape.text(token);
            match small(text).or_else(|| Decimal::parse(text).to_i64()) {
                Some(n) => (3u8, n).hash(&mut hasher),
                None => format!("{:?}", Decimal::parse(text)).hash(&mut hasher),
            }
        }
        TokenShape::Array => {
            5u8.hash(&mut hasher);
            value.inside().for_each(|item| digest(item).hash(&mut hasher));
        }
        TokenShape::Object => {
            let one = |(key, value): (&str, Cursor<'_>)| {
                let mut member = DefaultHasher::new();
                (key, digest(value)).hash(&mut member);
                member.finish()
            };
            (6u8, value.members().map(one).fold(0, u64::wrapping_add)).hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// The places of the first two items that are equal.
pub(super) fn twins(array: Cursor<'_>) -> Option<(usize, usize)> {
    let items: Vec<(u64, Cursor<'_>)> = array.inside().map(|item| (digest(item), item)).collect();
    let by_digest = order(items.len(), &|a, b| items[a].0.cmp(&items[b].0));
    let same = |pair: &&[usize]| {
        let ((a, left), (b, right)) = (items[pair[0]], items[pair[1]]);
        a == b && values(left, right)
    };
    by_digest.windows(2).filter(same).map(|pair| (pair[0], pair[1])).min_by_key(|(_, later)| *later)
}
