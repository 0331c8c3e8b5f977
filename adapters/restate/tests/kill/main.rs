//! Pipelines on the real server, whose workers, and which itself, are killed again and again: this binary starts itself
//! as the workers.
//!
//! `SKILLS_KILLS` is how many kills there are: 20 unless it says otherwise.

#[path = "../../../temporal/tests/bed/mod.rs"]
mod bed;
mod features;
mod server;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use bed::{Random, SPLIT, noted, number, runner, write_skills};
use server::{Server, Worker};

/// The directory that a worker works in.
pub(crate) const PLACE: &str = "SKILLS_TEST_PLACE";
/// Where it listens.
pub(crate) const PORT: &str = "SKILLS_TEST_PORT";
/// The skills that it serves, with commas; nothing for all.
pub(crate) const ONLY: &str = "SKILLS_TEST_ONLY";

/// A worker, when this binary is started as one; it serves until it is killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_worker() {
    let Some(place) = std::env::var_os(PLACE).map(PathBuf::from) else { return };
    let port = u16::try_from(number(PORT, 0)).expect("a port");
    let delay = Duration::from_millis(number("SKILLS_TEST_DELAY", 0));
    let skills = place.join(std::env::var("SKILLS_TEST_SKILLS").unwrap_or_else(|_| "skills".to_owned()));
    let mut worker = skills_restate::Worker::new(runner(&skills, place.join("log"), delay));
    let only = bed::words(ONLY);
    if !only.is_empty() {
        worker = worker.only(only);
    }
    worker.serve(([127, 0, 0, 1], port).into()).await.expect("it serves");
}

// SPEC 19.2, 19.3, 19.10
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kills_lose_nothing_and_repeat_nothing_that_is_recorded() {
    const COUNT: usize = 20;
    let place = tempfile::tempdir().expect("a directory");
    write_skills(&place.path().join("skills"), "");
    let Some(mut server) = Server::start(place.path()).await else { return };
    let settings = [("SKILLS_TEST_DELAY", "40")];
    let mut workers = SPLIT.map(|only| Worker::start(place.path(), only, &settings));
    let remote = server.remote();
    for worker in &workers {
        remote.register(&worker.address()).await.expect("it serves");
    }
    let seed = number("SKILLS_SEED", 1);
    let mut random = Random(seed);
    let (wanted, mut kills, mut moments) = (number("SKILLS_KILLS", 20), [0_u64; 3], Vec::new());
    let (mut runs, mut longest) = (0, Duration::ZERO);
    let start = Instant::now();
    while kills.iter().sum::<u64>() < wanted {
        let key = format!("run{runs}");
        let begun = Instant::now();
        let input = format!(r#"{{"count": {COUNT}, "fault": true}}"#);
        let run = remote.start("report", &input, &key, None).await.expect("it begins");
        for _ in 0..3 {
            tokio::time::sleep(Duration::from_millis(20 + random.below(400))).await;
            let victim = usize::try_from(random.below(10)).expect("small");
            let victim = if victim == 9 { 2 } else { victim % 2 };
            moments.push(bed::micros());
            kills[victim] += 1;
            match workers.get_mut(victim) {
                Some(worker) => {
                    worker.kill();
                    tokio::time::sleep(Duration::from_millis(random.below(150))).await;
                    worker.begin();
                }
                None => {
                    server.kill();
                    server.begin().await;
                    moments.push(bed::micros());
                }
            }
        }
        let output = tokio::time::timeout(Duration::from_secs(120), run.output()).await;
        assert_eq!(output.expect("it ends").expect("it has an output"), bed::report(COUNT), "{key}");
        longest = longest.max(begun.elapsed());
        runs += 1;
    }
    let notes = noted(&place.path().join("log"));
    println!(
        "restate: seed {seed}, {runs} runs, kills of the workers and the server {kills:?} in {:.0} s, the longest run {:.1} s; {}",
        start.elapsed().as_secs_f64(),
        longest.as_secs_f64(),
        bed::sums(&notes, &moments),
    );
    assert_eq!(bed::repeated(&notes), Vec::<String>::new(), "begun after their result was used");
    assert_eq!(notes.len(), runs * (COUNT + 4), "{:?}", notes.keys());
}
