//! Converts the files of skills to resources, and their directories to lists of resources (SEP-2640).

use std::collections::BTreeMap;
use std::rc::Rc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use rmcp::ErrorData;
use rmcp::model::{DIRECTORY_MIME_TYPE, Resource, ResourceContents};
use skills_call::Runner;
use skills_text::clean;

use super::shown::{NestedSkills, ProseSkill, SkillFile};
use super::{Page, add_origin, cut_page, documents};

/// Returns a page of the files of skills that models may see, sorted by skill and path.
pub(crate) fn page(runner: &Runner, cursor: Option<&str>) -> Result<Page<Resource>, ErrorData> {
    let layers = runner.skills();
    let nested = NestedSkills::new(layers);
    let files = documents(layers)
        .filter_map(|skill| ProseSkill::from_layers(layers, skill).map(Rc::new))
        .flat_map(|shown| {
            let skill = shown.skill;
            let files = shown.files(&nested).into_iter();
            files.map(move |file| ((skill.name(), file.path.clone()), (shown.clone(), file)))
        });
    cut_page(files, cursor, |(shown, file)| Some(resource(&shown, &file)))
}

fn resource(shown: &ProseSkill<'_>, file: &SkillFile<'_>) -> Resource {
    let is_document = file.path == "SKILL.md";
    let name = if is_document { shown.name() } else { &file.path };
    let resource = Resource::new(shown.address(&file.path), clean(name))
        .with_mime_type(media_type(file.original))
        .with_size(file.size());
    if !is_document {
        return resource;
    }
    let mut resource = resource.with_description(clean(shown.skill.description()));
    add_origin(&mut resource.meta, shown.skill);
    resource
}

/// Reads a file: as text if possible, otherwise in Base64.
pub(crate) fn read(runner: &Runner, uri: &str) -> Result<ResourceContents, ErrorData> {
    let file = ProseSkill::find_file(runner, uri).ok_or_else(|| {
        let data = serde_json::json!({ "uri": uri });
        ErrorData::resource_not_found(format!("unknown resource: {uri}"), Some(data))
    })?;
    let bytes = file.bytes();
    let contents = match std::str::from_utf8(bytes) {
        Ok(text) => ResourceContents::text(text, uri),
        Err(_) => ResourceContents::blob(BASE64_STANDARD.encode(bytes), uri),
    };
    Ok(contents.with_mime_type(media_type(file.original)))
}

/// Returns the SHA-256 of the file with a URI.
pub(crate) fn digest(runner: &Runner, uri: &str) -> Option<[u8; 32]> {
    Some(ProseSkill::find_file(runner, uri)?.sha256())
}

/// Returns a page of the direct entries of a directory, `skill://NAME` or `skill://NAME/path`, sorted by
/// name.
pub(crate) fn directory(
    runner: &Runner,
    uri: &str,
    cursor: Option<&str>,
) -> Result<Page<Resource>, ErrorData> {
    let mut children: BTreeMap<String, Resource> = BTreeMap::new();
    if let Some((shown, path)) = ProseSkill::find(runner, uri) {
        let prefix = if path.is_empty() { String::new() } else { format!("{path}/") };
        for file in shown.files(&NestedSkills::new(runner.skills())) {
            let Some(below) = file.path.strip_prefix(prefix.as_str()) else { continue };
            let (child, found) = match below.split_once('/') {
                None => (below, resource(&shown, &file)),
                Some((child, _)) => {
                    let address = shown.address(&format!("{prefix}{child}"));
                    (child, Resource::new(address, clean(child)).with_mime_type(DIRECTORY_MIME_TYPE))
                }
            };
            children.insert(child.to_owned(), found);
        }
    }
    if children.is_empty() {
        let data = serde_json::json!({ "uri": uri });
        return Err(ErrorData::invalid_params(format!("unknown directory: {uri}"), Some(data)));
    }
    let children = children.iter().map(|(name, child)| ((name.as_str(), "".into()), child));
    cut_page(children, cursor, |child| Some(child.clone()))
}

/// Returns the media type of a file.
pub(crate) fn media_type(file: skills_registry::Resource<'_>) -> &'static str {
    let extension = file.path().rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_text = file.text().is_some();
    match extension.to_ascii_lowercase().as_str() {
        "md" if is_text => "text/markdown",
        "json" if is_text => "application/json",
        "yaml" | "yml" if is_text => "application/yaml",
        "toml" if is_text => "application/toml",
        "html" | "htm" if is_text => "text/html",
        "css" if is_text => "text/css",
        "csv" if is_text => "text/csv",
        "js" | "mjs" if is_text => "text/javascript",
        "py" if is_text => "text/x-python",
        "sh" if is_text => "text/x-shellscript",
        "svg" if is_text => "image/svg+xml",
        "xml" if is_text => "application/xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "pdf" => "application/pdf",
        "zip" => "application/zip",
        _ if is_text => "text/plain",
        _ => "application/octet-stream",
    }
}
