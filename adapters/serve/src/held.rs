//! Charges the budget for answers until they are sent, and for whole requests of other servers.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body::{Frame, SizeHint};

use crate::answer::Problem;
use crate::body::{self, BodyLimits};
use crate::budget::{Budget, Share, parsed};

/// Marks a response whose body is a shared cached value, so it uses no extra memory.
#[derive(Clone)]
struct Cached;

/// Charges the budget for the responses of routes. If a response to GET exceeds the budget, it is replaced with
/// an error, since the client can repeat the request.
pub async fn charge(State(budget): State<Budget>, request: Request, next: Next) -> Response {
    let is_repeatable = matches!(*request.method(), Method::GET | Method::HEAD);
    let response = next.run(request).await;
    if response.extensions().get::<Cached>().is_some() {
        return response;
    }
    let bytes = response.body().size_hint().exact().and_then(|bytes| usize::try_from(bytes).ok());
    let share = budget.share();
    match bytes {
        Some(bytes) if is_repeatable && !share.grow(bytes) => return Problem::busy().into_response(),
        Some(bytes) if !is_repeatable => share.force_charge(bytes),
        _ => {}
    }
    hold_until_sent(response, Arc::new(share))
}

/// Leaves a response out of the budget.
pub fn cached(mut response: Response) -> Response {
    response.extensions_mut().insert(Cached);
    response
}

/// Reads the body of a JSON request for a service that parses bodies itself, and charges the budget for it until the
/// share is dropped. The request has the share as an extension.
///
/// # Errors
/// Returns the response if the body is too large or too slow (413, 408), or if it exceeds the budget (503).
pub async fn admit(
    request: Request,
    bytes: usize,
    time: Duration,
    budget: &Budget,
) -> Result<(Request, Arc<Share>), Response> {
    let limits = BodyLimits { bytes, time, budget: budget.clone() };
    let share = Arc::new(budget.share());
    let (mut head, body) = request.into_parts();
    let read = body::bytes(body, &limits, &share).await;
    let bytes = read.map_err(IntoResponse::into_response)?;
    body::charge(&share, &limits, parsed(&bytes)).map_err(IntoResponse::into_response)?;
    head.extensions.insert(Arc::clone(&share));
    Ok((Request::from_parts(head, Body::from(bytes)), share))
}

/// Keeps a share until a response is sent, and charges the budget for each part of a body whose size is not known.
#[must_use]
pub fn hold_until_sent(response: Response, share: Arc<Share>) -> Response {
    if response.body().is_end_stream() {
        return response;
    }
    response.map(|body| {
        let is_sized = body.size_hint().exact().is_some();
        Body::new(ChargedBody { body, share, is_sized })
    })
}

/// A body whose parts are charged until the connection has sent them.
struct ChargedBody {
    body: Body,
    share: Arc<Share>,
    is_sized: bool,
}

/// A part of a body, with its share of the budget.
struct Part(
    Bytes,
    #[expect(dead_code, reason = "dropping the share with the bytes returns the memory to the budget")]
    Arc<Share>,
);

impl AsRef<[u8]> for Part {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl HttpBody for ChargedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        let share = if self.is_sized { Arc::clone(&self.share) } else { Arc::new(self.share.other()) };
        let is_sized = self.is_sized;
        Poll::Ready(frame.map(|frame| {
            Ok(frame?.map_data(|data| {
                if !is_sized {
                    share.force_charge(data.len());
                }
                Bytes::from_owner(Part(data, share))
            }))
        }))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
