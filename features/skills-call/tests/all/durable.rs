//! Tests calls whose steps an engine in memory runs. It replies in any order, is killed at any point, and continues
//! from its record.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use serde_json::json;
use skills_call::durable::{RemoteCalls, Reply, Request};
use skills_call::model::{Answer as ModelAnswer, LanguageModel, ModelError, Request as Asked, Usage};
use skills_call::pipeline::Answer;
use skills_call::trace::TraceContext;
use skills_call::{
    BoxFuture, CallError, CallId, CallOptions, Called, ErrorKind, Event, Fault, FileStore, PendingStep,
    Runner, StepRecord, StepState, Steps,
};
use skills_durable::{Engine, Order, OrderQueue, Stop, Work, drive};
use skills_runtime::typed::Violation;

use crate::functions::{Log, functions, host, manifest};
use crate::machine::drivers::{Random, Seen, call, runner, work};
use crate::machine::pipelines::{Made, fixed, random};

const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// Records the replies, and replies in an order that a seed determines.
struct Memory {
    random: Random,
    record: Vec<(u64, Reply)>,
    /// After how many replies it is killed.
    life: usize,
    open: BTreeSet<u64>,
    ready: Rc<RefCell<BTreeSet<u64>>>,
    begun: Vec<(u64, Order)>,
    /// The started (`true`) and answered orders, in sequence.
    log: Vec<(bool, u64)>,
    given_up: Vec<u64>,
    /// Whether limits of pipelines are reached.
    is_late: bool,
    /// The record at the start.
    known: BTreeSet<u64>,
}

impl Memory {
    fn new(seed: u64, life: usize, record: &[(u64, Reply)]) -> Self {
        Self {
            random: Random(seed),
            record: Vec::new(),
            life,
            open: BTreeSet::new(),
            ready: Rc::default(),
            begun: Vec::new(),
            log: Vec::new(),
            given_up: Vec::new(),
            is_late: false,
            known: record.iter().map(|(number, _)| *number).collect(),
        }
    }

    fn drive(&mut self, made: &Made, record: &[(u64, Reply)]) -> Result<Seen, Stop<Killed>> {
        let queue = Arc::new(OrderQueue::default());
        let runner = runner(made);
        let options = CallOptions::default().steps(Arc::<OrderQueue>::clone(&queue)).place("monday");
        let work = runner.call_text("p", made.input.clone(), options);
        let result = finish(drive(&queue, record, self, work))?;
        Ok(match result {
            Ok(called) => Seen {
                output: Ok(called.output),
                states: called.steps.into_iter().map(|record| record.state).collect(),
            },
            Err(error) => Seen { output: Err(error.to_string()), states: Vec::new() },
        })
    }
}

/// It was killed.
#[derive(Debug, PartialEq)]
struct Killed;

/// Polls a future that no timer and no thread wakes.
fn finish<T>(work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    let mut context = Context::from_waker(std::task::Waker::noop());
    for _ in 0..100_000 {
        if let Poll::Ready(output) = work.as_mut().poll(&mut context) {
            return output;
        }
    }
    unreachable!("it waits for what never comes");
}

fn perform(order: &Order) -> Reply {
    let Order::Attempt(request) = order else { return Reply::Over };
    let input = serde_json::from_str(&request.input).expect("JSON");
    match work(&request.skill, input, request.attempt) {
        Ok(output) => output_of(&output.to_string()),
        Err(text) => {
            let text = format!("Skill \"{}\" failed: {text}", request.skill);
            Reply::Failure(Fault::new(ErrorKind::Failed, text).retryable(true))
        }
    }
}

fn output_of(text: &str) -> Reply {
    Reply::Output { text: text.to_owned(), usage: Usage::default(), steps: Vec::new() }
}

impl Engine for Memory {
    type Work = Work<'static>;
    type End = Killed;

