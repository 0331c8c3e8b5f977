//! Records the accesses of one run: an observer of its system calls and of its proxy.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use skills_exec::{Call, Observer, Request};
use skills_registry::Net;

use crate::access::{Access, Cause, Object, Right};
use crate::call::{self, CALLS, Wanted};
use crate::fold::hidden;
use crate::observed::Trace;
use crate::place::Roots;

/// The maximum number of accesses of a run.
const MAX_ACCESSES: usize = 20_000;

/// The observer of one run.
#[derive(Debug)]
pub(crate) struct Recorder {
    run: String,
    /// The texts of the input that can be paths.
    inputs: Vec<String>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    roots: Option<Roots>,
    /// The processes that started the program. They are not part of it.
    keepers: BTreeSet<u32>,
    /// Whether the program was started, so that calls are its own.
    is_started: bool,
    /// Directories that were listed. Reading below them needs no further right.
    listed: BTreeSet<PathBuf>,
    accesses: Vec<Access>,
    known: BTreeSet<(Right, Object)>,
    /// Whether the sandbox of the run allows every host.
    is_online: bool,
    programs: BTreeMap<PathBuf, String>,
    scripts: BTreeSet<PathBuf>,
    notes: BTreeSet<String>,
}

impl Recorder {
    /// Creates the recorder of a run with this label and input.
    pub(crate) fn new(run: String, input: &str) -> Self {
        Self { run, inputs: texts(input), state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the record of the run after its end.
    pub(crate) fn take(&self) -> Trace {
        let state = std::mem::take(&mut *self.state());
        let skill = state.roots.map(|roots| roots.skill).unwrap_or_default();
        let shown = |path: PathBuf| path.strip_prefix(&skill).unwrap_or(&path).display().to_string();
        Trace {
            accesses: state.accesses,
            programs: state.programs.into_iter().map(|(path, process)| (shown(path), process)).collect(),
            scripts: state.scripts.into_iter().collect(),
            skill,
            notes: state.notes,
            ..Trace::default()
        }
    }

    /// Records what a call asks for.
    fn record(&self, state: &mut State, thread: u32, name: &str, wanted: Wanted) {
        let mut record = Record { recorder: self, state, thread, name };
        match wanted {
            Wanted::Open(path, flags) => record.open(&path, flags),
            Wanted::Execute(path) => record.execute(&path, 0),
            Wanted::Change(path) => {
                if let Ok(path) = path.canonicalize() {
                    record.path(Right::Write, &path, &path);
                }
            }
            Wanted::Create(path) => {
                if std::fs::symlink_metadata(&path).is_err() {
                    record.directory_of(&path);
                }
            }
            Wanted::Remove(path) => {
                if std::fs::symlink_metadata(&path).is_ok() {
                    record.directory_of(&path);
                }
            }
            Wanted::Rename(from, to) => {
                if std::fs::symlink_metadata(&from).is_ok() {
                    record.directory_of(&from);
                    record.directory_of(&to);
                }
            }
            Wanted::Connect(address) => record.connect(address),
            Wanted::Bind(address) => record.every_host(format!("listening on a port at {address}")),
        }
    }
}

impl Observer for Recorder {
    fn calls(&self) -> &[i64] {
        CALLS
    }

    fn starts(&self, request: &Request, scratch: Option<&Path>) {
        let mut state = self.state();
        state.roots = Some(Roots::of(request, scratch));
        state.is_online = request.sandbox.as_ref().is_some_and(|sandbox| sandbox.net == Net::All);
    }

    fn call(&self, call: &Call<'_>) {
        let mut state = self.state();
        let starts = matches!(call.number, libc::SYS_execve | libc::SYS_execveat);
        if starts {
            state.starts(call.thread);
        }
        if !state.is_started || state.keepers.contains(&call.thread) {
            return;
        }
        if let Some(wanted) = call::decode(call)
            && call.is_waiting()
        {
            self.record(&mut state, call.thread, call::name(call.number), wanted);
        }
    }

    fn host(&self, host: &str, port: u16, is_allowed: bool) {
        // Both ports are meant without a port.
        let text = if matches!(port, 80 | 443) { host.to_owned() } else { format!("{host}:{port}") };
        let cause = Cause {
            first: format!("{host}:{port}"),
            call: "proxy".to_owned(),
            process: String::new(),
            run: self.run.clone(),
        };
        let access = Access {
            right: Right::Net,
            object: Object::Named(text),
            is_directory: false,
            is_input: false,
            is_denied: !is_allowed,
            cause,
        };
        self.state().add(access);
    }
}

impl State {
    /// Records that a thread starts a program. The parent of the first thread is the keeper, a child of this process.
    /// If a start fails, it is tried again with another keeper.
    fn starts(&mut self, thread: u32) {
        let keeper = call::parent(thread);
        let is_keeper = keeper.and_then(call::parent) == Some(std::process::id());
        self.keepers.extend(keeper.filter(|_| is_keeper));
        self.is_started = true;
    }

    fn add(&mut self, access: Access) {
        if self.accesses.len() < MAX_ACCESSES {
            if self.known.insert((access.right, access.object.clone())) {
                self.accesses.push(access);
            }
        } else {
            self.notes.insert(format!("more than {MAX_ACCESSES} accesses; the others were not recorded"));
        }
    }
}

/// Records the parts of one call.
struct Record<'r> {
    recorder: &'r Recorder,
    state: &'r mut State,
    thread: u32,
    name: &'r str,
}

impl Record<'_> {
    fn open(&mut self, path: &Path, flags: i32) {
        if flags & libc::O_PATH != 0 || is_stream(path) {
            return;
        }
        let writes = flags & libc::O_ACCMODE != libc::O_RDONLY || flags & libc::O_TRUNC != 0;
        match path.canonicalize() {
            Ok(real) if flags & libc::O_TMPFILE == libc::O_TMPFILE => self.path(Right::Write, &real, &real),
            Ok(real) if writes => self.path(Right::Write, &real, &real),
            Ok(real) => {
                self.path(Right::Read, &real, &real);
                if real.is_dir() {
                    self.state.listed.insert(real);
                }
            }
            // If a link leads to a file that does not exist, the program creates the file there. The kernel
            // reports the link as a path that does not exist.
            Err(_) if flags & libc::O_CREAT != 0 => self.directory_of(path),
            // More rights would not help, unless the real home directory has such a file.
            Err(_) => {
                let roots = self.state.roots.as_ref();
                if let Some(place) = roots.and_then(|roots| roots.looked_for(path)) {
                    let right = hidden(&place).unwrap_or_else(|| place.clone()).text();
                    self.note(format!(
                        "it tried to read {}, which does not exist in its private home directory: add \"{right}\" to `read` if it needs the file",
                        place.text()
                    ));
                }
            }
        }
    }

