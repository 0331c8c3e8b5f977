//! Determines the media type of a file from its path and bytes.

use skills_registry::Resource;

/// Returns the media type of a file.
pub(crate) fn media_type(file: Resource<'_>) -> &'static str {
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
