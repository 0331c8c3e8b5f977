//! Runs an `llm` skill: sends its prompt and input to the model until an answer matches the output schema.

mod extract;

use std::sync::Arc;

use serde_json::Value;
use skills_schema::{json, validate_str};
use skills_template::render::{RenderLimits, Scope, render};
use skills_text::{clean, floor};
use tokio::time::Instant;

use super::run::attempt::{FIRST_WAIT, wait, within};
use super::run::{CallFrame, Produced};
use super::{CallError, Event, Function, MissingCapability};
use crate::cancellation::OnDrop;
use crate::model::{Answer, Finish, LanguageModel, Message, ModelError, Request, ResponseSchema, Usage};
use crate::trace::Span;
pub use extract::candidates;
use skills_runtime::layers::parse_json;
use skills_runtime::typed::{Checked, Invalid, Violation};

/// The maximum number of attempts, however many `retry` allows (SPEC 7.5).
const MAX_ATTEMPTS: u32 = 3;

/// The maximum number of bytes of a wrong answer that are sent back to the model.
const MAX_ECHO: usize = 16 * 1024;

/// Sends requests until an answer matches or the attempts are used up; adds the tokens of all attempts to
/// `usage`.
pub(super) async fn run(frame: CallFrame<'_>, usage: &mut Usage) -> Result<Produced, CallError> {
    let skill = frame.function.skill;
    let Some(model) = frame.call.runner.model.clone() else {
        return Err(frame.report_missing(MissingCapability::Model));
    };
    let mut request = request(frame).await?;
    let max_attempts = skill.retry().saturating_add(1).min(MAX_ATTEMPTS);
    let mut attempt = 0;
    loop {
        attempt += 1;
        let is_last = attempt >= max_attempts;
        let answer = match ask(frame, &model, &request, attempt, usage).await {
            Ok(answer) => answer,
            Err(error) => match wait(FIRST_WAIT, attempt - 1, &error).filter(|_| !is_last) {
                Some(wait) => {
                    frame.sleep(wait).await;
                    continue;
                }
                None => return Err(error),
            },
        };
        let most = frame.call.runner.limits.bytes;
        let checked = frame.with_function(answer.text.len(), move |function| {
            let checked = check(function, most, &answer);
            Ok((checked, answer))
        });
        let (checked, answer) = checked.await?;
        let violations = match checked {
            Ok(text) => {
                let checked = Checked::by(frame.function.output);
                return Ok(Produced { text, checked, ..Produced::default() });
            }
            Err(violations) if is_last => {
                let invalid = Invalid::Violations(violations);
                let answer = Some(answer.text);
                return Err(CallError::InvalidOutput {
                    skill: frame.name(),
                    invalid,
                    answer,
                    is_retryable: true,
                });
            }
            Err(violations) => violations,
        };
        request.messages.push(Message::assistant(echo(&answer.text), Vec::new()));
        request.messages.push(Message::user(objection(&violations)));
        let skill = frame.name();
        frame.call.emit(|| Event::ValidationRetry {
            call: frame.id,
            skill,
            attempt,
            max_attempts,
            violations,
        });
    }
}

/// Builds the first request: the rendered prompt, the schema of the output, and the input.
async fn request(frame: CallFrame<'_>) -> Result<Request, CallError> {
    let skill = frame.function.skill;
    let schema = skill.output_schema().unwrap_or("{}");
    let (input, limits) = (frame.input.to_owned(), frame.call.runner.limits);
    let rendered = frame.with_function(input.len(), move |function| render_prompt(function, &input, limits));
    let prompt = rendered.await?;
    let mut system = format!(
        "{}\n\nAnswer with one JSON value that fits this JSON Schema, and with nothing else:\n\n{schema}",
        prompt.trim_end()
    );
    if !frame.rejected.is_empty() {
        system.push_str("\n\nAn earlier answer did not fit the schema:\n");
        system.push_str(&list(frame.rejected));
    }
    // If the schema cannot be represented as a value in memory, only the prompt contains it.
    let response_schema = serde_json::from_str(schema).ok().map(|schema: Value| {
        let name = skill.name().chars().map(|letter| {
            if letter.is_ascii_alphanumeric() || letter == '-' || letter == '_' { letter } else { '_' }
        });
        ResponseSchema { name: name.take(64).collect(), schema }
    });
    let messages = vec![Message::system(clean(&system)), Message::user(frame.input)];
    Ok(Request { response_schema, ..Request::new(messages) })
}

pub(super) fn render_prompt(
    function: Function<'_>,
    input: &str,
    limits: RenderLimits,
) -> Result<String, CallError> {
    let Some(prompt) = function.prompt else {
        return Ok(function.skill.prompt().unwrap_or_default().to_owned());
    };
    let input =
        parse_json(input).map_err(|invalid| CallError::invalid_input(function.skill.name(), invalid))?;
    let scope = Scope::default().with_json("input", &input);
    render(prompt.root(), &scope, limits).map_err(|source| CallError::template(function.skill.name(), source))
}