    /// Records a program, and the interpreter that its first line names.
    fn execute(&mut self, path: &Path, depth: u8) {
        let Some(real) = path.canonicalize().ok().filter(|real| real.is_file()) else { return };
        self.path(Right::Read, &real, &real);
        let mut head = Vec::new();
        let read = std::fs::File::open(&real).and_then(|file| file.take(256).read_to_end(&mut head));
        let interpreter = read.ok().and_then(|_| skills_text::shebang(&head)).map(|(path, _)| path.to_vec());
        if depth == 0 && !self.state.programs.contains_key(&real) {
            // The first program is started by this process.
            let by = if self.state.programs.is_empty() { String::new() } else { self.by() };
            self.state.programs.insert(real, by);
        }
        if let Some(Ok(interpreter)) = interpreter.map(String::from_utf8)
            && depth < 4
        {
            self.execute(Path::new(&interpreter), depth + 1);
        }
    }

    /// Records that a name is created in, or removed from, the directory of a path.
    fn directory_of(&mut self, path: &Path) {
        let parent = path.parent().and_then(|parent| parent.canonicalize().ok());
        // Without the directory, the call fails whatever the rights are.
        let Some(parent) = parent else { return };
        // Python writes compiled modules beside their sources, but does not need them.
        let is_cache = |path: &Path| path.iter().any(|part| part == "__pycache__");
        if !is_cache(path)
            && let Some(name) = path.file_name()
        {
            self.path(Right::Write, &parent, &parent.join(name));
        }
    }

