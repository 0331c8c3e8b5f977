//! Reads key files: private keys that sign, and public keys that verify signatures.

use std::fs;
use std::path::Path;

use skills_sign::{KeyError, PublicKey};

use skills_commands::home;

/// The largest file with a key, in bytes.
const MAX_KEY: u64 = 64 * 1024;

pub(crate) fn read<K>(path: &Path, parse: fn(&str) -> Result<K, KeyError>) -> Result<K, String> {
    let path = home::path(path);
    let at = |what: &dyn std::fmt::Display| format!("{}: {what}", path.display());
    let size = fs::metadata(&path).map_err(|error| at(&error))?.len();
    if size > MAX_KEY {
        return Err(at(&"it is too large for a key"));
    }
    let text = fs::read_to_string(&path).map_err(|error| at(&error))?;
    parse(&text).map_err(|error| at(&error))
}

/// Reads the public key that an argument names.
pub(crate) fn public(path: &str) -> Result<PublicKey, String> {
    read(Path::new(path), PublicKey::from_pem)
}
