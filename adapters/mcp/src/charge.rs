//! Charges responses to the memory budget that all HTTP requests share, and refuses a response that exceeds it.

use std::io::{self, Write};
use std::sync::Arc;

use rmcp::model::ErrorCode;
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde::Serialize;
use skills_serve::Share;

/// How many copies of an answer are in memory at once: as a value, as text, and in the buffer of the
/// connection.
const COPIES: usize = 4;

/// Charges the budget for the answer to a request.
///
/// # Errors
/// Returns an error if the answer exceeds the budget; the client may repeat the request. A pair of streams has no
/// budget: there, the number of unread answers is limited instead.
pub(crate) fn charge(context: &RequestContext<RoleServer>, answer: &impl Serialize) -> Result<(), ErrorData> {
    if share(context).is_none_or(|share| share.grow(size(answer))) { Ok(()) } else { Err(busy()) }
}

/// Charges the budget for the answer to a call. The call has already run, so its answer is never
/// refused.
pub(crate) fn force_charge(context: &RequestContext<RoleServer>, answer: &impl Serialize) {
    if let Some(share) = share(context) {
        share.force_charge(size(answer));
    }
}

/// Returns the error for a request that may be sent again later.
pub(crate) fn busy() -> ErrorData {
    ErrorData::new(ErrorCode(-32000), "the server is busy; call it again later", None)
}

fn share(context: &RequestContext<RoleServer>) -> Option<&Arc<Share>> {
    #[cfg(feature = "http")]
    return context.extensions.get::<axum::http::request::Parts>()?.extensions.get();
    #[cfg(not(feature = "http"))]
    {
        let _ = context;
        None // only requests over HTTP share a budget
    }
}

/// Returns the memory of a message in bytes.
pub(crate) fn size(message: &impl Serialize) -> usize {
    let mut count = Count(0);
    // Counting cannot fail, and a message that cannot be written is not sent.
    let _: serde_json::Result<()> = serde_json::to_writer(&mut count, message);
    count.0.saturating_mul(COPIES)
}

/// Counts bytes.
struct Count(usize);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.saturating_add(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
