//! The main loop of the server, which answers one message after the other.

use std::collections::VecDeque;
use std::error::Error;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    Cancel, DidChangeTextDocument, DidChangeWatchedFiles, DidChangeWorkspaceFolders, DidCloseTextDocument,
    DidOpenTextDocument, DidSaveTextDocument, Exit, Initialized, LogMessage, Notification as _,
    PublishDiagnostics, ShowMessage,
};
use lsp_types::request::{
    ExecuteCommand, Initialize, RegisterCapability, Request as _, Shutdown, WorkspaceDiagnosticRefresh,
};
use lsp_types::{
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, InitializeParams,
    InitializeResult, LogMessageParams, MessageType, Registration, RegistrationParams, ShowMessageParams,
};
use serde::Serialize;
use serde_json::Value;

use crate::capabilities::capabilities;
use crate::client::ClientOptions;
use crate::publish::{self, Sent};
use crate::workspace::{Workspace, real};
use crate::{command, convert, request};

/// Waits for a client to connect, and sends it the capabilities of the server. Returns `None` if the client
/// leaves before.
pub(crate) fn initialize(
    connection: &Connection,
) -> Result<Option<(InitializeParams, ClientOptions)>, Failure> {
    while let Ok(message) = connection.receiver.recv() {
        match message {
            Message::Request(Request { id, method, params }) if method == Initialize::METHOD => {
                let raw = params.clone();
                let (answer, params) = match request::read::<InitializeParams>(&method, params) {
                    Ok(params) => {
                        let client = ClientOptions::new(&params, &raw);
                        let capabilities = capabilities(&client);
                        let result = InitializeResult { capabilities, ..InitializeResult::default() };
                        (Response::new_ok(id, serde_json::to_value(result)?), Some((params, client)))
                    }
                    Err(error) => (Response { id, response_result: Err(error) }, None),
                };
                connection.sender.send(Message::Response(answer))?;
                if params.is_some() {
                    return Ok(params);
                }
            }
            Message::Request(Request { id, method, .. }) => {
                let text = format!("`{method}` was requested before `initialize`");
                let code = ErrorCode::ServerNotInitialized as i32;
                connection.sender.send(Message::Response(Response::new_err(id, code, text)))?;
            }
            Message::Notification(note) if note.method == Exit::METHOD => return Err(UNANNOUNCED.into()),
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
    Ok(None)
}

/// The error of a session that ends with `exit` but without `shutdown`, as the protocol demands.
const UNANNOUNCED: &str = "the client sent `exit` without `shutdown`";

/// The server of one client.
pub(crate) struct LanguageServer<'c> {
    connection: &'c Connection,
    workspace: Workspace,
    sent: Sent,
    /// Messages that were received but not handled yet.
    queue: VecDeque<Message>,
    is_ending: bool,
}

type Failure = Box<dyn Error + Send + Sync>;

impl<'c> LanguageServer<'c> {
    /// Creates a server with the options from the client's `initialize` request.
    pub(crate) fn new(connection: &'c Connection, options: &InitializeParams, client: ClientOptions) -> Self {
        let mut workspace = Workspace::default();
        workspace.client = client;
        #[expect(deprecated, reason = "older clients send only this URI")]
        let root = options.root_uri.as_ref();
        let folders = options.workspace_folders.iter().flatten().map(|folder| &folder.uri);
        for folder in folders.chain(root).filter_map(|uri| convert::path(uri.as_str())) {
            workspace.add_folder(&folder);
        }
        let (sent, queue) = (Sent::default(), VecDeque::new());
        Self { connection, workspace, sent, queue, is_ending: false }
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
            // Before it checks or publishes anything, receives all pending messages, so that no published
            // result is outdated.
            self.queue.extend(self.connection.receiver.try_iter());
            match self.queue.pop_front() {
                Some(Message::Request(request)) => {
                    let is_command = request.method == ExecuteCommand::METHOD;
                    let response = self.answer(request);
                    if let Ok(answer) = &response.response_result
                        && is_command
                        && !self.workspace.client.runs
                    {
                        self.show(command::message(answer))?;
                    }
                    self.connection.sender.send(Message::Response(response))?;
                }
                Some(Message::Notification(notification)) if notification.method == Exit::METHOD => {
                    return if self.is_ending { Ok(()) } else { Err(UNANNOUNCED.into()) };
                }
                Some(Message::Notification(notification)) if notification.method == Initialized::METHOD => {
                    self.watch()?;
                }
                Some(Message::Notification(notification)) => self.note(notification)?,
                Some(Message::Response(_)) | None => {}
            }
            if self.queue.is_empty() && self.workspace.refresh() {
                self.publish()?;
            }
        }
    }

    /// Asks the client to report files that change on disk. The client is ready for requests now.
    fn watch(&self) -> Result<(), Failure> {
        if !self.workspace.client.watches {
            return Ok(());
        }
        let patterns =
            ["**/*.md", "**/*.json", "**/*.yaml", "**/skills.toml", "**/.skillignore", "**/{bin,scripts}/*"];
        let watchers = patterns.map(|pattern| FileSystemWatcher {
            glob_pattern: GlobPattern::String(pattern.to_owned()),
            kind: None,
        });
        let options = DidChangeWatchedFilesRegistrationOptions { watchers: watchers.to_vec() };
        let registration = Registration {
            id: "files".to_owned(),
            method: DidChangeWatchedFiles::METHOD.to_owned(),
            register_options: Some(serde_json::to_value(options)?),
        };
        let params = RegistrationParams { registrations: vec![registration] };
        self.request("watch", RegisterCapability::METHOD, params)
    }

    fn publish(&mut self) -> Result<(), Failure> {
        let (messages, is_stale) = publish::changes(&self.workspace, &mut self.sent);
        for params in messages {
            self.notify(PublishDiagnostics::METHOD, params)?;
        }
        if is_stale && self.workspace.client.refreshes {
            self.request("refresh", WorkspaceDiagnosticRefresh::METHOD, ())?;
        }
        Ok(())
    }

    fn request(&self, id: &str, method: &str, params: impl Serialize) -> Result<(), Failure> {
        let request = Request::new(id.to_owned().into(), method.to_owned(), params);
        Ok(self.connection.sender.send(Message::Request(request))?)
    }

    fn show(&self, message: String) -> Result<(), Failure> {
        self.notify(ShowMessage::METHOD, ShowMessageParams { typ: MessageType::INFO, message })
    }

    fn notify(&self, method: &str, params: impl Serialize) -> Result<(), Failure> {
        let notification = Notification::new(method.to_owned(), params);
        Ok(self.connection.sender.send(Message::Notification(notification))?)
    }

    /// Handles a notification; invalid parameters are logged in the client.
    fn note(&mut self, notification: Notification) -> Result<(), Failure> {
        let Err(error) = self.handle(&notification.method, notification.params) else { return Ok(()) };
        self.notify(LogMessage::METHOD, LogMessageParams { typ: MessageType::ERROR, message: error.message })
    }

    fn handle(&mut self, method: &str, params: Value) -> Result<(), request::Refusal> {
        match method {
            DidOpenTextDocument::METHOD => {
                let document = request::read_notification::<DidOpenTextDocument>(params)?.text_document;
                if let Some(path) = convert::path(document.uri.as_str()) {
                    self.workspace.set_text(&document.uri, &path, document.text, document.version);
                }
            }
            DidChangeTextDocument::METHOD => {
                let params = request::read_notification::<DidChangeTextDocument>(params)?;
                let document = params.text_document;
                let Some(path) = convert::path(document.uri.as_str()) else { return Ok(()) };
                let text = self.workspace.text(&real(&path)).unwrap_or_default();
                let encoding = self.workspace.client.encoding;
                let text = convert::apply_changes(&text, &params.content_changes, encoding);
                self.workspace.set_text(&document.uri, &path, text, document.version);
            }
            DidCloseTextDocument::METHOD => {
                let document = request::read_notification::<DidCloseTextDocument>(params)?.text_document;
                if let Some(path) = convert::path(document.uri.as_str()) {
                    self.workspace.close(&document.uri, &path);
                }
            }
            DidSaveTextDocument::METHOD => {
                let document = request::read_notification::<DidSaveTextDocument>(params)?.text_document;
                if let Some(path) = convert::path(document.uri.as_str()) {
                    self.workspace.update(&real(&path));
                }
            }
            DidChangeWatchedFiles::METHOD => {
                let changes = request::read_notification::<DidChangeWatchedFiles>(params)?.changes;
                for path in changes.iter().filter_map(|change| convert::path(change.uri.as_str())) {
                    self.workspace.update(&real(&path));
                }
            }
            DidChangeWorkspaceFolders::METHOD => {
                let event = request::read_notification::<DidChangeWorkspaceFolders>(params)?.event;
                for folder in event.removed.iter().filter_map(|folder| convert::path(folder.uri.as_str())) {
                    self.workspace.remove_folder(&folder);
                }
                for folder in event.added.iter().filter_map(|folder| convert::path(folder.uri.as_str())) {
                    self.workspace.add_folder(&folder);
                }
                self.workspace.changed = true;
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns `true` if the client has cancelled a request.
    fn is_cancelled(&self, id: &RequestId) -> bool {
        let id = serde_json::to_value(id).unwrap_or_default();
        self.queue.iter().any(|message| {
            matches!(message, Message::Notification(note) if note.method == Cancel::METHOD && note.params["id"] == id)
        })
    }

    fn answer(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        if method == Shutdown::METHOD {
            self.is_ending = true;
            return Response::new_ok(id, Value::Null);
        }
        if self.is_ending {
            let text = "the server was shut down".to_owned();
            return Response::new_err(id, ErrorCode::InvalidRequest as i32, text);
        }
        if self.is_cancelled(&id) {
            let text = "the request was cancelled".to_owned();
            return Response::new_err(id, ErrorCode::RequestCanceled as i32, text);
        }
        self.workspace.changed |= self.workspace.refresh();
        Response { id, response_result: request::answer(&self.workspace, &method, params) }
    }
}
