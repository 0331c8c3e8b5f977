//! Compares the patterns with an independent engine.

use super::*;

fn ours(pattern: &str, input: &str) -> Option<Search> {
    let mut text = String::new();
    let program = compile(pattern, &mut text).ok()?;
    Some(search(&program, &text, &Properties::new(), input).0)
}

/// Patterns, separated by whitespace.
const PATTERNS: &str = r"
a ^a a$ ^$ a|b ^(a|ab)(c|bcd)(d*)$ (a*)* (a*)+b ^(?:a|b)*c a{2} ^a{2,3}$ a{2,} a{0} [abc] [^abc] [a-c]+$
[\d-x] [x\d] ^\d+$ \D \w+ \W \s ^\S+$ \bfoo\b \Boo (?=ab)a (?!ab)a (?<=a)b (?<!a)b (a)(b)\2\1 (?<x>a)\k<x>
\1(a) (?:(a)|b)*\1 a*?b a+?b a??b ^.$ . \u0061 \x61 \u{61} \u{1F600} \ud83d\ude00 ^\p{L}+$ \p{Lu} \P{L}
[\p{Nd}_] \p{Script=Greek} [^\p{L}] \cA \t \0 \/ \. \- [\-] [a-\d] [z-a] ( ) [ ] { } a{ a{1 a{1, a{2,1} *
a** + ? a??? (? (?: (?a) (?<n>a)(?<n>b) \k<n> \k \2(a) \c \x6 \u006 \u{110000} \u{} \p{Foo} \p \pL \a \q \_
^* (?=a)* $+ [] [^] []a] [a a| |a () (|a)+ (?:a?)*?b (?:a?){3} ^((a)|(b))+$ ^(?:(a)|(b))*\2$ (?<=(\w)\1)x
(?<=a.*)b (z)((a+)?(b+)?(c))* ^[^\s@]+@[^\s@]+\.[^\s@]+$ ^#([0-9a-fA-F]{3}){1,2}$ ^\d{4}-\d{2}-\d{2}$
^[a-z][a-z0-9_]*$ (?:x{2}){2,3}y [\b] [\w-] [\w-a] [--0] ^(?!.*--)[a-z-]+$ \p{ASCII} \p{gc=Lu} \p{sc=Cyrl}
\p{Any} [^\W] [^\D\S] [\S\s] \ud800 (?:(?=a)a)+b ((((((((((a))))))))))\10 a{99999999999} ^(?:a{2})*$
";

const INPUTS: &[&str] = &[
    "", "a", "b", "ab", "abc", "abcd", "aab", "aaa", "aaab", "ba", "abba", "aa", "foo", "a foo b", "food",
    "xfoo", "cab", "é", "É", "αβγ", "Я", "😀", "\u{1}", "\t", "\0", "/", ".", "-", "0", "9", "x", "_", " ",
    "\n", "a\nb", "\u{2028}", "\u{feff}", "x@y.zz", "#aBc123", "xxxxy", "xxxxxxy", "aax", "bbx", "a--b",
    "a-b", "\u{8}", "abab", "bb", "\u{ffff}", "٣", "aaaa", "b.b",
];

const LONG_INPUTS: &[&str] = &["2024-01-31", "snake_case1", "zaacbbbcac", "aaaaaaaaaaaaaa"];

#[test]
fn agrees_with_regress() {
    // SPEC 6.1: `pattern` is ECMA-262 with the `u` flag, unanchored.
    let mut found = 0;
    for pattern in PATTERNS.split_ascii_whitespace().chain([""]) {
        let oracle = regress::Regex::with_flags(pattern, "u");
        for input in INPUTS.iter().chain(LONG_INPUTS) {
            let want = oracle.as_ref().ok().map(|regex| match regex.find(input) {
                Some(_) => Search::Found,
                None => Search::Missing,
            });
            found += usize::from(want == Some(Search::Found));
            assert_eq!(
                ours(pattern, input),
                want,
                "/{pattern}/ on {input:?}: {:?}",
                compile(pattern, &mut String::new()).err()
            );
        }
    }
    assert!(found > 1000, "the inputs exercise the patterns: {found}");
}

#[test]
fn agrees_with_regress_on_generated_patterns() {
    // SPEC 6.1: random patterns and inputs give the same results in another engine.
    const PARTS: &[&str] = &[
        "a", "b", ".", "^", "$", "(", ")", "(?:", "(?=", "(?!", "(?<=", "(?<!", "*", "+", "?", "{2}",
        "{0,2}", "{1,}", "|", "[ab]", "[^a]", r"\1", r"\2", r"\b", r"\w", "*?", "+?", "??", "[", "]", "}",
        "-", r"\d", r"[\w-]",
    ];
    let mut seed = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = |n: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % n as u64).expect("below n")
    };
    let mut valid = 0;
    for _ in 0..20_000 {
        let count = 1 + next(9);
        let pattern: String = (0..count).map(|_| PARTS[next(PARTS.len())]).collect();
        // The other engine allows repeating `\b` and `\B`, which the grammar does not.
        if ["*", "+", "?", "{"].iter().any(|q| pattern.contains(&format!("\\b{q}"))) {
            continue;
        }
        let oracle = regress::Regex::with_flags(&pattern, "u").ok();
        assert_eq!(
            ours(&pattern, "").is_some(),
            oracle.is_some(),
            "/{pattern}/ {:?}",
            compile(&pattern, &mut String::new())
        );
        let Some(oracle) = oracle else { continue };
        valid += 1;
        for _ in 0..4 {
            let len = next(6);
            let input: String = (0..len).map(|_| ["a", "b", "0", "-", "é"][next(5)]).collect();
            let want = if oracle.find(&input).is_some() { Search::Found } else { Search::Missing };
            assert_eq!(ours(&pattern, &input), Some(want), "/{pattern}/ on {input:?}");
        }
    }
    assert!(valid > 2000, "enough of the patterns are valid: {valid}");
}

#[test]
fn assertions_are_not_repeated() {
    // SPEC 6.1: under the `u` flag of ECMA-262, an assertion takes no quantifier.
    for pattern in [r"\b+", r"\B{2}", "^*", "(?=a)?", "(?i:a)"] {
        assert_eq!(ours(pattern, "a"), None, "{pattern}");
    }
}

#[test]
fn gives_up_after_the_step_limit() {
    // SPEC 6.1: a pattern runs under a step limit.
    assert_eq!(ours("^(a+)+$", &("a".repeat(40) + "b")), Some(Search::TooLong));
    assert_eq!(ours("^(?:a{1000}){1000}$", "a"), Some(Search::Missing));
    assert!(compile("((((a{1,9}b){99}){99}){99}){99}", &mut String::new()).is_err());
}
