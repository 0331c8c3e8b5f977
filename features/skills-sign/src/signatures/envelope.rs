//! Signed statements in the format of a Sigstore bundle: JSON around a DSSE envelope, without a transparency
//! log.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::key::{PrivateKey, PublicKey};
use crate::refused::Refused;

const MEDIA_TYPE: &str = "application/vnd.dev.sigstore.bundle.v0.3+json";
const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

/// The maximum number of JSON values in a bundle. They are allocated before the signature is checked, and in
/// memory an empty object takes a hundred times its size. The list of files does not count, since it is in
/// the signed text.
const MAX_VALUES: usize = 4096;

/// Signs a statement, and returns the text of the bundle.
pub(crate) fn seal(statement: &str, key: &PrivateKey) -> String {
    let signature = key.sign(&encoded(statement.as_bytes()));
    let bundle = json!({
        "mediaType": MEDIA_TYPE,
        "verificationMaterial": {
            "publicKey": { "hint": key.public().hint() },
            "tlogEntries": [],
        },
        "dsseEnvelope": {
            "payload": STANDARD.encode(statement),
            "payloadType": PAYLOAD_TYPE,
            "signatures": [{ "sig": STANDARD.encode(signature), "keyid": "" }],
        },
    });
    bundle.to_string()
}

/// Parses a bundle, and returns the statement if the key has signed it.
pub(crate) fn open(bundle: &str, key: &PublicKey) -> Result<Vec<u8>, Refused> {
    if json_values(bundle.as_bytes()) > MAX_VALUES {
        return Err(Refused::Damaged(format!("it has over {MAX_VALUES} values")));
    }
    let bundle: Value =
        serde_json::from_str(bundle).map_err(|error| Refused::Damaged(format!("it is not JSON: {error}")))?;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let wanted = |pointer: &str| {
        let found = bundle.pointer(pointer).and_then(text);
        found.ok_or_else(|| Refused::Damaged(format!("it has no text at {pointer}")))
    };
    let kind = |pointer: &str, own: &str| {
        let found = wanted(pointer)?;
        if found == own {
            return Ok(());
        }
        Err(Refused::Form(format!("its {pointer} is `{found}`, but only `{own}` is supported")))
    };
    let bytes = |pointer: &str| {
        let found = wanted(pointer)?;
        STANDARD.decode(found).map_err(|_| Refused::Damaged(format!("its {pointer} is not valid base64")))
    };
    kind("/mediaType", MEDIA_TYPE)?;
    kind("/dsseEnvelope/payloadType", PAYLOAD_TYPE)?;
    let count = bundle.pointer("/dsseEnvelope/signatures").and_then(Value::as_array).map_or(0, Vec::len);
    if count != 1 {
        return Err(Refused::Form(format!("it has {count} signatures, but only one is supported")));
    }
    if bundle.pointer("/verificationMaterial/publicKey").is_none() {
        let how = "it was made with a certificate or an identity, but only signatures made with a key are supported";
        return Err(Refused::Form(how.to_owned()));
    }
    let payload = bytes("/dsseEnvelope/payload")?;
    let signature = bytes("/dsseEnvelope/signatures/0/sig")?;
    // The hint is not trusted. It only distinguishes a wrong key from a changed text.
    let hint = bundle.pointer("/verificationMaterial/publicKey/hint").and_then(Value::as_str);
    if hint.is_some_and(|hint| !hint.is_empty() && hint != key.hint()) {
        return Err(Refused::OtherKey);
    }
    if !key.has_signed(&encoded(&payload), &signature) {
        return Err(if hint.is_some_and(|hint| !hint.is_empty()) {
            Refused::Forged
        } else {
            Refused::OtherKey
        });
    }
    Ok(payload)
}

/// Returns the bytes to sign: the statement, prefixed with its type and length (the PAE of DSSE 1.0).
fn encoded(statement: &[u8]) -> Vec<u8> {
    let head = format!("DSSEv1 {} {PAYLOAD_TYPE} {} ", PAYLOAD_TYPE.len(), statement.len());
    [head.as_bytes(), statement].concat()
}

/// Counts the values of a JSON text. An empty object or array counts as two, since in memory it takes a
/// hundred times its size. The result for a text that is not JSON is unspecified.
fn json_values(text: &[u8]) -> usize {
    let (mut is_string, mut is_escaped, mut values) = (false, false, 1);
    for byte in text {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_string,
            b'"' => is_string = !is_string,
            b'{' | b'[' | b',' if !is_string => values += 1,
            _ => {}
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::json_values;

    #[test]
    fn empty_values_count_as_two() {
        let texts = ["1", "[]", "[1, 2]", r#"{"a,[": "\",", "b": [{}]}"#];
        assert_eq!(texts.map(|text| json_values(text.as_bytes())), [1, 2, 3, 5]);
    }
}
