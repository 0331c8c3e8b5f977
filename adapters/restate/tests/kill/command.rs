//! Tests the command with a real server: a worker for directories, calls and runs; also with `skills` if it
//! is built.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use skills_durable::testing::{EngineServer as _, Process, ports, write_skills};

use crate::server::Server;

/// The command of the engine or `skills`, with the arguments for the server.
struct Shell {
    program: PathBuf,
    flags: Vec<String>,
    path: PathBuf,
    /// The command of `skills` that has `worker` and `runs`. `None` in the engine's own program.
    group: Option<&'static str>,
}

impl Shell {
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        if matches!(words.first(), Some(&("worker" | "runs"))) {
            command.args(self.group);
        }
        command.args(words).args(&self.flags).env("PATH", format!("{}:/usr/bin:/bin", self.path.display()));
        command.stdin(Stdio::null());
        command
    }

    fn run(&self, words: &[&str]) -> (Option<i32>, String, String) {
        let Output { status, stdout, stderr } = self.command(words).output().expect("it runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (status.code(), text(stdout), text(stderr))
    }
}

fn shells(server: &Server) -> Vec<Shell> {
    let own = Path::new(env!("CARGO_BIN_EXE_skills-restate"));
    let path = own.parent().expect("a directory").to_owned();
    let [ingress, admin, _] = server.ports.map(|port| format!("127.0.0.1:{port}"));
    let flags = |at: &str| [at, &ingress, "--admin", &admin].map(str::to_owned).to_vec();
    let mut shells =
        vec![Shell { program: own.to_owned(), flags: flags("--at"), path: path.clone(), group: None }];
    let front = path.join("skills");
    let knows = Command::new(&front).args(["engine", "worker", "--help"]).output();
    if knows.is_ok_and(|output| output.status.success()) {
        shells.push(Shell { program: front, flags: flags("--restate"), path, group: Some("engine") });
    }
    shells
}

// SPEC 19.11, 19.12, 19.15
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs npm"]
async fn the_command_serves_calls_and_shows_runs() {
    let place = tempfile::tempdir().expect("a directory");
    let skills = place.path().join("skills");
    write_skills(&skills, "");
    std::fs::write(place.path().join("secret"), "secret").expect("a file");
    let server = Server::start(place.path()).await;
    let skills = skills.to_str().expect("a path");
    for (at, shell) in shells(&server).iter().enumerate() {
        let [port] = ports();
        let listen = format!("127.0.0.1:{port}");
        let log = place.path().join("worker.log");
        // A program of an engine has an option for directories; in `skills`, they are arguments.
        let dir: &[&str] = if at == 0 { &["--dir", skills] } else { &[skills] };
        let mut worker =
            shell.command(&[&["worker"], dir, &["--skill", "asks_nosy,nosy,sleepy,limited"]].concat());
        worker.args(["--bind", &listen]).env("API_KEY", "k3y").stdout(Stdio::null());
        worker.stderr(std::fs::File::create(&log).expect("a log"));
        let mut worker = Process::new(worker);
        worker.begin();
        let logged = || std::fs::read_to_string(&log).expect("a log");
        while !logged().contains("registered") {
            assert!(worker.is_running(), "the worker ended: {}", logged());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let (key, other) = (format!("key{at}"), format!("other{at}"));
        let output = "{\"reads\": false, \"writes\": false, \"key\": \"\"}\n";
        let (code, out, err) = shell.run(&["call", "asks_nosy", "--run-key", &key]);
        assert_eq!((code, out.as_str()), (Some(0), output), "{err}");
        assert!(err.starts_with(&format!("run {key}\n")), "{err}");
        let (code, out, err) = shell.run(&["runs", "attach", &key]);
        assert_eq!((code, out.as_str()), (Some(0), output), "{err}");
        let (code, out, err) = shell.run(&["runs"]);
        assert!(
            code == Some(0) && out.lines().any(|line| line.ends_with(&format!("asks_nosy\t{key}"))),
            "{out}{err}"
        );
        let (code, out, err) = shell.run(&["runs", "show", &key]);
        assert!(code == Some(0) && out.ends_with("  done, one\n"), "{out}{err}");
        let (code, out, err) = shell.run(&["call", "asks_nosy", "--input", "7", "--run-key", &other]);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
        assert!(err.contains("invalid_input: Skill \"asks_nosy\" input validation failed"), "{err}");
        // No worker has registered the step, so the server retries it until the run is cancelled.
        let (key, input) = (format!("waits{at}"), r#"{"ms": 1}"#);
        let (code, out, err) =
            shell.run(&["call", "sleepy", "--detach", "--run-key", &key, "--input", input]);
        assert_eq!((code, out.as_str(), err), (Some(0), "", format!("run {key}\n")));
        let (code, _, err) = shell.run(&["runs", "cancel", &key]);
        assert_eq!(code, Some(0), "{err}");
        let (code, _, err) = shell.run(&["runs", "attach", &key]);
        assert_eq!((code, err.starts_with("cancelled: ")), (Some(1), true), "{err}");
        let (code, _, err) = shell.run(&["runs", "show", "nobody"]);
        assert_eq!((code, err.as_str()), (Some(1), "error: there is no run nobody\n"));
    }
}
