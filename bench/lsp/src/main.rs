//! Measures, for a directory of many skills, the time from a keystroke in an editor until problems are reported, and
//! compares it with a full check of the directory (SPEC 17.14): `cargo run --release -- [SKILLS] [STROKES]`. The
//! client also makes the requests that an editor makes after each keystroke: diagnostics, semantic tokens, inlay
//! hints, code lenses, links and symbols, once alone and once with the keystroke. Each row also has the CPU time,
//! because other processes lengthen the wall time.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request};
use serde_json::{Value, json};
use skills_core::options::Options;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// A client of a server in the same process.
struct Client {
    connection: Connection,
    next: i32,
}

impl Client {
    fn notify(&self, method: &str, params: Value) -> Outcome<()> {
        let note = Notification { method: method.to_owned(), params };
        Ok(self.connection.sender.send(Message::Notification(note))?)
    }

    fn ask(&mut self, method: &str, params: Value) -> Outcome<Value> {
        self.next += 1;
        let request = Request { id: self.next.into(), method: method.to_owned(), params };
        self.connection.sender.send(Message::Request(request))?;
        loop {
            if let Message::Response(response) = self.connection.receiver.recv()? {
                return Ok(serde_json::to_value(response)?);
            }
        }
    }

    /// Waits until the problems of a file are reported.
    fn wait_for_diagnostics(&self, uri: &str) -> Outcome<()> {
        loop {
            let message = self.connection.receiver.recv_timeout(Duration::from_secs(60))?;
            if matches!(message, Message::Notification(note) if note.params["uri"] == uri) {
                return Ok(());
            }
        }
    }
}

/// Writes skills: every tenth is a function, every twentieth is a pipeline that calls two others, every
/// fiftieth has a problem.
fn write_skills(root: &Path, count: usize) -> Outcome<()> {
    let body = "Read [the notes](references/notes.md), then say what `references/notes.md` holds.\n".repeat(50);
    for at in 0..count {
        let dir = root.join(format!("s{at}"));
        fs::create_dir_all(dir.join("references"))?;
        let fault = if at % 50 == 1 { "licence: MIT\n" } else { "" };
        let head = format!("---\nname: s{at}\ndescription: Does the thing of number {at}.\n{fault}---\n# S\n\n");
        fs::write(dir.join("SKILL.md"), head + &body)?;
        fs::write(dir.join("references/notes.md"), &body)?;
        if at % 10 != 0 {
            continue;
        }
        let schema = json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a"] });
        let mut manifest = json!({
            "name": format!("s{at}"), "description": format!("Does the thing of number {at}."), "category": "c", "mode": "code",
            "input": schema, "output": schema,
        });
        if at % 20 == 0 && at >= 40 {
            let (one, two) = (format!("s{}", at - 10), format!("s{}", at - 30));
            manifest["mode"] = json!("composite");
            manifest["calls"] = json!([one, two]);
            manifest["pipeline"] = json!([
                { "step": "one", "skill": one, "input": { "a": "{{input.a | upcase}}" } },
                { "step": "two", "skill": two, "input": { "a": "{{steps.one.a}}" } },
            ]);
        }
        fs::write(dir.join("skill.json"), serde_json::to_string_pretty(&manifest)?)?;
    }
    Ok(())
}

