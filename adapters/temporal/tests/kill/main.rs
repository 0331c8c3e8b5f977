//! Tests pipelines on a real server while the server and its workers are killed repeatedly. This binary
//! starts itself as the workers.
//!
//! `SKILLS_KILLS` is the number of kills; 20 by default.

mod features;
mod server;

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use server::Server;
use skills_call::durable::Request;
use skills_durable::testing::{
    EngineServer as _, KillTarget, Kills, SPLIT, number, read_notes, runner, words, write_skills,
};
use skills_temporal::Remote;

/// The variable for the address of the server.
pub(crate) const AT: &str = "SKILLS_TEST_AT";

/// Runs as a worker until it is killed, if this binary is started as one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "other tests run it in a separate process"]
async fn the_worker() {
    let Some(place) = std::env::var_os("SKILLS_TEST_PLACE").map(PathBuf::from) else { return };
    let address = std::env::var(AT).expect("an address");
    let only = words("SKILLS_TEST_ONLY");
    let delay = Duration::from_millis(number("SKILLS_TEST_DELAY", 0));
    let skills = place.join(std::env::var("SKILLS_TEST_SKILLS").unwrap_or_else(|_| "skills".to_owned()));
    let runner = runner(&skills, place.join("log"), delay);
    loop {
        let mut worker = skills_temporal::Worker::new(runner.clone());
        if !only.is_empty() {
            worker = worker.only(only.clone());
        }
        worker = worker.settings(|settings| {
            settings.cached = usize::try_from(number("SKILLS_TEST_CACHED", 1000)).expect("small");
            settings.heartbeat = Duration::from_millis(number("SKILLS_TEST_HEARTBEAT", 3000));
            settings.task_timeout = Duration::from_secs(3);
            settings.history = u32::try_from(number("SKILLS_TEST_HISTORY", 0)).expect("small");
        });
        // The server may be killed before the connection is established.
        if let Ok(remote) = Remote::connect(&address).await {
            worker.serve(remote.client()).await.expect("it serves");
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// A server with its runs.
struct There {
    server: Server,
    remote: Remote,
    log: PathBuf,
    /// The steps that began after their result was recorded.
    violations: Vec<String>,
}

impl KillTarget for There {
    async fn begin(&mut self, input: String, key: &str) {
        self.remote.start(Request::new("report", input), key).await.expect("it begins");
    }

    async fn output(&mut self, key: &str) -> String {
        self.remote.run("report", key).output().await.expect("it has an output")
    }

    async fn kill_server(&mut self) {
        self.server.process.kill();
        self.remote = self.server.begin().await;
    }

    async fn look(&mut self, key: &str) {
        // A step of a nested pipeline has its own history.
        let (notes, steps) = (read_notes(&self.log), self.remote.run("report", key).steps().await);
        for step in steps.expect("it has some").iter().filter(|step| step.state == "done") {
            let ended = step.ended.and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
            let ended = ended.expect("a time").as_micros();
            let late =
                |noted: &skills_durable::testing::Noted| noted.begun.iter().any(|begun| *begun > ended);
            if notes.get(&step.place).is_some_and(late) {
                self.violations.push(step.place.clone());
            }
        }
    }
}

// SPEC 19.2, 19.3, 19.7
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs python3 and pip"]
async fn kills_lose_nothing_and_repeat_no_recorded_step() {
    let place = tempfile::tempdir().expect("a directory");
    write_skills(&place.path().join("skills"), "");
    let server = Server::start(place.path()).await;
    let settings = [("SKILLS_TEST_DELAY", "40")];
    let mut workers = [
        server.worker(place.path(), SPLIT[0], &settings).await,
        server.worker(place.path(), SPLIT[1], &settings).await,
    ];
    let remote = server.remote().await;
    let log = place.path().join("log");
    let mut there = There { server, remote, log: log.clone(), violations: Vec::new() };
    // In the second half, workers keep no runs in memory, so each reply replays the whole run.
    let kills = Kills { pause: 600, later: Some(("SKILLS_TEST_CACHED", "0")), ..Kills::default() };
    kills.run("temporal", &mut there, &mut workers, &log).await;
    assert_eq!(there.violations, Vec::<String>::new(), "begun after their result was recorded");
}