    /// Records a right to the path `real`, because the program uses the path `first` at or below it.
    fn path(&mut self, right: Right, real: &Path, first: &Path) {
        let Some(roots) = &self.state.roots else { return };
        let writes = right == Right::Write;
        if real.starts_with(&roots.skill) && !writes && real.is_file() {
            self.state.scripts.insert(real.to_owned());
        }
        if roots.is_always(real, writes) || (!writes && self.is_listed(real)) {
            return;
        }
        if real.starts_with("/proc") || real.starts_with("/sys") {
            self.note(format!(
                "it read {}; files below /proc and /sys are left out",
                generic(real).display()
            ));
            return;
        }
        let place = roots.place(real);
        let is_denied = roots.is_denied(real, writes);
        if self.state.known.contains(&(right, Object::Path(place.clone()))) {
            return;
        }
        let workspace = real.strip_prefix(&roots.workspace).ok().and_then(Path::to_str).unwrap_or_default();
        let named = |input: &String| {
            Path::new(workspace).starts_with(input.trim_start_matches("./")) || real.starts_with(input)
        };
        let is_input = self.recorder.inputs.iter().any(named);
        let cause = self.cause(roots.place(first).text());
        let (object, is_directory) = (Object::Path(place), real.is_dir());
        self.state.add(Access { right, object, is_directory, is_input, is_denied, cause });
    }

    fn is_listed(&self, real: &Path) -> bool {
        real.ancestors().skip(1).any(|above| self.state.listed.contains(above))
    }

    fn connect(&mut self, address: SocketAddr) {
        /// The port of name servers.
        const NAMES: u16 = 53;
        if address.port() == NAMES || address.port() == 0 {
            self.note(format!(
                "it asked the name server {address}; with named hosts, the proxy resolves names"
            ));
        } else if !self.is_proxy(address) {
            self.every_host(format!("{address}, without the proxy"));
        }
    }

    /// Returns `true` for the proxy of the run: a port of this machine on which this process listens.
    fn is_proxy(&self, address: SocketAddr) -> bool {
        let environment = std::fs::read(format!("/proc/{}/environ", self.thread)).unwrap_or_default();
        let wanted = format!("HTTP_PROXY=http://{address}");
        environment.split(|byte| *byte == 0).any(|line| line == wanted.as_bytes())
    }

    /// Records a use of the network that named hosts do not allow.
    fn every_host(&mut self, first: String) {
        let cause = self.cause(first);
        let access = Access {
            right: Right::Net,
            object: Object::Named("all".to_owned()),
            is_directory: false,
            is_input: false,
            is_denied: !self.state.is_online,
            cause,
        };
        self.state.add(access);
    }

    fn note(&mut self, text: String) {
        if self.state.notes.len() < 20 {
            self.state.notes.insert(text);
        }
    }

    fn by(&self) -> String {
        let directories = self.state.roots.iter().flat_map(|roots| [&*roots.skill, &*roots.workspace]);
        call::describe(self.thread, &directories.collect::<Vec<_>>())
    }

    fn cause(&self, first: String) -> Cause {
        Cause { first, call: self.name.to_owned(), process: self.by(), run: self.recorder.run.clone() }
    }
}

/// Returns `true` for the names of open descriptors, which need no right of their own, and for the terminal,
/// because programs do not have one.
fn is_stream(path: &Path) -> bool {
    ["/dev/tty", "/dev/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/proc/self/fd"]
        .iter()
        .any(|stream| path.starts_with(stream))
}

/// Replaces the number of a process in a path below `/proc`, so that equal runs have equal notes.
fn generic(path: &Path) -> PathBuf {
    let is_number = |part: &std::ffi::OsStr| part.to_str().is_some_and(skills_text::is_digits);
    path.iter().map(|part| if is_number(part) { "self".as_ref() } else { part }).collect()
}

/// Returns the strings of a JSON text, or the words of any other text.
fn texts(input: &str) -> Vec<String> {
    let mut found = Vec::new();
    match skills_schema::json::parse(input) {
        Ok(node) => strings(&node, &mut found),
        Err(_) => found.extend(input.split_whitespace().map(str::to_owned)),
    }
    found.retain(|text| !text.trim_start_matches("./").is_empty() && text.len() < 4096);
    found
}

fn strings(node: &skills_schema::json::Node, found: &mut Vec<String>) {
    found.extend(node.as_str().map(str::to_owned));
    node.items().iter().for_each(|item| strings(item, found));
    node.members().iter().for_each(|member| strings(&member.value, found));
}
