//! Pipelines on the real server, whose workers, and which itself, are killed again and again: this binary starts itself
//! as the workers.
//!
//! `SKILLS_KILLS` is how many kills there are: 20 unless it says otherwise.

#[path = "../bed/mod.rs"]
mod bed;
mod features;
mod server;

use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use bed::{Random, SPLIT, noted, number, runner, write_skills};
use server::{Server, Worker};
use skills_temporal::Remote;

/// The directory that a worker works in.
pub(crate) const PLACE: &str = "SKILLS_TEST_PLACE";
/// The address of the server.
pub(crate) const AT: &str = "SKILLS_TEST_AT";
/// The skills that it serves, with commas; nothing for all.
pub(crate) const ONLY: &str = "SKILLS_TEST_ONLY";

/// A worker, when this binary is started as one; it serves until it is killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_worker() {
    let Some(place) = std::env::var_os(PLACE).map(PathBuf::from) else { return };
    let address = std::env::var(AT).expect("an address");
    let only = bed::words(ONLY);
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
        // The server may be killed while nobody is connected yet.
        if let Ok(remote) = Remote::connect(&address).await {
            worker.serve(remote.client()).await.expect("it serves");
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

// SPEC 19.2, 19.3, 19.7
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kills_lose_nothing_and_repeat_nothing_that_is_recorded() {
    const COUNT: usize = 20;
    let place = tempfile::tempdir().expect("a directory");
    write_skills(&place.path().join("skills"), "");
    let Some(mut server) = Server::start(place.path()).await else { return };
    let settings = [("SKILLS_TEST_DELAY", "40")];
    let mut workers = SPLIT.map(|only| Worker::start(place.path(), &server.address(), only, &settings));
    let seed = number("SKILLS_SEED", 1);
    let mut random = Random(seed);
    let (wanted, mut kills) = (number("SKILLS_KILLS", 20), [0_u64; 3]);
    let mut moments: Vec<u128> = Vec::new();
    let (mut runs, mut longest, mut violations) = (0, Duration::ZERO, Vec::new());
    let start = Instant::now();
    let mut remote = Remote::connect(&server.address()).await.expect("it answers");
    while kills.iter().sum::<u64>() < wanted {
        let key = format!("run{runs}");
        let begun = Instant::now();
        let input = format!(r#"{{"count": {COUNT}, "fault": true}}"#);
        remote.start("report", &input, &key, None).await.expect("it begins");
        for _ in 0..3 {
            tokio::time::sleep(Duration::from_millis(20 + random.below(600))).await;
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
                    remote = Remote::connect(&server.address()).await.expect("it answers again");
                }
            }
        }
        let run = remote.run("report", &key);
        let output = tokio::time::timeout(Duration::from_secs(120), run.output()).await;
        assert_eq!(output.expect("it ends").expect("it has an output"), bed::report(COUNT), "{key}");
        longest = longest.max(begun.elapsed());
        // A step of a pipeline below has a history of its own.
        let notes = noted(&place.path().join("log"));
        for step in run.steps().await.expect("it has some").iter().filter(|step| step.state == "done") {
            let ended = step.ended.and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
            let ended = ended.expect("a time").as_micros();
            let late =
                notes.get(&step.place).is_some_and(|noted| noted.begun.iter().any(|begun| *begun > ended));
            if late {
                violations.push(step.place.clone());
            }
        }
        runs += 1;
    }
    let notes = noted(&place.path().join("log"));
    println!(
        "temporal: seed {seed}, {runs} runs, kills of the workers and the server {kills:?} in {:.0} s, the longest run {:.1} s; {}",
        start.elapsed().as_secs_f64(),
        longest.as_secs_f64(),
        bed::sums(&notes, &moments),
    );
    assert_eq!(bed::repeated(&notes), Vec::<String>::new(), "begun after their result was used");
    assert_eq!(violations, Vec::<String>::new(), "begun after their result was recorded");
    assert_eq!(notes.len(), runs * (COUNT + 4), "{:?}", notes.keys());
}
