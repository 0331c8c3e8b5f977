//! The loop of the server: one message after the other, each answered from the workspace (SPEC 17.10).

use std::error::Error;
use std::path::Path;

use lsp_server::{Connection, Message, Notification, Request, Response};
use serde_json::{Value, json};

use crate::publish::{self, Sent};
use crate::root::Root;
use crate::workspace::{Workspace, real};
use crate::{action, complete, definition, fold, format, hover, place, rename, symbols};

/// What the server can do.
pub(crate) fn capabilities() -> Value {
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 2, "save": true },
        "codeActionProvider": { "codeActionKinds": ["quickfix", "source.fixAll.skills"] },
        "hoverProvider": true,
        "completionProvider": { "triggerCharacters": ["\"", ".", "|", "{", "/", "(", ":", " "] },
        "definitionProvider": true,
        "referencesProvider": true,
        "renameProvider": { "prepareProvider": true },
        "documentSymbolProvider": true,
        "foldingRangeProvider": true,
        "documentFormattingProvider": true,
        "workspace": { "workspaceFolders": { "supported": true } },
    })
}

/// The server of one client.
pub(crate) struct Server<'c> {
    connection: &'c Connection,
    workspace: Workspace,
    sent: Sent,
}

type Failure = Box<dyn Error + Send + Sync>;

impl<'c> Server<'c> {
    /// Takes what the client said when it began.
    pub(crate) fn new(connection: &'c Connection, options: &Value) -> Self {
        let mut workspace = Workspace::default();
        let folders = options["workspaceFolders"].as_array().into_iter().flatten();
        let uris = folders.filter_map(|folder| folder["uri"].as_str()).chain(options["rootUri"].as_str());
        for folder in uris.filter_map(place::path) {
            workspace.add_folder(&folder);
        }
        Self { connection, workspace, sent: Sent::new() }
    }

    /// Answers until the client says goodbye.
    pub(crate) fn run(mut self) -> Result<(), Failure> {
        self.publish()?;
        while let Ok(message) = self.connection.receiver.recv() {
            match message {
                Message::Request(request) => {
                    if self.connection.handle_shutdown(&request)? {
                        return Ok(());
                    }
                    let response = self.answer(request);
                    self.connection.sender.send(Message::Response(response))?;
                }
                Message::Notification(notification) => {
                    self.note(notification);
                    // What was typed meanwhile is taken in before anything is told.
                    if self.connection.receiver.is_empty() {
                        self.publish()?;
                    }
                }
                Message::Response(_) => {}
            }
        }
        Ok(())
    }

    fn publish(&mut self) -> Result<(), Failure> {
        for params in publish::changes(self.workspace.roots.values(), &mut self.sent) {
            let method = "textDocument/publishDiagnostics".to_owned();
            self.connection.sender.send(Message::Notification(Notification { method, params }))?;
        }
        Ok(())
    }

    fn note(&mut self, notification: Notification) {
        let params = notification.params;
        let document = &params["textDocument"];
        let path = document["uri"].as_str().and_then(place::path);
        match (notification.method.as_str(), path) {
            ("textDocument/didOpen", Some(path)) => {
                let text = document["text"].as_str().unwrap_or_default().to_owned();
                self.workspace.put(&path, text);
            }
            ("textDocument/didChange", Some(path)) => {
                let real = real(&path);
                let mut text = self.workspace.text(&real).unwrap_or_default();
                for change in params["contentChanges"].as_array().into_iter().flatten() {
                    let new = change["text"].as_str().unwrap_or_default();
                    match change.get("range") {
                        Some(range) => text.replace_range(place::bytes(&text, range), new),
                        None => new.clone_into(&mut text),
                    }
                }
                self.workspace.put(&path, text);
            }
            ("textDocument/didClose", Some(path)) => self.workspace.close(&path),
            ("textDocument/didSave", Some(path)) => self.workspace.update(&real(&path)),
            ("workspace/didChangeWatchedFiles", _) => {
                for change in params["changes"].as_array().into_iter().flatten() {
                    if let Some(path) = change["uri"].as_str().and_then(place::path) {
                        self.workspace.update(&real(&path));
                    }
                }
            }
            ("workspace/didChangeWorkspaceFolders", _) => {
                for folder in params["event"]["added"].as_array().into_iter().flatten() {
                    if let Some(path) = folder["uri"].as_str().and_then(place::path) {
                        self.workspace.add_folder(&path);
                    }
                }
            }
            _ => {}
        }
    }

    fn answer(&self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let uri = params["textDocument"]["uri"].as_str();
        let path = uri.and_then(place::path).map(|path| real(&path));
        match path.map_or(Ok(None), |path| self.result(&method, &path, &params)) {
            Ok(Some(result)) => Response::new_ok(id, result),
            Ok(None) if method.starts_with("textDocument/") => Response::new_ok(id, Value::Null),
            Ok(None) => Response::new_err(id, -32601, format!("no method `{method}`")),
            Err(message) => Response::new_err(id, -32803, message),
        }
    }

    fn result(&self, method: &str, path: &Path, params: &Value) -> Result<Option<Value>, String> {
        let Some(text) = self.workspace.text(path) else { return Ok(None) };
        let offset = place::offset(&text, &params["position"]);
        let root = self.workspace.root_of(path);
        let of_root = |ask: &dyn Fn(&Root) -> Option<Value>| root.and_then(ask);
        Ok(match method {
            "textDocument/codeAction" => {
                let only = params["context"]["only"].as_array().into_iter().flatten();
                let only: Vec<&str> = only.filter_map(Value::as_str).collect();
                Some(Value::Array(action::actions(&self.workspace, path, &params["range"], &only)))
            }
            "textDocument/hover" => of_root(&|root| hover::hover(root, path, offset)),
            "textDocument/completion" => {
                of_root(&|root| Some(Value::Array(complete::complete(root, path, &text, offset))))
            }
            "textDocument/definition" => of_root(&|root| definition::definition(root, path, offset)),
            "textDocument/references" => of_root(&|root| {
                let named = definition::named(root, path, offset)?;
                let found = definition::references(root, &named).into_iter();
                Some(found.map(|span| definition::location(root, span)).collect())
            }),
            "textDocument/prepareRename" => of_root(&|root| rename::prepare(root, path, offset)),
            "textDocument/rename" => match root {
                Some(root) => {
                    Some(rename::rename(root, path, offset, params["newName"].as_str().unwrap_or_default())?)
                }
                None => None,
            },
            "textDocument/documentSymbol" => {
                of_root(&|root| Some(Value::Array(symbols::symbols(root, path))))
            }
            "textDocument/foldingRange" => {
                let is_json = path.extension().is_some_and(|ending| ending == "json");
                Some(Value::Array(fold::ranges(&text, is_json)))
            }
            "textDocument/formatting" => {
                let width =
                    params["options"]["tabSize"].as_u64().and_then(|width| usize::try_from(width).ok());
                let blanks = params["options"]["insertSpaces"].as_bool() != Some(false);
                let unit = if blanks { " ".repeat(width.unwrap_or(2).min(16)) } else { "\t".to_owned() };
                let is_json = path.extension().is_some_and(|ending| ending == "json");
                let new = format::json(&text, &unit).filter(|new| is_json && *new != text);
                new.map(|new| json!([{ "range": place::range(&text, 0..text.len()), "newText": new }]))
            }
            _ => None,
        })
    }
}
