//! The files of skills become resources, and their directories lists of resources (SPEC 11.4, SEP-2640).

use std::collections::BTreeMap;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use rmcp::ErrorData;
use rmcp::model::{DIRECTORY_MIME_TYPE, Resource, ResourceContents};
use skills_registry::{Skill, clean};
use skills_runtime::call::Runner;

use super::audience;
use super::media::media_type;
use super::page::{Page, cut};
use super::uri;

type File<'a> = skills_registry::Resource<'a>;

/// Returns a page of the files of the skills that a model may be shown, sorted by skill and path.
///
/// # Errors
/// The cursor is none of this server's.
pub(crate) fn page(runner: &Runner, cursor: Option<&str>) -> Result<Page<Resource>, ErrorData> {
    let files = audience::documents(runner.skills())
        .flat_map(|skill| skill.files().map(move |file| ((skill.name(), file.path()), (skill, file))));
    cut(files, cursor, |(skill, file)| Some(resource(skill, file)))
}

fn resource(skill: Skill<'_>, file: File<'_>) -> Resource {
    let is_document = file.path() == "SKILL.md";
    let name = if is_document { skill.name() } else { file.path() };
    let resource = Resource::new(uri::address(skill.name(), file.path()), name)
        .with_mime_type(media_type(file))
        .with_size(u64::try_from(file.bytes().len()).unwrap_or(u64::MAX));
    if is_document { resource.with_description(clean(skill.description())) } else { resource }
}

/// Reads a file: text as it is, anything else in Base64.
///
/// # Errors
/// No file has this address.
pub(crate) fn read(runner: &Runner, uri: &str) -> Result<ResourceContents, ErrorData> {
    let file = find(runner, uri)
        .ok_or_else(|| ErrorData::resource_not_found(format!("unknown resource: {uri}"), None))?;
    let contents = match file.text() {
        Some(text) => ResourceContents::text(text, uri),
        None => ResourceContents::blob(BASE64_STANDARD.encode(file.bytes()), uri),
    };
    Ok(contents.with_mime_type(media_type(file)))
}

/// Returns the SHA-256 of the file that has an address.
pub(crate) fn digest(runner: &Runner, uri: &str) -> Option<[u8; 32]> {
    find(runner, uri).map(|file| *file.sha256())
}

fn find<'a>(runner: &'a Runner, uri: &str) -> Option<File<'a>> {
    let (name, path) = uri::parse(uri)?;
    skill(runner, &name)?.file(&path)
}

/// Returns a page of what is directly in a directory, sorted by name: `skill://NAME` or `skill://NAME/path`.
///
/// # Errors
/// No directory has this address, or the cursor is none of this server's.
pub(crate) fn directory(
    runner: &Runner,
    uri: &str,
    cursor: Option<&str>,
) -> Result<Page<Resource>, ErrorData> {
    let mut children: BTreeMap<String, Resource> = BTreeMap::new();
    if let Some((name, path)) = uri::parse(uri)
        && let Some(skill) = skill(runner, &name)
    {
        let prefix = if path.is_empty() { String::new() } else { format!("{path}/") };
        for file in skill.files() {
            let Some(below) = file.path().strip_prefix(prefix.as_str()) else { continue };
            let (child, found) = match below.split_once('/') {
                None => (below, resource(skill, file)),
                Some((child, _)) => {
                    let address = uri::address(&name, &format!("{prefix}{child}"));
                    (child, Resource::new(address, child).with_mime_type(DIRECTORY_MIME_TYPE))
                }
            };
            children.insert(child.to_owned(), found);
        }
    }
    if children.is_empty() {
        return Err(ErrorData::invalid_params(format!("unknown directory: {uri}"), None));
    }
    let children = children.iter().map(|(name, child)| ((name.as_str(), ""), child));
    cut(children, cursor, |child| Some(child.clone()))
}

fn skill<'a>(runner: &'a Runner, name: &str) -> Option<Skill<'a>> {
    audience::find(runner.skills(), name).filter(|skill| skill.has_document())
}
