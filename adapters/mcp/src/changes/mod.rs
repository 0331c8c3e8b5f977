//! Skills change while they are served, and clients hear of it (SPEC 1.6).

pub(crate) mod lists;
pub(crate) mod notifier;
pub(crate) mod session;
mod tell;
