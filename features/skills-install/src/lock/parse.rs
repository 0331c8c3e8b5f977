//! Parses the text of a lock file, or returns the position of its first fault.

use std::path::Path;

use skills_text::json::{self, Kind, Member, Node};
use skills_text::{hex as hex_of, unhex};

use super::{Digest, Installed, Lock, LockEntry, Next};
use crate::error::{FORMAT, Fallible, InstallError};
use crate::wanted::{is_safe_name, is_safe_path};

/// A fault with its position in bytes.
struct LockFault {
    at: usize,
    reason: String,
}

impl LockFault {
    #[cold]
    #[inline(never)]
    fn new(at: usize, reason: &str) -> Box<Self> {
        Box::new(Self { at, reason: reason.to_owned() })
    }
}

/// Reads a lock; `path` is for messages.
///
/// Every name and path in it must stay below the target, since the file may belong to a cloned project.
pub(super) fn parse(bytes: &[u8], path: &Path) -> Fallible<Lock> {
    let (text, fault) = match std::str::from_utf8(bytes) {
        Ok(text) => match json::parse(text) {
            Ok(root) => match root.get("format").map(|format| &format.kind) {
                Some(Kind::Number(format)) if format != FORMAT => {
                    let (path, format) = (path.to_owned(), format.clone());
                    return Err(Box::new(InstallError::Newer { path, format }));
                }
                _ => match lock(&root) {
                    Ok(lock) => return Ok(lock),
                    Err(fault) => (text, fault),
                },
            },
            Err(error) => (text, LockFault::new(error.start, error.kind.as_str())),
        },
        Err(error) => {
            let whole = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
            (whole, LockFault::new(whole.len(), "the bytes are not UTF-8"))
        }
    };
    let (line, column) = json::position(text, fault.at);
    Err(Box::new(InstallError::Damaged { path: path.to_owned(), line, column, reason: fault.reason }))
}

fn lock(root: &Node) -> Result<Lock, Box<LockFault>> {
    let [format, skills] = fields(root, ["format", "skills"])?;
    required(root, "format", format)?;
    let mut lock = Lock::default();
    for member in object(required(root, "skills", skills)?)? {
        check_key(member, is_safe_name(&member.key), "no name of a skill")?;
        lock.skills.push(installed(member)?);
    }
    Ok(lock)
}

fn installed(skill: &Member) -> Result<Installed, Box<LockFault>> {
    let node = &skill.value;
    let [bundle, version, stub, files] = fields(node, ["bundle", "version", "stub", "files"])?;
    let mut entries = Vec::new();
    for member in object(required(node, "files", files)?)? {
        check_key(member, is_safe_path(&member.key), "no path below a skill")?;
        entries.push((member.key.clone(), entry(&member.value)?));
    }
    Ok(Installed {
        name: skill.key.clone(),
        bundle: string(required(node, "bundle", bundle)?)?.to_owned(),
        version: string(required(node, "version", version)?)?.to_owned(),
        stub: stub.map(string).transpose()?.map(str::to_owned),
        files: entries,
    })
}

fn entry(node: &Node) -> Result<LockEntry, Box<LockFault>> {
    let [digest, executable, next] = fields(node, ["sha256", "executable", "next"])?;
    if digest.is_none() && next.is_none() {
        return Err(fault(node, "`sha256` is missing"));
    }
    let executable = match executable.map(|node| (node, &node.kind)) {
        None => false,
        Some((_, Kind::Bool(executable))) => *executable,
        Some((node, _)) => return Err(fault(node, "expected a boolean")),
    };
    let next = match next {
        Some(node) if string(node)? == "removed" => Some(Next::Remove),
        Some(node) => Some(Next::Write(hex(node)?)),
        None => None,
    };
    Ok(LockEntry { digest: digest.map(hex).transpose()?, executable, next })
}

/// Reads 64 lower-case hexadecimal digits.
fn hex(node: &Node) -> Result<Digest, Box<LockFault>> {
    let text = string(node)?;
    // Upper-case letters would be accepted otherwise.
    unhex(text)
        .filter(|digest| hex_of(digest) == text)
        .ok_or_else(|| fault(node, "expected a digest of 64 hexadecimal digits"))
}

/// Reads the members of an object. A key that is not listed is a fault.
fn fields<'a, const N: usize>(
    node: &'a Node,
    keys: [&str; N],
) -> Result<[Option<&'a Node>; N], Box<LockFault>> {
    let mut found = [None; N];
    for member in object(node)? {
        match keys.iter().position(|key| *key == member.key) {
            Some(at) => found[at] = Some(&member.value),
            None => check_key(member, false, "unknown")?,
        }
    }
    Ok(found)
}

fn required<'a>(owner: &Node, key: &str, field: Option<&'a Node>) -> Result<&'a Node, Box<LockFault>> {
    field.ok_or_else(|| fault(owner, &format!("`{key}` is missing")))
}

fn object(node: &Node) -> Result<&[Member], Box<LockFault>> {
    match &node.kind {
        Kind::Object(members) => Ok(members),
        _ => Err(unexpected(node, "an object")),
    }
}

fn string(node: &Node) -> Result<&str, Box<LockFault>> {
    node.as_str().ok_or_else(|| unexpected(node, "a string"))
}

fn check_key(member: &Member, sound: bool, reason: &str) -> Result<(), Box<LockFault>> {
    if sound {
        return Ok(());
    }
    Err(LockFault::new(member.key_span.start, &format!("{:?} is {reason}", member.key)))
}

#[cold]
#[inline(never)]
fn unexpected(node: &Node, expected: &str) -> Box<LockFault> {
    fault(node, &format!("expected {expected}, found {}", node.kind.article()))
}

fn fault(node: &Node, reason: &str) -> Box<LockFault> {
    LockFault::new(node.span.start, reason)
}
