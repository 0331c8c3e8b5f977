//! Compares the format `uri` with the `jsonschema` crate, on authorities made of all combinations of their parts.

use serde_json::{Value, json};
use skills_schema::lower::{DocumentOptions, lower};
use skills_schema::validate_str;

// SPEC 3.2
#[test]
fn authorities_get_the_same_result() {
    let schema = json!({ "type": "string", "format": "uri" });
    let oracle = jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema");
    let lowered = lower(&schema.to_string(), &DocumentOptions::default());
    let (mut accepted, mut refused) = (0, 0);
    for user in ["", "a@", "a:b@", "@", "a@b@", "[@", "%41@", "%4@"] {
        for host in [
            "",
            "a.b",
            "[::1]",
            "[::]",
            "::1",
            "[::1",
            "::1]",
            "[1.2.3.4]",
            "[::1.2.3.4]",
            "[v1.a]",
            "1.2.3.4",
            "a b",
        ] {
            for port in ["", ":", "::", ":80", "::80", ":::80", ":80:", "80", ":8a", ":+1"] {
                for path in ["", "/", "/a:b", "?q", "#f"] {
                    let uri = Value::from(format!("http://{user}{host}{port}{path}"));
                    let wanted = oracle.is_valid(&uri);
                    let got = validate_str(&lowered.tables, &uri.to_string()).is_ok();
                    assert_eq!(got, wanted, "{uri}");
                    if wanted { accepted += 1 } else { refused += 1 }
                }
            }
        }
    }
    assert!(accepted > 300 && refused > 300, "{accepted} {refused}");
}