fn main() -> Outcome<()> {
    let mut given = std::env::args().skip(1);
    if given.next().is_some_and(|word| word == "check") {
        return check(Path::new(&given.next().ok_or("the directory")?));
    }
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|number| number.parse().ok()).collect();
    let (skills, strokes) = (*numbers.first().unwrap_or(&2_000), *numbers.get(1).unwrap_or(&1_000));
    let top = std::env::temp_dir().canonicalize()?.join(format!("skills-bench-lsp-{}", std::process::id()));
    let root = top.join("skills");
    write_skills(&root, skills)?;
    // A second process runs the checks, so that this process uses only the memory of the server.
    let checked = Command::new(std::env::current_exe()?).arg("check").arg(&root).output()?;
    let full = Duration::from_nanos(String::from_utf8(checked.stdout)?.trim().parse()?);

    let (server, connection) = Connection::memory();
    let (thread, known) = mpsc::channel();
    let server = std::thread::spawn(move || {
        thread.send(fs::read_link("/proc/thread-self"))?;
        skills_lsp::serve(server)
    });
    let thread = Path::new("/proc").join(known.recv()??).join("schedstat");
    let mut client = Client { connection, next: 0 };
    let folder = format!("file://{}", top.display());
    let wishes = json!({ "rules": "" });
    client.ask("initialize", json!({ "capabilities": {}, "rootUri": folder, "initializationOptions": wishes }))?;
    client.notify("initialized", json!({}))?;
    println!("{skills} skills, {strokes} strokes each; a full check takes {:.1} ms", millis(full));
    // The keystrokes change the colon of a key, a key of an input that other skills give, and a template of a
    // pipeline.
    let middle = skills / 2 / 20 * 20;
    let cases = [
        ("SKILL.md", format!("s{}/SKILL.md", middle + 1), "Does the thing", ":"),
        ("skill.json, called by others", format!("s{}/skill.json", middle - 10), "\"a\": {", "x"),
        ("skill.json, a pipeline", format!("s{middle}/skill.json"), "input.a", "x"),
    ];
    let mut slowest = Duration::ZERO;
    for (what, path, at, typed) in cases {
        let text = fs::read_to_string(root.join(&path))?;
        let offset = text.find(at).ok_or("the place")? + if typed == ":" { 4 } else { 1 };
        let line = text[..offset].matches('\n').count();
        let character = offset - text[..offset].rfind('\n').map_or(0, |feed| feed + 1);
        let uri = format!("{folder}/skills/{path}");
        client.notify("textDocument/didOpen", json!({ "textDocument": { "uri": uri, "version": 0, "text": text } }))?;
        let mut times = Times::new(&thread);
        for stroke in 0..strokes {
            // Each keystroke adds or removes an error, so that the report changes each time.
            let (end, text) = if stroke % 2 == 0 { (character, typed) } else { (character + 1, "") };
            let range = json!({ "start": { "line": line, "character": character }, "end": { "line": line, "character": end } });
            times.start();
            client.notify("textDocument/didChange", json!({
                "textDocument": { "uri": uri, "version": stroke + 1 },
                "contentChanges": [{ "range": range, "text": text }],
            }))?;
            client.wait_for_diagnostics(&uri)?;
            times.stop();
        }
        slowest = slowest.max(times.print(what));
    }
    println!("= lsp.key {:.2}", millis(slowest));
    let uri = format!("{folder}/skills/s{middle}/skill.json");
    let document = json!({ "uri": uri });
    let position = json!({ "textDocument": document, "position": { "line": 1, "character": 3 } });
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999, "character": 0 } });
    let hints = json!({ "textDocument": document, "range": whole });
    let own = json!({ "textDocument": document });
    let after = [
        ("textDocument/diagnostic", &own),
        ("textDocument/semanticTokens/full", &own),
        ("textDocument/inlayHint", &hints),
        ("textDocument/codeLens", &own),
        ("textDocument/documentLink", &own),
        ("textDocument/documentSymbol", &own),
    ];
    let symbols = json!({ "query": "s1" });
    for (method, params) in after.into_iter().chain([("textDocument/hover", &position), ("workspace/symbol", &symbols)]) {
        let mut times = Times::new(&thread);
        for _ in 0..strokes / 10 {
            times.start();
            client.ask(method, params.clone())?;
            times.stop();
        }
        times.print(method);
    }
    let mut times = Times::new(&thread);
    let text = fs::read_to_string(root.join(format!("s{middle}/skill.json")))?;
    let offset = text.find("input.a").ok_or("the place")? + 1;
    let line = text[..offset].matches('\n').count();
    let character = offset - text[..offset].rfind('\n').map_or(0, |feed| feed + 1);
    for stroke in 0..strokes {
        let (end, text) = if stroke % 2 == 0 { (character, "x") } else { (character + 1, "") };
        let range = json!({ "start": { "line": line, "character": character }, "end": { "line": line, "character": end } });
        times.start();
        client.notify("textDocument/didChange", json!({
            "textDocument": { "uri": uri, "version": strokes + stroke + 1 },
            "contentChanges": [{ "range": range, "text": text }],
        }))?;
        for (method, params) in after {
            client.ask(method, params.clone())?;
        }
        times.stop();
    }
    println!("= lsp.all {:.2}", millis(times.print("a keystroke and six requests")));
    client.ask("shutdown", Value::Null)?;
    client.notify("exit", Value::Null)?;
    server.join().map_err(|_| "the server panics")??;
    fs::remove_dir_all(&top)?;
    let status = fs::read_to_string("/proc/self/status")?;
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next());
    println!("= lsp.memory {:.1}", most.ok_or("the memory")?.parse::<f64>()? / 1024.0);
    Ok(())
}

/// Prints the time of a check of the whole directory in nanoseconds.
fn check(root: &Path) -> Outcome<()> {
    let mut checks: Vec<Duration> = Vec::new();
    for _ in 0..5 {
        let start = Instant::now();
        let loaded = skills_core::load(root, "skills", &Options::default());
        checks.push(start.elapsed());
        let error = loaded.report.diagnostics.iter().find(|found| found.level.as_str() == "error");
        assert!(error.is_none(), "{error:?}");
    }
    println!("{}", checks.iter().min().ok_or("a check")?.as_nanos());
    Ok(())
}

/// The wall times for one kind of message, and the CPU times of the server for them, which depend less on other
/// processes.
struct Times<'p> {
    thread: &'p Path,
    began: (Instant, Duration),
    wall: Vec<Duration>,
    cpu: Vec<Duration>,
}

impl<'p> Times<'p> {
    fn new(thread: &'p Path) -> Self {
        Self { thread, began: (Instant::now(), Duration::ZERO), wall: Vec::new(), cpu: Vec::new() }
    }

    /// Returns the CPU time of the server so far.
    fn spent(&self) -> Duration {
        let text = fs::read_to_string(self.thread).unwrap_or_default();
        Duration::from_nanos(text.split_whitespace().next().and_then(|first| first.parse().ok()).unwrap_or_default())
    }

    fn start(&mut self) {
        self.began = (Instant::now(), self.spent());
    }

    fn stop(&mut self) {
        self.wall.push(self.began.0.elapsed());
        self.cpu.push(self.spent().saturating_sub(self.began.1));
    }

    /// Prints the times, and returns the 99th percentile of the CPU times.
    fn print(mut self, what: &str) -> Duration {
        self.wall.sort();
        self.cpu.sort();
        let at = |times: &[Duration], part: usize| times.get(times.len() * part / 100).or(times.last()).copied().unwrap_or_default();
        let wall = |part: usize| millis(at(&self.wall, part));
        let cpu = |part: usize| millis(at(&self.cpu, part));
        println!("{what:34} p50 {:7.2} ms  p99 {:7.2} ms  CPU: p50 {:7.2} ms  p99 {:7.2} ms", wall(50), wall(99), cpu(50), cpu(99));
        at(&self.cpu, 99)
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
