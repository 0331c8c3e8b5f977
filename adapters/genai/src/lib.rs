//! Requests of skills to models become calls of the `genai` crate: what a program gives to its runner.
//!
//! [`client`] takes the name of a model; [`Client::builder`] also a base URL and a key. Nothing is sent before a
//! skill asks. What a name means:
//!
//! | name | provider | key |
//! |---|---|---|
//! | `gpt-…`, `o3…`, `chatgpt…` | OpenAI | `OPENAI_API_KEY` |
//! | `claude-…` | Anthropic | `ANTHROPIC_API_KEY` |
//! | `gemini-…` | Gemini | `GEMINI_API_KEY` |
//! | `ollama::NAME` | Ollama on this machine | none |
//! | `PROVIDER::NAME` | any other that genai knows, as `groq::…` | its own variable |
//! | any name, with a base URL | a server that speaks OpenAI's chat completions | given, or `SKILLS_API_KEY`, or none |
//!
//! With a base URL, `anthropic::NAME` and the like choose another protocol than OpenAI's.
//!
//! ```no_run
//! use skills_runtime::model::{LanguageModel, Message, Request};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let model = skills_genai::client("gpt-5")?;
//! let local = skills_genai::Client::builder("qwen3").base_url("http://127.0.0.1:8080/v1").build()?;
//!
//! let request = Request { messages: vec![Message::User("Hello".to_owned())], ..Request::default() };
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
//! # Limits
//!
//! What genai 0.7 cannot say, and what is done about it:
//!
//! * A schema that a provider's strict mode could only hold in another meaning (optional properties would become
//!   required) is sent to OpenAI without `strict`; to Anthropic keywords that it refuses are left out, and a schema
//!   that cannot be said without them is not sent. The answer is checked against the whole schema anyway.
//! * Ollama is asked by its OpenAI-compatible API, since genai sends no schema by the native one.
//! * A failed tool is marked for Anthropic (`is_error`); others read `Error: ` before the content.
//! * genai makes Anthropic's own web search of a tool named `web_search`; the tool travels as `web_search_tool`.
//! * A stream that ends without its last event (`[DONE]`, `message_stop`) failed, even where the text seems whole.
//!   Whether a stream has the wrong content type is not known: it then ends without that event.
//! * A refusal in a stream of OpenAI has no text: the answer is empty. Not streamed, the refusal is the text and the
//!   answer ends by [`ContentFilter`](skills_runtime::model::Finish::ContentFilter).
//! * Streamed calls of tools which a server numbers all 0 run together into one.
//! * How long to wait before the next try (`retry-after`) is not passed on.
#![deny(missing_docs)]

mod answer;
mod client;
mod failure;
mod http;
mod provider;
mod request;
mod schema;
mod stream;

pub use client::{Builder, Client, client};
pub use provider::ConfigError;
