//! Tests of templates through the public API, in one program, since linking each costs seconds.

mod deep;
mod errors;
mod evaluate;
mod generator;
mod grammar;
mod oracle;
mod random;

use skills_template::render::{EvalFault, RenderLimits, Value};

/// Returns the JSON that a value prints; `None` if it is missing.
fn to_json(value: &Value<'_>, limits: RenderLimits) -> Result<Option<serde_json::Value>, EvalFault> {
    let mut text = String::new();
    value.write_text(&mut text, limits)?;
    Ok(match value {
        Value::Missing => None,
        Value::Null => Some(serde_json::Value::Null),
        Value::String(_) => Some(text.into()),
        _ => serde_json::from_str(&text).ok(),
    })
}
