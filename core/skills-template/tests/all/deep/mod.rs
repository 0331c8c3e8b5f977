//! Builds one tree from the templates at any depth of a JSON value, like a checker does.

use serde_json::Value;
use skills_template::{ParsedTemplate, TreeBuilder};

pub(crate) fn parse(value: &Value) -> ParsedTemplate {
    let mut builder = TreeBuilder::default();
    add(&mut builder, value);
    builder.finish()
}

fn add(builder: &mut TreeBuilder, value: &Value) {
    match value {
        Value::Null => builder.null(0),
        Value::Bool(value) => builder.bool(*value, 0),
        Value::Number(number) => builder.number(&number.to_string(), 0),
        Value::String(text) => builder.template(text, 0),
        Value::Array(items) => {
            builder.begin_array();
            items.iter().for_each(|item| add(builder, item));
            builder.end();
        }
        Value::Object(members) => {
            builder.begin_object();
            for (key, member) in members {
                builder.key(key, 0);
                add(builder, member);
            }
            builder.end();
        }
    }
}
