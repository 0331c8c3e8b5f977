//! Replaces keys and signatures without the feature `signatures`: there are no keys, so nothing is verified.
//!
//! Crates that can require a signature compile with and without the feature.

use std::path::Path;

use crate::{Contents, Refused};

/// A type without values. The types that contain it hide this from other crates, where rustc would otherwise report
/// unreachable code.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Never {}

/// A key for verifying signatures. No key exists without the feature `signatures`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey(Never);

/// A verified signature. None exists without the feature `signatures`.
#[derive(Clone, Debug)]
pub struct Signed(Never);

impl Signed {
    /// Parses a signature and verifies that the key made it.
    ///
    /// # Errors
    /// Never, because no key exists.
    pub fn read(_: &str, key: &PublicKey) -> Result<Self, Refused> {
        match key.0 {}
    }

    /// Returns the files that were signed.
    pub fn contents(&self) -> &Contents {
        match self.0 {}
    }

    /// Returns `true` if a file is as signed.
    pub fn covers(&self, _: &str, _: &[u8]) -> bool {
        match self.0 {}
    }
}

/// Verifies a directory with the signature in it.
///
/// # Errors
/// Never, because no key exists.
pub fn verify(_: &Path, key: &PublicKey) -> Result<Signed, Refused> {
    match key.0 {}
}
