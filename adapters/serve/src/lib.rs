//! The limits that the servers of skills share. A [`Budget`] bounds the memory of all requests together. Over HTTP
//! (feature `http`), a [`Guard`] decides who may send requests, and [`bind`] serves routes with limits for slow and
//! silent clients.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod budget;

pub use budget::{Budget, Share, parsed, unparsed};

#[cfg(feature = "http")]
pub mod answer;
#[cfg(feature = "http")]
pub mod body;
#[cfg(feature = "http")]
mod guard;
#[cfg(feature = "http")]
pub mod held;
#[cfg(feature = "http")]
mod line;
#[cfg(feature = "http")]
mod serve;

#[cfg(feature = "http")]
pub use guard::Guard;
#[cfg(feature = "http")]
pub use held::{admit, hold_until_sent};
#[cfg(feature = "http")]
pub use serve::{Server, bind};
