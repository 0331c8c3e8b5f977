//! A login with OAuth to a server that is its own authorization server.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use skills_mcp_client::{Approved, Connection, Error, Logins, Options, ServerAddress};

/// The server.
#[derive(Clone)]
struct Peer {
    origin: String,
    /// Replaces fields of the metadata of the authorization server.
    metadata: Value,
    /// The path that is redirected, and where to.
    redirect: Option<(&'static str, String)>,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// The number of the last access token, and whether it is accepted.
    token: usize,
    is_revoked: bool,
    /// Whether tokens may be renewed.
    is_ended: bool,
}

impl Peer {
    fn start() -> Self {
        Self::with(Value::Null, None)
    }

    fn with(metadata: Value, redirect: Option<(&'static str, String)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let origin = format!("http://{}", listener.local_addr().expect("an address"));
        let peer = Self { origin, metadata, redirect, state: Arc::default() };
        let serving = peer.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let peer = serving.clone();
                std::thread::spawn(move || peer.serve(&stream));
            }
        });
        peer
    }

    fn address(&self) -> ServerAddress {
        ServerAddress::parse(&format!("{}/mcp", self.origin)).expect("a URL")
    }

    fn serve(&self, mut stream: &TcpStream) -> Option<()> {
        let mut reader = BufReader::new(stream.try_clone().ok()?);
        loop {
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                if reader.read_line(&mut head).ok()? == 0 {
                    return None;
                }
            }
            let field = |name: &str| {
                let mut lines = head.lines().filter_map(|line| line.split_once(": "));
                lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned())
            };
            let mut body =
                vec![0; field("content-length").map_or(0, |length| length.parse().expect("a length"))];
            reader.read_exact(&mut body).ok()?;
            let body = String::from_utf8(body).ok()?;
            let path = head.split(' ').nth(1)?.to_owned();
            if let Some((_, to)) = self.redirect.as_ref().filter(|(from, _)| path.starts_with(from)) {
                let head = format!("HTTP/1.1 307 X\r\nLocation: {to}{path}\r\nContent-Length: 0\r\n\r\n");
                stream.write_all(head.as_bytes()).ok()?;
                continue;
            }
            let (status, answer) = self.answer(&path, &body, field("authorization").as_deref());
            let text = answer.map(|answer| answer.to_string()).unwrap_or_default();
            let challenge =
                format!("Bearer resource_metadata=\"{}/.well-known/oauth-protected-resource\"", self.origin);
            let length = text.len();
            write!(
                stream,
                "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nWWW-Authenticate: {challenge}\r\nContent-Length: {length}\r\n\r\n{text}"
            )
            .ok()?;
        }
    }

    fn answer(&self, path: &str, body: &str, token: Option<&str>) -> (u16, Option<Value>) {
        let origin = &self.origin;
        let mut state = self.state.lock().expect("sound");
        match path {
            "/.well-known/oauth-protected-resource" | "/.well-known/oauth-protected-resource/mcp" => {
                (200, Some(json!({"resource": format!("{origin}/mcp"), "authorization_servers": [origin]})))
            }
            "/.well-known/oauth-authorization-server" => {
                let mut metadata = json!({
                    "issuer": origin,
                    "authorization_endpoint": format!("{origin}/authorize"),
                    "token_endpoint": format!("{origin}/token"),
                    "registration_endpoint": format!("{origin}/register"),
                    "response_types_supported": ["code"],
                    "code_challenge_methods_supported": ["S256"],
                });
                for (key, value) in self.metadata.as_object().into_iter().flatten() {
                    metadata[key] = value.clone();
                }
                (200, Some(metadata))
            }
            "/register" => {
                let asked: Value = serde_json::from_str(body).expect("JSON");
                let answer = json!({"client_id": "client", "redirect_uris": asked["redirect_uris"]});
                (201, Some(answer))
            }
            "/token" => {
                let is_renewal = body.contains("grant_type=refresh_token");
                let is_known = match is_renewal {
                    true => body.contains("refresh_token=REFRESH") && !state.is_ended,
                    false => body.contains("code=CODE") && body.contains("code_verifier="),
                };
                if !is_known {
                    return (400, Some(json!({"error": "invalid_grant"})));
                }
                state.token += 1;
                state.is_revoked = false;
                let token = format!("ACCESS{}", state.token);
                let answer = json!({
                    "access_token": token, "token_type": "Bearer", "expires_in": 3600, "refresh_token": "REFRESH",
                });
                (200, Some(answer))
            }
            "/mcp" => {
                if state.is_revoked || token != Some(&format!("Bearer ACCESS{}", state.token)) {
                    return (401, None);
                }
                let message: Value = serde_json::from_str(body).unwrap_or_default();
                let result = match message["method"].as_str() {
                    Some("initialize") => json!({
                        "protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                        "serverInfo": {"name": "peer", "version": "1"},
                    }),
                    Some("tools/list") => {
                        json!({"tools": [{"name": "any", "inputSchema": {"type": "object"}}]})
                    }
                    Some("server/discover") => return (400, None),
                    _ => return (202, None),
                };
                (200, Some(json!({"jsonrpc": "2.0", "id": message["id"], "result": result})))
            }
            _ => (404, None),
        }
    }
}

