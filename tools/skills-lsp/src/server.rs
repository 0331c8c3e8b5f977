//! The main loop of the server, which answers one message after the other.

use std::collections::VecDeque;
use std::error::Error;
use std::path::Path;

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use crate::cursor::{self, Spot};
use crate::definition::Named;
use crate::index::Skill;
use crate::publish::{self, Sent};
use crate::root::Root;
use crate::workspace::{Workspace, real};
use crate::{action, complete, definition, fold, format, hover, place, rename, symbols};

/// Returns the capabilities of the server.
fn capabilities() -> Value {
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 2, "save": true },
        "codeActionProvider": { "codeActionKinds": ["quickfix", "source.fixAll.skills"], "resolveProvider": true },
        "hoverProvider": true,
        "completionProvider": { "triggerCharacters": ["\"", ".", "|", "{", "/", "(", ":", " "] },
        "definitionProvider": true,
        "referencesProvider": true,
        "renameProvider": { "prepareProvider": true },
        "documentSymbolProvider": true,
        "foldingRangeProvider": true,
        "documentFormattingProvider": true,
        "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
    })
}

/// Waits for a client to connect, and sends it the capabilities of the server. Returns `None` if the client
/// leaves before.
pub(crate) fn initialize(connection: &Connection) -> Result<Option<Value>, Failure> {
    while let Ok(message) = connection.receiver.recv() {
        match message {
            Message::Request(Request { id, method, params }) if method == "initialize" => {
                let answer = Response::new_ok(id, json!({ "capabilities": capabilities() }));
                connection.sender.send(Message::Response(answer))?;
                return Ok(Some(params));
            }
            Message::Request(Request { id, method, .. }) => {
                let text = format!("`{method}` was asked for before `initialize`");
                connection.sender.send(Message::Response(Response::new_err(id, -32002, text)))?;
            }
            Message::Notification(note) if note.method == "exit" => return Ok(None),
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
    Ok(None)
}

/// The server of one client.
pub(crate) struct Server<'c> {
    connection: &'c Connection,
    workspace: Workspace,
    sent: Sent,
    /// Messages that were received but not handled yet.
    queue: VecDeque<Message>,
    /// Whether the client can report files that change on disk.
    watches: bool,
    is_ending: bool,
}

type Failure = Box<dyn Error + Send + Sync>;

impl<'c> Server<'c> {
    /// Creates a server with the options from the client's `initialize` request.
    pub(crate) fn new(connection: &'c Connection, options: &Value) -> Self {
        let mut workspace = Workspace::default();
        let resolve = &options["capabilities"]["textDocument"]["codeAction"]["resolveSupport"]["properties"];
        workspace.resolves = resolve.as_array().is_some_and(|all| all.iter().any(|one| one == "edit"));
        let kinds = &options["capabilities"]["workspace"]["workspaceEdit"]["resourceOperations"];
        workspace.renames = kinds.as_array().is_some_and(|all| all.iter().any(|one| one == "rename"));
        let folders = options["workspaceFolders"].as_array().into_iter().flatten();
        let uris = folders.filter_map(|folder| folder["uri"].as_str()).chain(options["rootUri"].as_str());
        for folder in uris.filter_map(place::path) {
            workspace.add_folder(&folder);
        }
        let watches = &options["capabilities"]["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"];
        let (sent, queue, watches) = (Sent::new(), VecDeque::new(), *watches == true);
        Self { connection, workspace, sent, queue, watches, is_ending: false }
    }

    /// Answers messages until the client exits.
    pub(crate) fn run(mut self) -> Result<(), Failure> {
        self.publish()?;
        loop {
            if self.queue.is_empty() {
                match self.connection.receiver.recv() {
                    Ok(message) => self.queue.push_back(message),
                    Err(_) => return Ok(()),
                }
            }
            // Receives all pending messages before checking or publishing, so that no published result is
            // outdated.
            self.queue.extend(self.connection.receiver.try_iter());
            match self.queue.pop_front() {
                Some(Message::Request(request)) => {
                    let response = self.answer(request);
                    self.connection.sender.send(Message::Response(response))?;
                }
                Some(Message::Notification(notification)) if notification.method == "exit" => return Ok(()),
                Some(Message::Notification(notification)) if notification.method == "initialized" => {
                    self.watch()?;
                }
                Some(Message::Notification(notification)) => self.note(notification),
                Some(Message::Response(_)) | None => {}
            }
            if self.queue.is_empty() && self.workspace.refresh() {
                self.publish()?;
            }
        }
    }

    /// Asks the client, which is now ready for requests, to report files that change on disk.
    fn watch(&self) -> Result<(), Failure> {
        if !self.watches {
            return Ok(());
        }
        let watchers: Vec<Value> =
            ["**/*.md", "**/*.json", "**/*.yaml", "**/skills.toml", "**/.skillignore", "**/{bin,scripts}/*"]
                .iter()
                .map(|pattern| json!({ "globPattern": pattern }))
                .collect();
        let options = json!({ "watchers": watchers });
        let method = "workspace/didChangeWatchedFiles";
        let params =
            json!({ "registrations": [{ "id": "files", "method": method, "registerOptions": options }] });
        let request =
            Request { id: "watch".to_owned().into(), method: "client/registerCapability".to_owned(), params };
        Ok(self.connection.sender.send(Message::Request(request))?)
    }

    fn publish(&mut self) -> Result<(), Failure> {
        let workspace = &self.workspace;
        for params in publish::changes(workspace.roots.values(), &workspace.versions, &mut self.sent) {
            let method = "textDocument/publishDiagnostics".to_owned();
            self.connection.sender.send(Message::Notification(Notification { method, params }))?;
        }
        Ok(())
    }

    fn note(&mut self, notification: Notification) {
        let params = notification.params;
        let document = &params["textDocument"];
        let uri = document["uri"].as_str().unwrap_or_default();
        let version = document["version"].as_i64();
        match (notification.method.as_str(), place::path(uri)) {
            ("textDocument/didOpen", Some(path)) => {
                let text = document["text"].as_str().unwrap_or_default().to_owned();
                self.workspace.put(uri, &path, text, version);
            }
            ("textDocument/didChange", Some(path)) => {
                let mut text = self.workspace.text(&real(&path)).unwrap_or_default();
                for change in params["contentChanges"].as_array().into_iter().flatten() {
                    let new = change["text"].as_str().unwrap_or_default();
                    match change.get("range").filter(|range| range.is_object()) {
                        Some(range) => text.replace_range(place::bytes(&text, range), new),
                        None => new.clone_into(&mut text),
                    }
                }
                self.workspace.put(uri, &path, text, version);
            }
            ("textDocument/didClose", Some(path)) => self.workspace.close(uri, &path),
            ("textDocument/didSave", Some(path)) => self.workspace.update(&real(&path)),
            ("workspace/didChangeWatchedFiles", _) => {
                for change in params["changes"].as_array().into_iter().flatten() {
                    if let Some(path) = change["uri"].as_str().and_then(place::path) {
                        self.workspace.update(&real(&path));
                    }
                }
            }
            ("workspace/didChangeWorkspaceFolders", _) => {
                let folders = |key: &str| {
                    let listed = params["event"][key].as_array().into_iter().flatten();
                    let paths = listed.filter_map(|folder| folder["uri"].as_str().and_then(place::path));
                    paths.collect::<Vec<_>>()
                };
                for folder in folders("removed") {
                    self.workspace.remove_folder(&folder);
                }
                for folder in folders("added") {
                    self.workspace.add_folder(&folder);
                }
                self.workspace.changed = true;
            }
            _ => {}
        }
    }

    /// Returns `true` if the client has cancelled a request.
    fn is_cancelled(&self, id: &RequestId) -> bool {
        let id = serde_json::to_value(id).unwrap_or_default();
        self.queue.iter().any(|message| {
            matches!(message, Message::Notification(note) if note.method == "$/cancelRequest" && note.params["id"] == id)
        })
    }

    fn answer(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        if method == "shutdown" {
            self.is_ending = true;
            return Response::new_ok(id, Value::Null);
        }
        if self.is_ending {
            return Response::new_err(id, -32600, "the server was shut down".to_owned());
        }
        if self.is_cancelled(&id) {
            return Response::new_err(id, -32800, "the request was cancelled".to_owned());
        }
        self.workspace.changed |= self.workspace.refresh();
        if method == "codeAction/resolve" {
            let path = params["data"]["uri"].as_str().and_then(place::path);
            let whole = path.and_then(|path| action::fix_all(&self.workspace, &real(&path)));
            return Response::new_ok(id, whole.unwrap_or(params));
        }
        let uri = params["textDocument"]["uri"].as_str();
        let path = uri.and_then(place::path).map(|path| real(&path));
        match path.map_or(Ok(None), |path| self.result(&method, &path, &params)) {
            Ok(Some(result)) => Response::new_ok(id, result),
            Ok(None) if method.starts_with("textDocument/") => Response::new_ok(id, Value::Null),
            Ok(None) => Response::new_err(id, -32601, format!("no method `{method}`")),
            Err(message) => Response::new_err(id, -32803, message),
        }
    }

    /// Finds the skill that a project names at a position, in any directory of skills.
    fn in_role(&self, root: &Root, path: &Path, offset: usize) -> Option<(&Root, &Skill)> {
        match cursor::at(root, path, offset)? {
            Spot::Field { key, on_key: false, value, .. } if key == "skills" && path.ends_with("ROLE.md") => {
                self.workspace.find(&value)
            }
            _ => None,
        }
    }

    /// Finds the skill or step named at a position, with its directory.
    fn named<'s>(&'s self, root: &'s Root, path: &Path, offset: usize) -> Option<(&'s Root, Named<'s>)> {
        match self.in_role(root, path, offset) {
            Some((home, skill)) => Some((home, Named::Skill(skill))),
            None => Some((root, definition::named(root, path, offset)?)),
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
            "textDocument/hover" => of_root(&|root| {
                let named = self.in_role(root, path, offset).map(|(_, skill)| hover::skill(skill));
                hover::hover(root, path, offset, named)
            }),
            "textDocument/completion" => {
                let skills = || self.workspace.skills();
                of_root(&|root| Some(Value::Array(complete::complete(root, path, &text, offset, &skills))))
            }
            "textDocument/definition" => of_root(&|root| match self.in_role(root, path, offset) {
                Some((home, skill)) => Some(definition::location(home, skill.place)),
                None => definition::definition(root, path, offset),
            }),
            "textDocument/references" => {
                let named = root.and_then(|root| self.named(root, path, offset));
                named.map(|(root, named)| {
                    let places = self.workspace.places(root, &named).into_iter();
                    places.map(|(root, span)| definition::location(root, span)).collect()
                })
            }
            "textDocument/prepareRename" => root.and_then(|root| {
                let (home, named) = self.named(root, path, offset)?;
                rename::prepare(&self.workspace, (home, &named), &root.uri(path), offset)
            }),
            "textDocument/rename" => {
                let named = root.and_then(|root| self.named(root, path, offset));
                let (root, named) = named.ok_or("there is no skill or step name at this position")?;
                let new = params["newName"].as_str().unwrap_or_default();
                Some(rename::rename(&self.workspace, (root, &named), new)?)
            }
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
