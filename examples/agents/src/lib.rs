//! Shared code of the agents: their skills, and scripted servers for use without a real model.
#![allow(missing_docs, reason = "the skills are a library only here")]
#![expect(clippy::print_stdout, reason = "an agent talks to its user")]

mod script;

use std::env;

use skills::model::ToolCall;
use skills::{CallOptions, Context, Failure, Runner};

pub use script::{Script, openai_server};

skills::skills!("../skills");

struct Desk;

impl Host for Desk {
    async fn find_notes(&self, input: find_notes::Input, _: &Context) -> Result<find_notes::Output, Failure> {
        let text = format!("{} wants water twice a week", input.topic);
        let note = find_notes::Note { title: "Garden".to_owned(), text, pinned: false };
        Ok(find_notes::Output { notes: vec![note] })
    }
}

/// Returns a runner with the function of this program. The other skills need a model.
pub fn desk() -> Runner<impl Sized> {
    SKILLS.with(Desk)
}

/// Runs a tool, and prints the call and its result.
pub async fn run(runner: &Runner<impl Sized>, call: &ToolCall) -> skills::call::ToolAnswer {
    println!("  {} {}", call.name, call.arguments);
    let answer = runner.dispatch(&call.name, &call.arguments, &CallOptions::default()).await;
    println!("  -> {}", answer.text);
    answer
}

/// Returns an environment variable, unless it is empty.
pub fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// Returns the question on the command line, or one that the notes answer.
pub fn question() -> String {
    let words: Vec<String> = env::args().skip(1).collect();
    if words.is_empty() { "When do I water the roses?".to_owned() } else { words.join(" ") }
}

/// Creates an HTTP client that does not follow redirects, which would send the key to another host.
///
/// # Errors
/// If the platform has no certificates.
pub fn http(base_url: &str) -> Result<reqwest::Client, reqwest::Error> {
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
    // No proxy can reach this machine.
    if base_url.starts_with("http://127.0.0.1:") { client.no_proxy().build() } else { client.build() }
}
