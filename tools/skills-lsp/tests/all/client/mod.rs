//! A client and the server in one process, for the tests of sessions.
#![allow(dead_code, reason = "each test file uses a part")]
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request};
use serde_json::{Value, json};

/// A client with its own directory.
pub(crate) struct Client {
    pub(crate) top: PathBuf,
    pub(crate) connection: Connection,
    server: Option<JoinHandle<()>>,
    next: AtomicI32,
}

impl Client {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        Self::with(files, json!({}))
    }

    /// Begins a session with the capabilities of a client.
    pub(crate) fn with(files: &[(&str, &str)], capabilities: Value) -> Self {
        Self::of("", files, capabilities, Value::Null)
    }

    /// Begins a session in a folder below the directory.
    pub(crate) fn below(folder: &str, files: &[(&str, &str)]) -> Self {
        Self::of(folder, files, json!({}), Value::Null)
    }

    /// Begins a session with the capabilities and the wishes of a client.
    pub(crate) fn wishing(files: &[(&str, &str)], capabilities: Value, wishes: Value) -> Self {
        Self::of("", files, capabilities, wishes)
    }

    fn of(folder: &str, files: &[(&str, &str)], capabilities: Value, wishes: Value) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("skills-lsp-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let top = fs::canonicalize(std::env::temp_dir()).unwrap().join(name);
        fs::create_dir_all(&top).unwrap();
        for (path, text) in files {
            let path = top.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            #[cfg(unix)]
            if text.starts_with("#!") {
                let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
                fs::set_permissions(path, mode).unwrap();
            }
        }
        let (server, connection) = Connection::memory();
        let server = std::thread::spawn(move || skills_lsp::serve(server).unwrap());
        let client = Self { top, connection, server: Some(server), next: AtomicI32::new(1) };
        // Without an address, the server would write the pages of rules into the cache of the user.
        let wishes = if wishes.is_null() { json!({ "rules": "" }) } else { wishes };
        let folders = json!([{ "uri": client.uri(folder), "name": "w" }]);
        let offered = capabilities.pointer("/general/positionEncodings/0").cloned();
        let answer = client.ask(
            "initialize",
            json!({ "capabilities": capabilities, "workspaceFolders": folders, "initializationOptions": wishes }),
        );
        assert_eq!(answer["capabilities"]["positionEncoding"], offered.unwrap_or(json!("utf-16")));
        client.notify("initialized", json!({}));
        client
    }

    pub(crate) fn uri(&self, path: &str) -> String {
        format!("file://{}", self.top.join(path).display()).trim_end_matches('/').to_owned()
    }

    pub(crate) fn notify(&self, method: &str, params: Value) {
        let note = Notification { method: method.to_owned(), params };
        self.connection.sender.send(Message::Notification(note)).unwrap();
    }

    /// Sends a request and returns the answer; diagnostics published meanwhile are dropped.
    pub(crate) fn ask(&self, method: &str, params: Value) -> Value {
        let answer = self.asked(method, params);
        assert!(answer.1.is_null(), "{method}: {}", answer.1);
        answer.0
    }

    pub(crate) fn asked(&self, method: &str, params: Value) -> (Value, Value) {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let request = Request { id: id.into(), method: method.to_owned(), params };
        self.connection.sender.send(Message::Request(request)).unwrap();
        loop {
            if let Message::Response(response) = self.receive() {
                let whole = serde_json::to_value(&response).unwrap();
                return (whole["result"].clone(), whole["error"].clone());
            }
        }
    }

    pub(crate) fn receive(&self) -> Message {
        self.connection.receiver.recv_timeout(Duration::from_secs(60)).expect("the server answers")
    }

    pub(crate) fn open(&self, path: &str, text: &str) {
        let document = json!({ "uri": self.uri(path), "languageId": "x", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(crate) fn change(&self, path: &str, range: Value, text: &str) {
        let change = json!([{ "range": range, "text": text }]);
        let document = json!({ "uri": self.uri(path), "version": 2 });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": change }));
    }

    /// Waits for the problems of a file and returns their codes.
    pub(crate) fn problems(&self, path: &str) -> Vec<String> {
        loop {
            let Message::Notification(note) = self.receive() else { continue };
            if note.params["uri"] == json!(self.uri(path)) {
                let list = note.params["diagnostics"].as_array().unwrap();
                return list.iter().map(|found| found["code"].as_str().unwrap().to_owned()).collect();
            }
        }
    }

    /// Waits for the next problems of any file; returns its URI and their codes.
    pub(crate) fn diagnostics(&self) -> (String, Vec<String>) {
        loop {
            let Message::Notification(note) = self.receive() else { continue };
            let list = note.params["diagnostics"].as_array().unwrap().iter();
            let codes = list.map(|found| found["code"].as_str().unwrap().to_owned()).collect();
            return (note.params["uri"].as_str().unwrap().to_owned(), codes);
        }
    }

    /// Sends a request at the position that a mark `|` shows in a part of the text.
    pub(crate) fn at(&self, method: &str, path: &str, text: &str, marked: &str) -> Value {
        let mut params = self.place(path, text, marked);
        if method == "textDocument/references" {
            params["context"] = json!({ "includeDeclaration": true });
        }
        self.ask(method, params)
    }

    pub(crate) fn place(&self, path: &str, text: &str, marked: &str) -> Value {
        let (before, after) = marked.split_once('§').unwrap();
        let start = text.find(&format!("{before}{after}")).expect("the mark stands in the text");
        let offset = start + before.len();
        let line = text[..offset].matches('\n').count();
        let character = text[..offset].rsplit('\n').next().unwrap().encode_utf16().count();
        json!({ "textDocument": { "uri": self.uri(path) }, "position": { "line": line, "character": character } })
    }

    /// Returns the URI of a location in an answer, and the text in its range.
    pub(crate) fn text(&self, location: &Value) -> (String, String) {
        let path = location["uri"].as_str().unwrap().strip_prefix("file://").unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        let at = |place: &Value| {
            let (line, character) = (place["line"].as_u64().unwrap(), place["character"].as_u64().unwrap());
            let start: usize = text.split_inclusive('\n').take(line as usize).map(str::len).sum();
            start + character as usize
        };
        let found = text[at(&location["range"]["start"])..at(&location["range"]["end"])].to_owned();
        (Path::new(&path).strip_prefix(&self.top).unwrap().to_str().unwrap().to_owned(), found)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.ask("shutdown", Value::Null);
            self.notify("exit", Value::Null);
            self.server.take().unwrap().join().unwrap();
        }
        fs::remove_dir_all(&self.top).ok();
    }
}