/// Makes one attempt and reports it as an event, even if the request is dropped.
async fn ask(
    frame: CallFrame<'_>,
    model: &Arc<dyn LanguageModel>,
    request: &Request,
    attempt: u32,
    usage: &mut Usage,
) -> Result<Answer, CallError> {
    let asked = async {
        let answer = model.complete(request).await.map_err(|source| fail_model(source, &frame))?;
        *usage += answer.usage;
        frame.call.pay(answer.usage);
        if answer.finish == Finish::ContentFilter {
            return Err(fail_model(ModelError::new("the provider refused to answer"), &frame));
        }
        Ok(answer)
    };
    let (span, start) = (Span::of_chat(&**model, request), Instant::now());
    let report = |result: Result<&Answer, &CallError>| {
        match result {
            Ok(answer) => span.answer(answer),
            Err(error) => span.fail(error.kind()),
        }
        span.inside(|| {
            frame.call.emit(|| Event::Model {
                call: frame.id,
                skill: frame.name(),
                model: model.name().to_owned(),
                attempt,
                duration: start.elapsed(),
                usage: result.map(|answer| answer.usage).unwrap_or_default(),
                error: result.err().map(ToString::to_string),
            })
        });
    };
    let cancelled = OnDrop(|| report(Err(&CallError::cancelled(frame.function.skill.name()))));
    let result = span.within(within(frame.function.skill, frame.limit, asked)).await;
    cancelled.disarm();
    report(result.as_ref());
    result
}

fn fail_model(source: ModelError, frame: &CallFrame<'_>) -> CallError {
    CallError::Model { skill: frame.name(), source }
}

/// Returns the last value in an answer that fits the schema. Otherwise, says what is wrong with the nearest value.
fn check(function: Function<'_>, limit: usize, answer: &Answer) -> Result<String, Vec<Violation>> {
    let text = &answer.text;
    if text.len() > limit {
        let found = format!("{} bytes", text.len());
        return Err(vec![Violation::new("", "limit", format!("at most {limit} bytes"), found)]);
    }
    let found = extract::extract(text);
    let cut = answer.finish == Finish::Length;
    if let Some(broken) = found.broken.filter(|broken| broken.is_last) {
        // The value that ends the answer is what the model means: an earlier one was an example or a draft.
        return Err(match cut {
            true => no_json("an answer that was cut off at the token limit"),
            false => Invalid::malformed(text, broken.error).violations().into_owned(),
        });
    }
    let mut nearest: Option<Vec<Violation>> = None;
    for (start, value) in found.values.into_iter().rev() {
        let violations = match validate_str(function.output, &value) {
            Ok(()) => return Ok(value.into_owned()),
            Err(invalid) => invalid_in(text, start, invalid),
        };
        if nearest.as_ref().is_none_or(|nearest| distance(&violations) < distance(nearest)) {
            nearest = Some(violations);
        }
    }
    Err(match (nearest, found.broken) {
        (Some(violations), _) => violations,
        (None, Some(broken)) => Invalid::malformed(text, broken.error).violations().into_owned(),
        (None, None) if cut => no_json("an answer that was cut off at the token limit"),
        (None, None) if found.ends_in_thinking => no_json("an answer that ends inside of thinking"),
        (None, None) => no_json("an answer without JSON"),
    })
}

fn no_json(found: &str) -> Vec<Violation> {
    vec![Violation::new("", "json", "a JSON value", found)]
}

/// Returns the violations of a value that begins at `start` of an answer. An error in the JSON has its place in the
/// answer.
fn invalid_in(answer: &str, start: usize, invalid: Invalid) -> Vec<Violation> {
    match invalid {
        Invalid::Malformed(malformed) => {
            let (start, end) = (start + malformed.error.start, start + malformed.error.end);
            let error = json::Error { start, end, ..malformed.error };
            Invalid::malformed(answer, error).violations().into_owned()
        }
        other => other.violations().into_owned(),
    }
}

/// Returns how far a value is from the schema: first whether it has another type, then how many required properties it
/// lacks, then how many rules it breaks.
fn distance(violations: &[Violation]) -> (bool, usize, usize) {
    let is_other = violations.iter().any(|broken| broken.pointer.is_empty() && broken.rule == "type");
    let missing = violations.iter().filter(|broken| broken.pointer.is_empty() && broken.rule == "required");
    (is_other, missing.count(), violations.len())
}

/// Returns the text of a wrong answer for the next request to the model. A very long answer is cut.
fn echo(text: &str) -> String {
    match text.get(..floor(text, MAX_ECHO)) {
        Some(start) if start.len() < text.len() => format!("{start}…"),
        _ => text.to_owned(),
    }
}

fn objection(violations: &[Violation]) -> String {
    format!(
        "The answer does not fit the schema:\n{}Answer again, with one JSON value that fits and with nothing else.",
        list(violations)
    )
}

/// Returns a list of violations for the model.
fn list(violations: &[Violation]) -> String {
    violations.iter().map(|violation| format!("- {violation}\n")).collect()
}
