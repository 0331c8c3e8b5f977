//! Tests the properties of runs other than crash safety: exact texts, failures, cancellation, waits,
//! upgrades.

use crate::server::Server;
use skills_durable::testing::Fixture;

// SPEC 19.2, 19.4, 19.5, 19.13, 19.10
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs npm"]
async fn a_run_behaves_like_a_call() {
    let fixture = Fixture::<Server>::start(&[]).await;
    fixture.a_run_behaves_like_a_call().await;
    let remote = fixture.server.remote();
    let progress = remote.run("exact", "exact", true).progress().await.expect("it is kept");
    assert_eq!(progress.steps, [("e".to_owned(), "done".to_owned())]);
    let runs = remote.runs(100).await.expect("they are listed");
    assert!(runs.iter().any(|run| run.key == "exact" && run.skill == "exact"), "{runs:?}");
}

// SPEC 19.5, 19.10
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs npm"]
async fn a_runner_gets_events_and_cancels() {
    let fixture = Fixture::<Server>::start(&[("SKILLS_TEST_DELAY", "400")]).await;
    fixture.a_runner_gets_events_and_cancels().await;
}

// SPEC 19.6
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs npm"]
async fn a_changed_skill_waits_for_its_old_files() {
    Fixture::<Server>::start(&[]).await.a_changed_skill_waits_for_its_old_files().await;
}

// SPEC 19.3, 19.9, 19.13, 19.14
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs npm"]
async fn finished_programs_and_models_do_not_run_again() {
    Fixture::<Server>::start(&[]).await.finished_programs_and_models_do_not_run_again().await;
}

// SPEC 19.15
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs npm"]
async fn a_worker_confines_programs_as_a_call_here_does() {
    let fixture = Fixture::<Server>::start(&[("API_KEY", "k3y")]).await;
    fixture.a_worker_confines_programs_as_a_call_here_does().await;
}

// SPEC 19.6, 19.7, 19.10
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs npm"]
async fn a_worker_joins_late_and_another_has_new_files() {
    let fixture = Fixture::<Server>::start(&[("SKILLS_TEST_DELAY", "150")]).await;
    fixture.a_worker_joins_late_and_another_has_new_files().await;
}

/// Measures the figures in `docs/ENGINES.md`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures for minutes"]
async fn figures() {
    Fixture::<Server>::start(&[]).await.figures(&[], async |_, _| String::new()).await;
}
