//! Compares filters and conditions with minijinja where the two languages mean the same.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use minijinja::Environment;
use serde_json::{Value as Json, json};
use skills_template::render::{RenderLimits, Scope, holds, render};
use skills_template::{parse_condition, parse_prompt};

use crate::generator::Random;

impl Random {
    fn word(&mut self) -> String {
        let letters = ['a', 'B', 'é', 'ß', '中', ' ', 'z', '-', '\t', '1'];
        (0..self.below(6)).map(|_| letters[self.below(letters.len())]).collect()
    }

    /// Returns an operand of a condition that both languages treat the same. Lists are left out, since an
    /// empty one is falsy in minijinja.
    fn operand(&mut self) -> &'static str {
        ["n", "m", "s", "t", "e", "yes", "no", "absent", "3", "'a'", "''", "0"][self.below(12)]
    }

    /// Returns a condition in our language and in minijinja.
    fn condition(&mut self, depth: usize) -> (String, String) {
        let both = |text: &str| (ours(text), text.to_owned());
        match self.below(if depth > 4 { 2 } else { 6 }) {
            0 => both(self.operand()),
            // An ordering between a number and a string is false here, and defined differently there.
            1 => {
                let (numbers, strings) = (["n", "m", "3", "0"], ["s", "t", "e", "'a'", "''"]);
                let compare = ["==", "!=", "<", "<=", ">", ">="][self.below(6)];
                let (left, right) = match self.below(2) {
                    0 => (numbers[self.below(4)], numbers[self.below(4)]),
                    _ => (strings[self.below(5)], strings[self.below(5)]),
                };
                both(&format!("{left} {compare} {right}"))
            }
            2 => {
                let (a, b) = self.condition(depth + 1);
                (format!("!({a})"), format!("not ({b})"))
            }
            other => {
                let ((a, b), (c, d)) = (self.condition(depth + 1), self.condition(depth + 1));
                let (and, or) = (("&&", "and"), ("||", "or"));
                let (mine, theirs) = if other % 2 == 0 { and } else { or };
                // `&&` binds tighter than `||` in both, so only some need parentheses.
                (format!("({a}) {mine} {c}"), format!("({b}) {theirs} {d}"))
            }
        }
    }
}

/// Puts `input.` before the names of an operand or comparison.
fn ours(text: &str) -> String {
    let word = |word: &str| match word.starts_with(|c: char| c.is_ascii_lowercase()) {
        true => format!("input.{word}"),
        false => word.to_owned(),
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

fn input(random: &mut Random) -> Json {
    let words: Vec<String> = (0..random.below(6)).map(|_| random.word()).collect();
    let numbers: Vec<usize> = (0..random.below(6)).map(|_| random.below(5)).collect();
    let rows: Vec<Json> =
        (0..random.below(6)).map(|_| json!({"k": random.below(3), "w": random.word()})).collect();
    json!({
        "words": words, "numbers": numbers, "rows": rows, "n": random.below(4), "m": random.below(4),
        "s": random.word(), "t": random.word(), "e": "", "yes": true, "no": false,
    })
}

// SPEC 5.3
#[test]
fn filters_agree() {
    let pairs = [
        ("{{input.words | join: '; '}}", "{{ words | join('; ') }}"),
        ("{{input.words | join}}", "{{ words | join(',') }}"),
        ("{{input.numbers | join: ''}}", "{{ numbers | join }}"),
        ("{{input.s | upcase}}", "{{ s | upper }}"),
        ("{{input.s | downcase}}", "{{ s | lower }}"),
        ("{{input.s | strip}}|", "{{ s | trim }}|"),
        ("{{input.s | size}} {{input.words | size}}", "{{ s | length }} {{ words | length }}"),
        ("{{input.words | first}}|{{input.words | last}}", "{{ words | first }}|{{ words | last }}"),
        ("{{input.numbers | sort | join}}", "{{ numbers | sort | join(',') }}"),
        ("{{input.words | sort | join: '|'}}", "{{ words | sort(case_sensitive=true) | join('|') }}"),
        (
            "{{input.rows | sort: k | map: w | join: '|'}}",
            "{{ rows | sort(attribute='k') | map(attribute='w') | join('|') }}",
        ),
        ("{{input.numbers | uniq | join}}", "{{ numbers | unique | join(',') }}"),
        (
            "{{input.rows | where: k: 1 | map: w | join: '|'}}",
            "{{ rows | selectattr('k', 'eq', 1) | map(attribute='w') | join('|') }}",
        ),
        ("{{input.words | slice: 1: 3 | join: '|'}}", "{{ words[1:3] | join('|') }}"),
        ("{{input.numbers | slice: -2: 9 | join}}", "{{ numbers[-2:9] | join(',') }}"),
        ("{{input.s | slice: 1: -1}}", "{{ s[1:-1] }}"),
        ("{{input.absent | default: input.n}}", "{{ absent | default(n) }}"),
        (
            "{{#each input.rows}}{{index}}{{item.w}},{{/each}}",
            "{% for r in rows %}{{ loop.index0 }}{{ r.w }},{% endfor %}",
        ),
        ("{{#if input.s}}A{{else}}B{{/if}}", "{% if s %}A{% else %}B{% endif %}"),
    ];
    let environment = Environment::new();
    let mut random = Random(99);
    for _ in 0..test_bed::rounds(40) {
        let input = input(&mut random);
        for (mine, theirs) in pairs {
            let tree = parse_prompt(mine).into_result().unwrap();
            let found =
                render(tree.root(), &Scope::default().with_json("input", &input), RenderLimits::default())
                    .unwrap();
            let expected = environment.render_str(theirs, &input).unwrap();
            assert_eq!(found, expected, "{mine} of {input}");
        }
    }
}

// SPEC 5.4
#[test]
fn conditions_agree() {
    let environment = Environment::new();
    let mut random = Random(123_456_789);
    let mut counts = [0; 2];
    let rounds = test_bed::rounds(500);
    for _ in 0..rounds {
        let input = input(&mut random);
        let (mine, theirs) = random.condition(0);
        let tree = parse_condition(&mine).into_result().unwrap();
        let found = holds(tree.root(), &Scope::default().with_json("input", &input), RenderLimits::default())
            .unwrap();
        let expected = environment.compile_expression(&theirs).unwrap().eval(&input).unwrap().is_true();
        assert_eq!(found, expected, "{mine} of {input}");
        counts[usize::from(found)] += 1;
    }
    assert!(counts.iter().all(|count| *count > rounds / 10), "{counts:?}");
}
