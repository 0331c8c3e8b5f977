//! Converts a [`Catalog`] to the tables of a registry, for generated code, the command line, and skills on
//! disk.

use std::borrow::Cow;

use skills_registry::{CompiledFile, CompiledSkill, Layout, Tables, TooLarge, ToolFormat, write};
use skills_text::{hex, sort};
#[cfg(feature = "typed")]
use {
    crate::catalog::Backend,
    crate::read::Content,
    skills_schema::tools::{Definition, Tool, Unfit, define_all},
};

use crate::catalog::{Catalog, CatalogSkill};
use crate::read::File;

/// Returns the SHA-256 of the bytes of a file, either computed with [`sha256`] or cached.
pub type Digest<'d> = dyn FnMut(&CatalogSkill, &File, &[u8]) -> [u8; 32] + 'd;

/// Converts a catalog to tables that own their bytes; `budget` is the token budget of the prompts rendered
/// with them.
///
/// # Errors
/// Returns [`TooLarge`] if the skills have more than 4 GiB.
pub fn tables(catalog: &Catalog, budget: usize) -> Result<Tables, TooLarge> {
    let skills = compile(catalog, &mut |_, _, bytes| sha256(bytes));
    Ok(write(&skills, Layout::Joined, budget)?.digested(&bundle_digest(&skills)).into_tables())
}

/// Computes the digest of a bundle: the SHA-256 of the output of `sha256sum` for its files, sorted by path.
pub fn bundle_digest(skills: &[CompiledSkill<'_>]) -> [u8; 32] {
    let mut lines: Vec<(String, &[u8; 32])> = Vec::new();
    for skill in skills {
        let above = if skill.facts.dir.is_empty() { String::new() } else { format!("{}/", skill.facts.dir) };
        lines.extend(skill.files.iter().map(|file| (format!("{above}{}", file.path), &file.sha256)));
    }
    digest_of(lines)
}

/// Computes the SHA-256 of the output of `sha256sum` for files with these paths and digests.
fn digest_of(mut lines: Vec<(String, &[u8; 32])>) -> [u8; 32] {
    sort(&mut lines, &|a, b| a.cmp(b));
    let mut hash = hmac_sha256::Hash::new();
    for (path, digest) in lines {
        hash.update(hex(digest) + "  " + &path + "\n");
    }
    hash.finalize()
}

/// Returns the input for writing the tables, sorted by name.
///
/// `digest` returns the SHA-256 of the bytes of a file, either computed with [`sha256`] or cached. A file
/// that was not read counts as empty. Only skills that run without a host are tools.
pub fn compile<'a>(catalog: &'a Catalog, digest: &mut Digest<'_>) -> Vec<CompiledSkill<'a>> {
    catalog.skills().iter().map(|skill| compile_skill(catalog, skill, false, Some(digest))).collect()
}

/// Returns the input for writing the tables of skills that are loaded at run time: no digest is computed.
pub fn compile_undigested(catalog: &Catalog) -> Vec<CompiledSkill<'_>> {
    catalog.skills().iter().map(|skill| compile_skill(catalog, skill, false, None)).collect()
}

/// Returns the input for writing the tables of a program. The program is the host of its skills, so each
/// function is a tool.
pub fn compile_bundled<'a>(catalog: &'a Catalog, digest: &mut Digest<'_>) -> Vec<CompiledSkill<'a>> {
    catalog.skills().iter().map(|skill| compile_skill(catalog, skill, true, Some(digest))).collect()
}

/// Returns the definitions of a skill as a tool; `has_host` says whether the host may implement its
/// functions.
#[cfg(feature = "typed")]
fn tools(skill: &CatalogSkill, has_host: bool) -> [Option<String>; ToolFormat::ALL.len()] {
    define_tools(skill, has_host)
        .map(|tools| tools.map(|tool| tool.ok().map(|tool| tool.to_string())))
        .unwrap_or_default()
}

/// Defines the tool of a skill for every interface, in the order of [`ToolFormat::ALL`], with an error for
/// each interface that would refuse it. Returns `None` for a skill that is not a tool.
///
/// A skill with a `skill.json` is called with its `input`; a skill of tier 3 with the input that its `schema`
/// file describes. A skill is not a tool if it is not a function, if it is hidden from models, or if it needs
/// a host and `has_host` is `false`. It is also not a tool if its schema, or a file to which the schema refers, was
/// not read.
///
/// ```
/// use skills_core::lower::define_tools;
///
/// let loaded = skills_core::load(std::path::Path::new("skills"), "skills", &Default::default());
/// for skill in loaded.catalog.skills() {
///     for tool in define_tools(skill, false).into_iter().flatten().flatten() {
///         println!("{tool}");
///     }
/// }
/// ```
#[cfg(feature = "typed")]
pub fn define_tools(
    skill: &CatalogSkill,
    has_host: bool,
) -> Option<[Result<Definition, Unfit>; ToolFormat::ALL.len()]> {
    let is_offered = match skill.backend {
        None => false,
        Some(Backend::Host) => has_host,
        Some(_) => true,
    };
    if !is_offered || !skill.model_invocable {
        return None;
    }
    let (input, output) = match &skill.signature {
        Some(signature) => (&signature.input, Some(&signature.output)),
        None => (skill.schema_document.as_ref()?, None),
    };
    let is_partial = skill.files.iter().any(|file| matches!(file.content, Content::Unread));
    if is_partial && std::iter::once(input).chain(output).any(|document| !document.missing().is_empty()) {
        return None;
    }
    Some(define_all(&Tool { name: &skill.name, description: &skill.description, input, output }))
}

#[cfg(not(feature = "typed"))]
fn tools(_: &CatalogSkill, _: bool) -> [Option<String>; ToolFormat::ALL.len()] {
    Default::default()
}

/// Computes the SHA-256 digest of bytes.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    hmac_sha256::Hash::hash(bytes)
}

fn compile_skill<'a>(
    catalog: &'a Catalog,
    skill: &'a CatalogSkill,
    has_host: bool,
    mut digest: Option<&mut Digest<'_>>,
) -> CompiledSkill<'a> {
    let files: Vec<_> = skill
        .files
        .iter()
        .map(|file| {
            let bytes = file.bytes(catalog.sources());
            CompiledFile {
                path: &file.path,
                bytes,
                executable: file.executable,
                sha256: digest.as_mut().map_or([0; 32], |digest| digest(skill, file, bytes)),
            }
        })
        .collect();
    let own = match digest {
        Some(_) => digest_of(files.iter().map(|file| (file.path.to_owned(), &file.sha256)).collect()),
        None => [0; 32],
    };
    let signature = skill.signature.as_ref();
    let checked = signature.map(|signature| &signature.input_tables);
    let checked = checked.or(skill.schema_tables.as_ref()).filter(|_| skill.program.is_some());
    CompiledSkill {
        facts: Cow::Borrowed(&skill.facts),
        location: None,
        is_remote: false,
        schemas: signature
            .map(|signature| [signature.input.text(), signature.output.text()])
            .unwrap_or_default(),
        checker: checked.map(skills_schema::Tables::parts),
        tools: tools(skill, has_host),
        files,
        digest: own,
    }
}
