//! Runs a skill with code: with a host function or else with its program or the tool of an MCP server.

use skills_registry::Backend;

use super::attempt::within;
use super::frame::CallFrame;
use super::{Produced, mcp, program};
use crate::cancellation::CancelOnDrop;
use crate::{CallError, Context, Missing, MissingCapability};
use skills_exec::Program;
use skills_runtime::capabilities::choose;
use skills_runtime::typed::Checked;

/// Runs one attempt under its time limit.
pub(crate) async fn run(frame: &CallFrame<'_>) -> Result<Produced, CallError> {
    let skill = frame.function.skill;
    let context =
        Context::new(frame.call, frame.id, frame.depth, frame.place, Checked::by(frame.function.input));
    let _guard = CancelOnDrop(context.cancellation().clone());
    // The host returns the function itself, so its existence is not checked separately.
    let mut hosts = frame.call.engine.hosts(skill);
    let served = hosts.find_map(|host| host.call(skill.name(), frame.input.to_owned(), &context));
    // Programs and servers are boxed, so that calls of functions reserve no space for them.
    let text = match (
        choose(skill, || served.is_some(), false, frame.call.engine.mcp.is_some())?,
        served,
        Program::of(skill, Some(frame.function.input)),
    ) {
        (Backend::Host, Some(future), _) => {
            let failed = |source| CallError::Host { skill: frame.name(), source };
            within(skill, frame.limit, async { future.await.map_err(failed) }).await?
        }
        (Backend::Program, _, Some(program)) => Box::pin(program::run(*frame, program)).await?,
        (Backend::Mcp, ..) => Box::pin(within(skill, frame.limit, mcp::run(*frame))).await?,
        // This is unreachable for checked skills, because their pipelines always exist.
        _ => return Err(Missing { skill: frame.name(), lack: MissingCapability::Function }.into()),
    };
    Ok(Produced { text, ..Produced::default() })
}