    fn begin(&mut self, number: u64, order: Order) -> Work<'static> {
        assert!(!self.known.contains(&number), "{order:?} is begun though its reply is recorded");
        // The limit of the pipeline itself is the first that it asks for.
        if number > 0 || self.is_late {
            self.open.insert(number);
        }
        let (ready, reply) = (Rc::clone(&self.ready), perform(&order));
        self.begun.push((number, order));
        self.log.push((true, number));
        Box::pin(std::future::poll_fn(move |_| {
            if ready.borrow_mut().remove(&number) { Poll::Ready(reply.clone()) } else { Poll::Pending }
        }))
    }

    fn give_up(&mut self, number: u64) {
        self.open.remove(&number);
        self.given_up.push(number);
    }

    fn record(&mut self, number: u64, reply: &Reply) {
        self.open.remove(&number);
        self.log.push((false, number));
        self.record.push((number, reply.clone()));
    }

    fn poll_end(&mut self, _: &mut Context<'_>) -> Poll<Killed> {
        if self.record.len() >= self.life {
            return Poll::Ready(Killed);
        }
        let at = self.random.below(self.open.len());
        self.ready.borrow_mut().extend(self.open.iter().nth(at));
        Poll::Pending
    }
}

// SPEC 19.1, 19.3
#[test]
fn an_engine_killed_at_any_point_gives_the_output_of_a_call_and_starts_no_step_twice() {
    let mut count = 0;
    for seed in 0..u64::try_from(test_bed::rounds(8)).expect("few") {
        let made = random(&mut Random(seed));
        let expected = call(&made);
        let mut whole = Memory::new(seed, usize::MAX, &[]);
        let seen = whole.drive(&made, &[]).expect("it is not killed");
        match (&expected.output, &seen.output) {
            // If several steps fail, the order decides which failure comes first.
            (Err(_), Err(_)) => {}
            _ => assert_eq!(seen, expected, "{seed}\n{}", made.manifest),
        }
        for life in 0..whole.record.len() {
            let mut killed = Memory::new(seed, life, &[]);
            assert_eq!(killed.drive(&made, &[]), Err(Stop::Engine(Killed)));
            assert_eq!(killed.record, whole.record[..life]);
            // It is killed again at another point, with the replies in another order; then it may end.
            let mut again = Memory::new(seed + 1000, life + 1, &killed.record);
            let output = again.drive(&made, &killed.record);
            assert_eq!(again.record[..life], killed.record);
            let seen = output.unwrap_or_else(|_| {
                let mut last = Memory::new(seed, usize::MAX, &again.record);
                last.drive(&made, &again.record).expect("it is not killed")
            });
            match (&expected.output, &seen.output) {
                (Err(_), Err(_)) => {}
                _ => assert_eq!(seen, expected, "{seed} {life}\n{}", made.manifest),
            }
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

fn two_at_once() -> Made {
    fixed(
        r#"{"step": "many", "skill": "a", "input": {"v": "{{item}}"}, "foreach": "{{input.list}}", "maxConcurrency": 2}"#,
        "",
        r#"{"list": [1, 2, 3]}"#,
    )
}

// SPEC 19.3
#[test]
fn a_limit_uses_the_clock_of_the_engine_and_drops_running_steps() {
    let mut engine = Memory::new(0, usize::MAX, &[]);
    engine.is_late = true;
    let made = two_at_once();
    for seed in 0.. {
        engine = Memory { is_late: true, ..Memory::new(seed, usize::MAX, &[]) };
        let seen = engine.drive(&made, &[]).expect("it is not killed");
        if engine.record.last().is_some_and(|(number, _)| *number == 0) {
            assert_eq!(seen.output, Err("Skill \"p\" timed out after 30000ms".to_owned()));
            break;
        }
    }
    assert!(!engine.given_up.is_empty(), "{:?}", engine.begun);
    assert!(matches!(engine.begun[0], (0, Order::Wait(limit)) if limit == Duration::from_secs(30)));
}

/// Returns the steps with effects in the order in which an engine began and ended them.
fn effects(engine: &Memory) -> Vec<String> {
    let of = |number: u64| {
        let (_, order) = engine.begun.iter().find(|(begun, _)| *begun == number)?;
        let Order::Attempt(request) = order else { return None };
        let has_effects = ["a", "c"].contains(&request.skill.as_str());
        request.place.as_deref().filter(|_| has_effects)?.strip_prefix("monday/")
    };
    let line = |(is_begun, number): &(bool, u64)| {
        Some(format!("{} {}", if *is_begun { "start" } else { "end" }, of(*number)?))
    };
    engine.log.iter().filter_map(line).collect()
}

// SPEC 5.6, 19.1
#[test]
fn effects_have_the_same_order_on_an_engine() {
    let made = fixed(
        r#"{"step": "store", "skill": "a", "input": {}}, {"step": "search", "skill": "c", "input": {}},
        {"step": "plan", "skill": "b", "input": {}}, {"step": "think", "skill": "d", "input": {}},
        {"step": "tell", "skill": "c", "input": {"from": "{{steps.plan}}"}}"#,
        "",
        "{}",
    );
    // In this process.
    let log = Log::default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let here = Runner::new(made.library).on_event(log.observer()).host(host(|_, input, _| {
        Some(Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(5)).await;
            Ok(input)
        }))
    }));
    let called = here.call_text("p", "{}", CallOptions::default());
    runtime.expect("a runtime").block_on(called).expect("it runs");
    let mut expected = log.steps();
    expected.retain(|line| !line.ends_with("plan") && !line.ends_with("think"));
    assert_eq!(
        expected,
        ["start store", "end store", "start search", "end search", "start tell", "end tell"]
    );

    for seed in 0..40 {
        let mut whole = Memory::new(seed, usize::MAX, &[]);
        whole.drive(&made, &[]).expect("it is not killed");
        assert_eq!(effects(&whole), expected, "{seed}");
        // Steps without effects run in parallel with the first step that has effects.
        let first = whole.log.iter().take_while(|(is_begun, _)| *is_begun).count();
        assert_eq!(first, 4, "the limit of the pipeline, and `store`, `plan` and `think`: {:?}", whole.begun);
        for life in 0..whole.record.len() {
            let mut killed = Memory::new(seed, life, &[]);
            assert_eq!(killed.drive(&made, &[]), Err(Stop::Engine(Killed)));
            let mut again = Memory::new(seed + 1000, usize::MAX, &killed.record);
            again.drive(&made, &killed.record).expect("it is not killed");
            // A step without a recorded reply begins again, and no step before it.
            let done = effects(&killed).iter().filter(|line| line.starts_with("end ")).count();
            assert_eq!(effects(&again), expected[2 * done..], "{seed} {life}");
        }
    }
}

