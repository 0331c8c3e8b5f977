//! Reads key files: private keys that sign, and public keys that verify signatures.

use std::io::ErrorKind;
use std::path::Path;

use skills_core::read::read_text;
use skills_sign::{KeyError, PublicKey};

use skills_commands::home;

/// The largest file with a key, in bytes.
const MAX_KEY: u64 = 64 * 1024;

pub(crate) fn read<K>(path: &Path, parse: fn(&str) -> Result<K, KeyError>) -> Result<K, String> {
    let path = home::path(path);
    let at = |what: &dyn std::fmt::Display| format!("{}: {what}", path.display());
    let text = read_text(&path, MAX_KEY).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => at(&"it is too large for a key"),
        _ => at(&error),
    })?;
    parse(&text).map_err(|error| at(&error))
}

/// Reads the public key that an argument names.
pub(crate) fn public(path: &str) -> Result<PublicKey, String> {
    read(Path::new(path), PublicKey::from_pem)
}
