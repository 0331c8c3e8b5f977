//! Runs `report` repeatedly over two workers, while the workers and the server are killed.

use std::path::Path;
use std::time::{Duration, Instant};

use super::{Process, Random, micros, number, read_notes, repeated, report, sums};

/// The number of notes in each run.
const COUNT: usize = 20;

/// The operations of an engine during the kills.
pub trait KillTarget {
    /// Starts a run of `report`.
    fn begin(&mut self, input: String, key: &str) -> impl Future<Output = ()> + Send;

    /// Waits for the output of a run.
    fn output(&mut self, key: &str) -> impl Future<Output = String> + Send;

    /// Kills the server, and begins it again.
    fn kill_server(&mut self) -> impl Future<Output = ()> + Send;

    /// Inspects a finished run.
    fn look(&mut self, _key: &str) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }
}

/// The number and timing of kills.
#[derive(Debug)]
pub struct Kills {
    /// The number of kills.
    pub wanted: u64,
    /// The seed for the times and victims of the kills.
    pub seed: u64,
    /// The longest wait before a kill, in milliseconds.
    pub pause: u64,
    /// An environment variable and its value for workers that start in the second half of the run.
    pub later: Option<(&'static str, &'static str)>,
}

impl Default for Kills {
    /// Reads `SKILLS_KILLS` and `SKILLS_SEED` from the environment.
    fn default() -> Self {
        Self { wanted: number("SKILLS_KILLS", 20), seed: number("SKILLS_SEED", 1), pause: 400, later: None }
    }
}

impl Kills {
    /// Kills the workers and the server, and prints the results.
    ///
    /// # Panics
    /// If an output is wrong, or if a step is lost or begins after its result was used.
    pub async fn run(self, name: &str, at: &mut impl KillTarget, workers: &mut [Process; 2], log: &Path) {
        let mut random = Random(self.seed);
        let (mut kills, mut moments) = ([0_u64; 3], Vec::new());
        let (mut runs, mut longest, start) = (0, Duration::ZERO, Instant::now());
        while kills.iter().sum::<u64>() < self.wanted {
            let (key, begun) = (format!("run{runs}"), Instant::now());
            at.begin(format!(r#"{{"count": {COUNT}, "fault": true}}"#), &key).await;
            for _ in 0..3 {
                tokio::time::sleep(Duration::from_millis(20 + random.below(self.pause))).await;
                let victim = usize::try_from(random.below(10)).expect("small");
                let victim = if victim == 9 { 2 } else { victim % 2 };
                moments.push(micros());
                kills[victim] += 1;
                let is_late = kills.iter().sum::<u64>() * 2 > self.wanted;
                match workers.get_mut(victim) {
                    Some(worker) => {
                        worker.kill();
                        tokio::time::sleep(Duration::from_millis(random.below(150))).await;
                        if let Some((name, value)) = self.later.filter(|_| is_late) {
                            worker.set(name, value);
                        }
                        worker.begin();
                    }
                    None => {
                        at.kill_server().await;
                        moments.push(micros());
                    }
                }
            }
            let output = tokio::time::timeout(Duration::from_secs(120), at.output(&key)).await;
            assert_eq!(output.expect("it ends"), report(COUNT), "{key}");
            longest = longest.max(begun.elapsed());
            at.look(&key).await;
            runs += 1;
        }
        let notes = read_notes(log);
        println!(
            "{name}: seed {}, {runs} runs, kills of the workers and the server {kills:?} in {:.0} s, the longest run {:.1} s; {}",
            self.seed,
            start.elapsed().as_secs_f64(),
            longest.as_secs_f64(),
            sums(&notes, &moments),
        );
        assert_eq!(repeated(&notes), Vec::<String>::new(), "begun after their result was used");
        assert_eq!(notes.len(), runs * (COUNT + 4), "{:?}", notes.keys());
    }
}
