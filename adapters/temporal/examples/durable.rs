//! A pipeline that survives a crash of this program: end it with Ctrl-C and start it again, and it continues.
//!
//! ```text
//! temporal server start-dev
//! cargo run --example durable
//! ```
#![expect(clippy::print_stdout, reason = "it talks to its user")]

use std::time::Duration;

use serde_json::{Value, json};
use skills_call::{BoxFuture, CallOptions, Context, Dispatch, Failure, Runner};
use skills_load::LayersBuilder;
use skills_temporal::{Remote, Worker};

struct Host;

impl Dispatch for Host {
    fn call<'a>(
        &'a self,
        skill: &str,
        input: String,
        context: &'a Context,
    ) -> Option<BoxFuture<'a, Result<String, Failure>>> {
        if skill != "greet" {
            return None;
        }
        Some(Box::pin(async move {
            let input: Value = serde_json::from_str(&input)?;
            // This name stays the same after a crash, so it can be used to avoid repeating an action.
            println!("{}", context.key().unwrap_or("?"));
            tokio::time::sleep(Duration::from_secs(2)).await;
            Ok(json!({"text": format!("Hello {}", input["name"].as_str().unwrap_or("?"))}).to_string())
        }))
    }

    fn serves(&self, skill: &str) -> bool {
        skill == "greet"
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7233".to_owned());
    let skills = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/skills");
    let runner = Runner::from(LayersBuilder::new().directory(skills).load()?).host(Host);
    let remote = Remote::connect(&address).await?;
    let worker = Worker::new(runner.clone());

    // The same runner, but workers make its calls: the worker below, or any other worker.
    let runner = runner.remote(remote.clone()).on_event(|event| println!("  {}", event.name()));
    let names = ["Ada", "Grace", "Barbara", "Frances", "Radia", "Lynn"];
    let call = runner.call_json_with(
        "greet_all",
        json!({"names": names}),
        CallOptions::default().journal("greetings"),
    );
    tokio::select! {
        served = worker.serve(remote.client()) => served?,
        called = call => println!("{}", called?.output),
    }
    Ok(())
}
