//! Compares listing skills over HTTP with a bare axum route that sends the same bytes, and running a skill's
//! program over HTTP with spawning the program directly.
//!
//! Each rival is a separate process of this program that runs until its stdin ends. CPU seconds include all
//! its child processes, even orphans, which this process adopts and waits for. The cost of a rival without
//! requests is subtracted.

mod client;
mod rival;

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use nix::sys::prctl::set_child_subreaper;
use nix::sys::resource::{Resource, Usage, UsageWho, getrlimit, getrusage, setrlimit};
use nix::sys::time::TimeVal;
use nix::sys::wait::wait;

/// The number of measurements; the smallest counts.
const ROUNDS: usize = 5;

/// CPU and wall seconds.
#[derive(Clone, Copy, Debug)]
struct Cost {
    cpu: f64,
    wall: f64,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => measure(10, 5),
        [turns] => measure(turns.parse().unwrap(), 1),
        [kind, root] => rival::run(kind, Path::new(root)),
        _ => panic!("this program takes no arguments"),
    }
}

/// Measures with a number of requests from each client.
fn measure(turns: usize, runs: usize) {
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    setrlimit(Resource::RLIMIT_NOFILE, most, most).unwrap();
    set_child_subreaper(true).unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path();
    rival::write_skills(root);

    let list = client::Load { path: "/v1/skills", body: None, clients: 1_000, turns };
    let rows = [
        ("a bare route of axum, the same bytes", "bare"),
        ("the same behind the guard and the limits", "bare-guarded"),
        ("the list of 100 skills", "list"),
        ("the list of 100 skills that are watched", "list-live"),
    ];
    println!("{turns} times 1,000 concurrent GET /v1/skills, over connections that are kept open");
    let costs = least(root, &rows.map(|(_, kind)| (kind, list)));
    print(&rows.map(|(name, _)| name), &costs);
    println!("= http.list {:.3}", costs[2].cpu / costs[0].cpu);

    let run = client::Load { path: "/v1/skills/say/exec", body: Some(r#"{"input":"x\n"}"#), clients: 64, turns: runs };
    let rows = [("bare spawns by tokio::process", "spawn"), ("POST /v1/skills/say/exec", "exec")];
    println!("\n{runs} times 64 runs of a shell script at once");
    let costs = least(root, &rows.map(|(_, kind)| (kind, run)));
    print(&rows.map(|(name, _)| name), &costs);
    println!("= http.exec {:.3}", costs[1].cpu / costs[0].cpu);
}

fn print(names: &[&str], costs: &[Cost]) {
    let first = costs[0];
    for (name, cost) in names.iter().zip(costs) {
        let (cpu, wall) = (cost.cpu / first.cpu, cost.wall / first.wall);
        println!("{name:42} CPU {:6.3} s {cpu:6.2} x   wall {:6.3} s {wall:6.2} x", cost.cpu, cost.wall);
    }
}

/// Runs every rival once in each of several rounds, and returns the smallest cost of each rival.
fn least(root: &Path, rivals: &[(&str, client::Load)]) -> Vec<Cost> {
    let none = Cost { cpu: f64::MAX, wall: f64::MAX };
    let (mut idle, mut busy) = (vec![none; rivals.len()], vec![none; rivals.len()]);
    for _ in 0..ROUNDS {
        for (at, (kind, load)) in rivals.iter().enumerate() {
            for (costs, turns) in [(&mut idle, 0), (&mut busy, load.turns)] {
                let cost = once(root, kind, client::Load { turns, ..*load });
                costs[at] = Cost { cpu: cost.cpu.min(costs[at].cpu), wall: cost.wall.min(costs[at].wall) };
            }
        }
    }
    idle.iter().zip(busy).map(|(idle, busy)| Cost { cpu: busy.cpu - idle.cpu, ..busy }).collect()
}

/// Starts a rival, sends the load, and waits until it and all its children have ended.
fn once(root: &Path, kind: &str, load: client::Load) -> Cost {
    let before = cpu();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([kind.as_ref(), root.as_os_str()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut address = String::new();
    output.read_line(&mut address).unwrap();
    let start = Instant::now();
    if kind == "spawn" {
        spawn(&mut child, &mut output, load.turns);
    } else {
        client::run(address.trim().parse::<SocketAddr>().unwrap(), load);
    }
    let wall = start.elapsed().as_secs_f64();
    drop(child.stdin.take());
    // Waits for this child and for adopted orphans until none is left.
    while wait().is_ok() {}
    Cost { cpu: cpu() - before, wall }
}

/// Lets the rival that is not a server do its work.
fn spawn(child: &mut Child, output: &mut impl BufRead, turns: usize) {
    use std::io::Write;
    for _ in 0..turns {
        child.stdin.as_mut().unwrap().write_all(b"go\n").unwrap();
        output.read_line(&mut String::new()).unwrap();
    }
}

/// Returns the user and system time of all child processes that have ended, in seconds.
fn cpu() -> f64 {
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    let usage: Usage = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap();
    seconds(usage.user_time()) + seconds(usage.system_time())
}
