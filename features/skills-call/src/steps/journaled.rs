//! Runs steps in this process and saves the finished ones.

use std::sync::Arc;

use super::{PendingStep, Steps};
use crate::pipeline::Answer;
use crate::{BoxFuture, CallError, Saved, StepStore};

/// The steps of one run in a store.
pub(crate) struct Journaled {
    pub(crate) store: Arc<dyn StepStore>,
    pub(crate) run: String,
}

impl Journaled {
    /// Returns the saved output if it is undamaged and still matches the schema; otherwise reports why not.
    async fn load(&self, step: &PendingStep<'_>, name: &str) -> Result<Option<String>, CallError> {
        let found = self.store.load(&self.run, name).await;
        let reason = match found.map_err(|source| step.journal_failed(source))? {
            Saved::Nothing => return Ok(None),
            Saved::Damaged(reason) => reason,
            Saved::Output(text) => match step.check(&text) {
                Ok(()) => return Ok(Some(text)),
                Err(CallError::InvalidOutput { invalid, .. }) => {
                    format!("it does not fit the output's schema: {invalid}")
                }
                Err(error) => return Err(error),
            },
        };
        step.report_damage(reason);
        Ok(None)
    }
}

impl Steps for Journaled {
    fn attempt<'a>(&'a self, step: PendingStep<'a>) -> BoxFuture<'a, Result<Answer, CallError>> {
        Box::pin(async move {
            let name = step.name()?;
            if step.attempt().key.attempt == 0
                && let Some(text) = self.load(&step, &name).await?
            {
                return Ok(Answer { is_resumed: true, ..text.into() });
            }
            let answer = step.run_here().await?;
            let saved = self.store.save(&self.run, &name, &answer.text).await;
            saved.map_err(|source| step.journal_failed(source))?;
            Ok(answer)
        })
    }
}
