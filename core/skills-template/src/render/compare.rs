//! Compares two values: for conditions, `where`, `uniq` and `sort`.

use super::Value;
use super::{
    fault::{EvalFault, Meter},
    write,
};
use crate::Compare;
use std::cmp::Ordering;

/// Evaluates a comparison.
pub(crate) fn holds(
    compare: Compare,
    left: &Value<'_>,
    right: &Value<'_>,
    meter: &mut Meter,
) -> Result<bool, EvalFault> {
    let order = match (left, right) {
        (Value::Number(left), Value::Number(right)) => Some(left.order(right)),
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        _ => None,
    };
    Ok(match compare {
        Compare::Equal => equal(left, right, meter)?,
        Compare::Unequal => !equal(left, right, meter)?,
        Compare::Less => order.is_some_and(Ordering::is_lt),
        Compare::LessEqual => order.is_some_and(Ordering::is_le),
        Compare::Greater => order.is_some_and(Ordering::is_gt),
        Compare::GreaterEqual => order.is_some_and(Ordering::is_ge),
    })
}

/// Returns `true` if two values are equal, without converting either. A missing value equals null.
pub(crate) fn equal(left: &Value<'_>, right: &Value<'_>, meter: &mut Meter) -> Result<bool, EvalFault> {
    Ok(match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.order(right).is_eq(),
        (Value::String(left), Value::String(right)) => left == right,
        _ if left.kind() != right.kind() => false,
        _ => write::normal(left, meter)? == write::normal(right, meter)?,
    })
}

/// Orders values for `sort`: first numbers by value, then strings by code points, then false before true,
/// then arrays and objects in their original order, then null and missing.
pub(crate) fn order(left: &Value<'_>, right: &Value<'_>) -> Ordering {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.order(right),
        (Value::String(left), Value::String(right)) => left.cmp(right),
        _ => rank_value(left).cmp(&rank_value(right)),
    }
}

fn rank_value(value: &Value<'_>) -> i32 {
    match value {
        Value::Number(_) => 0,
        Value::String(_) => 1,
        Value::Bool(false) => 2,
        Value::Bool(true) => 3,
        Value::Array(_) | Value::Object(_) | Value::Borrowed(_) => 4,
        Value::Null | Value::Missing => 5,
    }
}
