//! Applies filters to values.

use super::{Number, Value};
use super::{
    RenderLimits,
    compare::{equal, order},
    fault::{EvalFault, Meter},
    write,
};
use crate::{Filter, Type};
use std::{borrow::Cow, collections::HashSet};

/// Applies one filter to a value. Generated code calls it if the types alone do not determine the result.
///
/// `field` is the field's name as a path, or empty; `args` are the other arguments.
///
/// # Errors
///
/// If a type does not fit the filter, or a limit is exceeded.
pub fn apply<'a>(
    filter: Filter,
    input: Value<'a>,
    field: &[&str],
    args: &[Value<'a>],
    limits: RenderLimits,
) -> Result<Value<'a>, EvalFault> {
    run(filter, input, field, args, &mut Meter::new(limits))
}

pub(crate) fn run<'a>(
    filter: Filter,
    input: Value<'a>,
    field: &[&str],
    args: &[Value<'a>],
    meter: &mut Meter,
) -> Result<Value<'a>, EvalFault> {
    match filter {
        Filter::Default if input.is_blank() => return Ok(args.first().cloned().unwrap_or(Value::Missing)),
        Filter::Default => return Ok(input),
        Filter::Json => {
            let mut out = String::new();
            write::json(&input, &mut out, meter)?;
            return Ok(Value::String(Cow::Owned(out)));
        }
        _ => {}
    }
    let found = input.kind();
    match input {
        Value::Missing | Value::Null => Ok(input),
        _ if !filter.accepts().contains(&found) => Err(EvalFault::Input { filter, found }),
        Value::String(text) => string(filter, text, args, meter),
        Value::Number(number) => {
            let digits = integer(filter, args.first(), 0)?;
            Ok(Value::Number(number.round(digits)))
        }
        _ if filter == Filter::Size => Ok(count(input.length())),
        _ => array(filter, input.into_items().unwrap_or_default(), field, args, meter),
    }
}

/// Applies a filter to a string. Positions count characters.
fn string<'a>(
    filter: Filter,
    text: Cow<'a, str>,
    args: &[Value<'a>],
    meter: &mut Meter,
) -> Result<Value<'a>, EvalFault> {
    let made = match filter {
        Filter::Upcase => text.to_uppercase(),
        Filter::Downcase => text.to_lowercase(),
        Filter::Strip => {
            let start = text.len() - text.trim_start().len();
            return Ok(part(text.clone(), start, start + text.trim().len()));
        }
        Filter::Truncate => {
            let most = integer(filter, args.first(), 0)?;
            let most = usize::try_from(most).map_err(|_| EvalFault::Argument {
                filter,
                expected: "0 or more characters",
                found: Type::Number,
            })?;
            if text.chars().nth(most).is_none() {
                return Ok(Value::String(text));
            }
            match most {
                0 => String::new(),
                _ => format!("{}…", &text[..offset(&text, most - 1)]),
            }
        }
        Filter::Slice => {
            let (from, to) = bounds(filter, args, text.chars().count())?;
            let (start, end) = (offset(&text, from), offset(&text, to));
            return Ok(part(text, start, end));
        }
        Filter::First | Filter::Last => {
            let mut ends = text.char_indices();
            let found = if filter == Filter::First { ends.next() } else { ends.next_back() };
            return Ok(match found {
                Some((at, c)) => part(text, at, at + c.len_utf8()),
                None => Value::Missing,
            });
        }
        // `accepts` allows only `size` here.
        _ => return Ok(count(text.chars().count())),
    };
    meter.bytes(made.len())?;
    Ok(Value::String(Cow::Owned(made)))
}

