//! The name of a skill in a path, whatever bytes stand there (SPEC 11.2).

use std::convert::Infallible;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use skills_call::Runner;

use crate::answer::Problem;

/// The name; nothing when it is no UTF-8, which no skill's name is.
///
/// Which answer that gets is for the route to say: one that runs nothing refuses before it looks at names.
pub(crate) struct Name(pub(crate) Option<String>);

impl Name {
    /// Returns the name of what a client may ask a runner for: internal skills are as unknown to it as none (SPEC 6.3).
    pub(crate) fn known(&self, runner: &Runner) -> Result<&str, Problem> {
        let is_internal = |name: &&str| runner.skills().skill(name).is_some_and(|skill| skill.is_internal());
        self.0.as_deref().filter(|name| !is_internal(name)).ok_or_else(Problem::unknown_skill)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        Ok(Self(path.ok().map(|Path(name)| name)))
    }
}
