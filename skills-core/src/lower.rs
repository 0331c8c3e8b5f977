//! A [`Catalog`] becomes the records and tables of a registry: for generated code, the command line, and skills on disk.

use skills_registry::{
    FileRecord, Layout, McpRecord, Record, SignatureRecord, Tables, TooLarge, ToolFormat, write,
};

use crate::catalog::{Catalog, Prompt, Signature, Skill};
use crate::options::FormatPolicy;
use crate::read::File;

/// Returns the SHA-256 of the bytes of a file: [`sha256`], or what is known from before.
pub type Digest<'d> = dyn FnMut(&Skill, &File, &[u8]) -> [u8; 32] + 'd;

/// Turns a catalog into tables that own their bytes; `budget` is that of the prompts rendered with them.
///
/// # Errors
/// [`TooLarge`] when the skills have over 4 GiB.
pub fn tables(catalog: &Catalog, budget: usize) -> Result<Tables, TooLarge> {
    let records = records(catalog, &mut |_, _, bytes| sha256(bytes));
    Ok(write(&records, Layout::Joined, budget)?.into_tables())
}

/// Turns a catalog into records, sorted by name.
///
/// `digest` returns the SHA-256 of the bytes of a file: [`sha256`], or what is known from before. A file that was not
/// read counts as empty. The skills are tools as far as they run without a host (SPEC 6.2).
pub fn records<'a>(catalog: &'a Catalog, digest: &mut Digest<'_>) -> Vec<Record<'a>> {
    catalog.skills().iter().map(|skill| record(catalog, skill, false, digest)).collect()
}

/// Turns a catalog into the records of a program, which is the host of its skills: each function is a tool (SPEC 6.3).
pub fn bundled<'a>(catalog: &'a Catalog, digest: &mut Digest<'_>) -> Vec<Record<'a>> {
    catalog.skills().iter().map(|skill| record(catalog, skill, true, digest)).collect()
}

/// The definitions of a skill as a tool; `has_host` when its functions can be the host's.
#[cfg(feature = "typed")]
fn tools(skill: &Skill, has_host: bool) -> [Option<String>; ToolFormat::ALL.len()] {
    use crate::tools::{Host, define_all};
    let host = if has_host { Host::Program } else { Host::None };
    let tools = define_all(skill, host).ok();
    tools.map(|tools| tools.map(|tool| tool.ok().map(|tool| tool.to_string()))).unwrap_or_default()
}

#[cfg(not(feature = "typed"))]
fn tools(_: &Skill, _: bool) -> [Option<String>; ToolFormat::ALL.len()] {
    Default::default()
}

/// Computes the SHA-256 digest of bytes.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    hmac_sha256::Hash::hash(bytes)
}

fn record<'a>(catalog: &'a Catalog, skill: &'a Skill, has_host: bool, digest: &mut Digest<'_>) -> Record<'a> {
    let files = skill.files.iter().map(|file| {
        let bytes = file.bytes(catalog.sources());
        FileRecord {
            path: &file.path,
            bytes,
            executable: file.executable,
            sha256: digest(skill, file, bytes),
        }
    });
    let servers = skill.mcp_servers.iter().map(|server| McpRecord {
        name: &server.name,
        command: &server.command,
        args: &server.args,
        env: &server.env,
    });
    Record {
        name: &skill.name,
        dir: &skill.dir,
        location: None,
        description: &skill.description,
        version: &skill.version,
        tier: skill.tier,
        body: skill.body.clone(),
        frontmatter: &skill.frontmatter,
        exec: skill.exec.as_deref(),
        program: skill.program.as_deref(),
        schema: skill.schema.as_deref(),
        asserts_formats: match skill.formats {
            FormatPolicy::AsDraft => None,
            FormatPolicy::Assert => Some(true),
            FormatPolicy::Ignore => Some(false),
        },
        timeout_ms: skill.timeout,
        requires: &skill.requires,
        mcp_servers: servers.collect(),
        declared: Some(&skill.declared),
        permissions: skill.permissions.as_ref(),
        tags: &skill.tags,
        category: skill.category.as_deref(),
        model_invocable: skill.model_invocable,
        user_invocable: skill.user_invocable,
        internal: skill.internal,
        way: skill.way,
        signature: skill.signature.as_ref().map(|signature| self::signature(catalog, skill, signature)),
        tools: tools(skill, has_host),
        files: files.collect(),
    }
}

fn signature<'a>(catalog: &'a Catalog, skill: &'a Skill, signature: &'a Signature) -> SignatureRecord<'a> {
    let prompt = signature.prompt.and_then(|prompt| match prompt {
        Prompt::File => {
            let file = skill.file("prompt.md")?;
            Some(("prompt.md", 0..file.bytes(catalog.sources()).len()))
        }
        Prompt::Body => Some(("SKILL.md", skill.body.clone()?)),
    });
    SignatureRecord {
        mode: signature.mode,
        input: signature.input.text(),
        output: signature.output.text(),
        calls: &signature.calls,
        retry: signature.retry,
        prompt,
        pipeline: signature.pipeline.as_deref(),
        output_mapping: signature.output_mapping.as_deref(),
        certain_calls: &signature.certain_calls,
    }
}
