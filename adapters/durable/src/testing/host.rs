//! A runner for tests, whose functions and model record when they begin and end.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use skills_call::model::{Answer, LanguageModel, ModelError, Request, Usage};
use skills_call::{BoxFuture, Context, Dispatch, Failure, Runner};
use skills_exec::Confinement;
use skills_load::LayersBuilder;

use super::{FUNCTIONS, micros};

/// Creates a runner for the skills below a directory, whose functions record their work in a file.
pub fn runner(skills: &Path, log: PathBuf, delay: Duration) -> Runner {
    let layers = LayersBuilder::new().directory(skills).load().expect("they are sound");
    let model = Model(Desk { log: log.clone(), delay: Duration::ZERO });
    Runner::from(layers).confinement(Confinement::auto()).model(model).host(Desk { log, delay })
}

/// A model that records each request, and always gives the same answer.
struct Model(Desk);

impl LanguageModel for Model {
    fn name(&self) -> &str {
        "noted"
    }

    fn complete<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Result<Answer, ModelError>> {
        Box::pin(async move {
            self.0.note("begin", "model");
            self.0.note("end", "model");
            let usage = Usage { input_tokens: 3, output_tokens: 4 };
            Ok(Answer::new(r#"{"said": "yes"}"#).with_usage(usage))
        })
    }
}

/// The functions of the host.
struct Desk {
    log: PathBuf,
    delay: Duration,
}

impl Desk {
    /// Appends a line. It is in the file when this function returns.
    fn note(&self, word: &str, key: &str) {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.log).expect("a log");
        let line = format!("{} {} {word} {key}\n", micros(), std::process::id());
        file.write_all(line.as_bytes()).expect("one write");
    }

    async fn serve(&self, skill: &str, input: Value, key: &str) -> Result<Value, Failure> {
        self.note("begin", key);
        /// Records that a function was dropped.
        struct Guard<'a>(&'a Desk, &'a str, bool);
        impl Drop for Guard<'_> {
            fn drop(&mut self) {
                if self.2 {
                    self.0.note("dropped", self.1);
                }
            }
        }
        let mut guard = Guard(self, key, true);
        let delay = input["ms"].as_u64().map_or(self.delay, Duration::from_millis);
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        guard.2 = false;
        // A temporary failure.
        let fault = self.log.with_extension(format!("fault-{}", key.replace('/', "_")));
        let is_faulty = input["id"] == 2 && input["fault"] == true || input["fails"] == true;
        if is_faulty && !fault.exists() {
            fs::write(fault, "")?;
            self.note("fault", key);
            return Err("the first attempt fails".into());
        }
        let output = match skill {
            "research" => {
                let notes: Vec<Value> =
                    (0..input["count"].as_u64().unwrap_or(0)).map(|id| json!({"id": id})).collect();
                json!({ "notes": notes })
            }
            "tally" => json!({"count": input["notes"].as_array().map_or(0, Vec::len)}),
            "summarize" => json!({"id": input["id"], "summary": format!("s{}", input["id"])}),
            "merge" => {
                let parts = input["parts"].as_array().cloned().unwrap_or_default();
                json!({"text": parts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(",")})
            }
            "slow" => json!({"key": key}),
            _ => input,
        };
        self.note("end", key);
        Ok(output)
    }
}

impl Dispatch for Desk {
    fn call<'a>(
        &'a self,
        skill: &str,
        input: String,
        context: &'a Context,
    ) -> Option<BoxFuture<'a, Result<String, Failure>>> {
        let skill = FUNCTIONS.into_iter().find(|known| *known == skill)?;
        let key = context.key().unwrap_or("none").to_owned();
        Some(Box::pin(async move {
            if skill == "echo" {
                self.note("begin", &key);
                self.note("end", &key);
                return Ok(input);
            }
            if input.contains("panic") {
                unreachable!("as asked");
            }
            Ok(self.serve(skill, serde_json::from_str(&input)?, &key).await?.to_string())
        }))
    }

    fn serves(&self, skill: &str) -> bool {
        FUNCTIONS.contains(&skill)
    }
}
