//! Requests of skills go to models over HTTP: what a program gives to its runner.
//!
//! Four protocols are spoken: OpenAI's chat completions and responses, Anthropic's messages and Gemini's
//! `generateContent`.
//!
//! [`client`] takes the name of a model; [`Client::builder`] also a base URL and a key. Nothing is sent before a
//! skill asks. What a name means:
//!
//! | name | provider | key |
//! |---|---|---|
//! | `gpt-…`, `o3…`, `chatgpt…` | OpenAI, by its responses from `gpt-5` on | `OPENAI_API_KEY` |
//! | `claude-…` | Anthropic | `ANTHROPIC_API_KEY` |
//! | `gemini-…` | Gemini | `GEMINI_API_KEY` |
//! | `ollama::NAME` | Ollama on this machine | none |
//! | `PROVIDER::NAME` | `openai`, `openai_resp` (its responses), `anthropic`, `gemini`, `ollama`, `ollama_cloud`, `aliyun`, `bigmodel`, `cohere`, `deepseek`, `fireworks`, `github_copilot`, `groq`, `kimi`, `minimax`, `mistral`, `moonshot`, `nebius`, `open_router`, `together`, `xai`, `zai` | its own variable, as `GROQ_API_KEY` |
//! | any name, with a base URL | a server that speaks OpenAI's chat completions | given, or `SKILLS_API_KEY`, or none |
//!
//! With a base URL, `anthropic::NAME` and the like choose another protocol than OpenAI's.
//!
//! ```no_run
//! use skills_call::model::{LanguageModel, Message, Request};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let model = skills_genai::client("gpt-5")?;
//! let local = skills_genai::Client::builder("qwen3").base_url("http://127.0.0.1:8080/v1").build()?;
//!
//! let request = Request::new(vec![Message::user("Hello")]);
//! println!("{}", local.complete(&request).await?.text);
//! # drop(model);
//! # Ok(())
//! # }
//! ```
//!
//! # Secrets
//!
//! A key goes to its provider and nowhere else (SPEC 12.4). The variable of a provider is read only for the
//! provider's own host: with another base URL a key must be given, or lie in `SKILLS_API_KEY`. Redirects are not
//! followed. Keys are in no `Debug`, no error and no log of this crate; where a server repeats the key in a message,
//! it is taken out.
//!
//! Proxies are those of the environment (`HTTPS_PROXY`), but none for this machine; certificates are judged by the
//! platform.
//!
//! # Limits
//!
//! What a server sends is bounded, whatever it speaks (SPEC 7.7, 14.16): an answer by 16 MiB, an event of a stream by
//! 4 MiB, a JSON text by 131,072 values, the arguments of a call by 1 MiB, and 128 calls.
//!
//! What cannot be said, and what is done about it:
//!
//! * A schema that a provider's strict mode could only hold in another meaning (optional properties would become
//!   required) is sent to OpenAI without `strict`; to Anthropic keywords that it refuses are left out, and a schema
//!   that cannot be said without them is not sent. The answer is checked against the whole schema anyway.
//! * Ollama, Cohere and most others are asked by their OpenAI-compatible APIs. Providers that have none (Bedrock, Vertex)
//!   are not spoken to, but by a proxy at a base URL.
//! * A failed tool is marked for Anthropic (`is_error`) and Gemini (`error`); others read `Error: ` before the content.
//! * Anthropic wants to be told how long an answer may be: unless a request says it, what the model can.
//! * A stream that ends without its last event (`[DONE]`, `message_stop`, `response.completed`, a `finishReason`) failed,
//!   even where the text seems whole.
//!   Whether a stream has the wrong content type is not known: it then ends without that event.
//! * A refusal is the text of an answer that ends by
//!   [`ContentFilter`](skills_call::model::Finish::ContentFilter).
//! * Of `retry-after` a number of seconds is read, and no date.
#![deny(missing_docs)]

mod answer;
mod anthropic;
mod chat;
mod client;
mod config;
mod events;
mod exchange;
mod failure;
mod gemini;
mod http;
mod known;
mod limits;
mod pause;
mod protocol;
mod provider;
mod request;
mod responses;
mod said;
mod schema;
mod target;

pub use client::{Builder, Client, client};
pub use config::ConfigError;

/// Compiles the code of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