// SPEC 19.6
#[test]
fn a_record_of_another_run_is_an_error() {
    let record = [(7, Reply::Over)];
    let outcome = Memory::new(0, usize::MAX, &record).drive(&two_at_once(), &record);
    assert_eq!(outcome, Err(Stop::Changed { number: 7 }));
}

// SPEC 19.1
#[test]
fn an_order_contains_everything_to_run_it() {
    let made = fixed(
        r#"{"step": "many", "skill": "a", "input": {"v": "{{item}}"}, "foreach": "{{input.list}}", "timeout": 70}"#,
        "",
        r#"{"list": [1.50]}"#,
    );
    let mut engine = Memory::new(0, usize::MAX, &[]);
    engine.drive(&made, &[]).expect("it is not killed");
    let Order::Attempt(request) = &engine.begun[1].1 else { panic!("an attempt") };
    let expected = Request {
        skill: "a".to_owned(),
        input: r#"{"v":1.50}"#.to_owned(),
        place: Some("monday/many[0]".to_owned()),
        depth: 1,
        timeout: Some(Duration::from_millis(70)),
        ..Request::default()
    };
    assert_eq!(*request, expected);
}

// SPEC 19.4
#[test]
fn texts_are_transferred_byte_for_byte() {
    let input = "{\"z\": 1.50, \"a\": 1e400,\"\\u00e9\":[ ]}";
    let request = Request {
        skill: "a \"b\"".to_owned(),
        input: input.to_owned(),
        place: Some("monday/x[3]".to_owned()),
        attempt: 2,
        depth: 3,
        timeout: Some(Duration::from_secs(5)),
        is_pipeline: true,
        trace: TraceContext::new(PARENT, Some("a=1,b=\"2")),
        rejected: vec![Violation::new("/a", "type", "a boolean", "1")],
    };
    assert!(request.trace.is_some());
    assert_eq!(Request::from_json(&request.to_json()), Some(request));
    let least = Request::new("a", "{}");
    assert_eq!(least.to_json(), r#"{"skill":"a","input":{}}"#);
    assert_eq!(Request::from_json(r#"{"input": {}, "skill": "a", "new": 1}"#), Some(least));
    assert_eq!(Request::from_json("[]"), None);
    assert_eq!(Request::from_json("{}"), None);

    let usage = Usage { input_tokens: 7, output_tokens: 9 };
    let kinds = ["not_found", "not_trusted", "invalid_input", "timeout", "no_model", "no_host", "cancelled"];
    let states =
        [StepState::Done, StepState::Resumed, StepState::Skipped, StepState::Failed("a \"b\"".to_owned())];
    let record = |state| StepRecord { step: "s".to_owned(), skill: "a".to_owned(), state };
    let steps = states.map(record).to_vec();
    let whole = Reply::Output { text: input.to_owned(), usage, steps };
    assert_eq!(Reply::join(input.to_owned(), &whole.beside()), whole);
    assert_eq!(Reply::join(input.to_owned(), "no JSON"), output_of(input));
    let mut replies = vec![whole, Reply::Over, output_of("null")];
    replies.extend(kinds.iter().chain(&["call_failed"]).map(|word| {
        let text = format!("Skill \"a\"\nfailed: {word}");
        Reply::Failure(Fault::new(word.parse().expect("a kind"), text).retryable(word.len() > 9))
    }));
    let mut fault = Fault::new(ErrorKind::InvalidInput, "no");
    fault.retry_after = Duration::from_secs(2);
    let missing = Violation { property: Some("n".to_owned()), ..Violation::new("", "required", "n", "none") };
    fault.violations = vec![Violation::new("/a~1b", "oneOf", "one", "two"), missing];
    replies.push(Reply::Failure(fault));
    for reply in replies {
        assert_eq!(Reply::from_json(&reply.to_json()), Some(reply));
    }
    assert_eq!(Reply::from_json("7"), None);
}

/// Runs everything here, and keeps the places.
#[derive(Default)]
struct Here(Mutex<Vec<(String, bool)>>);

impl Steps for Here {
    fn attempt<'a>(&'a self, step: PendingStep<'a>) -> BoxFuture<'a, Result<Answer, CallError>> {
        Box::pin(async move {
            let seen = (step.attempt().place(), step.is_pipeline()?);
            self.0.lock().expect("no panic").push(seen);
            step.run_here().await
        })
    }
}

fn nested() -> Runner {
    let any = r#"{"type": "object"}"#;
    let whole = r#"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}"#;
    let inner = r#""calls": ["work"], "pipeline": [{"step": "deep", "skill": "work", "input": {"n": 2}}]"#;
    let outer = r#""calls": ["work", "inner"], "pipeline": [
        {"step": "first", "skill": "work", "input": {"n": 1}},
        {"step": "nested", "skill": "inner", "input": {}, "depends": ["first"]}]"#;
    let library = functions(&[
        ("work/skill.json", &manifest("work", "code", any, whole, "")),
        ("inner/skill.json", &manifest("inner", "composite", any, any, inner)),
        ("outer/skill.json", &manifest("outer", "composite", any, any, outer)),
    ]);
    Runner::new(library).host(host(|_, mut input, context| {
        input["key"] = json!(context.key());
        Some(Box::pin(async move { Ok(input) }))
    }))
}

// SPEC 19.1, 19.2
#[tokio::test]
async fn nested_steps_are_requested_with_their_place() {
    let runner = nested();
    let here = Arc::new(Here::default());
    let options = CallOptions::default().steps(Arc::<Here>::clone(&here));
    let Called { output, .. } = runner.call_json_with("outer", json!({}), options).await.expect("it runs");
    assert_eq!(output, json!({"n": 2, "key": "outer/nested/deep"}));
    let places = std::mem::take(&mut *here.0.lock().expect("no panic"));
    let expected = [("outer/first", false), ("outer/nested", true), ("outer/nested/deep", false)];
    assert_eq!(places, expected.map(|(place, is_pipeline)| (place.to_owned(), is_pipeline)));

    assert_eq!(runner.call_json("outer", json!({})).await.expect("it runs")["key"], json!(null));
    let root = tempfile::tempdir().expect("a directory");
    let journaled = runner.clone().journal(FileStore::new(root.path()));
    let options = CallOptions::default().journal("monday");
    let output = journaled.call_json_with("outer", json!({}), options).await.expect("it runs").output;
    assert_eq!(output["key"], "monday/outer/nested/deep");
    let options = CallOptions::default().place("tuesday/outer/first");
    let output = runner.call_json_with("work", json!({"n": 1}), options).await.expect("it runs").output;
    assert_eq!(output["key"], "tuesday/outer/first");
    let options = CallOptions::default().journal("monday").steps(here);
    let refused = journaled.call_json_with("outer", json!({}), options).await.expect_err("two records");
    assert!(matches!(refused, CallError::Journal { .. }), "{refused}");
}

/// Answers everything at once with one text.
struct Says(&'static str);

impl Steps for Says {
    fn attempt<'a>(&'a self, step: PendingStep<'a>) -> BoxFuture<'a, Result<Answer, CallError>> {
        let usage = Usage { input_tokens: 3, output_tokens: 4 };
        Box::pin(async move {
            step.check(self.0)?;
            Ok(Answer { usage, ..self.0.to_owned().into() })
        })
    }
}

// SPEC 19.1
#[tokio::test]
async fn remote_answers_are_checked_and_their_usage_counts() {
    let runner = nested();
    let call = |text| runner.call_text("inner", "{}", CallOptions::default().steps(Arc::new(Says(text))));
    let called = call(r#"{"n": 5}"#).await.expect("it fits");
    assert_eq!(called.usage, Usage { input_tokens: 3, output_tokens: 4 });
    let error = call(r#"{"n": "five"}"#).await.expect_err("it does not fit").to_string();
    assert!(error.contains("Skill \"work\" output validation failed"), "{error}");
}

// SPEC 19.6
#[test]
fn the_state_of_a_skill_includes_its_callees() {
    let state = |version: &str, concurrency, name: &str| {
        let any = r#"{"type": "object"}"#;
        let work = manifest("work", "code", any, any, version);
        let steps = r#""calls": ["work"], "pipeline": [{"step": "one", "skill": "work", "input": {}}]"#;
        let library = functions(&[
            ("work/skill.json", &work),
            ("other/skill.json", &manifest("other", "code", any, any, "")),
            ("outer/skill.json", &manifest("outer", "composite", any, any, steps)),
        ]);
        Runner::new(library).concurrency(concurrency).server_access().state(name)
    };
    let first = state("", 8, "outer").expect("it is there");
    assert_eq!(state("", 8, "outer").expect("it is there"), first);
    assert_ne!(state(r#""version": "1.0.1""#, 8, "outer").expect("it is there"), first);
    assert_ne!(state("", 4, "outer").expect("it is there"), first);
    let other = state("", 8, "other").expect("it is there");
    assert_eq!(state(r#""version": "1.0.1""#, 8, "other").expect("it is there"), other);
    state("", 8, "none").expect_err("no such function");
}

/// Answers every call with its skill, its input and its key.
struct There;

impl RemoteCalls for There {
    fn call<'a>(
        &'a self,
        call: CallId,
        request: Request,
        options: CallOptions,
    ) -> BoxFuture<'a, Result<Called<String>, CallError>> {
        let Request { skill, input, is_pipeline, .. } = request;
        assert!(!is_pipeline);
        Box::pin(async move {
            let emit = options.on_event.as_ref().expect("somebody listens");
            emit(&Event::StepStart { call, skill: skill.clone(), step: "one".to_owned() });
            let output =
                format!(r#"{{"n": 1, "skill": "{skill}", "input": {input}, "key": {:?}}}"#, options.journal);
            let output = output.replace("Some(", "").replace(')', "").replace("None", "null");
            Ok(Called { output, steps: Vec::new(), usage: Usage::default() })
        })
    }
}

// SPEC 19.5
#[tokio::test]
async fn a_remote_runner_checks_locally_and_calls_remotely() {
    let log = Log::default();
    let runner = nested().remote(There).on_event(log.observer());
    let options = CallOptions::default().journal("monday");
    let called = runner.call_json_with("work", json!({"a": 1.5}), options).await.expect("it is there");
    assert_eq!(called.output, json!({"n": 1, "skill": "work", "input": {"a": 1.5}, "key": "monday"}));
    let names: Vec<&str> = log.events().iter().map(Event::name).collect();
    assert_eq!(names, ["skill_call", "step_start", "skill_result"]);
    let refused = runner.call_json("work", json!(7)).await.expect_err("it does not fit");
    assert_eq!(refused.kind(), ErrorKind::InvalidInput);
    let refused = runner.call_json("none", json!({})).await.expect_err("it is not there");
    assert_eq!(refused.kind(), ErrorKind::NotFound);
}

/// Runs whole calls and their steps in this process, but over the line: each is written down and read again.
#[derive(Clone)]
struct Line(Runner, Arc<Mutex<Vec<String>>>);

impl Line {
    async fn make(&self, request: Request, options: CallOptions) -> Reply {
        let text = request.to_json();
        self.1.lock().expect("no panic").push(text.clone());
        let request = Request::from_json(&text).expect("a request");
        let queue = Arc::new(OrderQueue::default());
        let place = request.place.clone().unwrap_or_else(|| "monday".to_owned());
        let options = request.options(options.steps(Arc::<OrderQueue>::clone(&queue))).place(place);
        let work = self.0.call_text(&request.skill, request.input.as_str(), options);
        let result = drive(&queue, &[], &mut self.clone(), work).await.unwrap_or_else(|stop| match stop {
            Stop::Changed { number } => unreachable!("{number}"),
            other => unreachable!("{other:?}"),
        });
        Reply::from_json(&Reply::from_result(result).to_json()).expect("a reply")
    }
}

impl Engine for Line {
    type Work = Work<'static>;
    type End = std::convert::Infallible;

    fn begin(&mut self, _: u64, order: Order) -> Work<'static> {
        let line = self.clone();
        Box::pin(async move {
            match order {
                Order::Attempt(request) => line.make(request, CallOptions::default()).await,
                Order::Wait(duration) => {
                    tokio::time::sleep(duration).await;
                    Reply::Over
                }
            }
        })
    }

    fn poll_end(&mut self, _: &mut Context<'_>) -> Poll<Self::End> {
        Poll::Pending
    }
}

impl RemoteCalls for Line {
    fn call<'a>(
        &'a self,
        _: CallId,
        request: Request,
        _: CallOptions,
    ) -> BoxFuture<'a, Result<Called<String>, CallError>> {
        Box::pin(async move {
            let skill = request.skill.clone();
            // The future of the driver is not `Send`; that of a runner's call is.
            let line = self.clone();
            let work = move || {
                let mut runtime = tokio::runtime::Builder::new_current_thread();
                let runtime = runtime.enable_all().start_paused(true).build().expect("a runtime");
                runtime.block_on(line.make(request, CallOptions::default()))
            };
            std::thread::spawn(work).join().expect("no panic").called(&skill)
        })
    }
}

/// A model that is busy once, and wants to be left alone for a while; each request costs.
#[derive(Default)]
struct Busy(Mutex<Vec<tokio::time::Instant>>);

impl LanguageModel for Busy {
    fn name(&self) -> &str {
        "busy"
    }

    fn complete<'a>(&'a self, _: &'a Asked) -> BoxFuture<'a, Result<ModelAnswer, ModelError>> {
        let mut times = self.0.lock().expect("no panic");
        times.push(tokio::time::Instant::now());
        if let [first, second] = times[..] {
            assert!(second - first >= Duration::from_secs(17), "{:?}", second - first);
        }
        let answer = match times.len() {
            1 => Err(ModelError::new("sk-secret").retryable().with_retry_after(Duration::from_secs(17))),
            _ => {
                let usage = Usage { input_tokens: 3, output_tokens: 4 };
                Ok(ModelAnswer::new(r#"{"n": 1}"#).with_usage(usage))
            }
        };
        Box::pin(std::future::ready(answer))
    }
}

fn over_the_line() -> (Runner, Arc<Mutex<Vec<String>>>) {
    let any = r#"{"type": "object"}"#;
    let whole = r#"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}"#;
    let steps = r#""calls": ["ask", "work"], "pipeline": [
        {"step": "ask", "skill": "ask", "input": {}, "retry": 1, "retryDelay": 10},
        {"step": "never", "skill": "work", "input": {"n": 1}, "condition": "input.no"},
        {"step": "fails", "skill": "work", "input": {"n": 7}, "continueOnError": true}]"#;
    let runner = || {
        let library = functions(&[
            ("ask/skill.json", &manifest("ask", "llm", any, any, "")),
            ("ask/prompt.md", "Ask."),
            ("work/skill.json", &manifest("work", "code", whole, whole, "")),
            ("all/skill.json", &manifest("all", "composite", any, any, steps)),
        ]);
        Runner::new(library).host(host(|_, input, _| {
            let output = if input["n"] == 7 { Err("seven".into()) } else { Ok(json!({"n": "no number"})) };
            Some(Box::pin(async move { output }))
        }))
    };
    let requests = Arc::default();
    (runner().remote(Line(runner().model(Busy::default()), Arc::clone(&requests))), requests)
}

// SPEC 19.13
#[tokio::test]
async fn a_remote_caller_gets_the_same_results_as_a_local_one() {
    let (runner, _) = over_the_line();
    let called = runner.call_text("all", "{}", CallOptions::default()).await.expect("it runs");
    assert_eq!(called.usage, Usage { input_tokens: 3, output_tokens: 4 });
    let states: Vec<_> = called.steps.iter().map(|record| (record.step.as_str(), &record.state)).collect();
    let failed = StepState::Failed("Skill \"work\" failed: seven".to_owned());
    assert_eq!(states, [("ask", &StepState::Done), ("never", &StepState::Skipped), ("fails", &failed)]);
    // On the other machine, the output does not match the schema.
    let error = runner.call_text("work", r#"{"n": 1}"#, CallOptions::default()).await.expect_err("invalid");
    let [violation] = &*error.violations() else { panic!("one: {error:?}") };
    assert_eq!((violation.pointer.as_str(), violation.rule), ("/n", "type"));
    assert!(matches!(error, CallError::Remote(_)), "{error:?}");
}

// SPEC 19.14
#[tokio::test]
async fn every_step_gets_the_trace_of_its_caller() {
    let (runner, requests) = over_the_line();
    let options = CallOptions::default().trace(TraceContext::new(PARENT, Some("a=1")));
    runner.call_text("all", "{}", options).await.expect("it runs");
    let requests = requests.lock().expect("no panic");
    assert_eq!(requests.len(), 4, "the run, a step and its second attempt, and another: {requests:?}");
    for text in requests.iter() {
        let trace = Request::from_json(text).expect("a request").trace.expect("a trace");
        assert_eq!((trace.parent(), trace.state()), (PARENT, "a=1"), "{text}");
    }
}
