//! Compares `check --standard` with the reference validator of the open Agent Skills standard: the same
//! result for every test skill, except for listed differences.
#![allow(clippy::unwrap_used, reason = "a test that cannot read its material must fail")]

use std::collections::BTreeMap;

use skills_core::levels::Profile;
use skills_core::load;
use skills_core::options::Options;

/// Cases with a different result: whether we accept the case, and why we do not follow the reference.
const DIFFERENT: &[(&str, bool, &str)] = &[
    ("anchor", true, "the reference refuses anchors"),
    ("circled-digit", false, "the reference takes any Unicode letter or digit in a name"),
    ("cjk", false, "the reference takes CJK names"),
    ("compat-empty", false, "the reference lets an empty `compatibility` pass"),
    ("cyrillic-homoglyph", false, "the reference takes homoglyph names"),
    ("eszett", false, "the reference takes any Unicode letter in a name"),
    ("flow-metadata", true, "the reference rejects every flow collection"),
    ("fullwidth-digits", false, "the reference takes any Unicode digit in a name"),
    ("indented-close", false, "the reference takes an indented `---` as the closing line"),
    ("lone-cr", false, "the reference takes a lone CR as a line end"),
    ("merge", true, "the reference refuses merge keys"),
    ("metadata-number", false, "the reference takes what YAML has for a number as `metadata`"),
    ("metadata-string", false, "the reference accepts a string as `metadata`"),
    ("nfc-both", false, "the reference takes any Unicode letter in a name"),
    ("nfd-both", false, "the reference takes any Unicode letter in a name"),
    ("nfd-dir-nfc-name", false, "the reference takes any Unicode letter in a name"),
    ("superscript", false, "the reference takes any Unicode digit in a name"),
    ("superscript-dir-a2", false, "the reference takes any Unicode digit in a name"),
    ("tag", true, "the reference refuses harmless tags"),
];

// SPEC 2.6
#[test]
#[ignore = "needs SKILLS_FIELD_DIR"]
fn field_verdicts_equal_those_of_the_reference() {
    let root = test_bed::field("conformance/agent-skills");
    let answers = std::fs::read_to_string(root.join("reference.json")).unwrap();
    let answers: BTreeMap<String, serde_json::Value> = serde_json::from_str(&answers).unwrap();
    assert!(answers.len() > 60);
    let options = Options { profile: Profile::Standard, ..Options::default() };
    let mut wrong = Vec::new();
    for (case, answer) in &answers {
        let dir = root.join(case).join(answer["dir"].as_str().unwrap());
        let loaded = load(&dir, case, &options);
        let accepted = loaded.report.errors() == 0;
        let expected = match DIFFERENT.iter().find(|(name, ..)| name == case) {
            Some((_, ours, _)) => *ours,
            None => answer["validate"]["rc"] == 0,
        };
        if accepted != expected {
            let codes: Vec<&str> = loaded.report.diagnostics.iter().map(|d| d.rule.code).collect();
            wrong.push(format!("{case}: accepted {accepted} {codes:?}; reference {}", answer["validate"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (case, ours, reason) in DIFFERENT {
        let reference = answers[*case]["validate"]["rc"] == 0;
        assert_ne!(reference, *ours, "`{case}` no longer differs ({reason})");
    }
}
