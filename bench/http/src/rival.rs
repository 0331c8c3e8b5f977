//! The rivals: servers that print their address and answer until stdin ends, and a program that spawns on
//! demand.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use axum::routing::get;
use skills_http::{Api, Guard, bind};
use skills_call::Runner;
use skills_runtime::listing::{Listed, listing};
use skills_load::{LayersBuilder, Live};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::Command;
use tokio::task::JoinSet;

const SCRIPT: &str = "#!/bin/sh\nread line\necho \"$line\"\n";

/// Writes 100 skills, one of which has a program.
pub(crate) fn write_skills(root: &Path) {
    for at in 0..99 {
        let name = format!("skill-{at}");
        let text = format!("---\nname: {name}\ndescription: Does the work number {at}. Use for tests.\n---\nText.\n");
        fs::create_dir(root.join(&name)).unwrap();
        fs::write(root.join(&name).join("SKILL.md"), text).unwrap();
    }
    fs::create_dir(root.join("say")).unwrap();
    let text = "---\nname: say\ndescription: Says it again. Use for tests.\nexec: run\n---\nSays.\n";
    fs::write(root.join("say/SKILL.md"), text).unwrap();
    fs::write(root.join("say/run"), SCRIPT).unwrap();
}

/// Runs as the rival with this name until stdin ends.
pub(crate) fn run(kind: &str, root: &Path) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let mut stdin = BufReader::new(tokio::io::stdin()).lines();
        if kind == "spawn" {
            println!("ready");
            while stdin.next_line().await.unwrap().is_some() {
                spawn_all(&root.join("say/run")).await;
                println!("done");
            }
            return;
        }
        let load = || LayersBuilder::new().directory(root);
        let serving = async {
            let runner = Runner::from(load().load().unwrap());
            match kind {
                "bare" => {
                    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                    println!("{}", listener.local_addr().unwrap());
                    axum::serve(listener, bare(&runner)).await.unwrap();
                }
                "bare-guarded" => serve(bare(&runner)).await,
                "list" => serve(Api::new(runner).routes()).await,
                "list-live" => {
                    let live = Arc::new(Live::new(load()).unwrap());
                    serve(Api::live(move || Ok(runner.clone().layers(live.layers()))).routes()).await;
                }
                "exec" => serve(Api::new(runner).enable_exec().routes()).await,
                other => panic!("no rival is called {other}"),
            }
        };
        tokio::select! {
            () = serving => {}
            _ = stdin.next_line() => {}
        }
    });
}

async fn serve(routes: Router) {
    let server = bind(([127, 0, 0, 1], 0).into()).await.unwrap();
    println!("{}", server.address().unwrap());
    server.run(routes, Guard::new()).await;
}

/// Returns a route that sends the bytes of the list from memory.
fn bare(runner: &Runner) -> Router {
    let text: &'static str = listing(runner.skills().iter().map(Listed::new)).leak();
    let answer = move || async move {
        let mut response = Response::new(axum::body::Body::from(text));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        response
    };
    Router::new().route("/v1/skills", get(answer))
}

async fn spawn_all(script: &Path) {
    let mut runs = JoinSet::new();
    for _ in 0..64 {
        let mut command = Command::new("/bin/sh");
        command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        runs.spawn(async move {
            let mut child = command.spawn().unwrap();
            child.stdin.take().unwrap().write_all(b"x\n").await.unwrap();
            assert_eq!(child.wait_with_output().await.unwrap().stdout, b"x\n");
        });
    }
    while let Some(run) = runs.join_next().await {
        run.unwrap();
    }
}
