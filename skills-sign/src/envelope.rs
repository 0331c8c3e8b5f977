//! A signed statement as a Sigstore bundle: JSON around a DSSE envelope, without a transparency log (SPEC 14.2).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use skills_registry::json_values;

use crate::key::{PrivateKey, PublicKey};
use crate::refused::Refused;

const MEDIA_TYPE: &str = "application/vnd.dev.sigstore.bundle.v0.3+json";
const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

/// How many values a bundle may have: they are made before the key is asked, and in memory an empty object takes a hundred
/// times its three bytes. The files are in the one text that is signed.
const MOST: usize = 4096;

/// Signs a statement, and writes the file.
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

/// Reads the file, and returns the statement once the key is found to have signed it.
pub(crate) fn open(bundle: &str, key: &PublicKey) -> Result<Vec<u8>, Refused> {
    if json_values(bundle.as_bytes()) > MOST {
        return Err(Refused::Damaged(format!("it has over {MOST} values")));
    }
    let bundle: Value =
        serde_json::from_str(bundle).map_err(|error| Refused::Damaged(format!("it is no JSON: {error}")))?;
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
        Err(Refused::Form(format!("its {pointer} is `{found}`, and `{own}` is what is read")))
    };
    let bytes = |pointer: &str| {
        let found = wanted(pointer)?;
        STANDARD.decode(found).map_err(|_| Refused::Damaged(format!("what it has at {pointer} is no base64")))
    };
    kind("/mediaType", MEDIA_TYPE)?;
    kind("/dsseEnvelope/payloadType", PAYLOAD_TYPE)?;
    let count = bundle.pointer("/dsseEnvelope/signatures").and_then(Value::as_array).map_or(0, Vec::len);
    if count != 1 {
        return Err(Refused::Form(format!("it has {count} signatures, and one is what is read")));
    }
    if bundle.pointer("/verificationMaterial/publicKey").is_none() {
        let how = "it was made with a certificate or an identity, and one made with a key is what is read";
        return Err(Refused::Form(how.to_owned()));
    }
    let payload = bytes("/dsseEnvelope/payload")?;
    let signature = bytes("/dsseEnvelope/signatures/0/sig")?;
    // Only a hint, so it is not believed; what it is good for is to tell a wrong key from a changed text.
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

/// What is signed: the statement led by its type and length (the PAE of DSSE 1.0).
fn encoded(statement: &[u8]) -> Vec<u8> {
    let head = format!("DSSEv1 {} {PAYLOAD_TYPE} {} ", PAYLOAD_TYPE.len(), statement.len());
    [head.as_bytes(), statement].concat()
}
