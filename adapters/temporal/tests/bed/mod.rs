//! What the tests of engines share: skills, a host that notes when its functions begin and end, and what the notes tell.

#![allow(dead_code, reason = "each engine uses its part")]

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use skills_runtime::call::{BoxFuture, Context, Dispatch, Failure, Runner};
use skills_runtime::load::Layers;
use skills_runtime::model::{Answer, LanguageModel, ModelError, Request};

/// The skills that are functions of the host.
pub(crate) const FUNCTIONS: [&str; 6] = ["research", "tally", "summarize", "merge", "echo", "slow"];

/// The skills that `report` needs on one machine, and on the other.
pub(crate) const SPLIT: [&[&str]; 2] = [&["report", "polish", "research", "tally", "merge"], &["summarize"]];

/// Writes the skills of the tests below a directory.
pub(crate) fn write_skills(root: &Path, version: &str) {
    let code = |name: &str, input: &str, output: &str| {
        let text = format!(
            r#"{{"name": "{name}", "description": "{name}{version}", "category": "test", "mode": "code",
                "input": {{"type": "object", {input}}}, "output": {{"type": "object", {output}}}}}"#
        );
        write(root, name, &text);
    };
    code(
        "research",
        r#""required": ["count"]"#,
        r#""required": ["notes"], "properties": {"notes": {"type": "array"}}"#,
    );
    code("tally", r#""required": ["notes"]"#, r#""required": ["count"]"#);
    code("summarize", r#""required": ["id"]"#, r#""required": ["summary"]"#);
    code("merge", r#""required": ["parts"]"#, r#""required": ["text"]"#);
    code("echo", r#""properties": {}"#, r#""properties": {}"#);
    code("slow", r#""properties": {}"#, r#""properties": {}"#);
    let pipeline = |name: &str, calls: &str, steps: &str, rest: &str| {
        let text = format!(
            r#"{{"name": "{name}", "description": "{name}", "category": "test", "mode": "composite", "timeout": 3600000,
                "input": {{"type": "object"}}, "output": {{"type": "object"}}, "calls": [{calls}], "pipeline": [{steps}]{rest}}}"#
        );
        write(root, name, &text);
    };
    pipeline(
        "report",
        r#""research", "tally", "summarize", "merge", "polish""#,
        r#"{"step": "research", "skill": "research", "input": {"count": "{{input.count}}"}},
           {"step": "tally", "skill": "tally", "input": {"notes": "{{steps.research.notes}}"}},
           {"step": "summarize", "skill": "summarize", "foreach": "{{steps.research.notes}}", "maxConcurrency": 4,
            "retry": 2, "retryDelay": 100, "timeout": 5000, "input": {"id": "{{item.id}}", "fault": "{{input.fault}}"}},
           {"step": "merge", "skill": "merge", "input": {"parts": "{{steps.summarize.results | map: summary}}"}},
           {"step": "polish", "skill": "polish", "input": {"text": "{{steps.merge.text}}"}}"#,
        r#", "outputMapping": {"text": "{{steps.polish.text}}", "count": "{{steps.tally.count}}"}"#,
    );
    pipeline(
        "polish",
        r#""merge""#,
        r#"{"step": "again", "skill": "merge", "input": {"parts": ["{{input.text}}"]}}"#,
        r#", "outputMapping": {"text": "{{steps.again.text}}"}"#,
    );
    pipeline(
        "wide",
        r#""research", "summarize""#,
        r#"{"step": "r", "skill": "research", "input": {"count": "{{input.count}}"}},
           {"step": "w", "skill": "summarize", "foreach": "{{steps.r.notes}}", "maxConcurrency": 8,
            "input": {"id": "{{item.id}}"}}"#,
        r#", "outputMapping": {"n": "{{steps.w.results | map: id}}"}"#,
    );
    for length in [50, 200] {
        let step = |at: usize| {
            let before = if at == 0 { "a".to_owned() } else { format!("{{{{steps.s{}.text}}}}", at - 1) };
            format!(r#"{{"step": "s{at}", "skill": "merge", "input": {{"parts": ["{before}"]}}}}"#)
        };
        let steps: Vec<String> = (0..length).map(step).collect();
        pipeline(&format!("chain{length}"), r#""merge""#, &steps.join(","), "");
    }
    pipeline(
        "exact",
        r#""echo""#,
        r#"{"step": "e", "skill": "echo", "input": {"z": "{{input.z}}", "a": "{{input.a}}"}}"#,
        "",
    );
    pipeline(
        "waits",
        r#""slow""#,
        r#"{"step": "one", "skill": "slow", "input": {"ms": "{{input.ms}}", "fails": "{{input.fails}}"}, "retry": 1, "retryDelay": 200,
            "timeout": 1500}"#,
        "",
    );
    pipeline(
        "sleepy",
        r#""slow""#,
        r#"{"step": "one", "skill": "slow", "input": {"ms": "{{input.ms}}"}}"#,
        "",
    );
    code("tool", r#""properties": {}"#, r#""required": ["n"]"#);
    let script = "#!/bin/sh\necho \"0 $$ begin program\" >> \"$SKILL_PATH/../../log\"\ncat\necho \"0 $$ end program\" >> \"$SKILL_PATH/../../log\"\n";
    fs::write(root.join("tool/SKILL.md"), "---\nexec: run.sh\n---\n").expect("a file");
    fs::write(root.join("tool/run.sh"), script).expect("a file");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(root.join("tool/run.sh"), fs::Permissions::from_mode(0o755)).expect("a program");
    }
    let ask = r#"{"name": "ask", "description": "ask", "category": "test", "mode": "llm", "input": {"type": "object",
        "properties": {"n": {"type": "integer"}}, "required": ["n"]}, "output": {"type": "object", "required": ["said"]}}"#;
    write(root, "ask", ask);
    fs::write(root.join("ask/prompt.md"), "Say {{input.n}}.").expect("a file");
    pipeline(
        "mixed",
        r#""tool", "ask", "slow""#,
        r#"{"step": "program", "skill": "tool", "input": {"n": "{{input.n}}"}},
           {"step": "model", "skill": "ask", "input": {"n": "{{steps.program.n}}"}},
           {"step": "last", "skill": "slow", "input": {"ms": 3000, "said": "{{steps.model.said}}"}}"#,
        r#", "outputMapping": {"n": "{{steps.program.n}}", "said": "{{steps.model.said}}", "key": "{{steps.last.key}}"}"#,
    );
    pipeline(
        "large",
        r#""echo""#,
        r#"{"step": "e", "skill": "echo", "foreach": "{{input.list}}", "maxConcurrency": 0,
            "input": {"i": "{{item}}", "text": "{{input.text}}"}}"#,
        r#", "outputMapping": {"n": "{{steps.e.results | map: i}}"}"#,
    );
    let text = fs::read_to_string(root.join("sleepy/skill.json")).expect("it was written");
    write(root, "limited", &text.replace("sleepy", "limited").replace("3600000", "2000"));
}

