//! The name of a skill in a path, whatever bytes stand there (SPEC 11.2).

use std::convert::Infallible;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

/// The name; nothing when it is no UTF-8, which no skill's name is.
///
/// Which answer that gets is for the route to say: one that runs nothing refuses before it looks at names.
pub(crate) struct Name(pub(crate) Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        Ok(Self(path.ok().map(|Path(name)| name)))
    }
}
