//! The Restate service of one skill.

use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::Duration;

use futures_util::FutureExt;
use restate_sdk::endpoint::{ContextInternal, Error, InputMetadata};
use restate_sdk::errors::HandlerError;
use restate_sdk::service::Service;
use restate_sdk::service::macro_support::ServiceBoxFuture;
use skills_call::durable::{Reply, Request};
use skills_call::trace::TraceContext;
use skills_call::{CallOptions, ErrorKind, Runner};
use skills_durable::{SharedProgress, Stop, drive, ordered};

use crate::flow::Flow;
use crate::line::{DEPTH, JsonText, KEY, PLACE, PROGRESS, REPLY, STATE, TIMEOUT, TRACE, terminal};

/// The data that the handlers of a skill need.
#[derive(Clone)]
pub(crate) struct Handler {
    pub(crate) runner: Runner,
    pub(crate) skill: Arc<str>,
    pub(crate) prefix: Arc<str>,
}

impl Service for Handler {
    type Future = ServiceBoxFuture;

    fn handle(&self, ctx: ContextInternal) -> Self::Future {
        let handler = self.clone();
        Box::pin(async move {
            let result = match ctx.handler_name() {
                "call" => handler.call(&ctx).await,
                "run" => handler.run(&ctx).await,
                "progress" => kept(&ctx, PROGRESS, "[]").await,
                "reply" => kept(&ctx, REPLY, "{}").await,
                name => return Err(Error::unknown_handler(ctx.service_name(), name)),
            };
            ctx.handle_handler_result(result);
            ctx.end();
            Ok(())
        })
    }
}

impl Handler {
    /// Runs a skill that is not a pipeline. Ends if the invocation is cancelled.
    ///
    /// The result is recorded before it is returned, since a replay must return the same result.
    async fn call(&self, ctx: &ContextInternal) -> Result<JsonText, HandlerError> {
        let (input, metadata) = ctx.input::<JsonText>().await;
        let request = self.request(&input, &metadata);
        let is_running = AtomicBool::new(false);
        let mut work = pin!(ctx.run(|| async {
            is_running.store(true, Ordering::Release);
            // A panic would be retried forever.
            let reply =
                AssertUnwindSafe(request.run(&self.runner, CallOptions::default())).catch_unwind().await;
            is_running.store(false, Ordering::Release);
            let reply = reply.unwrap_or_else(|_| Reply::lost(&self.skill, ErrorKind::Failed, "it panicked"));
            Ok(JsonText::from(reply.to_json()))
        }));
        // This signal is never sent: waiting for it is the way to notice a cancellation. Both futures read
        // the same stream, so one is polled while the work runs, and the other before and after.
        let mut signal = None;
        let reply = poll_fn(|context| {
            if let Poll::Ready(reply) = work.as_mut().poll(context) {
                return Poll::Ready(reply);
            }
            if !is_running.load(Ordering::Acquire) {
                return Poll::Pending;
            }
            let signal = signal.get_or_insert_with(|| Box::pin(ctx.signal::<JsonText>("skills-cancel")));
            signal.as_mut().poll(context)
        });
        self.finish(&metadata, Reply::from_json(&reply.await?.text()))
    }

    /// Runs a pipeline. Its steps are calls of other services.
    async fn run(&self, ctx: &ContextInternal) -> Result<JsonText, HandlerError> {
        let (input, metadata) = ctx.input::<JsonText>().await;
        let state = self.runner.server_access().state(&self.skill).map_err(|error| terminal(&error))?;
        let now = state.clone();
        let begun = ctx.run(|| async move { Ok(now) }).await?;
        let request = self.request(&input, &metadata);
        if begun != state {
            return Err(std::io::Error::other(request.changed()).into());
        }
        let progress = SharedProgress::default();
        let (queue, work) = ordered(&request, &self.runner, progress.clone());
        let mut flow = Flow::new(ctx, &self.prefix, progress);
        let result = drive(&queue, &[], &mut flow, work).await;
        match result {
            Ok(result) => {
                flow.settle().await?;
                let reply = Reply::from_result(result);
                if !metadata.headers.contains_key(PLACE) {
                    ctx.set(REPLY, JsonText::from(reply.beside()));
                }
                self.finish(&metadata, Some(reply))
            }
            Err(Stop::Engine(error)) => Err(error.into()),
            Err(Stop::Changed { number }) => {
                Err(std::io::Error::other(format!("the record has a reply without an order: {number}"))
                    .into())
            }
        }
    }

    /// Parses a call. A step has a place, any other call has a key.
    fn request(&self, input: &JsonText, metadata: &InputMetadata) -> Request {
        let header = |name| metadata.headers.get(name);
        let number = |name| header(name).and_then(|text| text.parse::<u64>().ok());
        let key = if metadata.key.is_empty() { header(KEY) } else { Some(&metadata.key) };
        let key = key.unwrap_or(&metadata.invocation_id);
        Request {
            skill: self.skill.to_string(),
            input: input.text(),
            place: Some(header(PLACE).cloned().unwrap_or_else(|| format!("{key}/{}", self.skill))),
            depth: number(DEPTH).and_then(|depth| u32::try_from(depth).ok()).unwrap_or(0),
            timeout: number(TIMEOUT).map(Duration::from_millis),
            trace: header(TRACE)
                .and_then(|parent| TraceContext::new(parent, header(STATE).map(String::as_str))),
            ..Request::default()
        }
    }

    /// Ends a call: a step returns its reply to its pipeline, any other call has an output or fails.
    fn finish(&self, metadata: &InputMetadata, reply: Option<Reply>) -> Result<JsonText, HandlerError> {
        let none = || Reply::lost(&self.skill, ErrorKind::Failed, "the journal has no reply");
        let reply = reply.unwrap_or_else(none);
        if metadata.headers.contains_key(PLACE) {
            return Ok(JsonText::from(reply.to_json()));
        }
        let answer = reply.answer(&self.skill).map_err(|error| terminal(&error))?;
        Ok(JsonText::from(answer.text))
    }
}

/// Returns a value that the run has recorded.
async fn kept(ctx: &ContextInternal, name: &str, otherwise: &str) -> Result<JsonText, HandlerError> {
    let ((), _) = ctx.input::<()>().await;
    Ok(ctx.get::<JsonText>(name).await?.unwrap_or_else(|| JsonText::from(otherwise.to_owned())))
}