/// Plays the browser: opens the page, and is sent back with a code. A page that knows no `state` is refused.
fn browse(url: &str) -> String {
    let value = |key: &str| {
        let (_, query) = url.split_once('?').expect("a query");
        let found = query.split('&').find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='));
        String::from_utf8(skills_text::percent_decoded(found.expect("there"))).expect("UTF-8")
    };
    let back = value("redirect_uri");
    let (host, path) = back.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("a URL");
    let get = |query: &str| {
        let mut stream = TcpStream::connect(host).expect("the client listens");
        write!(stream, "GET /{path}?{query} HTTP/1.1\r\nHost: {host}\r\n\r\n").expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("answered");
        answer
    };
    assert!(get("code=CODE&state=guessed").starts_with("HTTP/1.1 404"));
    assert!(url.contains("code_challenge_method=S256"), "{url}");
    get(&format!("code=CODE&state={}", value("state")))
}

// SPEC 22.9
#[tokio::test(flavor = "multi_thread")]
async fn a_login_is_kept_private_renewed_and_forgotten() {
    let peer = Peer::start();
    let directory = tempfile::tempdir().expect("a directory");
    let logins = Logins::in_directory(directory.path().join("logins"));
    let connection =
        || Connection::new(Approved::typed(peer.address()), Options::default().logins(logins.clone()));
    let refused = connection().tools().await.expect_err("no login").to_string();
    assert!(refused.contains("asks for authorization"), "{refused}");

    let mut browser = None;
    let show = |url: &str| {
        let url = url.to_owned();
        browser = Some(std::thread::spawn(move || browse(&url)));
    };
    logins.login(&Approved::typed(peer.address()), show).await.expect("a login");
    let page = browser.expect("shown").join().expect("browsed");
    assert!(page.contains("You can close this page"), "{page}");
    let open = connection();
    assert_eq!(open.tools().await.expect("tools").len(), 1);
    let shown = format!("{open:?}{logins:?}{:?}", Options::default().logins(logins.clone()));
    assert!(!shown.contains("ACCESS"), "{shown}");
    let entries = std::fs::read_dir(directory.path().join("logins")).expect("kept").flatten();
    let of_server: Vec<_> = entries.map(|entry| entry.path()).collect();
    let [of_server] = of_server.as_slice() else { panic!("one server: {of_server:?}") };
    use std::os::unix::fs::PermissionsExt;
    let file = of_server.join("credentials.json");
    for (path, mode) in [(of_server, 0o700), (&file, 0o600)] {
        assert_eq!(std::fs::metadata(path).expect("there").permissions().mode() & 0o777, mode);
    }

    // A token that the server no longer accepts is renewed once.
    peer.state.lock().expect("sound").is_revoked = true;
    assert_eq!(open.tools().await.expect("renewed").len(), 1);
    let text = std::fs::read_to_string(&file).expect("a file");
    assert!(text.contains("ACCESS2") && !text.contains("ACCESS1"), "{text}");
    // If it cannot be renewed, the user must log in again. The message has no token.
    {
        let mut state = peer.state.lock().expect("sound");
        (state.is_revoked, state.is_ended) = (true, true);
    }
    let refused = connection().tools().await.expect_err("ended").to_string();
    assert!(!refused.contains("ACCESS") && !refused.contains("REFRESH"), "{refused}");
    assert!(refused.contains("asks for authorization"), "{refused}");

    logins.remove(&peer.address()).expect("removed");
    assert!(!logins.has(&peer.address()) && !of_server.exists());
    let program = ServerAddress::command("true", Vec::new());
    assert!(matches!(logins.login(&Approved::typed(program), |_| {}).await, Err(Error::Address(_))));
}

/// Logs in with a browser that follows the page. Returns whether a page was shown, and the error.
async fn failed_login(peer: &Peer) -> (bool, String) {
    let directory = tempfile::tempdir().expect("a directory");
    let logins = Logins::in_directory(directory.path().join("logins"));
    let mut is_shown = false;
    let show = |url: &str| {
        is_shown = true;
        let url = url.to_owned();
        std::thread::spawn(move || browse(&url));
    };
    let error = logins.login(&Approved::typed(peer.address()), show).await.expect_err("it is refused");
    assert!(!logins.has(&peer.address()));
    (is_shown, error.to_string())
}

// SPEC 22.9: the server is on this machine, so its metadata does not lead into private networks
#[tokio::test(flavor = "multi_thread")]
async fn metadata_leads_to_no_other_network() {
    for host in ["10.0.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1", "[fd00::1]", "[::ffff:10.0.0.1]"]
    {
        for (key, is_shown) in [("token_endpoint", true), ("registration_endpoint", false)] {
            let peer = Peer::with(json!({key: format!("http://{host}/x")}), None);
            let (shown, error) = failed_login(&peer).await;
            assert_eq!(shown, is_shown, "{host} {key}: {error}");
            assert!(!error.contains("does not answer"), "{host} {key} was connected to: {error}");
        }
    }
}

// SPEC 22.9: neither metadata nor a code is sent to another origin
#[tokio::test(flavor = "multi_thread")]
async fn no_redirect_to_another_origin_is_followed() {
    for from in ["/.well-known/", "/register", "/token"] {
        let other = TcpListener::bind("127.0.0.1:0").expect("a port");
        other.set_nonblocking(true).expect("no wait");
        let to = format!("http://{}", other.local_addr().expect("an address"));
        let peer = Peer::with(Value::Null, Some((from, to)));
        let (shown, error) = failed_login(&peer).await;
        assert_eq!(shown, from == "/token", "{from}: {error}");
        let connected = other.accept().map(|_| ());
        assert_eq!(connected.expect_err(from).kind(), std::io::ErrorKind::WouldBlock, "{from}");
    }
}
