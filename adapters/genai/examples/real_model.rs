//! A directory of skills and a server that speaks like OpenAI become a review of four lines of code.
//!
//! `cargo xtask real-model` runs it with a model of 98 MB: `real_model BASE_URL SKILLS`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to its user")]

use std::time::{Duration, Instant};

use serde_json::json;
use skills_runtime::call::{CallOptions, Event, Runner};
use skills_runtime::load::Layers;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [base_url, skills] = arguments.as_slice() else {
        return Err("usage: real_model BASE_URL SKILLS".into());
    };
    let model = skills_genai::Client::builder("SmolLM2-135M-Instruct").base_url(base_url).build()?;
    let runner: Runner =
        Runner::from(Layers::builder().directory(skills).load()?).model(model).on_event(tell);

    let code = "def load(name):\n    return open(\"/data/\" + name).read()\n";
    let input = json!({ "code": code, "language": "python" });
    // The skill's own minute is meant for faster models.
    let options = CallOptions { timeout: Some(Duration::from_secs(1800)), ..CallOptions::default() };
    let start = Instant::now();
    // The output was checked against the skill's schema: a call that returns one is valid.
    let outcome = runner.call_json_with("code_review", input, options).await?;

    println!("{:#}", outcome.output);
    let usage = outcome.usage;
    println!(
        "{} s, {} tokens in, {} tokens out",
        start.elapsed().as_secs(),
        usage.input_tokens,
        usage.output_tokens
    );
    Ok(())
}

/// Says what happens while the model thinks.
fn tell(event: &Event) {
    match event {
        Event::Model { attempt, duration, usage, error, .. } => {
            let outcome = error.as_deref().unwrap_or("answered");
            eprintln!(
                "attempt {attempt}: {} s, {} tokens: {outcome}",
                duration.as_secs(),
                usage.output_tokens
            );
        }
        Event::ValidationRetry { violations, .. } => eprintln!("{} violations", violations.len()),
        _ => {}
    }
}
