//! What genai answers becomes an [`Answer`]; what it cannot read is read from the body.

use genai::chat::{ChatResponse, StopReason};
use serde_json::Value;
use skills_runtime::model::{Answer, Finish, ModelError, ToolCall, Usage};

use crate::chat;
use crate::failure::Origin;
use crate::limits::{self, TooMuch};
use crate::request::Names;

/// Reads a whole answer.
pub(crate) fn read(
    answered: Result<ChatResponse, genai::Error>,
    names: &Names,
    origin: &Origin,
) -> Result<Answer, ModelError> {
    let mut answer = match answered {
        Ok(response) => {
            let body = response.captured_raw_body.as_ref().unwrap_or(&Value::Null);
            if let Some(error) = body.get("error").filter(|error| !error.is_null()) {
                return Err(origin.event(error));
            }
            whole(&response, refusal(body), origin)?
        }
        Err(genai::Error::ChatResponseGeneration { model_iden, request_payload, response_body, cause }) => {
            // Arguments that are no JSON are the caller's business, not a failure of the request.
            match chat::answer(&response_body).map_err(|error| origin.error(&error.to_string(), false))? {
                Some(answer) => answer,
                None => {
                    return Err(origin.failure(genai::Error::ChatResponseGeneration {
                        model_iden,
                        request_payload,
                        response_body,
                        cause,
                    }));
                }
            }
        }
        Err(error) => return Err(origin.failure(error)),
    };
    let too_much = |error: TooMuch| origin.error(&error.to_string(), false);
    TooMuch::check_calls(answer.tool_calls.len()).map_err(too_much)?;
    for call in &mut answer.tool_calls {
        TooMuch::check("the arguments of a call", call.arguments.len(), limits::ARGUMENTS)
            .map_err(too_much)?;
        call.name = names.received(std::mem::take(&mut call.name));
    }
    Ok(answer)
}

fn whole(response: &ChatResponse, refusal: Option<&str>, origin: &Origin) -> Result<Answer, ModelError> {
    let text = response.content.texts().concat();
    let tool_calls: Vec<ToolCall> = response
        .tool_calls()
        .into_iter()
        .map(|call| ToolCall {
            id: call.call_id.clone(),
            name: call.fn_name.clone(),
            arguments: arguments(&call.fn_arguments),
        })
        .collect();
    if text.is_empty()
        && tool_calls.is_empty()
        && let Some(refusal) = refusal
    {
        let usage = usage(&response.usage);
        return Ok(Answer::new(refusal).with_finish(Finish::ContentFilter).with_usage(usage));
    }
    // genai makes an empty answer of any JSON without one.
    if text.is_empty() && tool_calls.is_empty() && response.stop_reason.is_none() {
        return Err(origin.error("the response is JSON but no answer; is the base URL right?", false));
    }
    let finish = finish(response.stop_reason.as_ref(), !tool_calls.is_empty());
    Ok(Answer::new(text).with_tool_calls(tool_calls).with_finish(finish).with_usage(usage(&response.usage)))
}

fn refusal(body: &Value) -> Option<&str> {
    body.pointer("/choices/0/message/refusal")?.as_str().filter(|refusal| !refusal.is_empty())
}

/// Writes the arguments of a call as the text of JSON; providers that send none mean an empty object.
pub(crate) fn arguments(value: &Value) -> String {
    match value {
        Value::Null => "{}".to_owned(),
        Value::String(text) if text.is_empty() => "{}".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Says why an answer ended; some providers say "stop" when they call tools.
pub(crate) fn finish(reason: Option<&StopReason>, has_calls: bool) -> Finish {
    match reason {
        Some(StopReason::MaxTokens(_)) => Finish::Length,
        Some(StopReason::ContentFilter(_)) => Finish::ContentFilter,
        _ if has_calls => Finish::ToolCalls,
        Some(StopReason::ToolCall(_)) => Finish::ToolCalls,
        Some(StopReason::Completed(_) | StopReason::StopSequence(_)) => Finish::Stop,
        Some(StopReason::Other(_)) | None => Finish::Other,
    }
}

pub(crate) fn usage(usage: &genai::chat::Usage) -> Usage {
    let count =
        |tokens: Option<i32>| tokens.and_then(|tokens| u64::try_from(tokens).ok()).unwrap_or_default();
    Usage { input_tokens: count(usage.prompt_tokens), output_tokens: count(usage.completion_tokens) }
}
