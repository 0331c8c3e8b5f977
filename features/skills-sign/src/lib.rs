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
mod refused;
#[cfg_attr(not(feature = "signatures"), path = "absent.rs")]
mod signatures;

pub use contents::{Contents, CopyTo, Digest, Links, Rules, Unfit, UnfitReason, unhex};
pub use difference::Difference;
pub use refused::Refused;
#[cfg(feature = "signatures")]
pub use signatures::{KeyError, PrivateKey, sign, verify_with};
pub use signatures::{PublicKey, Signed, verify};

/// The name of the signature file, in the signed directory.
pub const SIGNATURE_FILE: &str = "skill.oms.sig";
