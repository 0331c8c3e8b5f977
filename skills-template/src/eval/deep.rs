//! A JSON value in memory with templates in it becomes one deep tree; pipelines read from disk and oracles call it.

use crate::{Builder, Json, Parsed, Shape, span::narrow};

/// Parses the templates in a JSON value into one tree (SPEC 5.2). The strings' and keys' texts lie one behind the
/// other in the spans, in the order of the value.
pub fn parse_deep(value: &dyn Json) -> Parsed {
    let mut builder = Builder::default();
    let mut base = 0;
    build(&mut builder, value, &mut base, 0);
    builder.finish()
}

fn build(builder: &mut Builder, value: &dyn Json, base: &mut u32, depth: usize) {
    match value.shape() {
        Shape::Null => builder.null(*base),
        Shape::Bool(value) => builder.bool(value, *base),
        Shape::Number(number) => builder.number(&number.text(), *base),
        Shape::String(text) => {
            builder.template(text, *base);
            *base = base.saturating_add(narrow(text.len()));
        }
        // Growing reports the depth; one level more than it allows is enough for that.
        _ if depth > crate::MAX_DEPTH => builder.null(*base),
        Shape::Array(length) => {
            builder.begin_array();
            for index in 0..length {
                if let Some(item) = value.item(index) {
                    build(builder, item, base, depth + 1);
                }
            }
            builder.end();
        }
        Shape::Object(_) => {
            builder.begin_object();
            value.each_member(&mut |key, member| {
                builder.key(key, *base);
                *base = base.saturating_add(narrow(key.len()));
                build(builder, member, base, depth + 1);
            });
            builder.end();
        }
    }
}