fn write(root: &Path, name: &str, text: &str) {
    fs::create_dir_all(root.join(name)).expect("a directory");
    fs::write(root.join(name).join("skill.json"), text).expect("a file");
}

/// Makes a runner of the skills below a directory, whose functions note what they do in a file.
pub(crate) fn runner(skills: &Path, log: PathBuf, delay: Duration) -> Runner {
    let layers = Layers::builder().directory(skills).load().expect("they are sound");
    let model = Model(Desk { log: log.clone(), delay: Duration::ZERO });
    Runner::from(layers).model(model).host(Desk { log, delay })
}

/// A model that notes that it was asked, and has one answer.
struct Model(Desk);

impl LanguageModel for Model {
    fn name(&self) -> &str {
        "noted"
    }

    fn complete<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Result<Answer, ModelError>> {
        Box::pin(async move {
            self.0.note("begin", "model");
            self.0.note("end", "model");
            Ok(Answer::new(r#"{"said": "yes"}"#))
        })
    }
}

/// The functions of the host.
struct Desk {
    log: PathBuf,
    delay: Duration,
}

impl Desk {
    /// Writes a line that is there whenever this returns.
    fn note(&self, word: &str, key: &str) {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.log).expect("a log");
        let line = format!("{} {} {word} {key}\n", micros(), std::process::id());
        file.write_all(line.as_bytes()).expect("one write");
    }

    async fn serve(&self, skill: &str, input: Value, key: &str) -> Result<Value, Failure> {
        self.note("begin", key);
        /// Notes that a function was dropped.
        struct Guard<'a>(&'a Desk, &'a str, bool);
        impl Drop for Guard<'_> {
            fn drop(&mut self) {
                if self.2 {
                    self.0.note("dropped", self.1);
                }
            }
        }
        let mut guard = Guard(self, key, true);
        let delay = input["ms"].as_u64().map_or(self.delay, Duration::from_millis);
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        guard.2 = false;
        // A fault that passes.
        let fault = self.log.with_extension(format!("fault-{}", key.replace('/', "_")));
        let is_faulty = input["id"] == 2 && input["fault"] == true || input["fails"] == true;
        if is_faulty && !fault.exists() {
            fs::write(fault, "")?;
            self.note("fault", key);
            return Err("the first attempt fails".into());
        }
        let output = match skill {
            "research" => {
                let notes: Vec<Value> =
                    (0..input["count"].as_u64().unwrap_or(0)).map(|id| json!({"id": id})).collect();
                json!({ "notes": notes })
            }
            "tally" => json!({"count": input["notes"].as_array().map_or(0, Vec::len)}),
            "summarize" => json!({"id": input["id"], "summary": format!("s{}", input["id"])}),
            "merge" => {
                let parts = input["parts"].as_array().cloned().unwrap_or_default();
                json!({"text": parts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(",")})
            }
            "slow" => json!({"key": key}),
            _ => input,
        };
        self.note("end", key);
        Ok(output)
    }
}

