//! A pipeline without an engine: driven by others, in any order and over any interruption, it comes to the same.

pub(crate) mod drivers;
pub(crate) mod pipelines;

use std::time::Duration;

use drivers::{Driver, Random, Seen, around, call, start};
use pipelines::{Made, fixed, random};
use skills_call::pipeline::{Answer, Key, PipelineEvent, PipelineLimits, PipelineRun, Question};
use skills_call::{CallError, ErrorKind, Fault, StepState};

use crate::functions::Log;

/// A pipeline of everything: overlap, lists, conditions, skips, retries, forgiveness, a mapping.
fn everything() -> Made {
    fixed(
        r#"{"step": "one", "skill": "a", "input": {"v": "{{input.n}}"}},
        {"step": "off", "skill": "b", "input": {}, "condition": "input.n > 99"},
        {"step": "after_off", "skill": "b", "input": {"v": "{{steps.off.v}}"}},
        {"step": "many", "skill": "b", "input": {"v": "{{item.v}}", "i": "{{index}}", "one": "{{steps.one.v}}", "fail": "{{item.fail}}"},
         "foreach": "{{input.list}}", "maxConcurrency": 3, "retry": 2, "retryDelay": 5, "continueOnError": true},
        {"step": "made", "skill": "a", "input": {"v": "{{item}}"}, "foreach": "{{input.list | map: v}}", "maxConcurrency": 0},
        {"step": "bad", "skill": "c", "input": {"fail": 9}, "retry": 1, "retryDelay": 20, "continueOnError": true},
        {"step": "last", "skill": "d", "input": {"all": "{{steps.many.results | map: v}}", "bad": "{{steps.bad._failed}}"},
         "depends": ["made"]}"#,
        r#", "outputMapping": {"many": "{{steps.many}}", "made": "{{steps.made.results}}", "bad": "{{steps.bad}}",
            "off": "{{steps.off.v}}", "last": "{{steps.last}}"}"#,
        r#"{"n": 3, "list": [{"v": 1}, {"v": 2, "fail": 1}, {"v": 3}, {"v": 4}, {"v": 5}]}"#,
    )
}

// SPEC 5.6
#[test]
fn answers_in_any_order_give_the_output_of_a_call() {
    let made = everything();
    let expected = call(&made);
    assert!(expected.output.is_ok(), "{expected:?}");
    for seed in 0..u64::try_from(test_bed::rounds(20)).expect("few") {
        assert_eq!(Driver::random(seed).drive(&made), expected, "{seed}");
    }
}

// SPEC 5.6
#[test]
fn a_run_with_recorded_answers_makes_the_same_requests_and_continues() {
    let made = everything();
    let expected = call(&made);
    for seed in 0..3 {
        let mut whole = Driver::random(seed);
        assert_eq!(whole.drive(&made), expected);
        for crash in 0..whole.answers.len() {
            let mut driver = Driver::replay(seed, &whole.answers[..crash]);
            assert_eq!(driver.drive(&made), expected, "interrupted after {crash}");
            let asked = |driver: &Driver| driver.asked[..driver.asked_at[crash]].to_vec();
            assert_eq!(asked(&driver), asked(&whole), "interrupted after {crash}");
        }
    }
}

// SPEC 5.4, 5.6, 5.7
#[test]
fn random_pipelines_give_the_same_output_in_any_order_and_when_replayed() {
    let (mut failed, mut skipped, mut forgiven) = (0, 0, 0);
    for seed in 0..u64::try_from(test_bed::rounds(30)).expect("few") {
        let made = random(&mut Random(seed));
        let expected = call(&made);
        failed += usize::from(expected.output.is_err());
        let count =
            |wanted: fn(&StepState) -> bool| expected.states.iter().filter(|state| wanted(state)).count();
        skipped += count(|state| *state == StepState::Skipped);
        forgiven += count(|state| matches!(state, StepState::Failed(_)));
        for order in 0..4 {
            let mut driver = Driver::random(seed * 10 + order);
            let seen = driver.drive(&made);
            match (&expected.output, &seen.output) {
                // If several steps fail, the order decides which failure comes first.
                (Err(_), Err(_)) => {}
                _ => assert_eq!(seen, expected, "{seed} {order}\n{}", made.manifest),
            }
            let crash = driver.answers.len() / 2;
            let mut again = Driver::replay(seed * 10 + order, &driver.answers[..crash]);
            assert_eq!(again.drive(&made), seen, "{seed} {order}");
            assert_eq!(again.asked, driver.asked, "{seed} {order}");
        }
    }
    assert!(failed > 2 && skipped > 2 && forgiven > 2, "{failed} {skipped} {forgiven}");
}

