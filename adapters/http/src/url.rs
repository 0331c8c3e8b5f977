//! Extracts the name of a skill from a path, which may contain any bytes.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use skills_call::Runner;
use skills_serve::answer::Problem;
use skills_text::percent_decoded;

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

/// Returns the decoded value of a parameter. The first one counts if it is repeated.
pub(crate) fn parameter(query: &str, name: &str) -> Option<String> {
    let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.into_iter().find(|(key, _)| decoded(key) == name).map(|(_, value)| decoded(value))
}

/// Decodes `+` as a space and `%XX` as a byte. Invalid UTF-8 is replaced.
fn decoded(text: &str) -> String {
    String::from_utf8_lossy(&percent_decoded(&text.replace('+', " "))).into_owned()
}

#[cfg(test)]
mod tests {
    use super::parameter;

    // SPEC 16.7
    #[test]
    fn parameters_are_decoded() {
        let query = "limit=3&search=tables+in%20a%2Bb%E4%BB%A3&x&search=no&%66=%zz%4";
        assert_eq!(parameter(query, "search").as_deref(), Some("tables in a+b代"));
        assert_eq!(parameter(query, "limit").as_deref(), Some("3"));
        assert_eq!(parameter(query, "x").as_deref(), Some(""));
        assert_eq!(parameter(query, "f").as_deref(), Some("%zz%4"));
        assert_eq!((parameter("", "search"), parameter(query, "y")), (None, None));
        assert_eq!(parameter("a=%+5%2B5", "a").as_deref(), Some("% 5+5"));
        assert_eq!(parameter("a=%ff", "a").as_deref(), Some("\u{fffd}"));
    }
}
