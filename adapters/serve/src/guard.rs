//! Access control: requests must come from this machine, from a page of this server, and with the token.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::answer::{self, Problem};

/// The conditions for a request before any route handles it.
///
/// A page in a browser can reach a loopback address under another name (DNS rebinding), or send a request
/// across origins. Both are visible in the headers `Host` and `Origin` or, if a browser sends no `Origin`, in
/// `Sec-Fetch-Site`.
#[must_use]
#[derive(Clone, Default)]
pub struct Guard {
    hosts: Vec<String>,
    token: Option<Arc<str>>,
    open: Vec<String>,
}

impl Guard {
    /// Creates a guard that accepts requests to `localhost`, `127.0.0.1` and `[::1]`, on any port.
    pub fn new() -> Self {
        Self::default()
    }

    /// Also accepts requests to this host name, on any port.
    pub fn host(mut self, name: impl Into<String>) -> Self {
        self.hosts.push(name.into().to_ascii_lowercase());
        self
    }

    /// Requires `Authorization: Bearer TOKEN`. With an empty token, every request is refused.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into().into());
        self
    }

    /// Exempts this path from the token, for a page that does not contain protected data.
    pub fn open(mut self, path: impl Into<String>) -> Self {
        self.open.push(path.into());
        self
    }

    fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
        let named = uri.authority().map(Authority::as_str);
        let host = only(headers, &header::HOST)?.or(named).ok_or_else(foreign)?;
        if ![Some(host), named].into_iter().flatten().all(|host| self.is_own(host)) {
            return Err(foreign());
        }
        if let Some(origin) = only(headers, &header::ORIGIN)? {
            let authority =
                ["http://", "https://"].into_iter().find_map(|scheme| origin.strip_prefix(scheme));
            if !authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host)) {
                return Err(foreign());
            }
        }
        // This is safe: a page of another site cannot read a document that its link opens.
        let opens = method == Method::GET && is(headers, "sec-fetch-dest", "document");
        if is(headers, "sec-fetch-site", "cross-site") && !opens {
            return Err(foreign());
        }
        let Some(token) = &self.token else { return Ok(()) };
        if self.open.iter().any(|path| path == uri.path()) || is_brought(token, headers) {
            return Ok(());
        }
        Err(Problem::unauthorized())
    }

    fn is_own(&self, authority: &str) -> bool {
        let split = match authority.strip_prefix('[') {
            Some(rest) => rest.split_once(']').and_then(|(name, port)| match port {
                "" => Some((name, "")),
                port => Some((name, port.strip_prefix(':')?)),
            }),
            None => Some(authority.split_once(':').unwrap_or((authority, ""))),
        };
        let Some((name, port)) = split else { return false };
        let name = name.to_ascii_lowercase();
        let is_known =
            matches!(name.as_str(), "localhost" | "127.0.0.1" | "::1") || self.hosts.contains(&name);
        is_known && port.bytes().all(|byte| byte.is_ascii_digit())
    }
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Guard").field("hosts", &self.hosts).finish_non_exhaustive()
    }
}

/// Checks a request before a route handles it, and adds a body to responses without one.
pub(crate) async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    match guard.check(request.method(), request.uri(), request.headers()) {
        Ok(()) => answer::worded(next.run(request).await),
        Err(problem) => problem.into_response(),
    }
}

fn foreign() -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "forbidden", "the request is for or from another host")
}

/// Returns a header that may occur only once. If there were two values, a proxy may have checked
/// the other one.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Problem> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().map(|value| value.to_str().map_err(|_| foreign())).transpose()?;
    if values.next().is_some() { Err(foreign()) } else { Ok(value) }
}

/// Returns `true` if a header contains this value.
fn is(headers: &HeaderMap, name: &str, value: &str) -> bool {
    headers.get_all(name).iter().any(|given| given.as_bytes().eq_ignore_ascii_case(value.as_bytes()))
}

/// Returns `true` if a request has exactly the token. An empty token never matches.
fn is_brought(token: &str, headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return false };
    let Some((scheme, given)) = value.as_bytes().split_at_checked("bearer ".len()) else { return false };
    let given = given.trim_ascii();
    scheme.eq_ignore_ascii_case(b"bearer ") && !given.is_empty() && is_equal(given, token.as_bytes())
}

