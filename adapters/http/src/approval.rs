//! Ids for the question whether a tool may run. Only this server can create them, so a client cannot run a tool with an input
//! that the model did not choose.

use serde_json::Value;
use skills_exec::RunId;

/// The secret of a server, which lives as long as its process.
pub(crate) struct Approvals([u8; 32]);

impl Default for Approvals {
    fn default() -> Self {
        Self(hmac_sha256::Hash::hash([RunId::fresh().as_str(), RunId::fresh().as_str()].concat().as_bytes()))
    }
}

impl Approvals {
    /// Returns the id for a call of a tool.
    pub(crate) fn sign(&self, call: &str, tool: &str, input: &Value) -> String {
        let mut text = String::new();
        for part in [call, tool] {
            text.push_str(&format!("{} {part} ", part.len()));
        }
        write_canonical(input, &mut text);
        skills_text::hex(&hmac_sha256::HMAC::mac(text.as_bytes(), self.0))
    }

    /// Returns `true` if `id` is the id of this call.
    pub(crate) fn is_signed(&self, id: &str, call: &str, tool: &str, input: &Value) -> bool {
        let own = self.sign(call, tool, input);
        let differing = own.bytes().zip(id.bytes()).fold(0, |differing, (own, id)| differing | (own ^ id));
        own.len() == id.len() && differing == 0
    }
}

/// Writes a value in a form that stays the same when a client in JavaScript parses and prints it: keys are sorted, and `1.0`
/// is `1`.
fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by_key(|(key, _)| key.as_str());
            out.push('{');
            for (key, value) in members {
                out.push_str(&format!("{key:?}:"));
                write_canonical(value, out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write_canonical(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Number(number) => match number.as_f64() {
            // Larger integers have no exact value in JavaScript, so their digits count.
            Some(float) if float.abs() < 9_007_199_254_740_992.0 => out.push_str(&format!("{float:e}")),
            _ => out.push_str(&number.to_string()),
        },
        other => out.push_str(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::Approvals;
    use serde_json::{Value, json};

    // SPEC 11.3
    #[test]
    fn an_id_is_for_one_call_with_one_input_on_one_server() {
        let (server, other) = (Approvals::default(), Approvals::default());
        let read = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
        let input = read(r#"{"b": 1.0, "a": [1e3, "x", null]}"#);
        let id = server.sign("c", "sum", &input);
        assert!(server.is_signed(&id, "c", "sum", &input));
        assert!(server.is_signed(&id, "c", "sum", &read(r#"{"a": [1000, "x", null], "b": 1}"#)));
        for (call, tool, input) in [
            ("d", "sum", &input),
            ("c", "drop", &input),
            ("c", "sum", &json!({"b": 1, "a": [1000, "x", false]})),
            ("c", "sum", &json!({"b": 1, "a": [1000, "x"]})),
        ] {
            assert!(!server.is_signed(&id, call, tool, input), "{call} {tool} {input}");
        }
        assert!(!other.is_signed(&id, "c", "sum", &input));
        assert!(!server.is_signed("", "c", "sum", &input));
    }
}
