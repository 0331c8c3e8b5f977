//! A skill that code runs: a function of the host, else its program (SPEC 6.2).

use skills_registry::Mode;

use super::attempt::within;
use super::cancellation::CancelOnDrop;
use super::run::{Frame, Produced};
use super::{CallError, Context, program};
use crate::typed::Checked;

/// Runs one attempt under its time limit.
pub(super) async fn run(frame: Frame<'_>) -> Result<Produced, CallError> {
    let skill = frame.function.skill;
    let context = Context::new(frame.call, frame.id, frame.depth, Checked::by(frame.function.input));
    let _guard = CancelOnDrop(context.cancellation().clone());
    let host = frame.call.engine.host.as_deref();
    let served = host.and_then(|host| host.call(skill.name(), frame.input.to_owned(), &context));
    let text = match (served, skill.program()) {
        (Some(future), _) => {
            let failed = |source| CallError::Host { skill: frame.name(), source };
            within(skill.name(), frame.limit, async { future.await.map_err(failed) }).await?
        }
        (None, Some(path)) => program::run(frame, path).await?,
        (None, None) => {
            let mode = skill.mode().unwrap_or(Mode::Code);
            return Err(CallError::NoHost { skill: frame.name(), mode });
        }
    };
    Ok(Produced { text, ..Produced::default() })
}
