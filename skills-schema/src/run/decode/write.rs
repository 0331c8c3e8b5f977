//! A value on a tape becomes JSON text again.

use crate::json::quoted;
use crate::run::source::Cursor;
use crate::tape::TokenShape;

impl Cursor<'_> {
    /// Appends the value as JSON text.
    pub(crate) fn write(self, out: &mut String) {
        let token = self.token();
        match token.shape {
            TokenShape::Null => out.push_str("null"),
            TokenShape::Bool => out.push_str(if token.a == 1 { "true" } else { "false" }),
            TokenShape::Number | TokenShape::OwnNumber => out.push_str(self.tape.text(token)),
            TokenShape::String | TokenShape::OwnString => quoted(out, self.tape.text(token)),
            TokenShape::Array => {
                out.push('[');
                for (i, item) in self.inside().enumerate() {
                    out.push_str(if i == 0 { "" } else { "," });
                    item.write(out);
                }
                out.push(']');
            }
            TokenShape::Object => {
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
