//! Tests the properties of runs other than crash safety: exact texts, failures, cancellation, waits, sizes,
//! long lists, upgrades.

use std::time::{Duration, Instant};

use skills_call::ErrorKind;
use skills_call::durable::Request;
use skills_temporal::{Failure, MAX_PAYLOAD};

use crate::server::Server;
use skills_durable::testing::{EngineServer as _, Fixture, error, read_notes, runner, write_skills};

// SPEC 19.2, 19.4, 19.5, 19.13, 19.7
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs python3 and pip"]
async fn a_run_behaves_like_a_call() {
    let fixture = Fixture::<Server>::start(&[]).await;
    fixture.a_run_behaves_like_a_call().await;
    let remote = fixture.server.remote().await;
    // An input that is too large is refused with advice.
    let large = format!(r#"{{"z": "{}", "a": 1}}"#, "x".repeat(MAX_PAYLOAD));
    let refused = remote
        .start(Request::new("exact", large.as_str()), "large")
        .await
        .map(|_| ())
        .expect_err("too large");
    assert!(refused.to_string().contains("put large values into a file"), "{refused}");
    let half = format!(r#"{{"z": "{0}", "a": "{0}"}}"#, "x".repeat(MAX_PAYLOAD / 2 - 20));
    let (_, text) = error(fixture.call("exact", &half, "half").await);
    assert!(text.contains("put large values into a file"), "{text}");
    // Inputs that are too large together are sent a few at a time.
    let many = format!(r#"{{"list": [1, 2, 3, 4, 5, 6, 7, 8], "text": "{}"}}"#, "x".repeat(1_200_000));
    assert_eq!(fixture.call("large", &many, "many").await.expect("it runs"), r#"{"n":[1,2,3,4,5,6,7,8]}"#);
    // Lists.
    let runs = remote.runs(100).await.expect("they are listed");
    let exact = runs.iter().find(|run| run.key == "exact").expect("it is there");
    assert_eq!((exact.skill.as_str(), exact.status.as_str()), ("exact", "completed"));
}

// SPEC 19.5, 19.7
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs python3 and pip"]
async fn a_runner_calls_remotely_and_gets_events() {
    let fixture = Fixture::<Server>::start(&[("SKILLS_TEST_DELAY", "400")]).await;
    fixture.a_runner_gets_events_and_cancels().await;
    let runs = fixture.server.remote().await.runs(100).await.expect("they are listed");
    assert!(runs.iter().any(|run| run.key == "tuesday"), "{runs:?}");
}

// SPEC 19.6, 19.8
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs python3 and pip"]
async fn a_long_list_continues_in_new_histories_and_a_changed_skill_waits() {
    let settings = [("SKILLS_TEST_HISTORY", "100"), ("SKILLS_TEST_CACHED", "0")];
    let mut fixture = Fixture::<Server>::start(&settings).await;
    let remote = fixture.server.remote().await;
    // Its time limit of 8 s does not restart with a new history. Without a limit across histories, it would
    // have an output.
    let (capped, begun) = (Request::new("capped", r#"{"count": 2000}"#), Instant::now());
    let capped = remote.start(capped, "capped").await.expect("it begins");
    fixture.server.start_run(Request::new("wide", r#"{"count": 120}"#), "wide").await;
    let (output, capped) = tokio::join!(fixture.server.called("wide", "wide"), async {
        let output = capped.output().await;
        (output, begun.elapsed())
    });
    let (kind, text) = error(capped.0);
    assert_eq!((kind, text.as_str()), (ErrorKind::Timeout, "Skill \"capped\" timed out after 8000ms"));
    assert!(capped.1 > Duration::from_secs(7), "{:?}", capped.1);
    let notes = read_notes(&fixture.log());
    let done = notes.iter().filter(|(key, noted)| key.starts_with("capped/") && !noted.ended.is_empty());
    let done = done.count();
    assert!((41..2000).contains(&done), "it was cut: {done}");
    let output = output.expect("it runs").output;
    let expected: Vec<String> = (0..120).map(|id| id.to_string()).collect();
    assert_eq!(output, format!(r#"{{"n":[{}]}}"#, expected.join(",")));
    let notes = read_notes(&fixture.log());
    let wide = notes.iter().filter(|(key, _)| key.starts_with("wide/"));
    assert!(wide.map(|(_, noted)| noted.ended.len()).eq([1; 121]), "no step ran twice");
    let last = remote.run("wide", "wide").history().await.expect("it has one").len();
    assert!(last < 200, "{last} events in the last history");
    fixture.a_changed_skill_waits_for_its_old_files().await;
}

// SPEC 19.9
#[tokio::test]
async fn a_worker_reports_missing_capabilities_at_start() {
    let place = tempfile::tempdir().expect("a directory");
    write_skills(&place.path().join("skills"), "");
    let runner = runner(&place.path().join("skills"), place.path().join("log"), Duration::ZERO);
    let lack =
        |worker: skills_temporal::Worker| -> Failure { worker.serves().expect_err("it lacks something") };
    let worker = skills_temporal::Worker::new(runner.clone());
    assert_eq!(worker.serves().expect("all").len(), 22);
    let none = lack(worker.only(["none"])).to_string();
    assert!(none.contains("none"), "{none}");
    let lost = runner.workspace(place.path().join("not here"));
    let message = lack(skills_temporal::Worker::new(lost)).to_string();
    assert!(message.ends_with("is not a directory of this machine"), "{message}");
}

// SPEC 19.3, 19.9, 19.13, 19.14
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs python3 and pip"]
async fn finished_programs_and_models_do_not_run_again() {
    Fixture::<Server>::start(&[]).await.finished_programs_and_models_do_not_run_again().await;
}

// SPEC 19.15
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs python3 and pip"]
async fn a_worker_confines_programs_as_a_call_here_does() {
    let fixture = Fixture::<Server>::start(&[("API_KEY", "k3y")]).await;
    fixture.a_worker_confines_programs_as_a_call_here_does().await;
}

// SPEC 19.6, 19.7, 19.10
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs python3 and pip"]
async fn a_worker_joins_late_and_another_has_new_files() {
    let fixture = Fixture::<Server>::start(&[("SKILLS_TEST_DELAY", "150")]).await;
    fixture.a_worker_joins_late_and_another_has_new_files().await;
}

/// Measures the figures in `docs/ENGINES.md`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures for minutes"]
async fn figures() {
    let fixture = Fixture::<Server>::start(&[]).await;
    let second = fixture.server.worker(fixture.place.path(), &[], &[]).await;
    let remote = fixture.server.remote().await;
    let events = async |skill: &str, key: &str| {
        let events = remote.run(skill, key).history().await.expect("it has one").len();
        format!("; {events} events in the (last) history")
    };
    fixture.figures(&[second], events).await;
}
