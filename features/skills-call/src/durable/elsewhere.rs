//! Calls that are made elsewhere as a whole: the door of a runner to an engine.

use std::path::Path;
use std::sync::Arc;

use super::Request;
use crate::model::Usage;
use crate::run::Produced;
use crate::run::engine::Call;
use crate::run::open::OpenCall;
use crate::{BoxFuture, CallError, CallId, CallOptions, Called, Runner};
use skills_runtime::typed::Checked;

/// Where a runner's calls are made, when not in this process ([`Runner::remote`]).
pub trait Elsewhere: Send + Sync + 'static {
    /// Makes a call; `call` names it in events. The input is JSON text that fits the schema of the skill, with its defaults.
    ///
    /// Of the options count the key of the run ([`CallOptions::journal`]), what ends the call, and who is told what happens
    /// to its steps, as far as the engine tells it; the request has the rest. A call that is dropped goes on there.
    fn call<'a>(
        &'a self,
        call: CallId,
        request: Request,
        options: CallOptions,
    ) -> BoxFuture<'a, Result<Called<String>, CallError>>;
}

impl<B> Runner<B> {
    /// Makes all calls elsewhere, typed ones too: inputs and outputs are checked here, and nothing runs in this process. The
    /// skill of a name is the one that the workers have, so its schemas should be those of this runner.
    pub fn remote(self, elsewhere: impl Elsewhere) -> Self {
        self.change(|engine| engine.elsewhere = Some(Arc::new(elsewhere)))
    }

    /// Returns the directory that calls work in, when there is one.
    pub fn working_directory(&self) -> Option<&Path> {
        self.engine.workspace.as_deref()
    }

    /// Makes a call elsewhere, when that is where calls are made.
    pub(crate) async fn call_elsewhere(
        &self,
        name: &str,
        input: &str,
        is_typed: bool,
        options: &mut CallOptions,
    ) -> Option<Result<(Called<String>, Checked), CallError>> {
        let elsewhere = self.engine.elsewhere.as_ref()?;
        let function = match self.engine.find(name, is_typed) {
            Ok(function) => function,
            Err(error) => return Some(Err(error)),
        };
        let call = Arc::new(Call::new(Arc::clone(&self.engine), options.clone()));
        let told = Arc::clone(&call);
        let options = std::mem::take(options).on_event(move |event| told.tell(|| event.clone()));
        let id = CallId::below(None);
        let mut open = OpenCall::begin(&call, id, function, options.depth, input);
        let request = Request {
            timeout: options.timeout,
            depth: options.depth,
            is_pipeline: function.is_pipeline(),
            // What runs there is below the span of this call, or below what this process was told.
            trace: open.span().and_then(|span| span.context(&self.engine)).or_else(|| options.trace.clone()),
            ..Request::new(name, "")
        };
        let work = async {
            let request = Request { input: function.check_input(input)?, ..request };
            let Called { output, steps, usage } = elsewhere.call(id, request, options).await?;
            function.check_output(&output)?;
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
