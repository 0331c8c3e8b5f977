//! Passes whole calls of a runner to an engine in another process.

use std::any::TypeId;
use std::sync::Arc;

use super::Request;
use crate::model::Usage;
use crate::run::OpenCall;
use crate::run::Produced;
use crate::run::state::{CallState, RunnerState};
use crate::{BoxFuture, CallError, CallId, CallOptions, Called};
use skills_runtime::typed::Checked;

/// Makes the calls of a runner in another process ([`Runner::remote`](crate::Runner::remote)).
pub trait RemoteCalls: Send + Sync + 'static {
    /// Makes a call; `call` is its id in events. The input is JSON text that matches the schema of the skill
    /// and contains its defaults.
    ///
    /// Of the options, only these are used: the key of the run ([`CallOptions::journal`]), the cancellation,
    /// and the observer, which receives the events of steps if the engine reports them. The request contains
    /// the others. If the future is dropped, the call continues in the other process.
    fn call<'a>(
        &'a self,
        call: CallId,
        request: Request,
        options: CallOptions,
    ) -> BoxFuture<'a, Result<Called<String>, CallError>>;
}

impl RunnerState {
    /// Makes a call in another process if the runner is configured to do so.
    pub(crate) async fn call_remote(
        self: &Arc<Self>,
        name: &str,
        input: &str,
        bundle: Option<TypeId>,
        options: &mut CallOptions,
    ) -> Option<Result<(Called<String>, Checked), CallError>> {
        let remote = self.remote.as_ref()?;
        let function = match self.find(name, bundle) {
            Ok(function) => function,
            Err(error) => return Some(Err(error)),
        };
        let call = Arc::new(CallState::new(Arc::clone(self), options.clone()));
        let caller = Arc::clone(&call);
        let options = std::mem::take(options).on_event(move |event| caller.emit(|| event.clone()));
        let id = CallId::below(None);
        let mut open = OpenCall::begin(&call, id, function, options.depth, input);
        let request = Request {
            timeout: options.timeout,
            depth: options.depth,
            is_pipeline: function.is_pipeline(),
            // The parent of the remote work is the span of this call or, without one, the caller's trace
            // context.
            trace: open.span().and_then(|span| span.context(self)).or_else(|| options.trace.clone()),
            ..Request::new(name, "")
        };
        let work = async {
            let request = Request {
                input: function
                    .check_input(input.to_owned())
                    .map_err(|invalid| CallError::invalid_input(name, invalid))?,
                ..request
            };
            let Called { output, steps, usage } = remote.call(id, request, options).await?;
            function.check_output(&output).map_err(|invalid| CallError::invalid_output(name, invalid))?;
            Ok((Produced { text: output, steps, checked: Checked::by(function.output) }, usage))
        };
        let (result, usage) = match work.await {
            Ok((produced, usage)) => (Ok(produced), usage),
            Err(error) => (Err(error), Usage::default()),
        };
        open.usage = usage;
        open.end(&result);
        Some(result.map(|Produced { text, steps, checked }| (Called { output: text, steps, usage }, checked)))
    }
}
