//! Computes the digests of a directory's files, signs them, and verifies signatures. Used by the command and
//! the runtime.
//!
//! ```text
//! directory -> Contents -> statement -> envelope -> DIR/skill.oms.sig
//! DIR/skill.oms.sig -> envelope, checked by a key -> statement -> Signed; Contents -> Difference
//! ```
//!
//! The format is that of OpenSSF Model Signing 1.0: a Sigstore bundle with a DSSE envelope around an in-toto
//! statement.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod contents;
mod difference;
#[cfg(feature = "signatures")]
mod envelope;
#[cfg(feature = "signatures")]
mod key;
#[cfg(feature = "signatures")]
mod refused;
#[cfg(feature = "signatures")]
mod signature;
#[cfg(feature = "signatures")]
mod statement;
#[cfg(feature = "signatures")]
mod values;

pub use contents::{Contents, CopyTo, Digest, Links, Rules, Unfit, UnfitReason, unhex};
pub use difference::Difference;
#[cfg(feature = "signatures")]
pub use key::{KeyError, PrivateKey, PublicKey};
#[cfg(feature = "signatures")]
pub use refused::Refused;
#[cfg(feature = "signatures")]
pub use signature::{SIGNATURE_FILE, Signed, sign, verify, verify_with};
