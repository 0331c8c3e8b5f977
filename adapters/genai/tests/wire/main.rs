//! The adapter against a server of its own process that speaks what providers document; nothing leaves it.

mod anthropic;
mod bounds;
mod calls;
mod failures;
mod gemini;
mod hostile;
mod openai;
mod responses;
mod secrets;
mod server;
