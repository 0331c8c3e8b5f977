//! Starts a real server and workers as processes that are killed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use skills_call::durable::{RemoteCalls, Request};
use skills_call::{CallError, Called};
use skills_durable::testing::{Process, install, ports};
use skills_restate::Remote;

/// A server with its data in a directory that remains after a kill.
pub(crate) struct Server {
    pub(crate) ports: [u16; 3],
    pub(crate) process: Process,
}

/// Finds the program of the server.
pub(crate) fn program() -> PathBuf {
    let package = "@restatedev/restate-server@1.7.12";
    let npm: &[&str] =
        &["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", "ROOT", package];
    let found = |root: &Path| {
        let machine = match std::env::consts::ARCH {
            "aarch64" => "arm64",
            _ => "x64",
        };
        root.join(format!("node_modules/@restatedev/restate-server-linux-{machine}/bin/restate-server"))
    };
    install(env!("CARGO_TARGET_TMPDIR"), "restate", found, &[npm])
}

impl Server {
    /// Starts a node with additional settings.
    pub(crate) async fn of(
        mut command: Command,
        place: &Path,
        name: &str,
        ports: [u16; 3],
        settings: Vec<(&str, String)>,
    ) -> Self {
        let [ingress, admin, node] = ports.map(|port| format!("127.0.0.1:{port}"));
        let log = std::fs::File::create(place.join(format!("{name}.log"))).expect("a log");
        command
            .args(["--no-logo", "--listen-mode", "tcp", "--node-name", name, "--default-num-partitions", "4"])
            .arg("--base-dir")
            .arg(place.join("restate"))
            .env("RESTATE_BIND_ADDRESS", &node)
            .env("RESTATE_INGRESS__BIND_ADDRESS", &ingress)
            .env("RESTATE_ADMIN__BIND_ADDRESS", &admin)
            .env("RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE", "256MiB")
            .env("RESTATE_DISABLE_TELEMETRY", "true")
            .env("DO_NOT_TRACK", "1")
            .envs(settings)
            .stdout(log)
            .stderr(Stdio::null());
        let mut server = Self { ports, process: Process::new(command) };
        server.begin().await;
        server
    }

    pub(crate) async fn begin(&mut self) {
        self.process.begin();
        let start = Instant::now();
        while self.remote().runs(1).await.is_err() {
            assert!(self.process.is_running(), "the server ended");
            assert!(start.elapsed() < Duration::from_secs(60), "the server does not answer");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub(crate) fn remote(&self) -> Remote {
        Remote::new(format!("127.0.0.1:{}", self.ports[0]), format!("127.0.0.1:{}", self.ports[1]))
    }
}

impl skills_durable::testing::EngineServer for Server {
    const NAME: &str = "restate";

    async fn start(place: &Path) -> Self {
        let command = Command::new(program());
        Self::of(command, place, "n1", ports(), Vec::new()).await
    }

    fn id(&self) -> u32 {
        self.process.id()
    }

    /// Starts this program as a worker, and registers it; see [`the_worker`](crate::the_worker).
    async fn worker(&self, place: &Path, only: &[&str], settings: &[(&str, &str)]) -> Process {
        let [port] = ports();
        let mut worker = Process::worker(place, only, settings);
        worker.set(crate::PORT, &port.to_string());
        worker.begin();
        self.remote().register(&format!("http://127.0.0.1:{port}")).await.expect("it serves");
        worker
    }

    async fn connect(&self) -> impl RemoteCalls {
        self.remote()
    }

    async fn start_run(&self, request: Request, key: &str) {
        self.remote().start(request, key).await.expect("it begins");
    }

    async fn called(&self, skill: &str, key: &str) -> Result<Called<String>, CallError> {
        self.remote().run(skill, key, true).called().await
    }
}
