//! Where no kernel feature confines a program, or this crate was built without them, it is refused.

use std::error::Error;

use super::{Request, Sandbox};

/// Refuses.
pub(super) fn confine(_request: &Request, _sandbox: &Sandbox) -> Result<(), Box<dyn Error + Send + Sync>> {
    Err("it needs Linux and the feature `sandbox`".into())
}
