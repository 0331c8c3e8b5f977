//! A receiver of OpenTelemetry for tests: a program of Python that decodes requests with the protocol's own classes.
#![allow(clippy::unwrap_used, reason = "a test without its receiver must fail")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::child::eventually;

/// The classes of the protocol, as OpenTelemetry publishes them for Python.
const CLASSES: [&str; 2] = ["opentelemetry-proto==1.45.2", "protobuf==6.33.0"];
/// A running receiver, and the received data.
pub(super) struct Receiver {
    process: Child,
    pub(super) url: String,
    seen: Arc<Mutex<Vec<Value>>>,
}

impl Receiver {
    pub(super) fn start() -> Self {
        let classes = installed();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/otlp/receiver.py");
        let mut command = Command::new("python3");
        command.arg(script).env("PYTHONPATH", classes).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let received: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&seen);
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                kept.lock().unwrap().push(serde_json::from_str(&line).unwrap());
            }
        });
        Self { process, url: format!("http://127.0.0.1:{}", received["port"]), seen }
    }

    /// Returns every request that was answered before this call. A request is printed before it is answered, and the
    /// thread that reads the lines may be late, so this waits for the line of a request of its own.
    fn requests(&self) -> Vec<Value> {
        static MARKS: AtomicUsize = AtomicUsize::new(0);
        let mark = format!("/{}", MARKS.fetch_add(1, Ordering::SeqCst));
        let mut stream = TcpStream::connect(self.url.strip_prefix("http://").unwrap()).unwrap();
        write!(stream, "GET {mark} HTTP/1.0\r\n\r\n").unwrap();
        stream.read_to_end(&mut Vec::new()).unwrap();
        let mut seen = eventually("the line of this request is read", || {
            let seen = self.seen.lock().unwrap().clone();
            seen.iter().any(|line| line["mark"] == *mark).then_some(seen)
        });
        seen.retain(|line| line.get("body").is_some());
        seen
    }

    /// Returns the values of a key in every request, from all resources and scopes.
    fn all(&self, of: [&str; 3]) -> Vec<Value> {
        let parts = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
        let seen = self.requests();
        let resources = seen.iter().flat_map(|request| parts(&request["body"], of[0])).collect::<Vec<_>>();
        let scopes = resources.iter().flat_map(|resource| parts(resource, of[1])).collect::<Vec<_>>();
        scopes.iter().flat_map(|scope| parts(scope, of[2])).collect()
    }

    pub(super) fn spans(&self) -> Vec<Span> {
        self.all(["resourceSpans", "scopeSpans", "spans"]).into_iter().map(Span).collect()
    }

    pub(super) fn metrics(&self) -> Vec<Value> {
        self.all(["resourceMetrics", "scopeMetrics", "metrics"])
    }

    pub(super) fn everything(&self) -> String {
        format!("{:?}", self.requests())
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Installs the classes once below `target/`.
fn installed() -> PathBuf {
    test_bed::need("python3");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("otlp-1.45.2");
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if !target.is_dir() {
        let draft = target.with_extension(std::process::id().to_string());
        let mut pip = Command::new("python3");
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--root-user-action=ignore",
            "--target",
        ])
        .arg(&draft);
        let status = pip.args(CLASSES).stdout(Stdio::null()).status().unwrap();
        // Another process may have been faster.
        let installed = status.success() && (std::fs::rename(&draft, &target).is_ok() || target.is_dir());
        assert!(installed, "pip cannot install the classes of OTLP");
    }
    target
}

#[derive(Clone)]
pub(super) struct Span(pub(super) Value);

impl Span {
    pub(super) fn name(&self) -> &str {
        self.0["name"].as_str().unwrap()
    }
    pub(super) fn id(&self) -> &str {
        self.0["spanId"].as_str().unwrap()
    }
    pub(super) fn parent(&self) -> &str {
        self.0["parentSpanId"].as_str().unwrap_or_default()
    }
    pub(super) fn attribute(&self, key: &str) -> Value {
        attribute(&self.0, key)
    }
}

pub(super) fn attribute(value: &Value, key: &str) -> Value {
    let all = value["attributes"].as_array().cloned().unwrap_or_default();
    let found = all.into_iter().find(|attribute| attribute["key"] == key);
    found.map_or(Value::Null, |attribute| {
        let value = attribute["value"].as_object().unwrap().values().next().cloned().unwrap();
        if value.get("values").is_some() { value["values"].clone() } else { value }
    })
}