fn attempts(run: &mut PipelineRun<'_>) -> Vec<String> {
    let questions = std::iter::from_fn(|| run.poll());
    let line = |question| match question {
        Question::Attempt(attempt) => format!("{} {}", attempt.place(), attempt.input),
        Question::Wait { key, duration, .. } => format!("wait {} {}", key.attempt, duration.as_millis()),
    };
    questions.map(line).collect()
}

// SPEC 5.7
#[test]
fn requests_contain_everything_that_a_driver_needs() {
    let made = fixed(
        r#"{"step": "one", "skill": "a", "input": {"v": 1}, "timeout": 70},
        {"step": "many", "skill": "b", "input": {"v": "{{item}}"}, "foreach": "{{input.list}}", "maxConcurrency": 2,
         "retry": 1, "retryDelay": 5}"#,
        "",
        r#"{"list": [10, 11, 12]}"#,
    );
    let mut run = start(&made, PipelineLimits::default());
    let Some(Question::Attempt(one)) = run.poll() else { panic!("the first step") };
    assert_eq!((one.step(), one.skill(), one.input.as_str()), ("one", "a", r#"{"v":1}"#));
    assert_eq!((one.depth(), one.timeout()), (3, Some(Duration::from_millis(70))));
    assert_eq!((one.place().as_str(), one.key), ("run/p/one", Key { step: 0, item: None, attempt: 0 }));
    assert!(!made.library.find(one.skill()).expect("it is there").is_pipeline());
    assert!(made.library.find("p").expect("it is there").is_pipeline());
    assert_eq!(attempts(&mut run), [r#"run/p/many[0] {"v":10}"#, r#"run/p/many[1] {"v":11}"#]);

    let first = Key { step: 1, item: Some(0), attempt: 0 };
    let failure = || CallError::from(Fault::new(ErrorKind::Failed, "no").retryable(true));
    run.finish(first, Err(failure())).expect("it was asked");
    assert_eq!(attempts(&mut run), ["wait 0 5"], "it keeps its turn");
    run.wake(first).expect("it waits");
    assert_eq!(attempts(&mut run), [r#"run/p/many[0] {"v":10}"#]);
    run.finish(Key { attempt: 1, ..first }, Err(failure())).expect("it was asked");
    assert!(run.is_over() && run.poll().is_none());
    let events: Vec<PipelineEvent<'_>> = std::iter::from_fn(|| run.poll_event()).collect();
    let cancelled = ("Skill \"a\" was cancelled".to_owned(), ErrorKind::Cancelled);
    let expected = [
        PipelineEvent::Started { step: "one" },
        PipelineEvent::Started { step: "many" },
        PipelineEvent::Ended { step: "many", failure: Some(("no".to_owned(), ErrorKind::Failed)) },
        PipelineEvent::Ended { step: "one", failure: Some(cancelled) },
    ];
    assert_eq!(events, expected);
    let error = run.take_output().expect("it is over").expect_err("it failed");
    assert_eq!(error.to_string(), "Skill \"p\" failed at step \"many\" (item 0): no");
    assert!(run.take_output().is_none());
}

// SPEC 12.1
#[test]
fn wrong_answers_are_refused_and_change_nothing() {
    let made = everything();
    let expected = call(&made);
    let text = || Answer::from("{}".to_owned());
    let mut driver = Driver::random(7);
    let seen = driver.drive_with(&made, |run, key| {
        // Open requests are answered with the wrong kind, all others with both kinds.
        let keys = [
            Key { step: 99, ..key },
            Key { item: Some(99), ..key },
            Key { attempt: key.attempt + 1, ..key },
            Key { step: usize::MAX, item: Some(usize::MAX), attempt: u32::MAX },
        ];
        for key in keys {
            assert_eq!(run.finish(key, Ok(text())).expect_err("not asked").0, key);
            run.wake(key).expect_err("not asked");
        }
    });
    assert_eq!(seen, expected);

    let mut run = start(&made, PipelineLimits::default());
    let Some(Question::Attempt(attempt)) = run.poll() else { panic!("the first step") };
    run.wake(attempt.key).expect_err("it is not a wait");
    run.finish(attempt.key, Ok(text())).expect("it was asked");
    let twice = run.finish(attempt.key, Ok(text())).expect_err("it is answered");
    assert_eq!(twice.to_string(), "no question about attempt 0 of step 0 is open");
    run.cancel();
    assert_eq!(run.take_output().expect("it is over").expect_err("cancelled").kind(), ErrorKind::Cancelled);
}

// SPEC 12.2
#[test]
fn an_answer_that_is_not_json_fails_its_step() {
    let made = fixed(r#"{"step": "one", "skill": "a", "input": {}}"#, "", "{}");
    let mut run = start(&made, PipelineLimits::default());
    let Some(Question::Attempt(attempt)) = run.poll() else { panic!("the first step") };
    run.finish(attempt.key, Ok("{".to_owned().into())).expect("it was asked");
    let error = run.take_output().expect("it is over").expect_err("no JSON");
    assert!(
        matches!(&error, CallError::Step { source, .. } if matches!(**source, CallError::InvalidOutput { .. })),
        "{error}"
    );
    let pipeline = made.library.find("p").and_then(|function| function.pipeline).expect("it has one");
    assert!(matches!(
        PipelineRun::new(around(), pipeline, "{", PipelineLimits::default(), &|_skill| true),
        Err(CallError::InvalidInput { .. })
    ));
}

// SPEC 5.6, 7.6
#[test]
fn a_limit_of_one_requests_one_step_at_a_time_in_file_order() {
    let made = fixed(
        r#"{"step": "one", "skill": "a", "input": {}}, {"step": "two", "skill": "b", "input": {}},
        {"step": "many", "skill": "b", "input": {}, "foreach": "{{input.list}}", "maxConcurrency": 0}"#,
        "",
        r#"{"list": [1, 2]}"#,
    );
    let limits = PipelineLimits { concurrency: 1, ..PipelineLimits::default() };
    let mut run = start(&made, limits);
    for place in ["run/p/one {}", "run/p/two {}", "run/p/many[0] {}", "run/p/many[1] {}"] {
        let Some(Question::Attempt(attempt)) = run.poll() else { panic!("{place}") };
        assert_eq!(format!("{} {}", attempt.place(), attempt.input), place);
        assert!(run.poll().is_none(), "{place}");
        run.finish(attempt.key, Ok("{}".to_owned().into())).expect("it was asked");
    }
    assert_eq!(run.take_output().expect("it is over").expect("it succeeds"), r#"{"results":[{},{}]}"#);
}

// SPEC 6.4
#[tokio::test]
async fn a_remote_call_counts_its_outer_calls() {
    use skills_call::CallOptions;
    let made = everything();
    let log = Log::default();
    let runner = drivers::runner(&made).on_event(log.observer());
    let at = |depth| CallOptions::default().depth(depth);
    runner.call_text("a", "{}", at(9)).await.expect("the tenth");
    let error = runner.call_text("a", "{}", at(10)).await.expect_err("the eleventh");
    assert_eq!(error.to_string(), "Skill \"a\" exceeded max call depth (10/10)");
}

// SPEC 5.7
#[test]
fn the_results_of_calls_distinguish_failures() {
    // The results that the other tests compare.
    let made = fixed(r#"{"step": "one", "skill": "a", "input": {"fail": 1}}"#, "", "{}");
    let Seen { output, states } = call(&made);
    assert_eq!(output.expect_err("it fails"), "Skill \"p\" failed at step \"one\": Skill \"a\" failed: no");
    assert!(states.is_empty());
}
