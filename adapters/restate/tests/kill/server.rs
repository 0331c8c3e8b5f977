//! The real server, and workers, as processes that are killed.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use skills_restate::Remote;

use crate::bed::{install, ports};

/// A server with its data in a directory, which outlives it.
pub(crate) struct Server {
    program: PathBuf,
    place: PathBuf,
    ports: [u16; 3],
    child: Option<Child>,
}

impl Server {
    /// Starts one; nothing where there is none to be had.
    pub(crate) async fn start(place: &Path) -> Option<Self> {
        let install_it: &[&str] = &[
            "npm",
            "install",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--prefix",
            "ROOT",
            "@restatedev/restate-server@1.7.12",
        ];
        let found = |root: &Path| {
            let machine = match std::env::consts::ARCH {
                "aarch64" => "arm64",
                _ => "x64",
            };
            root.join(format!("node_modules/@restatedev/restate-server-linux-{machine}/bin/restate-server"))
        };
        let program = install("restate", found, &[install_it])?;
        let mut server = Self { program, place: place.to_owned(), ports: ports(), child: None };
        server.begin().await;
        Some(server)
    }

    pub(crate) async fn begin(&mut self) {
        let [ingress, admin, node] = self.ports.map(|port| format!("127.0.0.1:{port}"));
        let log = std::fs::File::create(self.place.join("server.log")).expect("a log");
        let mut command = Command::new(&self.program);
        command
            .args(["--no-logo", "--listen-mode", "tcp", "--node-name", "n1", "--default-num-partitions", "4"])
            .args(["--bind-address", &node, "--base-dir"])
            .arg(self.place.join("restate"))
            .env("RESTATE_INGRESS__BIND_ADDRESS", &ingress)
            .env("RESTATE_ADMIN__BIND_ADDRESS", &admin)
            .env("RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE", "256MiB")
            .env("RESTATE_DISABLE_TELEMETRY", "true")
            .env("DO_NOT_TRACK", "1");
        self.child = Some(command.stdout(log).stderr(Stdio::null()).spawn().expect("it starts"));
        let start = Instant::now();
        while self.remote().runs(1).await.is_err() {
            assert!(start.elapsed() < Duration::from_secs(60), "the server does not answer");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub(crate) fn remote(&self) -> Remote {
        Remote::new(format!("127.0.0.1:{}", self.ports[0]), format!("127.0.0.1:{}", self.ports[1]))
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

/// A worker of the skills in a directory, at an address of its own.
pub(crate) struct Worker {
    child: Option<Child>,
    command: Command,
    port: u16,
}

impl Worker {
    /// Starts this binary as a worker; see [`the_worker`](crate::the_worker).
    pub(crate) fn start(place: &Path, only: &[&str], settings: &[(&str, &str)]) -> Self {
        let [port] = ports();
        let mut command = Command::new(std::env::current_exe().expect("this binary"));
        command.args(["--exact", "the_worker", "--test-threads=1"]).stdout(Stdio::null());
        command.env(crate::PLACE, place).env(crate::PORT, port.to_string());
        command.env(crate::ONLY, only.join(","));
        let log = std::fs::OpenOptions::new().create(true).append(true).open(place.join("worker.err"));
        command.stderr(log.expect("a log")).envs(settings.iter().copied());
        let mut worker = Self { child: None, command, port };
        worker.begin();
        worker
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
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
