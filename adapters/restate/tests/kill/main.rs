//! Tests pipelines on a real server while the server and its workers are killed repeatedly. This binary
//! starts itself as the workers.
//!
//! `SKILLS_KILLS` is the number of kills; 20 by default.

mod cluster;
mod command;
mod features;
mod server;

use std::path::PathBuf;
use std::time::Duration;

use server::Server;
use skills_call::durable::Request;
use skills_durable::testing::{
    EngineServer as _, KillTarget, Kills, SPLIT, number, runner, words, write_skills,
};
use skills_restate::Remote;

/// The variable for the worker's port.
pub(crate) const PORT: &str = "SKILLS_TEST_PORT";

/// Runs as a worker until it is killed, if this binary is started as one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "other tests run it in a separate process"]
async fn the_worker() {
    let Some(place) = std::env::var_os("SKILLS_TEST_PLACE").map(PathBuf::from) else { return };
    let port = u16::try_from(number(PORT, 0)).expect("a port");
    let delay = Duration::from_millis(number("SKILLS_TEST_DELAY", 0));
    let skills = place.join(std::env::var("SKILLS_TEST_SKILLS").unwrap_or_else(|_| "skills".to_owned()));
    let mut worker = skills_restate::Worker::new(runner(&skills, place.join("log"), delay));
    let only = words("SKILLS_TEST_ONLY");
    if !only.is_empty() {
        worker = worker.only(only);
    }
    worker.serve(([127, 0, 0, 1], port).into()).await.expect("it serves");
}

/// A server with its runs.
struct There {
    server: Server,
    remote: Remote,
}

impl KillTarget for There {
    async fn begin(&mut self, input: String, key: &str) {
        self.remote.start(Request::new("report", input), key).await.expect("it begins");
    }

    async fn output(&mut self, key: &str) -> String {
        self.remote.run("report", key, true).output().await.expect("it has an output")
    }

    async fn kill_server(&mut self) {
        self.server.process.kill();
        self.server.begin().await;
    }
}

// SPEC 19.2, 19.3, 19.10
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs npm"]
async fn kills_lose_nothing_and_repeat_no_recorded_step() {
    let place = tempfile::tempdir().expect("a directory");
    write_skills(&place.path().join("skills"), "");
    let server = Server::start(place.path()).await;
    let settings = [("SKILLS_TEST_DELAY", "40")];
    let mut workers = [
        server.worker(place.path(), SPLIT[0], &settings).await,
        server.worker(place.path(), SPLIT[1], &settings).await,
    ];
    let remote = server.remote();
    let mut there = There { server, remote };
    Kills::default().run("restate", &mut there, &mut workers, &place.path().join("log")).await;
}