impl Dispatch for Desk {
    fn call<'a>(
        &'a self,
        skill: &str,
        input: String,
        context: &'a Context,
    ) -> Option<BoxFuture<'a, Result<String, Failure>>> {
        let skill = FUNCTIONS.into_iter().find(|known| *known == skill)?;
        let key = context.key().unwrap_or("none").to_owned();
        Some(Box::pin(async move {
            if skill == "echo" {
                self.note("begin", &key);
                self.note("end", &key);
                return Ok(input);
            }
            if input.contains("panic") {
                unreachable!("as asked");
            }
            Ok(self.serve(skill, serde_json::from_str(&input)?, &key).await?.to_string())
        }))
    }

    fn serves(&self, skill: &str) -> bool {
        FUNCTIONS.contains(&skill)
    }
}

/// Microseconds since 1970.
pub(crate) fn micros() -> u128 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |now| now.as_micros())
}

/// What the notes tell of one call of a function.
#[derive(Debug, Default)]
pub(crate) struct Noted {
    pub(crate) begun: Vec<u128>,
    pub(crate) ended: Vec<u128>,
    pub(crate) faults: usize,
    pub(crate) dropped: Vec<u128>,
}

/// Reads the notes, by the key of each call.
pub(crate) fn noted(log: &Path) -> BTreeMap<String, Noted> {
    let text = fs::read_to_string(log).unwrap_or_default();
    let mut calls: BTreeMap<String, Noted> = BTreeMap::new();
    for line in text.lines() {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        let [at, _, word, key] = words[..] else { continue };
        let at: u128 = at.parse().expect("a time");
        let call = calls.entry(key.to_owned()).or_default();
        match word {
            "begin" => call.begun.push(at),
            "end" => call.ended.push(at),
            "fault" => call.faults += 1,
            _ => call.dropped.push(at),
        }
    }
    calls
}

/// Numbers that depend on a seed only.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }
}

/// Finds the program of a server, and installs it where it is not there; nothing, and a skip, where that fails.
///
/// Tests of one program ask at once: the first installs while the others wait, and a half that a killed one left is no program.
pub(crate) fn install(name: &str, found: impl Fn(&Path) -> PathBuf, commands: &[&[&str]]) -> Option<PathBuf> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).parent()?.join("servers").join(name);
    let whole = root.join("whole");
    if !whole.exists() {
        for command in commands {
            let words: Vec<String> =
                command.iter().map(|word| word.replace("ROOT", &root.display().to_string())).collect();
            let done = std::process::Command::new(&words[0]).args(&words[1..]).status();
            if !done.as_ref().is_ok_and(std::process::ExitStatus::success) {
                skip(&format!("{} fails, so there is no server: {done:?}", words.join(" ")));
                return None;
            }
        }
        fs::write(whole, "").expect("a mark");
    }
    Some(found(&root))
}

