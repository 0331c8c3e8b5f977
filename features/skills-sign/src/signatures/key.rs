//! Reads keys in PEM as openssl writes them: ECDSA with P-256 and SHA-256, and Ed25519.

use std::fmt;

use ed25519_dalek as ed25519;
use p256::ecdsa;
use p256::ecdsa::signature::{Signer, Verifier};
use p256::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePublicKey, LineEnding};
use skills_text::hex;

/// A key for signing.
#[derive(Clone)]
pub struct PrivateKey(Private);

#[derive(Clone)]
enum Private {
    P256(ecdsa::SigningKey),
    Ed25519(ed25519::SigningKey),
}

/// A key for verifying signatures.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey(Public);

#[derive(Clone, PartialEq, Eq)]
enum Public {
    P256(ecdsa::VerifyingKey),
    Ed25519(ed25519::VerifyingKey),
}

/// The reason why a text is not a usable key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// The text has no PEM block with a key. These are the labels of its blocks.
    NoKey(Vec<String>),
    /// The key is encrypted with a password.
    Encrypted,
    /// A private key was given instead of a public one. It must not leave its owner.
    Private,
    /// A public key was given instead of a private one.
    Public,
    /// The block contains another kind of key, or is damaged.
    Unfit,
}

impl PrivateKey {
    /// Reads a key: PKCS#8 (`PRIVATE KEY`), or SEC1 (`EC PRIVATE KEY`), which `openssl ecparam -genkey`
    /// writes.
    ///
    /// # Errors
    /// [`KeyError`] if the text has no usable, unencrypted private key.
    pub fn from_pem(text: &str) -> Result<Self, KeyError> {
        let blocks = blocks(text);
        if blocks
            .iter()
            .any(|block| block.text.contains("Proc-Type:") || block.label.starts_with("ENCRYPTED"))
        {
            return Err(KeyError::Encrypted);
        }
        for Block { label, text } in &blocks {
            match *label {
                "EC PRIVATE KEY" => {
                    let key = p256::SecretKey::from_sec1_pem(text).map_err(|_| KeyError::Unfit)?;
                    return Ok(Self(Private::P256(key.into())));
                }
                "PRIVATE KEY" => {
                    let p256 = ecdsa::SigningKey::from_pkcs8_pem(text).map(Private::P256);
                    let any =
                        p256.or_else(|_| ed25519::SigningKey::from_pkcs8_pem(text).map(Private::Ed25519));
                    return any.map(Self).map_err(|_| KeyError::Unfit);
                }
                _ => {}
            }
        }
        Err(if blocks.iter().any(|block| block.label == "PUBLIC KEY") {
            KeyError::Public
        } else {
            KeyError::none(&blocks)
        })
    }

    /// Returns the public key.
    pub fn public(&self) -> PublicKey {
        PublicKey(match &self.0 {
            Private::P256(key) => Public::P256(*key.verifying_key()),
            Private::Ed25519(key) => Public::Ed25519(key.verifying_key()),
        })
    }

    /// Signs bytes. The signature is DER for P-256, and 64 bytes for Ed25519. Signatures are deterministic.
    pub(crate) fn sign(&self, bytes: &[u8]) -> Vec<u8> {
        match &self.0 {
            Private::P256(key) => {
                let signature: ecdsa::Signature = key.sign(bytes);
                signature.to_der().as_bytes().to_vec()
            }
            Private::Ed25519(key) => key.sign(bytes).to_bytes().to_vec(),
        }
    }
}

impl PublicKey {
    /// Reads a key (`PUBLIC KEY`), which `openssl pkey -pubout` writes.
    ///
    /// # Errors
    /// [`KeyError`] if the text has no usable public key.
    pub fn from_pem(text: &str) -> Result<Self, KeyError> {
        let blocks = blocks(text);
        let Some(block) = blocks.iter().find(|block| block.label == "PUBLIC KEY") else {
            let is_private = blocks.iter().any(|block| block.label.ends_with("PRIVATE KEY"));
            return Err(if is_private { KeyError::Private } else { KeyError::none(&blocks) });
        };
        let p256 = ecdsa::VerifyingKey::from_public_key_pem(block.text).map(Public::P256);
        let any =
            p256.or_else(|_| ed25519::VerifyingKey::from_public_key_pem(block.text).map(Public::Ed25519));
        any.map(Self).map_err(|_| KeyError::Unfit)
    }

    /// Returns the key in PEM, as openssl writes it.
    pub fn to_pem(&self) -> String {
        let written = match &self.0 {
            Public::P256(key) => key.to_public_key_pem(LineEnding::LF),
            Public::Ed25519(key) => key.to_public_key_pem(LineEnding::LF),
        };
        written.unwrap_or_default()
    }

    /// Returns the key hint of a signature: the SHA-256 of the key's PEM, in hexadecimal digits.
    pub fn hint(&self) -> String {
        hex(&hmac_sha256::Hash::hash(self.to_pem().as_bytes()))
    }

    /// Returns `true` if this key's private key made the signature of the bytes.
    pub(crate) fn has_signed(&self, bytes: &[u8], signature: &[u8]) -> bool {
        match &self.0 {
            Public::P256(key) => ecdsa::Signature::from_der(signature)
                .is_ok_and(|signature| key.verify(bytes, &signature).is_ok()),
            // Verification is strict, because with a weak key some forged signatures would be valid
            // otherwise.
            Public::Ed25519(key) => ed25519::Signature::from_slice(signature)
                .is_ok_and(|signature| key.verify_strict(bytes, &signature).is_ok()),
        }
    }
}

struct Block<'t> {
    label: &'t str,
    /// Including the first and last line.
    text: &'t str,
}

/// Finds the blocks of a PEM text. Ignores the text between them.
fn blocks(text: &str) -> Vec<Block<'_>> {
    const BEGIN: &str = "-----BEGIN ";
    const DASHES: &str = "-----";
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some(from) = rest.find(BEGIN) {
        let block = &rest[from..];
        let Some((label, _)) = block[BEGIN.len()..].split_once(DASHES) else { break };
        let end = format!("-----END {label}-----");
        let Some(length) = block.find(&end).map(|at| at + end.len()) else { break };
        let (text, after) = block.split_at(length);
        blocks.push(Block { label, text });
        rest = after;
    }
    blocks
}

impl KeyError {
    fn none(blocks: &[Block<'_>]) -> Self {
        Self::NoKey(blocks.iter().map(|block| block.label.to_owned()).collect())
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoKey(labels) if labels.is_empty() => f.write_str("it does not contain a key in PEM"),
            Self::NoKey(labels) => write!(f, "it does not contain a key, but {}", labels.join(", ")),
            Self::Encrypted => f.write_str(
                "the key is encrypted; `openssl pkey -in KEY -out PLAIN` writes it without a password",
            ),
            Self::Private => f.write_str(
                "it is a private key, but a public key is expected: `openssl pkey -in KEY -pubout` writes it",
            ),
            Self::Public => f.write_str("it is a public key, but a private key is expected"),
            Self::Unfit => f.write_str("the key is neither ECDSA with P-256 nor Ed25519, or is damaged"),
        }
    }
}

impl std::error::Error for KeyError {}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey").field("public", &self.public()).finish_non_exhaustive()
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PublicKey").field(&self.hint()).finish()
    }
}
