//! Compares two values on tapes as JSON: numbers by value, objects in any order.

use super::source::Cursor;
use crate::json::number::{Decimal, small};
use crate::json::reader::ValueType;
use skills_text::order;
use std::cmp::Ordering;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

/// Compares two numbers by their texts.
pub(crate) fn numbers(a: &str, b: &str) -> Ordering {
    match (small(a), small(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ if a == b => Ordering::Equal,
        _ => Decimal::parse(a).cmp(&Decimal::parse(b)),
    }
}

/// Returns the members of an object, sorted by key.
fn by_key(object: Cursor<'_>) -> Vec<(&str, Cursor<'_>)> {
    let members: Vec<(&str, Cursor<'_>)> = object.members().collect();
    order(members.len(), &|a, b| members[a].0.cmp(members[b].0)).into_iter().map(|i| members[i]).collect()
}

/// Compares two values: first by kind and size, then by contents.
pub(crate) fn values(a: Cursor<'_>, b: Cursor<'_>) -> Ordering {
    let (x, y) = (a.token(), b.token());
    match (x.kind, y.kind) {
        (ValueType::Bool, ValueType::Bool) => x.a.cmp(&y.a),
        (ValueType::String, ValueType::String) => a.text().cmp(b.text()),
        (ValueType::Number, ValueType::Number) => numbers(a.text(), b.text()),
        (ValueType::Array, ValueType::Array) => {
            x.a.cmp(&y.a)
                .then_with(|| first_difference(a.inside().zip(b.inside()).map(|(a, b)| values(a, b))))
        }
        (ValueType::Object, ValueType::Object) => x.a.cmp(&y.a).then_with(|| {
            let (left, right) = (by_key(a), by_key(b));
            let pairs = left.iter().zip(&right);
            first_difference(pairs.map(|((k, v), (l, w))| k.cmp(l).then_with(|| values(*v, *w))))
        }),
        (x, y) => (x as u8).cmp(&(y as u8)),
    }
}

fn first_difference(mut compared: impl Iterator<Item = Ordering>) -> Ordering {
    compared.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// Returns a hash that is the same for equal values.
fn digest(value: Cursor<'_>) -> u64 {
    let token = value.token();
    let mut hasher = DefaultHasher::new();
    match token.kind {
        ValueType::Null => 0u8.hash(&mut hasher),
        ValueType::Bool => (1u8, token.a).hash(&mut hasher),
        ValueType::String => (2u8, value.text()).hash(&mut hasher),
        ValueType::Number => {
            let text = value.text();
            match small(text).or_else(|| Decimal::parse(text).to_i64()) {
                Some(n) => (3u8, n).hash(&mut hasher),
                None => format!("{:?}", Decimal::parse(text)).hash(&mut hasher),
            }
        }
        ValueType::Array => {
            5u8.hash(&mut hasher);
            value.inside().for_each(|item| digest(item).hash(&mut hasher));
        }
        ValueType::Object => {
            let mut sum = 0_u64;
            for (key, value) in value.members() {
                let mut member = DefaultHasher::new();
                (key, digest(value)).hash(&mut member);
                sum = sum.wrapping_add(member.finish());
            }
            (6u8, sum).hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Returns the positions of the first two equal items.
pub(super) fn twins(array: Cursor<'_>) -> Option<(usize, usize)> {
    let items: Vec<(u64, Cursor<'_>)> = array.inside().map(|item| (digest(item), item)).collect();
    // Items with the same hash are also compared, since an attacker can create different values with the same
    // hash.
    let sorted = order(items.len(), &|a, b| compare_hashed(items[a], items[b]));
    let pairs = sorted.windows(2).map(|pair| (pair[0], pair[1]));
    let equal = pairs.filter(|(first, later)| compare_hashed(items[*first], items[*later]).is_eq());
    equal.min_by_key(|(_, later)| *later)
}

/// Compares values by their hashes, and then themselves.
fn compare_hashed((a, left): (u64, Cursor<'_>), (b, right): (u64, Cursor<'_>)) -> Ordering {
    a.cmp(&b).then_with(|| values(left, right))
}