/// Says that a test proves nothing here, and why; `cargo xtask ci` counts the lines of the file that `SKILLS_SKIPS` names.
pub(crate) fn skip(why: &str) {
    eprintln!("SKIPPED: {why}");
    if let Some(path) = std::env::var_os("SKILLS_SKIPS") {
        let mut file = OpenOptions::new().create(true).append(true).open(path).expect("the list of skips");
        file.write_all(format!("engine: {why}\n").as_bytes()).expect("one write");
    }
}

/// Finds ports that are free.
pub(crate) fn ports<const N: usize>() -> [u16; N] {
    let open: Vec<std::net::TcpListener> =
        (0..N).map(|_| std::net::TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    std::array::from_fn(|at| open[at].local_addr().expect("a port").port())
}

/// Reads a number of the environment.
pub(crate) fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Reads words of the environment, with commas.
pub(crate) fn words(name: &str) -> Vec<String> {
    let text = std::env::var(name).unwrap_or_default();
    text.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// What `report` makes of so many notes.
pub(crate) fn report(count: usize) -> String {
    let parts: Vec<String> = (0..count).map(|id| format!("s{id}")).collect();
    format!(r#"{{"text":"{}","count":{count}}}"#, parts.join(","))
}

/// Sums the notes up; `moments` are when something was killed, or the server was back.
pub(crate) fn sums(notes: &BTreeMap<String, Noted>, moments: &[u128]) -> String {
    let (mut begun, mut ended, mut faults, mut twice) = (0, 0, 0, Vec::new());
    for (key, note) in notes {
        (begun, ended, faults) = (begun + note.begun.len(), ended + note.ended.len(), faults + note.faults);
        assert!(!note.ended.is_empty(), "{key} was lost: {note:?}");
        if note.ended.len() > 1 {
            // A worker or the server died between the end and its record.
            let first = note.ended[0];
            let after =
                moments.iter().filter(|at| **at + 1000 > first).map(|at| at.saturating_sub(first)).min();
            twice.push(format!("{key}, {} ms before", after.unwrap_or(u128::MAX) / 1000));
        }
    }
    let steps = notes.len();
    format!(
        "{steps} steps begun {begun} times, ended {ended} times, {faults} faults; {} ended twice (so long before a kill, or the return of the server): {twice:?}",
        twice.len()
    )
}

/// Names the steps of `report` that began after a step that was given their result, which then was recorded.
pub(crate) fn repeated(notes: &BTreeMap<String, Noted>) -> Vec<String> {
    let followers = |step: &str| match step {
        "research" => ["tally", "summarize[0]"].as_slice(),
        "merge" => &["polish/again"],
        step if step.starts_with("summarize") => &["merge"],
        _ => &[],
    };
    let is_repeated = |(key, note): (&String, &Noted)| {
        let (run, step) = key.split_once("/report/")?;
        let used = followers(step).iter().filter_map(|follower| {
            notes.get(&format!("{run}/report/{follower}"))?.begun.iter().min().copied()
        });
        let used = used.min()?;
        note.begun.iter().any(|begun| *begun > used).then(|| key.clone())
    };
    notes.iter().filter_map(is_repeated).collect()
}

/// What is measured: a skill, its input, how many steps that is, and how many runs at once.
pub(crate) fn jobs() -> [(&'static str, String, u64, u64); 5] {
    let (items, runs) = (number("SKILLS_ITEMS", 5000), number("SKILLS_RUNS", 200));
    [
        ("chain50", "{}".to_owned(), 50, 1),
        ("chain200", "{}".to_owned(), 200, 1),
        ("wide", r#"{"count": 500}"#.to_owned(), 501, 1),
        ("wide", format!(r#"{{"count": {items}}}"#), items + 1, 1),
        ("report", r#"{"count": 5}"#.to_owned(), 9, runs),
    ]
}

/// The memory that a process has, in MB, and the processor time that it took, in ms.
pub(crate) fn cost(id: u32) -> (u64, u64) {
    let read = |file: &str| std::fs::read_to_string(format!("/proc/{id}/{file}")).unwrap_or_default();
    let status = read("status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let memory =
        line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024;
    let stat = read("stat");
    // The words behind the name of the process, which is in parentheses: the state is the first, the times of this process
    // the twelfth and the one after; a tick is 10 ms.
    let words: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
    let ticks = ticks(11) + ticks(12);
    (memory, ticks * 10)
}
