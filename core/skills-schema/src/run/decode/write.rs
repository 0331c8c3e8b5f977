//! Writes a value on a tape as JSON text.

use crate::json::quoted;
use crate::json::reader::ValueType;
use crate::run::source::Cursor;

impl Cursor<'_> {
    /// Appends the value as JSON text.
    pub(crate) fn write(self, out: &mut String) {
        let token = self.token();
        match token.kind {
            ValueType::Null => out.push_str("null"),
            ValueType::Bool => out.push_str(if token.a == 1 { "true" } else { "false" }),
            ValueType::Number => out.push_str(self.text()),
            ValueType::String => quoted(out, self.text()),
            ValueType::Array => {
                out.push('[');
                for (i, item) in self.inside().enumerate() {
                    out.push_str(if i == 0 { "" } else { "," });
                    item.write(out);
                }
                out.push(']');
            }
            ValueType::Object => {
                out.push('{');
                for (i, (key, member)) in self.members().enumerate() {
                    out.push_str(if i == 0 { "" } else { "," });
                    quoted(out, key);
                    out.push(':');
                    member.write(out);
                }
                out.push('}');
            }
        }
    }
}
