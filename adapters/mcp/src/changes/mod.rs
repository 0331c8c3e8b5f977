//! Notifies clients of skills that change while they are served.

pub(crate) mod lists;
pub(crate) mod notifier;
mod notify;
pub(crate) mod session;
