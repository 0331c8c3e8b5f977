//! Extracts the name of a skill from a path, which may contain any bytes.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use skills_call::Runner;

use skills_serve::answer::Problem;

/// The name. `None` if it is not UTF-8, because then no skill has it.
///
/// The route creates the error response, since a disabled route must refuse a request before it
/// looks at the name.
pub(crate) struct Name(pub(crate) Option<String>);

impl Name {
    /// Returns the name of a skill that clients may use. Internal skills are treated like unknown ones.
    pub(crate) fn known(&self, runner: &Runner) -> Result<&str, Problem> {
        let is_internal = |name: &&str| runner.skills().get(name).is_some_and(|skill| skill.is_internal());
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