/// Compares in constant time, so that the time does not reveal how much of a guess is right.
fn is_equal(given: &[u8], wanted: &[u8]) -> bool {
    let differences = given.iter().zip(wanted).fold(0_u8, |all, (a, b)| all | (a ^ b));
    given.len() == wanted.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::{Guard, HeaderMap, HeaderName, Method, StatusCode, Uri, header};
    use axum::http::HeaderValue;
    use axum::response::IntoResponse;

    fn status(guard: &Guard, headers: &[(HeaderName, &[u8])]) -> StatusCode {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, HeaderValue::from_bytes(value).expect("a value"));
        }
        match guard.check(&Method::GET, &Uri::from_static("/v1/skills"), &map) {
            Ok(()) => StatusCode::OK,
            Err(problem) => problem.into_response().status(),
        }
    }

    // SPEC 11.2
    #[test]
    fn foreign_hosts_are_refused() {
        let guard = Guard::new().host("Agent.internal").host("fe80::1");
        let own = [
            "localhost",
            "localhost:80",
            "LocalHost:8787",
            "127.0.0.1:4321",
            "[::1]",
            "[::1]:80",
            "localhost:",
        ];
        for host in own.into_iter().chain(["AGENT.internal:8", "[FE80::1]:8787"]) {
            assert_eq!(status(&guard, &[(header::HOST, host.as_bytes())]), StatusCode::OK, "{host}");
        }
        for host in [
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example:80",
            "localhost:80.evil.example",
            "localhost:80:80",
            "evil.example#localhost",
            "localhost@evil.example",
            "evil@localhost",
            "[::1].evil.example",
            "[::1]evil.example:80",
            "[::1",
            "::1",
            "[::2]",
            "0.0.0.0:80",
            "localhost, evil.example",
            "localhost\u{e9}",
            "",
            ":80",
            " ",
        ] {
            assert_eq!(status(&guard, &[(header::HOST, host.as_bytes())]), StatusCode::FORBIDDEN, "{host}");
        }
        assert_eq!(status(&guard, &[]), StatusCode::FORBIDDEN);
        for twice in
            [["localhost", "evil.example"], ["evil.example", "localhost"], ["localhost", "localhost"]]
        {
            let hosts = twice.map(|host| (header::HOST, host.as_bytes()));
            assert_eq!(status(&guard, &hosts), StatusCode::FORBIDDEN, "{twice:?}");
        }
    }

    // SPEC 11.2
    #[test]
    fn foreign_origins_are_refused() {
        let origin = |host: &str, origin: &[u8]| {
            status(&Guard::new(), &[(header::HOST, host.as_bytes()), (header::ORIGIN, origin)])
        };
        for (host, own) in [
            ("localhost:80", "http://localhost:80"),
            ("localhost:80", "https://LOCALHOST:80"),
            ("localhost", "http://localhost"),
            ("[::1]:80", "http://[::1]:80"),
        ] {
            assert_eq!(origin(host, own.as_bytes()), StatusCode::OK, "{own}");
        }
        for foreign in [
            "null",
            "",
            "localhost:80",
            "http://localhost",
            "http://localhost:81",
            "http://127.0.0.1:80",
            "https://evil.example",
            "http://localhost:80.evil.example",
            "http://localhost:80/",
            "http://localhost:80@evil.example",
            "evil://localhost:80",
            "http://localhost:80 https://evil.example",
            "http://localhost:80\u{e9}",
        ] {
            assert_eq!(origin("localhost:80", foreign.as_bytes()), StatusCode::FORBIDDEN, "{foreign}");
        }
        let two =
            [b"http://localhost".as_slice(), b"https://evil.example"].map(|origin| (header::ORIGIN, origin));
        let headers = [(header::HOST, b"localhost".as_slice()), two[0].clone(), two[1].clone()];
        assert_eq!(status(&Guard::new(), &headers), StatusCode::FORBIDDEN);
    }

    // SPEC 11.7: a page of another site sends no `Origin` with an image or a script that it asks for
    #[test]
    fn requests_of_other_sites_are_refused_and_their_links_are_not() {
        let fetched = |site: &str, dest: &str| {
            let named = |name| HeaderName::from_static(name);
            let headers = [
                (header::HOST, b"localhost".as_slice()),
                (named("sec-fetch-site"), site.as_bytes()),
                (named("sec-fetch-dest"), dest.as_bytes()),
            ];
            status(&Guard::new(), &headers)
        };
        for dest in ["image", "script", "empty", "iframe", ""] {
            assert_eq!(fetched("cross-site", dest), StatusCode::FORBIDDEN, "{dest}");
            assert_eq!(fetched("same-origin", dest), StatusCode::OK, "{dest}");
        }
        assert_eq!(fetched("cross-site", "document"), StatusCode::OK);
        assert_eq!(fetched("none", "document"), StatusCode::OK);
    }

    // SPEC 11.2
    #[test]
    fn a_token_must_match_exactly() {
        let with = |token: &str, values: &[&str]| {
            let host = [(header::HOST, b"localhost".as_slice())];
            let given = values.iter().map(|value| (header::AUTHORIZATION, value.as_bytes()));
            status(&Guard::new().token(token), &host.into_iter().chain(given).collect::<Vec<_>>())
        };
        for right in ["Bearer s3cret", "bearer s3cret", "BEARER  s3cret ", "Bearer s3cret"] {
            assert_eq!(with("s3cret", &[right]), StatusCode::OK, "{right}");
        }
        assert_eq!(with("sëcret", &["Bearer sëcret"]), StatusCode::OK);
        for wrong in [
            "Bearer s3cre",
            "Bearer s3crets",
            "Bearer S3CRET",
            "Bearer ",
            "Bearer",
            "Bearers3cret",
            "Bearer s3cret s3cret",
            "Basic s3cret",
            "s3cret",
            "sëcret",
            "",
        ] {
            assert_eq!(with("s3cret", &[wrong]), StatusCode::UNAUTHORIZED, "{wrong}");
        }
        assert_eq!(with("s3cret", &[]), StatusCode::UNAUTHORIZED);
        assert_eq!(with("s3cret", &["Bearer s3cret", "Bearer s3cret"]), StatusCode::UNAUTHORIZED);
        for given in [&["Bearer "][..], &["Bearer"], &[""], &[]] {
            assert_eq!(with("", given), StatusCode::UNAUTHORIZED, "an empty token does not match");
        }
        assert!(!format!("{:?}", Guard::new().token("s3cret")).contains("s3cret"));
    }
}
