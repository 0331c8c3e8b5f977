//! Compares generated prompt functions with the evaluator on generated schemas, prompts and inputs. Given the
//! JSON that the typed input writes, both must return the same text or the same error. Only the kinds of
//! types that `made` generates are covered, not all schemas.
#![allow(clippy::panic, clippy::unwrap_used, clippy::print_stdout, reason = "tests fail by panicking")]

use serde_json::{Value, json};
use skills_schema::insert_defaults;
use skills_schema::lower::{DocumentOptions, lower};
use skills_template::parse_prompt;
use skills_template::render::{RenderLimits, Scope, render};

use crate::made::{Made, Random};
use crate::package::{Package, program};

const SKILLS: usize = 40;
const INPUTS: usize = 60;

/// The program denies all warnings.
const PROGRAM: &str = r#"//! Reads `number TAB json` lines and writes the prompt for each input.
#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications, rust_2018_idioms)]
#![forbid(unsafe_code)]

mod all {
    agent_kit::skills!("skills");
}

type Answer = Result<String, String>;

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

macro_rules! answers {
    ($($skill:ident)*) => {
        &[$(
            |text| match all::$skill::Input::from_json(text) {
                Ok(input) => Ok(match input.prompt() {
                    Ok(text) => format!("{}\ttext {}", input.to_json(), escape(&text)),
                    Err(error) => format!("{}\tfault {}", input.to_json(), escape(&error.to_string())),
                }),
                Err(error) => Err(error.to_string()),
            },
        )*]
    };
}

fn main() {
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let (number, text) = line.split_once('\t').unwrap();
        match ANSWERS[number.parse::<usize>().unwrap()](text) {
            Ok(text) => println!("ok\t{text}"),
            Err(error) => println!("err\t{}", error.replace('\n', " | ")),
        }
    }
}
"#;

/// Sorts members, as in the program, since another crate of this build may enable `preserve_order` of
/// `serde_json`.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<(String, Value)> = members.into_iter().collect();
            members.sort_by(|(a, _), (b, _)| a.cmp(b));
            members.into_iter().map(|(key, value)| (key, sorted(value))).collect()
        }
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        other => other,
    }
}

// SPEC 5.8
#[test]
#[ignore = "builds packages"]
fn the_function_of_a_prompt_renders_like_the_evaluator() {
    let mut random = Random(0x5eed_1234_5678_9abc);
    let mades: Vec<Made> = (0..SKILLS).map(|_| Made::new(&mut random)).collect();
    let files: Vec<(String, String)> = mades
        .iter()
        .enumerate()
        .flat_map(|(at, made)| {
            let manifest = json!({
                "name": format!("t{at}"), "description": format!("Tool {at}."), "category": "tools",
                "mode": "llm", "input": made.schema, "output": {},
            });
            let [manifest, prompt] = [manifest.to_string(), made.prompt.clone()];
            [(format!("t{at}/skill.json"), manifest), (format!("t{at}/prompt.md"), prompt)]
        })
        .collect();
    let package = Package::build_files("prompts", &["call", "load"], &program(PROGRAM, SKILLS), &files);

    let asked: Vec<(usize, String)> = mades
        .iter()
        .enumerate()
        .flat_map(|(at, made)| {
            (0..INPUTS).map(|_| (at, made.input(&mut random).to_string())).collect::<Vec<_>>()
        })
        .collect();
    let answers = package.answers(asked.iter().map(|(at, text)| (*at, text.as_str())));
    let (mut texts, mut faults) = (0, 0);
    for ((at, text), answer) in asked.iter().zip(answers) {
        let made = &mades[*at];
        let tables = lower(&made.schema.to_string(), &DocumentOptions::default()).tables;
        // The engine gets the value as a typed call writes it: 5.0 is written as 5.
        let (written, answer) = answer.as_ref().ok().and_then(|answer| answer.split_once('\t')).unwrap();
        let input = sorted(serde_json::from_str(&insert_defaults(&tables, written).unwrap()).unwrap());
        let tree = parse_prompt(&made.prompt).into_result().unwrap();
        let scope = Scope::default().with_json("input", &input);
        let wanted = match render(tree.root(), &scope, RenderLimits::default()) {
            Ok(text) => format!("text {text}"),
            Err(error) => format!("fault {error}"),
        };
        *if wanted.starts_with("text ") { &mut texts } else { &mut faults } += 1;
        let wanted = wanted.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r");
        assert_eq!(answer, wanted, "{text}\n{}\n{}", made.prompt, made.schema);
    }
    println!("{texts} texts and {faults} faults agree");
    assert!(texts > 1000 && faults > 0, "{texts} {faults}");
}
