//! Counts which inputs of real tools are accepted by typify's types and by our tables, and compares both with
//! the crate jsonschema.

#[path = "../../../core/skills-schema/tests/instances/mod.rs"]
mod instances;
#[path = "../../../core/skills-schema/tests/random/mod.rs"]
mod random;
#[allow(warnings)]
mod types {
    include!(concat!(env!("OUT_DIR"), "/types.rs"));
}

use instances::{instance, mutate};
use random::Random;
use serde_json::Value;
use std::collections::BTreeMap;

/// The results of one side.
#[derive(Default)]
struct Side {
    right: usize,
    too_strict: usize,
    too_lax: usize,
}

impl Side {
    fn note(&mut self, accepted: bool, wanted: bool) {
        match (accepted, wanted) {
            (false, true) => self.too_strict += 1,
            (true, false) => self.too_lax += 1,
            _ => self.right += 1,
        }
    }

    fn show(&self, name: &str) {
        let all = self.right + self.too_strict + self.too_lax;
        let share = 100.0 * self.right as f64 / all as f64;
        println!(
            "{name:8} {share:6.2} % right of {all}; {} valid inputs refused, {} invalid inputs accepted",
            self.too_strict, self.too_lax
        );
    }
}

fn main() {
    let random = &mut Random::new(3);
    let (mut ours, mut theirs, mut failed) =
        (Side::default(), Side::default(), BTreeMap::<&str, usize>::new());
    let mut tools = 0;
    let mut reasons = BTreeMap::<String, usize>::new();
    for (text, typify) in types::TOOLS {
        let schema: Value = serde_json::from_str(text).unwrap();
        let draft = jsonschema::options().with_draft(jsonschema::Draft::Draft7);
        let Ok(oracle) = draft.build(&schema) else { continue };
        let tables = skills_schema::lower::lower(text, &Default::default()).tables;
        tools += 1;
        if let Err(why) = typify {
            *failed.entry(why.get(..60).unwrap_or(why)).or_default() += 1;
        }
        for round in 0..24 {
            let mut value = instance(&schema, &schema, random, 4);
            (0..round / 6).for_each(|_| mutate(&mut value, random));
            let (text, wanted) = (value.to_string(), oracle.is_valid(&value));
            ours.note(skills_schema::is_valid_str(&tables, &text), wanted);
            let Ok(read) = typify else { continue };
            let accepted = read(&text);
            theirs.note(accepted, wanted);
            if accepted != wanted {
                let rule = oracle.iter_errors(&value).next().map_or("fits".to_owned(), |error| {
                    error.schema_path().to_string().rsplit('/').next().unwrap_or_default().to_owned()
                });
                *reasons.entry(rule).or_default() += 1;
            }
        }
    }
    println!("{tools} tools; typify cannot create types for {}:", failed.values().sum::<usize>());
    failed.iter().for_each(|(why, count)| println!("  {count:3} {why}"));
    ours.show("skills");
    theirs.show("typify");
    println!("inputs that typify judges wrongly, by the first rule that they break (`fits`: none):");
    reasons.iter().for_each(|(rule, count)| println!("  {count:5} {rule}"));
}
