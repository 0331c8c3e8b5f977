//! Connects skills to models through [`genai`]: provides the model for a program's runner.
//!
//! [`Genai::new`] takes the [`genai::Client`] that a program already has, with its providers, keys, proxies and
//! HTTP client. [`client`] and [`Genai::builder`] create a client, for programs without one. Nothing is sent
//! until a skill makes a request. The name determines the provider:
//!
//! | name | provider | key |
//! |---|---|---|
//! | `gpt-…`, `o3…`, `chatgpt…` | OpenAI, with the Responses API from `gpt-5` on | `OPENAI_API_KEY` |
//! | `claude-…` | Anthropic | `ANTHROPIC_API_KEY` |
//! | `gemini-…` | Gemini | `GEMINI_API_KEY` |
//! | `ollama::NAME` | Ollama on this machine | none |
//! | `PROVIDER::NAME` | a provider of [`AdapterKind`](genai::adapter::AdapterKind) in lower case, as `groq`, `mistral`, `open_router`, `openai_resp` (OpenAI's Responses API) | its own variable, as `GROQ_API_KEY` |
//! | any name, with a base URL | a server with OpenAI's Chat Completions API | given, or `SKILLS_API_KEY`, or none |
//!
//! With a base URL, a prefix such as in `anthropic::NAME` selects another protocol than OpenAI's. With the
//! prefix `ollama::`, the base URL is the root of the server, without `/v1`.
//!
//! ```no_run
//! use skills_call::model::{LanguageModel, Message, Request};
//! use skills_genai::Genai;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let mine = Genai::new(genai::Client::new()?, "gpt-5");
//! let local = Genai::builder("qwen3").base_url("http://127.0.0.1:8080/v1").build()?;
//!
//! let request = Request::new(vec![Message::user("Hello")]);
//! println!("{}", local.complete(&request).await?.text);
//! # drop(mine);
//! # Ok(())
//! # }
//! ```
//!
//! # Secrets
//!
//! With [`client`] and [`Genai::builder`], a key is only sent to its provider. The variable of a provider is not
//! read if a base URL is set: a key must be given, or be in `SKILLS_API_KEY`. Redirects are not followed. Proxies
//! are taken from the environment (`HTTPS_PROXY`), except for this machine.
//!
//! A client of the program follows its own rules. genai's default client follows redirects, and reqwest then
//! removes `Authorization`, but not the key headers of Anthropic and Gemini. Build the client with
//! `reqwest::redirect::Policy::none()` and `with_reqwest` to avoid this.
//!
//! Keys do not occur in any `Debug` output or error of this crate. If a server repeats the key in a message, it
//! is removed. genai itself logs messages of servers with `tracing`, under the target `genai`.
//!
//! # TLS
//!
//! reqwest is used with its feature `rustls`: aws-lc-rs, with certificates verified by the platform. A program's
//! own `reqwest::Client::new()` works beside it.
//!
//! # Limits
//!
//! Every answer is streamed, also for [`complete`](skills_call::model::LanguageModel::complete), and these
//! limits are checked for each piece: 16 MiB of text, reasoning and arguments, 128 calls, 1 MiB for the
//! arguments of a call, and an hour in all ([`Genai::with_timeout`]). With [`Genai::builder`], a server may be
//! silent for 10 minutes. A client of the program has its own limit for that
//! (`ChatOptions::with_stream_read_timeout`).
//!
//! genai reads some things before this crate sees them. An answer ends with an error if reading it takes 5 seconds, without
//! the time in which nothing arrives. This bounds them, as far as the speed of the server and of this machine do:
//!
//! * an endless event of a stream, the number of values in an event, and the body of an error: they take as
//!   much memory as the server sends
//! * calls of OpenAI's Responses API without arguments, until the end of the answer
//! * text around the events of a stream, which is not kept
//! * the time to read the arguments of a call from Anthropic or the Responses API: genai copies all arguments
//!   again for each new piece
//!
//! Connect only to servers that you trust not to exhaust the memory of the program.
//!
//! # Known limitations
//!
//! * OpenAI's strict mode requires every property. A schema with optional properties is sent without `strict`,
//!   and is not sent to Anthropic. Ollama is only asked for JSON. The answer is always checked against the whole
//!   schema.
//! * The content of a failed tool starts with `Error: `.
//! * [`Part::Other`](skills_call::model::Part::Other) is passed on as genai's `ContentPart::Custom`, which most
//!   providers ignore.
//! * genai drops the text of a refusal in OpenAI's protocols, and some media that a provider does not support. A
//!   prompt that Gemini blocks is an error.
//! * genai splits a name that ends with a reasoning effort: `gpt-5-high` selects the model `gpt-5`. With
//!   [`Genai::builder`] and a base URL, the name is sent as it is.
//! * [`Answer::model`](skills_call::model::Answer::model) is not set, since genai does not report it in streams.
//! * A stream that ends without its last event or a reason is an error, even if the text seems complete. The
//!   content type of a stream is not checked: a wrong one also leads to this error.
//! * The resolver of a client for service targets is called twice for each request, the second time with its own
//!   result.
//! * `retry-after` is read as a number of seconds. Dates are ignored.
#![deny(missing_docs)]

mod answer;
mod builder;
mod calls;
mod failure;
mod format;
mod model;
mod reader;
mod request;

pub use builder::{Builder, ConfigError};
pub use model::{Genai, client};

/// Compiles the code of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
