//! Tests the adapter with local servers that behave as the providers document. Nothing leaves this machine.

mod anthropic;
mod bounds;
mod calls;
mod failures;
mod gemini;
mod hostile;
mod openai;
mod program;
mod responses;
mod secrets;
mod server;
