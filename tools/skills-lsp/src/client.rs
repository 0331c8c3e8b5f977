//! The capabilities and settings of a client, from its `initialize` request.

use lsp_types::{ClientCapabilities, InitializeParams, ResourceOperationKind};
use serde_json::Value;

use crate::convert::Encoding;
use crate::pages::Pages;

/// The abilities and wishes of a client.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClientOptions {
    /// The units of positions.
    pub(crate) encoding: Encoding,
    /// The pages of rules.
    pub(crate) rules: Option<Pages>,
    /// Whether it can report files that change on disk.
    pub(crate) watches: bool,
    /// Whether an edit may rename a file or directory.
    pub(crate) renames: bool,
    /// Whether an edit may create a file.
    pub(crate) creates: bool,
    /// Whether it requests the edits of an action when the action is chosen.
    pub(crate) resolves: bool,
    /// Whether it requests the diagnostics of open documents.
    pub(crate) pulls: bool,
    /// Whether it requests them again when the server asks for it.
    pub(crate) refreshes: bool,
    /// Whether it runs the command lines that commands return.
    pub(crate) runs: bool,
}

impl ClientOptions {
    /// Reads the parameters of `initialize`; `raw` is the same as JSON, for keys that `lsp-types` lacks.
    pub(crate) fn new(options: &InitializeParams, raw: &Value) -> Self {
        let ClientCapabilities { workspace, text_document, general, .. } = &options.capabilities;
        let offered = general.as_ref().and_then(|of| of.position_encodings.as_deref()).unwrap_or_default();
        let action = text_document.as_ref().and_then(|of| of.code_action.as_ref());
        let resolve = action.and_then(|of| of.resolve_support.as_ref());
        let edit = workspace.as_ref().and_then(|of| of.workspace_edit.as_ref());
        let operations = edit.and_then(|of| of.resource_operations.as_deref()).unwrap_or_default();
        let watched = workspace.as_ref().and_then(|of| of.did_change_watched_files);
        let wishes = options.initialization_options.as_ref().unwrap_or(&Value::Null);
        let refreshes = raw.pointer("/capabilities/workspace/diagnostics/refreshSupport");
        Self {
            encoding: Encoding::negotiate(offered),
            rules: Pages::new(wishes.get("rules").and_then(Value::as_str)),
            watches: watched.is_some_and(|of| of.dynamic_registration == Some(true)),
            renames: operations.contains(&ResourceOperationKind::Rename),
            creates: operations.contains(&ResourceOperationKind::Create),
            resolves: resolve.is_some_and(|of| of.properties.iter().any(|one| one == "edit")),
            pulls: text_document.as_ref().is_some_and(|of| of.diagnostic.is_some()),
            refreshes: refreshes == Some(&Value::Bool(true)),
            runs: wishes.get("runs") == Some(&Value::Bool(true)),
        }
    }
}
