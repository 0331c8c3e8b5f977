//! Reads the steps of a run from its history.

use std::time::{Duration, SystemTime};

use skills_call::durable::{Reply, Request};
use temporalio_common::protos::temporal::api::common::v1::Payloads;
use temporalio_common::protos::temporal::api::history::v1::HistoryEvent;
use temporalio_common::protos::temporal::api::history::v1::history_event::Attributes;

/// One attempt of a step, as recorded in the history of its run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepAttempt {
    /// The place in the run: `monday/report/summarize[3]`.
    pub place: String,
    /// The skill.
    pub skill: String,
    /// The state: `running`, `done`, `cancelled`, or `failed: …`.
    pub state: String,
    /// The time when it was scheduled.
    pub begun: Option<SystemTime>,
    /// The time when its result was recorded.
    pub ended: Option<SystemTime>,
}

impl StepAttempt {
    /// Returns how long it took, including the wait for a worker.
    pub fn duration(&self) -> Option<Duration> {
        self.ended?.duration_since(self.begun?).ok()
    }
}

/// Reads the attempts of steps, including nested pipelines, in scheduling order.
pub(crate) fn steps(events: &[HistoryEvent]) -> Vec<StepAttempt> {
    let mut steps: Vec<(i64, StepAttempt)> = Vec::new();
    let time = |event: &HistoryEvent| {
        let time = event.event_time?;
        let since = Duration::new(u64::try_from(time.seconds).ok()?, u32::try_from(time.nanos).ok()?);
        SystemTime::UNIX_EPOCH.checked_add(since)
    };
    for event in events {
        let (asked, state) = match &event.attributes {
            Some(Attributes::ActivityTaskScheduledEventAttributes(asked)) => {
                begin(&mut steps, event.event_id, &asked.input, time(event));
                continue;
            }
            Some(Attributes::StartChildWorkflowExecutionInitiatedEventAttributes(asked)) => {
                begin(&mut steps, event.event_id, &asked.input, time(event));
                continue;
            }
            Some(Attributes::ActivityTaskCompletedEventAttributes(done)) => {
                (done.scheduled_event_id, state(&done.result))
            }
            Some(Attributes::ChildWorkflowExecutionCompletedEventAttributes(done)) => {
                (done.initiated_event_id, state(&done.result))
            }
            Some(Attributes::ActivityTaskCanceledEventAttributes(done)) => {
                (done.scheduled_event_id, "cancelled".to_owned())
            }
            Some(Attributes::ChildWorkflowExecutionCanceledEventAttributes(done)) => {
                (done.initiated_event_id, "cancelled".to_owned())
            }
            Some(Attributes::ActivityTaskFailedEventAttributes(done)) => {
                (done.scheduled_event_id, "failed: its worker".to_owned())
            }
            Some(Attributes::ChildWorkflowExecutionFailedEventAttributes(done)) => {
                (done.initiated_event_id, "failed: its run".to_owned())
            }
            _ => continue,
        };
        if let Some((_, step)) = steps.iter_mut().find(|(id, _)| *id == asked) {
            step.state = state;
            step.ended = time(event);
        }
    }
    steps.into_iter().map(|(_, step)| step).collect()
}

fn begin(steps: &mut Vec<(i64, StepAttempt)>, id: i64, input: &Option<Payloads>, begun: Option<SystemTime>) {
    if let Some(request) = Request::from_json(&text(input)) {
        let place = request.place.unwrap_or_default();
        let state = "running".to_owned();
        steps.push((id, StepAttempt { place, skill: request.skill, state, begun, ended: None }));
    }
}

fn state(result: &Option<Payloads>) -> String {
    match Reply::from_json(&text(result)) {
        Some(Reply::Output { .. }) => "done".to_owned(),
        Some(Reply::Failure(fault)) => format!("failed: {}", fault.text),
        _ => "failed: its answer is not a reply".to_owned(),
    }
}

/// Reads the first of several payloads.
pub(crate) fn text(payloads: &Option<Payloads>) -> String {
    let payload = payloads.as_ref().and_then(|payloads| payloads.payloads.first());
    payload.map(|payload| String::from_utf8_lossy(&payload.data).into_owned()).unwrap_or_default()
}
