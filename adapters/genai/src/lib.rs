//! Connects skills to models over HTTP: provides the model for a program's runner.
//!
//! It supports four protocols: OpenAI's Chat Completions and Responses, Anthropic's Messages and Gemini's
//! `generateContent`.
//!
//! [`client`] takes the name of a model; [`Client::builder`] also takes a base URL and a key. Nothing is sent
//! until a skill makes a request. The name determines the provider:
//!
//! | name | provider | key |
//! |---|---|---|
//! | `gpt-…`, `o3…`, `chatgpt…` | OpenAI, with the Responses API from `gpt-5` on | `OPENAI_API_KEY` |
//! | `claude-…` | Anthropic | `ANTHROPIC_API_KEY` |
//! | `gemini-…` | Gemini | `GEMINI_API_KEY` |
//! | `ollama::NAME` | Ollama on this machine | none |
//! | `PROVIDER::NAME` | `openai`, `openai_resp` (its Responses API), `anthropic`, `gemini`, `ollama`, `ollama_cloud`, `aliyun`, `bigmodel`, `cohere`, `deepseek`, `fireworks`, `github_copilot`, `groq`, `kimi`, `minimax`, `mistral`, `moonshot`, `nebius`, `open_router`, `together`, `xai`, `zai` | its own variable, as `GROQ_API_KEY` |
//! | any name, with a base URL | a server with OpenAI's Chat Completions API | given, or `SKILLS_API_KEY`, or none |
//!
//! With a base URL, a prefix such as in `anthropic::NAME` selects another protocol than OpenAI's.
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
//! A key is only sent to its provider. The variable of a provider is read only for the provider's own host;
//! with another base URL, a key must be given, or be in `SKILLS_API_KEY`. Redirects are not followed. Keys do
//! not occur in any `Debug` output, error or log of this crate. If a server repeats the key in a message, it
//! is removed.
//!
//! Proxies are taken from the environment (`HTTPS_PROXY`), except for this machine. Certificates are verified
//! by the platform.
//!
//! # Limits
//!
//! All data from a server is limited, for every protocol: an answer to 16 MiB, an event of a stream to 4 MiB,
//! a JSON text to 131,072 values, the arguments of a call to 1 MiB, and the number of calls to 128.
//!
//! Known limitations:
//!
//! * OpenAI's strict mode requires every property. A schema with optional properties is sent without `strict`.
//!   For Anthropic, unsupported keywords are left out, and a schema that would lose its meaning is not sent. The
//!   answer is always checked against the whole schema.
//! * Ollama, Cohere and most others are called with their OpenAI-compatible APIs. Providers without one
//!   (Bedrock, Vertex) need a proxy at a base URL.
//! * A failed tool is marked for Anthropic (`is_error`) and Gemini (`error`). For others, the content starts
//!   with `Error: `.
//! * Anthropic requires a maximum length of answers. Unless a request sets it, it is the limit of the model.
//! * A stream that ends without its last event (`[DONE]`, `message_stop`, `response.completed`, a
//!   `finishReason`) is an error, even if the text seems complete. The content type of a stream is not
//!   checked: a wrong one also leads to this error.
//! * A refusal is an answer with text that ends with
//!   [`ContentFilter`](skills_call::model::Finish::ContentFilter).
//! * `retry-after` is read as a number of seconds. Dates are ignored.
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
