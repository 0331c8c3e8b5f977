//! Keys for tests of signatures, created with openssl. They are used nowhere else.

use std::fs;
use std::path::Path;

/// The kind of a key, and the form of its file.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// ECDSA with P-256, in PKCS#8.
    P256,
    /// ECDSA with P-256, in SEC1.
    P256Sec1,
    /// Ed25519, in PKCS#8.
    Ed25519,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::P256, Self::P256Sec1, Self::Ed25519];

    /// Returns the private key in PEM.
    pub fn private(self) -> &'static str {
        match self {
            Self::P256 => include_str!("../keys/p256.pem"),
            Self::P256Sec1 => include_str!("../keys/sec1.pem"),
            Self::Ed25519 => include_str!("../keys/ed25519.pem"),
        }
    }

    /// Returns the public key in PEM.
    pub fn public(self) -> &'static str {
        match self {
            Self::P256 => include_str!("../keys/p256.pub.pem"),
            Self::P256Sec1 => include_str!("../keys/sec1.pub.pem"),
            Self::Ed25519 => include_str!("../keys/ed25519.pub.pem"),
        }
    }

    /// Writes both keys into a directory, as `NAME.pem` and `NAME.pub.pem`.
    ///
    /// # Panics
    /// If they cannot be written.
    pub fn write(self, directory: &Path, name: &str) {
        for (suffix, text) in [("pem", self.private()), ("pub.pem", self.public())] {
            let path = directory.join(format!("{name}.{suffix}"));
            fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }
}

/// Returns a key that cannot be used: an encrypted one, or one of another algorithm.
///
/// # Panics
/// If there is no key of that name in `keys/`.
pub fn unfit_key(name: &str) -> &'static str {
    match name {
        "encrypted-pkcs8" => include_str!("../keys/encrypted-pkcs8.pem"),
        "encrypted-sec1" => include_str!("../keys/encrypted-sec1.pem"),
        "p384" => include_str!("../keys/p384.pem"),
        "rsa" => include_str!("../keys/rsa.pem"),
        "rsa.pub" => include_str!("../keys/rsa.pub.pem"),
        other => panic!("there is no key `{other}`"),
    }
}
