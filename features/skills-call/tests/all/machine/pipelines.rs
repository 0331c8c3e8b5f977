//! Pipelines for tests: written by hand, and made at random.

use std::fmt::Write;

use skills_call::Functions;

use super::drivers::Random;
use crate::functions::{functions, manifest};

/// A composite skill `p` over the code skills `a` to `d`, and an input for it. `b` and `d` are pure.
pub(crate) struct Made {
    pub(crate) library: &'static Functions,
    pub(crate) manifest: String,
    pub(crate) input: String,
}

pub(crate) fn fixed(steps: &str, rest: &str, input: &str) -> Made {
    let any = r#"{"type": "object"}"#;
    let code = [("a", "false"), ("b", "true"), ("c", "false"), ("d", "true")]
        .map(|(name, pure)| manifest(name, "code", any, any, &format!(r#""pure": {pure}"#)));
    let rest = format!(r#""calls": ["a", "b", "c", "d"], "pipeline": [{steps}]{rest}"#);
    let composite = manifest("p", "composite", any, any, &rest);
    let [a, b, c, d] = code.each_ref().map(String::as_str);
    let library = functions(&[
        ("a/skill.json", a),
        ("b/skill.json", b),
        ("c/skill.json", c),
        ("d/skill.json", d),
        ("p/skill.json", &composite),
    ]);
    Made { library, manifest: composite, input: input.to_owned() }
}

/// Makes up to eight steps that refer to earlier ones, with every key of a step. The numbers in the inputs differ, so that
/// no two attempts but those of one call have the same input.
pub(crate) fn random(random: &mut Random) -> Made {
    let count = 1 + random.below(8);
    let mut steps = String::new();
    let mut lists: Vec<bool> = Vec::new();
    for at in 0..count {
        let before = |random: &mut Random| (at > 0).then(|| random.below(at));
        let mut input = format!(r#""id": {at}, "v": "{{{{input.n}}}}""#);
        for name in ["x", "y"] {
            if let Some(from) = before(random).filter(|_| random.one_in(2)) {
                let fallback = if random.one_in(2) { " || 'none'" } else { "" };
                let field = if lists[from] { "results" } else { "v" };
                write!(input, r#", "{name}": "{{{{steps.s{from}.{field}{fallback}}}}}""#).expect("text");
            }
        }
        let mut keys = String::new();
        let fails = if random.one_in(3) { 1 + random.below(3) } else { 0 };
        lists.push(random.one_in(3));
        if lists[at] {
            let list = match before(random).filter(|from| lists[*from] && random.one_in(2)) {
                Some(from) => format!("{{{{steps.s{from}.results || input.list}}}}"),
                None if random.one_in(2) => "{{input.list | map: v}}".to_owned(),
                None => "{{input.list}}".to_owned(),
            };
            write!(keys, r#", "foreach": "{list}", "maxConcurrency": {}"#, random.below(4)).expect("text");
            input.push_str(r#", "item": "{{item}}", "i": "{{index}}""#);
        }
        if fails > 0 {
            write!(input, r#", "fail": {fails}"#).expect("text");
            let retry = if random.one_in(6) { 0 } else { fails };
            write!(keys, r#", "retry": {retry}, "retryDelay": 1"#).expect("text");
        }
        if random.one_in(3) {
            keys.push_str(r#", "continueOnError": true"#);
            if random.one_in(2) {
                input = input.replace(r#""fail": "#, r#""fail": 1"#);
            }
        }
        if let Some(from) = before(random).filter(|_| random.one_in(4)) {
            write!(keys, r#", "depends": ["s{from}"]"#).expect("text");
        }
        if random.one_in(4) {
            let condition = match before(random) {
                Some(from) if random.one_in(2) => {
                    format!("!steps.s{from}.{}", if lists[from] { "results" } else { "_failed" })
                }
                _ if random.one_in(2) => "input.n > 5".to_owned(),
                _ => "input.n < 5".to_owned(),
            };
            write!(keys, r#", "condition": "{condition}""#).expect("text");
        }
        let skill = ["a", "b", "c", "d"][random.below(4)];
        let comma = if at == 0 { "" } else { ", " };
        write!(steps, r#"{comma}{{"step": "s{at}", "skill": "{skill}", "input": {{{input}}}{keys}}}"#)
            .expect("text");
    }
    let mapping = if random.one_in(2) {
        let keys: Vec<String> = (0..count).map(|at| format!(r#""s{at}": "{{{{steps.s{at}}}}}""#)).collect();
        format!(r#", "outputMapping": {{{}}}"#, keys.join(", "))
    } else {
        String::new()
    };
    let list: Vec<String> = (0..random.below(6)).map(|v| format!(r#"{{"v": {v}}}"#)).collect();
    fixed(&steps, &mapping, &format!(r#"{{"n": 3, "list": [{}]}}"#, list.join(", ")))
}
