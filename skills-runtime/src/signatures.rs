//! Keys and signatures, for programs that load and install only signed skills.
//!
//! ```
//! use skills_runtime::load::Layers;
//! use skills_runtime::signatures::PublicKey;
//! # let pem = "-----BEGIN PUBLIC KEY-----\n\
//! # MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n";
//! let key = PublicKey::from_pem(pem)?;
//! let skills = Layers::builder().directory("no/such/dir").require_signature(key).load()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use skills_sign::{
    KeyError, PrivateKey, PublicKey, Refused, SIGNATURE_FILE, Signed, sign, verify, verify_with,
};
