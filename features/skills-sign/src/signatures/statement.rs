//! The signed text: an in-toto statement that lists the files of a directory.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use skills_text::{hex, is_exact_path};

use crate::contents::{Contents, unhex};
use crate::refused::Refused;

const STATEMENT: &str = "https://in-toto.io/Statement/v1";
const PREDICATE: &str = "https://model_signing/signature/v1.0";

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    /// The name of the directory at the time of signing. It is not verified.
    pub(crate) name: String,
    pub(crate) contents: Contents,
    /// The paths below the directory that were left out.
    pub(crate) ignored: Vec<String>,
    /// Whether links to files were followed.
    pub(crate) has_links: bool,
}

impl Statement {
    /// Formats the statement as JSON.
    pub(crate) fn print(&self) -> String {
        let resources: Vec<Value> = self
            .contents
            .files()
            .map(|(name, digest)| json!({ "name": name, "algorithm": "sha256", "digest": hex(digest) }))
            .collect();
        let statement = json!({
            "_type": STATEMENT,
            "subject": [{ "name": self.name, "digest": { "sha256": hex(&self.contents.root()) } }],
            "predicateType": PREDICATE,
            "predicate": {
                "serialization": {
                    "method": "files",
                    "hash_type": "sha256",
                    "allow_symlinks": self.has_links,
                    "ignore_paths": self.ignored,
                },
                "resources": resources,
            },
        });
        statement.to_string()
    }

    /// Parses a statement whose signature was verified.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        let damaged = |what: &str| Refused::Damaged(format!("the statement {what}"));
        let statement: Value = serde_json::from_slice(bytes).map_err(|_| damaged("is not JSON"))?;
        let text = |value: &Value, pointer: &str| {
            let found = value.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
            found.ok_or_else(|| damaged(&format!("has no text at {pointer}")))
        };
        for (pointer, own) in [
            ("/_type", STATEMENT),
            ("/predicateType", PREDICATE),
            ("/predicate/serialization/method", "files"),
            ("/predicate/serialization/hash_type", "sha256"),
        ] {
            let found = text(&statement, pointer)?;
            if found != own {
                return Err(Refused::Form(format!(
                    "its {pointer} is `{found}`, but only `{own}` is supported"
                )));
            }
        }
        let list = |pointer: &str| statement.pointer(pointer).and_then(Value::as_array);
        if list("/subject").map_or(0, Vec::len) != 1 {
            return Err(damaged("does not have one subject"));
        }
        let mut files = Vec::new();
        let mut names = BTreeSet::new();
        let mut root = hmac_sha256::Hash::new();
        for resource in list("/predicate/resources").ok_or_else(|| damaged("lists no files"))? {
            let name = text(resource, "/name")?;
            if !is_exact_path(&name) {
                return Err(damaged(&format!("lists `{name}`, which is not a path below the directory")));
            }
            if text(resource, "/algorithm")? != "sha256" {
                return Err(Refused::Form(format!("the digest of `{name}` is not SHA-256")));
            }
            let digest = unhex(&text(resource, "/digest")?)
                .ok_or_else(|| damaged(&format!("has no digest for `{name}`")))?;
            if !names.insert(name.clone()) {
                return Err(damaged(&format!("lists `{name}` twice")));
            }
            root.update(digest);
            files.push((name, digest));
        }
        // Digests are combined in the listed order, as other verifiers do.
        if unhex(&text(&statement, "/subject/0/digest/sha256")?) != Some(root.finalize()) {
            return Err(damaged("contradicts itself: its digest does not match the files it lists"));
        }
        if files.is_empty() {
            return Err(damaged("covers no file"));
        }
        let ignored = list("/predicate/serialization/ignore_paths").map(Vec::as_slice).unwrap_or_default();
        let ignored: Vec<String> = ignored.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        if let Some(path) = ignored.iter().find(|path| !is_exact_path(path)) {
            return Err(damaged(&format!("leaves out `{path}`, which is not a path below the directory")));
        }
        let links = statement.pointer("/predicate/serialization/allow_symlinks");
        Ok(Self {
            name: text(&statement, "/subject/0/name").unwrap_or_default(),
            contents: Contents::from_files(files),
            ignored,
            has_links: links.and_then(Value::as_bool).unwrap_or_default(),
        })
    }
}
