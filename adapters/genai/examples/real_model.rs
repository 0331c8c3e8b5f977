//! Calls a bundled skill with a model on an OpenAI-compatible server, for a typed review of two lines of
//! code.
//!
//! `cargo xtask real-model` runs it with a model of 98 MB: `real_model BASE_URL`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to its user")]

use std::time::{Duration, Instant};

use skills::call::{CallOptions, Event};

skills::skills!("../../skills");

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [base_url] = arguments.as_slice() else {
        return Err("usage: real_model BASE_URL".into());
    };
    let model = skills_genai::Genai::builder("SmolLM2-135M-Instruct").base_url(base_url).build()?;
    let runner = SKILLS.runner().model(model).on_event(print);

    let input = code_review::Input {
        code: Some("def load(name):\n    return open(\"/data/\" + name).read()\n".to_owned()),
        language: Some("python".to_owned()),
        ..Default::default()
    };
    // The skill's time limit of a minute is meant for faster models.
    let options = CallOptions::default().timeout(Duration::from_secs(1800));
    let start = Instant::now();
    let outcome = runner.call_with(input, options).await?;

    let review: code_review::Output = outcome.output;
    println!("{review:#?}");
    let usage = outcome.usage;
    println!(
        "{} s, {} tokens in, {} tokens out",
        start.elapsed().as_secs(),
        usage.input_tokens,
        usage.output_tokens
    );
    Ok(())
}

/// Prints progress while the model works.
fn print(event: &Event) {
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
