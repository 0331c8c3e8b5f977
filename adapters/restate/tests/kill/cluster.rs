//! Tests three nodes on one machine, with logs and metadata on at least two of them, when one is killed
//! during ten runs.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use skills_call::durable::Request;
use skills_durable::testing::{
    EngineServer as _, Process, micros, ports, read_notes, repeated, report, sums, write_skills,
};
use skills_restate::Remote;

use crate::server::{Server, program};

/// The number of runs, and of notes in each.
const RUNS: usize = 10;
const COUNT: usize = 20;

/// Starts three nodes that know each other. The first one creates the cluster.
async fn start(place: &Path) -> Vec<Server> {
    let program = program();
    // Chosen together, so that all are different.
    let [a, b, c, d, e, f, g, h, i]: [u16; 9] = ports();
    let nodes = [[a, b, c], [d, e, f], [g, h, i]];
    let all = nodes.map(|[_, _, port]| format!("\"http://127.0.0.1:{port}\"")).join(",");
    let mut servers = Vec::new();
    for (at, ports) in nodes.into_iter().enumerate() {
        let settings = vec![
            ("RESTATE_ADVERTISED_ADDRESS", format!("http://127.0.0.1:{}", ports[2])),
            ("RESTATE_METADATA_CLIENT__ADDRESSES", format!("[{all}]")),
            ("RESTATE_DEFAULT_REPLICATION", "2".to_owned()),
            ("RESTATE_AUTO_PROVISION", (at == 0).to_string()),
        ];
        servers.push(Server::of(Command::new(&program), place, ["n1", "n2", "n3"][at], ports, settings));
    }
    // They only answer once all are started.
    futures_util::future::join_all(servers).await
}

/// Returns a node's view of the cluster.
fn health(server: &Server) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", server.ports[1])).expect("it answers");
    stream.write_all(b"GET /cluster-health HTTP/1.1\r\nhost: n\r\nconnection: close\r\n\r\n").expect("asked");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let (_, members) = answer.split_once("members").expect("members");
    members.to_owned()
}

/// Waits for an output from any node that answers.
async fn output(remote: &Remote, key: &str) -> String {
    let run = remote.run("report", key, true);
    tokio::time::timeout(Duration::from_secs(180), run.output()).await.expect("it ends").expect("an output")
}

/// Returns the longest time after a moment in which no step began, in microseconds.
fn pause(log: &Path, after: u128) -> u128 {
    let notes = read_notes(log);
    let mut begun: Vec<u128> = notes.values().flat_map(|noted| noted.begun.iter().copied()).collect();
    begun.retain(|at| *at > after);
    begun.push(after);
    begun.sort_unstable();
    begun.windows(2).map(|two| two[1] - two[0]).max().unwrap_or(0)
}

/// Takes a minute, and the memory of three servers; run it with `--ignored cluster`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs the memory of three servers"]
async fn a_cluster_survives_the_loss_of_a_node() {
    let place = tempfile::tempdir().expect("a directory");
    write_skills(&place.path().join("skills"), "");
    let mut servers = start(place.path()).await;
    let health = health(&servers[1]);
    assert!((1..=3).all(|node| health.contains(&node.to_string())), "three keep the metadata: {health}");
    let worker: Process = servers[1].worker(place.path(), &[], &[("SKILLS_TEST_DELAY", "100")]).await;
    let mut moments = Vec::new();
    // The node that created the cluster is the leader, so its loss has the most effect. No request is sent to
    // it.
    for victim in [2, 0] {
        let remote = servers[1].remote();
        let (start, log) = (Instant::now(), place.path().join("log"));
        let key = |run| format!("n{}-{run}", victim + 1);
        for run in 0..RUNS {
            let input = format!(r#"{{"count": {COUNT}, "fault": true}}"#);
            remote.start(Request::new("report", input), &key(run)).await.expect("it begins");
        }
        let done = |log: &Path| read_notes(log).values().filter(|noted| !noted.ended.is_empty()).count();
        let before = done(&log);
        while done(&log) < before + RUNS * COUNT / 3 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let killed = micros();
        moments.push(killed);
        servers[victim].process.kill();
        for run in 0..RUNS {
            assert_eq!(output(&remote, &key(run)).await, report(COUNT), "{}", key(run));
        }
        println!(
            "restate: three nodes, n{} killed in the middle of {RUNS} runs: no step began for {} ms, all took {:.1} s",
            victim + 1,
            pause(&log, killed) / 1000,
            start.elapsed().as_secs_f64(),
        );
        servers[victim].begin().await;
        moments.push(micros());
    }
    let notes = read_notes(&place.path().join("log"));
    println!("restate: {}", sums(&notes, &moments));
    assert_eq!(repeated(&notes), Vec::<String>::new(), "begun after their result was used");
    assert_eq!(notes.len(), 2 * RUNS * (COUNT + 4));
    drop(worker);
}
