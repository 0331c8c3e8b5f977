//! Expands the two placeholders in the entry of a server.

/// Replaces `${PLUGIN_ROOT}` and `${PLUGIN_DATA}` once; the inserted text is not expanded again, and nothing
/// else is expanded.
pub fn expand(value: &str, root: &str, data: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find("${PLUGIN_") {
        let (before, found) = rest.split_at(at);
        out.push_str(before);
        let known = [("${PLUGIN_ROOT}", root), ("${PLUGIN_DATA}", data)];
        let (length, put) = known
            .into_iter()
            .find(|(name, _)| found.starts_with(name))
            .map_or((2, "${"), |(name, value)| (name.len(), value));
        out.push_str(put);
        rest = found.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}