fn array<'a>(
    filter: Filter,
    mut items: Vec<Value<'a>>,
    field: &[&str],
    args: &[Value<'a>],
    meter: &mut Meter,
) -> Result<Value<'a>, EvalFault> {
    meter.steps(items.len())?;
    match filter {
        Filter::Map => {
            for item in &mut items {
                *item = match pick(item, field) {
                    Value::Missing => Value::Null,
                    found => found,
                };
            }
        }
        Filter::Join => {
            let separator = match args.first() {
                None | Some(Value::Missing | Value::Null) => Cow::Borrowed(","),
                Some(Value::String(text)) => text.clone(),
                Some(other) => {
                    return Err(EvalFault::Argument { filter, expected: "a string", found: other.kind() });
                }
            };
            let mut out = String::new();
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    meter.push(&mut out, &separator)?;
                }
                write::text(item, &mut out, meter)?;
            }
            return Ok(Value::String(Cow::Owned(out)));
        }
        Filter::Slice => {
            let (from, to) = bounds(filter, args, items.len())?;
            items.truncate(to);
            items.drain(..from);
        }
        Filter::First => return Ok(items.into_iter().next().unwrap_or(Value::Missing)),
        Filter::Last => return Ok(items.pop().unwrap_or(Value::Missing)),
        Filter::Sort => {
            let mut keyed: Vec<(Value<'a>, Value<'a>)> =
                items.into_iter().map(|item| (pick(&item, field), item)).collect();
            skills_text::sort(&mut keyed, &|(left, _), (right, _)| order(left, right));
            items = keyed.into_iter().map(|(_, item)| item).collect();
        }
        Filter::Uniq => {
            let (mut seen, mut kept) = (HashSet::new(), Vec::new());
            for item in items {
                if seen.insert(write::normal(&pick(&item, field), meter)?) {
                    kept.push(item);
                }
            }
            items = kept;
        }
        Filter::Where => {
            let wanted = args.first().unwrap_or(&Value::Missing);
            let mut kept = Vec::new();
            for item in items {
                if equal(&pick(&item, field), wanted, meter)? {
                    kept.push(item);
                }
            }
            items = kept;
        }
        // `accepts` allows nothing else here.
        _ => {}
    }
    Ok(Value::Array(items))
}

/// Returns a field of an element, or the element itself if the field is empty.
fn pick<'a>(item: &Value<'a>, field: &[&str]) -> Value<'a> {
    match field.split_first() {
        None => item.clone(),
        Some((first, rest)) => rest.iter().fold(item.get(first), |value, key| value.get(key)),
    }
}

fn count(n: usize) -> Value<'static> {
    Value::Number(Number::Int(i64::try_from(n).unwrap_or(i64::MAX)))
}

/// Returns a part of a string between two character boundaries.
fn part(text: Cow<'_, str>, start: usize, end: usize) -> Value<'_> {
    Value::String(match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.get(start..end).unwrap_or("")),
        Cow::Owned(text) => Cow::Owned(text.get(start..end).unwrap_or("").to_owned()),
    })
}

/// Returns the byte offset of a character, or the length if there are fewer characters.
fn offset(text: &str, place: usize) -> usize {
    text.char_indices().nth(place).map_or(text.len(), |(at, _)| at)
}

/// Evaluates `from: to` of `slice` for a sequence of some length. Both are clamped to the sequence, and
/// `from` to `to`.
fn bounds(filter: Filter, args: &[Value<'_>], length: usize) -> Result<(usize, usize), EvalFault> {
    let most = i64::try_from(length).unwrap_or(i64::MAX);
    let from = place_in(integer(filter, args.first(), 0)?, &most);
    let to = place_in(integer(filter, args.get(1), most)?, &most);
    Ok((from.min(to), to))
}

fn place_in(at: i64, most: &i64) -> usize {
    let at = if at < 0 { most.saturating_add(at) } else { at };
    usize::try_from(at.clamp(0, *most)).unwrap_or(0)
}

/// Reads an integer. Null and missing have the same meaning as an absent argument.
fn integer(filter: Filter, arg: Option<&Value<'_>>, absent: i64) -> Result<i64, EvalFault> {
    let expected = "a whole number";
    match arg {
        None | Some(Value::Missing | Value::Null) => Ok(absent),
        Some(Value::Number(number)) => {
            number.whole().ok_or(EvalFault::Argument { filter, expected, found: Type::Number })
        }
        Some(other) => Err(EvalFault::Argument { filter, expected, found: other.kind() }),
    }
}
