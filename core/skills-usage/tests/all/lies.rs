//! Tests that planted mistakes are found at their place.

use skills_usage::check;

use super::tree;

/// A block of a shell with one line.
fn sh(line: &str) -> String {
    format!("Run this:\n\n```sh\n{line}\n```\n")
}

/// The line with `«…»` around the place of the finding, the rule, and the nearest name.
pub(super) const LINES: [(&str, &str, &str); 50] = [
    ("acme «lst»", "command-unknown", "list"),
    ("acme «install» docs", "command-unknown", ""),
    ("acme --verbose «shw» x", "command-unknown", "show"),
    ("acme remote «ad» https://a.example", "command-unknown", "add"),
    ("acme remote «delete» x", "command-unknown", ""),
    ("cargo acme «lisst»", "command-unknown", "list"),
    ("./target/debug/acme «lits» .", "command-unknown", "list"),
    ("true && acme «lits»", "command-unknown", "list"),
    ("cat x | acme «lits»", "command-unknown", "list"),
    ("FOO=1 sudo acme «lits»", "command-unknown", "list"),
    ("if acme «lits»; then echo; fi", "command-unknown", "list"),
    ("echo \"$(acme «lits»)\"", "command-unknown", "list"),
    ("for d in *; do acme «lits» \"$d\"; done", "command-unknown", "list"),
    ("acme list «--fromat» json", "command-flag", "--format"),
    ("acme list «--limt»=3", "command-flag", "--limit"),
    ("acme list «--json»", "command-flag", ""),
    ("acme show x «--all»", "command-flag", ""),
    ("acme list «-x»", "command-flag", ""),
    ("acme list -a «-z»", "command-flag", ""),
    ("acme ls --all «--verbos»", "command-flag", "--verbose"),
    ("acme list \\\n  --all \\\n  «--limits» 3", "command-flag", "--limit"),
    ("acme list docs > out.txt «--fomat» json", "command-flag", "--format"),
    ("acme list --limit 3 «--frmat» x", "command-flag", "--format"),
    ("acme run docs --input a «--tags» x", "command-flag", "--tag"),
    ("acme list «--dir» docs", "command-flag", ""),
    ("acme remote rm a «--forse»", "command-flag", ""),
    ("npx acme list «--al»", "command-flag", "--all"),
    ("xargs acme list «--al»", "command-flag", "--all"),
    ("acme list --format «yaml»", "command-value", ""),
    ("acme list --format=«jsn»", "command-value", "json"),
    ("acme list -f «jsno»", "command-value", "json"),
    ("acme list «-fyaml»", "command-value", ""),
    ("acme list --limit «ten»", "command-value", ""),
    ("acme list -n «3.5»", "command-value", ""),
    ("acme list --color=«always»", "command-value", ""),
    ("acme show x «bdy»", "command-value", "body"),
    ("acme show x «'files and more'»", "command-value", ""),
    ("acme run docs --input x --offset «-a»", "command-value", ""),
    ("acme list «--all»=yes", "command-value", ""),
    ("acme list «--format»", "command-value", ""),
    ("acme list «--limit» --all", "command-value", ""),
    ("acme «show»", "command-argument", ""),
    ("acme show --format «json»", "command-argument", ""),
    ("acme run «docs»", "command-argument", ""),
    ("acme run --input «x»", "command-argument", ""),
    ("acme remote «add»", "command-argument", ""),
    ("acme show x body «more»", "command-argument", ""),
    ("acme remote rm a «b»", "command-argument", ""),
    ("acme list «--fmt» json", "command-deprecated", "--format"),
    ("acme list «--sort» name", "command-deprecated", "--order"),
];

/// Mistakes in other forms of text.
const TEXTS: [(&str, &str); 8] = [
    ("Use `acme «lits»` first.", "command-unknown"),
    ("Use `acme list «--formats» json`.", "command-flag"),
    ("Use ``acme list --format «yml»``.", "command-value"),
    ("| `acme list «--al»` | all |", "command-flag"),
    ("Long text with `acme list\n«--al»` in it.", "command-flag"),
    ("```\n$ acme «lits»\nacme lits is output\n```", "command-unknown"),
    ("```console\n$ acme list \\\n    «--al»\n--al\n```", "command-flag"),
    ("1. First\n\n   ```bash\n   acme «fetch» x\n   ```\n", "command-deprecated"),
];

// SPEC 23.4, 23.5
#[test]
fn planted_lies_are_found_at_their_place() {
    let lines = LINES.iter().map(|(line, rule, near)| (sh(line), *rule, Some(*near)));
    let texts = TEXTS.iter().map(|(text, rule)| ((*text).to_owned(), *rule, None));
    let mut wrong = Vec::new();
    for (marked, rule, near) in lines.chain(texts) {
        let start = marked.find('«').unwrap();
        let end = marked.find('»').unwrap() - '«'.len_utf8();
        let text = marked.replace(['«', '»'], "");
        let found = check(&text, &[tree()]);
        let is_right = match found.as_slice() {
            [found] => {
                (found.at.clone(), found.rule().code) == (start..end, rule)
                    && near.is_none_or(|near| found.nearest.as_deref().unwrap_or_default() == near)
            }
            _ => false,
        };
        wrong.extend((!is_right).then_some((text, found)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(LINES.len() + TEXTS.len(), 58);
}

// SPEC 23.5
#[test]
fn two_lies_in_one_line_are_both_found() {
    let found = check(&sh("acme list --al --format yaml"), &[tree()]);
    let codes: Vec<&str> = found.iter().map(|found| found.rule().code).collect();
    assert_eq!(codes, ["command-flag", "command-value"]);
}
