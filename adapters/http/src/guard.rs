//! Who may ask: this machine, by a page of this server, with the token (SPEC 11.2).

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::answer::Problem;

/// What a request must bring before any route looks at it.
///
/// A page in a browser can reach a loopback address under a name of its own (DNS rebinding) or send a request across
/// origins; both show in the headers `Host` and `Origin`.
#[derive(Clone, Default)]
pub struct Guard {
    hosts: Vec<String>,
    token: Option<Arc<str>>,
    open: Vec<String>,
}

impl Guard {
    /// Makes a guard that lets through requests to `localhost`, `127.0.0.1` and `[::1]`, on any port.
    pub fn new() -> Self {
        Self::default()
    }

    /// Also lets through requests to this host name, on any port.
    #[must_use]
    pub fn host(mut self, name: impl Into<String>) -> Self {
        self.hosts.push(name.into().to_ascii_lowercase());
        self
    }

    /// Demands `Authorization: Bearer TOKEN`.
    #[must_use]
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into().into());
        self
    }

    /// Demands no token for this path: a page that brings none of what the token protects.
    #[must_use]
    pub fn open(mut self, path: impl Into<String>) -> Self {
        self.open.push(path.into());
        self
    }

    fn judge(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
        let text = |name| match headers.get(&name) {
            None => Ok(None),
            Some(value) => value.to_str().map(Some).map_err(|_| foreign()),
        };
        let named = uri.authority().map(Authority::as_str);
        let host = text(header::HOST)?.or(named).ok_or_else(foreign)?;
        if ![Some(host), named].into_iter().flatten().all(|host| self.is_own(host)) {
            return Err(foreign());
        }
        if let Some(origin) = text(header::ORIGIN)? {
            let authority = origin.split_once("://").map(|(_, authority)| authority);
            if !authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host)) {
                return Err(foreign());
            }
        }
        let Some(token) = &self.token else { return Ok(()) };
        if self.open.iter().any(|path| path == uri.path()) {
            return Ok(());
        }
        let given = text(header::AUTHORIZATION)?.and_then(bearer).unwrap_or_default();
        if !is_equal(given.as_bytes(), token.as_bytes()) {
            return Err(Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", "a bearer token is needed"));
        }
        Ok(())
    }

    fn is_own(&self, authority: &str) -> bool {
        let name = match authority.strip_prefix('[') {
            Some(rest) => rest.split(']').next().unwrap_or_default(),
            None => authority.rsplit_once(':').map_or(authority, |(name, _)| name),
        };
        let name = name.to_ascii_lowercase();
        matches!(name.as_str(), "localhost" | "127.0.0.1" | "::1") || self.hosts.contains(&name)
    }
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Guard").field("hosts", &self.hosts).finish_non_exhaustive()
    }
}

/// Judges a request before a route sees it.
pub(crate) async fn judge(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    match guard.judge(request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

fn foreign() -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "forbidden", "the request is for or from another host")
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Compares in a time that does not tell how much of a guess is right.
fn is_equal(given: &[u8], wanted: &[u8]) -> bool {
    let differences = given.iter().zip(wanted).fold(0_u8, |all, (a, b)| all | (a ^ b));
    given.len() == wanted.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::{Guard, HeaderMap, StatusCode, Uri, header};
    use axum::http::{HeaderName, HeaderValue};
    use axum::response::IntoResponse;

    fn status(guard: &Guard, headers: &[(HeaderName, &'static str)]) -> StatusCode {
        let headers: HeaderMap =
            headers.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect();
        match guard.judge(&Uri::from_static("/v1/skills"), &headers) {
            Ok(()) => StatusCode::OK,
            Err(problem) => problem.into_response().status(),
        }
    }

    // SPEC 11.2
    #[test]
    fn foreign_hosts_and_origins_are_refused() {
        let guard = Guard::new().host("Agent.internal");
        for host in ["localhost", "localhost:80", "127.0.0.1:4321", "[::1]:80", "AGENT.internal:8"] {
            assert_eq!(status(&guard, &[(header::HOST, host)]), StatusCode::OK, "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "", "[::2]"] {
            assert_eq!(status(&guard, &[(header::HOST, host)]), StatusCode::FORBIDDEN, "{host}");
        }
        assert_eq!(status(&guard, &[]), StatusCode::FORBIDDEN);
        let origin = |origin| status(&guard, &[(header::HOST, "localhost:80"), (header::ORIGIN, origin)]);
        assert_eq!(origin("http://localhost:80"), StatusCode::OK);
        for foreign in ["null", "http://localhost:81", "https://evil.example", "localhost:80"] {
            assert_eq!(origin(foreign), StatusCode::FORBIDDEN, "{foreign}");
        }
    }

    // SPEC 11.2
    #[test]
    fn a_token_is_demanded_to_the_letter() {
        let guard = Guard::new().token("s3cret");
        let with = |value| status(&guard, &[(header::HOST, "localhost"), (header::AUTHORIZATION, value)]);
        assert_eq!(with("Bearer s3cret"), StatusCode::OK);
        assert_eq!(with("bearer s3cret"), StatusCode::OK);
        for wrong in ["Bearer s3cre", "Bearer s3crets", "Basic s3cret", "s3cret", "Bearer", "Bearer "] {
            assert_eq!(with(wrong), StatusCode::UNAUTHORIZED, "{wrong}");
        }
        assert_eq!(status(&guard, &[(header::HOST, "localhost")]), StatusCode::UNAUTHORIZED);
        assert!(!format!("{guard:?}").contains("s3cret"));
    }
}
