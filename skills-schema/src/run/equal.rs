//! Compares values on tapes as JSON: numbers by value, objects in any order.

use super::source::Cursor;
use crate::json::number::{Decimal, small};
use crate::json::reader::Kind;
use skills_registry::order;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

/// Returns `true` if two number texts denote the same number.
pub(super) fn numbers(a: &str, b: &str) -> bool {
    match (small(a), small(b)) {
        (Some(a), Some(b)) => a == b,
        _ => a == b || Decimal::parse(a) == Decimal::parse(b),
    }
}

/// Returns the members of an object, sorted by key.
fn by_key(object: Cursor<'_>) -> Vec<(&str, Cursor<'_>)> {
    let members: Vec<(&str, Cursor<'_>)> = object.members().collect();
    order(members.len(), &|a, b| members[a].0.cmp(members[b].0)).into_iter().map(|i| members[i]).collect()
}

pub(super) fn values(a: Cursor<'_>, b: Cursor<'_>) -> bool {
    let (x, y) = (a.token(), b.token());
    match (x.kind, y.kind) {
        (Kind::Null, Kind::Null) => true,
        (Kind::Bool, Kind::Bool) => x.a == y.a,
        (Kind::String, Kind::String) => a.text() == b.text(),
        (Kind::Number, Kind::Number) => numbers(a.text(), b.text()),
        (Kind::Array, Kind::Array) => x.a == y.a && a.inside().zip(b.inside()).all(|(a, b)| values(a, b)),
        (Kind::Object, Kind::Object) => {
            let (left, right) = (by_key(a), by_key(b));
            x.a == y.a && left.iter().zip(&right).all(|((k, v), (l, w))| k == l && values(*v, *w))
        }
        _ => false,
    }
}

/// Returns a hash that is the same for equal values.
fn digest(value: Cursor<'_>) -> u64 {
    let token = value.token();
    let mut hasher = DefaultHasher::new();
    match token.kind {
        Kind::Null => 0u8.hash(&mut hasher),
        Kind::Bool => (1u8, token.a).hash(&mut hasher),
        Kind::String => (2u8, value.text()).hash(&mut hasher),
        Kind::Number => {
            let text = value.text();
            match small(text).or_else(|| Decimal::parse(text).to_i64()) {
                Some(n) => (3u8, n).hash(&mut hasher),
                None => format!("{:?}", Decimal::parse(text)).hash(&mut hasher),
            }
        }
        Kind::Array => {
            5u8.hash(&mut hasher);
            value.inside().for_each(|item| digest(item).hash(&mut hasher));
        }
        Kind::Object => {
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

/// Returns the positions of the first two equal items.
pub(super) fn twins(array: Cursor<'_>) -> Option<(usize, usize)> {
    let items: Vec<(u64, Cursor<'_>)> = array.inside().map(|item| (digest(item), item)).collect();
    let by_digest = order(items.len(), &|a, b| items[a].0.cmp(&items[b].0));
    let same = |pair: &&[usize]| {
        let ((a, left), (b, right)) = (items[pair[0]], items[pair[1]]);
        a == b && values(left, right)
    };
    by_digest.windows(2).filter(same).map(|pair| (pair[0], pair[1])).min_by_key(|(_, later)| *later)
}
