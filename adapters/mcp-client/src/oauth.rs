//! OAuth for servers over HTTP: the login in a browser, and the tokens in files of this user.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use http::Response;
use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use rmcp::transport::auth::{
    AuthClient, AuthError, AuthorizationManager, AuthorizationRequest, CredentialRefreshGuard,
    CredentialStore, OAuthHttpClient, OAuthHttpClientError, OAuthHttpClientFuture, OAuthHttpRedirectPolicy,
    OAuthHttpRequest, OAuthState, StoredCredentials,
};
use skills_exec::{Budget, Meter};
use skills_files::{Dir, create_private_dir, open_locked};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, lookup_host};
use tokio::time::{sleep, timeout};

use crate::address::{ServerAddress, is_local};
use crate::approved::Approved;
use crate::error::Error;
use crate::open::CheckedAddress;

/// How long the user may take in the browser, and how long each other step may take.
const LOGIN_TIMEOUT: Duration = Duration::from_secs(5 * 60);
const STEP: Duration = Duration::from_secs(60);

/// How long the look-up of a name may take.
const RESOLVING: Duration = Duration::from_secs(10);

/// The maximum size of a file of credentials and of a request of the browser, in bytes.
const LARGEST: u64 = 256 * 1024;
const LONGEST: usize = 16 * 1024;

/// How much an authorization server may send for one login, or for one session with its renewals of tokens.
const BUDGET: Budget = Budget { bytes: 4 << 20, ..Budget::UNLIMITED };

/// How many redirects within one origin are followed.
const MAX_REDIRECTS: usize = 5;

const FILE: &str = "credentials.json";

/// The credentials of this user for servers that ask for OAuth. Tokens are renewed, and never shown.
///
/// Each server has a directory that only this user can read.
#[derive(Clone, Debug)]
pub struct Logins(PathBuf);

impl Logins {
    /// Keeps credentials below a directory, which is created by the first login.
    pub fn in_directory(directory: impl Into<PathBuf>) -> Self {
        Self(directory.into())
    }

    /// Returns `true` if there are credentials for a server.
    pub fn has(&self, server: &ServerAddress) -> bool {
        self.credentials(server).0.join(FILE).exists()
    }

    /// Removes the credentials for a server.
    ///
    /// # Errors
    /// The error of the system.
    pub fn remove(&self, server: &ServerAddress) -> io::Result<()> {
        match fs::remove_dir_all(self.credentials(server).0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    /// Logs in to a server with the authorization code flow. `show` gets the address that the user opens in a browser
    /// on this machine; the browser then reports the result to a port of this process.
    ///
    /// # Errors
    /// [`Error::NotApproved`], [`Error::Address`] if the server is a program, and [`Error::Unreachable`] if the server offers no OAuth or the
    /// user does not finish within five minutes.
    pub async fn login(&self, server: &Approved, show: impl FnOnce(&str)) -> Result<(), Error> {
        let (server, _) = &server.check()?;
        let url = server.url()?.ok_or_else(|| Error::Address("a program has no login".to_owned()))?;
        let page_of = url.clone();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(unreachable)?;
        let origin = format!("http://{}", listener.local_addr().map_err(unreachable)?);
        let mut manager = manager(url).await?;
        manager.set_credential_store(self.credentials(server));
        let mut state = OAuthState::Unauthorized(manager);
        let request = AuthorizationRequest::new(format!("{origin}/callback"))
            .with_client_name("skills")
            .with_initial_scope_selection();
        step(state.start_authorization(request)).await?;
        let asked = state.get_authorization_url().await.map_err(unreachable)?;
        let asked = Url::parse(&asked).map_err(unreachable)?;
        if asked.scheme() != "https" && !is_local(&asked) {
            return Err(Error::Unreachable("its page for the login is not encrypted".to_owned()));
        }
        // The client checks the addresses that it connects to itself, and the browser connects to this one.
        if asked.origin() != page_of.origin() && !Network::around(&page_of).permits_all(&asked).await {
            return Err(Error::Unreachable(format!(
                "its page for the login is on this machine or in a private network: {}",
                asked.host_str().unwrap_or_default()
            )));
        }
        let expected = value(&asked, "state").unwrap_or_default();
        show(asked.as_str());
        let answer = timeout(LOGIN_TIMEOUT, callback(&listener, &origin, &expected)).await;
        let answer =
            answer.map_err(|_| Error::Unreachable("the login was not finished in time".to_owned()))??;
        step(state.handle_callback_url(answer.as_str())).await
    }

    /// Returns a client that sends the token of the user and renews it, if there are credentials for the server.
    pub(crate) async fn authorized<C>(
        &self,
        server: &CheckedAddress,
        client: C,
    ) -> Result<Result<AuthClient<C>, C>, Error> {
        let server = server.address();
        let Some(url) = server.url()?.filter(|_| self.has(server)) else { return Ok(Err(client)) };
        let mut manager = manager(url).await?;
        manager.set_credential_store(self.credentials(server));
        let mut is_known = false;
        step(async { manager.initialize_from_store().await.map(|found| is_known = found) }).await?;
        Ok(if is_known { Ok(AuthClient::new(client, manager)) } else { Err(client) })
    }

    fn credentials(&self, server: &ServerAddress) -> Credentials {
        let digest = skills_text::hex(&hmac_sha256::Hash::hash(server.identity().as_bytes()));
        Credentials(self.0.join(digest))
    }
}

/// Returns the state machine of a login.
async fn manager(url: Url) -> Result<AuthorizationManager, Error> {
    let client = Arc::new(LoginClient::new(Network::around(&url), Arc::new(SystemNames))?);
    AuthorizationManager::new_with_oauth_http_client(url, client).await.map_err(unreachable)
}

/// The networks that metadata may lead to: the public one, and that of the server.
#[derive(Clone, Copy, Debug)]
struct Network {
    has_loopback: bool,
    has_private: bool,
}

impl Network {
    /// Returns the networks for a server. The addresses of a name do not count, because the owner of the name chooses
    /// them.
    fn around(server: &Url) -> Self {
        Self {
            has_loopback: is_local(server),
            has_private: literal(server).is_some_and(|address| is_private(canonical(address))),
        }
    }

    fn permits(self, address: IpAddr) -> bool {
        let address = canonical(address);
        is_public(address)
            || (self.has_loopback && address.is_loopback())
            || (self.has_private && is_private(address))
    }

    /// Returns `true` if the host of a URL has only permitted addresses. A name without an address leads nowhere.
    async fn permits_all(self, url: &Url) -> bool {
        if let Some(address) = literal(url) {
            return self.permits(address);
        }
        let port = url.port_or_known_default().unwrap_or_default();
        let found = timeout(RESOLVING, lookup_host((url.host_str().unwrap_or_default(), port))).await;
        found.is_ok_and(|found| {
            found.map_or(true, |mut found| found.all(|address| self.permits(address.ip())))
        })
    }
}

/// Returns the host of a URL, if it is an address.
fn literal(url: &Url) -> Option<IpAddr> {
    url.host_str()?.trim_matches(['[', ']']).parse().ok()
}

/// Returns the address of IPv4 in an address of IPv6 that contains one.
fn canonical(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(ip) if ip.is_loopback() || ip.is_unspecified() => address,
        IpAddr::V6(ip) => ip.to_ipv4().map_or(address, IpAddr::V4),
    }
}

/// Returns `true` for an address that any private network can use.
fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(ip) => ip.is_private() || (ip.octets()[0] == 100 && ip.octets()[1] & 0xc0 == 64),
        IpAddr::V6(ip) => ip.segments()[0] & 0xfe00 == 0xfc00,
    }
}

/// Resolves names with the resolver of the system.
struct SystemNames;

impl Resolve for SystemNames {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found: Vec<SocketAddr> = lookup_host((name.as_str(), 0)).await?.collect();
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// Resolves names to permitted addresses only.
struct PermittedNames {
    network: Network,
    names: Arc<dyn Resolve>,
    /// The hosts of proxies, which the user has configured. A proxy resolves the name of the server itself.
    proxies: Vec<String>,
}

impl Resolve for PermittedNames {
    fn resolve(&self, name: Name) -> Resolving {
        let (network, is_proxy) = (self.network, self.proxies.iter().any(|proxy| proxy == name.as_str()));
        let found = self.names.resolve(name);
        Box::pin(async move {
            let found = found.await?.filter(|address| is_proxy || network.permits(address.ip()));
            let found: Vec<SocketAddr> = found.collect();
            if found.is_empty() {
                return Err(INSIDE.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

const INSIDE: &str = "metadata leads to this machine or into a private network";

/// Sends the requests of a login. A redirect to another origin is not followed: rmcp would follow that of a
/// registration.
struct LoginClient {
    network: Network,
    follows: reqwest::Client,
    stops: reqwest::Client,
    meter: Meter,
}

impl LoginClient {
    fn new(network: Network, names: Arc<dyn Resolve>) -> Result<Self, Error> {
        let variables = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
        let proxies = variables.into_iter().filter_map(|name| {
            let proxy = std::env::var(name).ok()?;
            let proxy = if proxy.contains("://") { proxy } else { format!("http://{proxy}") };
            Url::parse(&proxy).ok()?.host_str().map(str::to_owned)
        });
        let names = Arc::new(PermittedNames { network, names, proxies: proxies.collect() });
        let build = |redirects| {
            let client = reqwest::Client::builder().timeout(STEP).redirect(redirects);
            client.dns_resolver(Arc::clone(&names)).build().map_err(unreachable)
        };
        let same_origin = Policy::custom(|attempt| {
            let origin = attempt.url().origin();
            let stays = attempt.previous().iter().all(|before| before.origin() == origin);
            if stays && attempt.previous().len() <= MAX_REDIRECTS { attempt.follow() } else { attempt.stop() }
        });
        let (follows, stops) = (build(same_origin)?, build(Policy::none())?);
        Ok(Self { network, follows, stops, meter: Meter::new(BUDGET) })
    }

    async fn send(&self, request: OAuthHttpRequest) -> Result<Response<Vec<u8>>, OAuthHttpClientError> {
        let client = match request.redirect_policy {
            OAuthHttpRedirectPolicy::Follow => &self.follows,
            _ => &self.stops,
        };
        let request = reqwest::Request::try_from(request.request)?;
        if literal(request.url()).is_some_and(|address| !self.network.permits(address)) {
            return Err(INSIDE.into());
        }
        let mut response = client.execute(request).await?;
        let mut body = Vec::new();
        while let Some(part) = response.chunk().await? {
            self.meter.add_bytes(part.len() as u64)?;
            body.extend_from_slice(&part);
        }
        let mut answer = Response::new(body);
        *answer.status_mut() = response.status();
        *answer.headers_mut() = response.headers().clone();
        Ok(answer)
    }
}

impl OAuthHttpClient for LoginClient {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(self.send(request))
    }
}

/// Returns `true` if an address belongs neither to this machine nor to a private network.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(ip) => {
            let [first, second, ..] = ip.octets();
            !(ip.is_private()
                || ip.is_loopback()
                || ip.is_link_local()
                || ip.is_broadcast()
                || ip.is_multicast()
                || first == 0
                || (first == 100 && second & 0xc0 == 64))
        }
        IpAddr::V6(ip) => match (ip.to_ipv4(), ip.segments()) {
            (Some(ip), _) => is_public(ip.into()),
            // Addresses of IPv4 inside those of IPv6: NAT64 and 6to4.
            (None, [0x64, 0xff9b, .., high, low]) | (None, [0x2002, high, low, ..]) => {
                is_public(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)).into())
            }
            (None, [first, ..]) => {
                !(ip.is_loopback()
                    || ip.is_unspecified()
                    || ip.is_multicast()
                    || first & 0xffc0 == 0xfe80
                    || first & 0xfe00 == 0xfc00)
            }
        },
    }
}

async fn step(work: impl Future<Output = Result<(), AuthError>>) -> Result<(), Error> {
    match timeout(STEP, work).await {
        Ok(done) => done.map_err(unreachable),
        Err(_) => Err(Error::Unreachable("the authorization server does not answer".to_owned())),
    }
}

fn unreachable(error: impl std::fmt::Display) -> Error {
    Error::Unreachable(error.to_string())
}

fn value(url: &Url, key: &str) -> Option<String> {
    url.query_pairs().find(|(name, _)| name == key).map(|(_, value)| value.into_owned())
}

/// Waits for the browser, and returns the address that it was sent to. Requests without the right `state` are refused:
/// any page in the browser can make them.
async fn callback(listener: &TcpListener, origin: &str, expected: &str) -> Result<Url, Error> {
    loop {
        let (mut stream, _) = listener.accept().await.map_err(unreachable)?;
        let target = timeout(Duration::from_secs(5), target(&mut stream)).await.ok().flatten();
        let url = target.and_then(|target| Url::parse(&format!("{origin}{target}")).ok());
        let is_answer =
            |url: &Url| url.path() == "/callback" && value(url, "state").as_deref() == Some(expected);
        let url = url.filter(is_answer);
        let refusal = url.as_ref().and_then(|url| value(url, "error"));
        let (status, text) = match (&url, &refusal) {
            (None, _) => ("404 Not Found", "This is not the page of the login."),
            (_, None) => ("200 OK", "You can close this page and return to the terminal."),
            (_, Some(_)) => ("200 OK", "The login was refused. You can close this page."),
        };
        let answer = format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
            text.len()
        );
        drop(timeout(Duration::from_secs(5), stream.write_all(answer.as_bytes())).await);
        match (url, refusal) {
            (_, Some(refusal)) => {
                return Err(Error::Unreachable(format!("the login was refused: {refusal}")));
            }
            (Some(url), None) => return Ok(url),
            (None, None) => {}
        }
    }
}

/// Reads the head of a request. Returns its path and query.
async fn target(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        if stream.read_buf(&mut head).await.ok()? == 0 || head.len() > LONGEST {
            return None;
        }
    }
    let line = std::str::from_utf8(&head).ok()?.lines().next()?;
    let mut words = line.strip_prefix("GET ")?.split(' ');
    words.next().filter(|target| target.starts_with('/')).map(str::to_owned)
}

/// The directory with the credentials for one server.
struct Credentials(PathBuf);

#[async_trait]
impl CredentialStore for Credentials {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        match skills_files::read(&self.0.join(FILE), LARGEST) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|_| unkept("it is damaged")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unkept(error)),
        }
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        let bytes = serde_json::to_vec(&credentials).map_err(unkept)?;
        create_private_dir(&self.0).map_err(unkept)?;
        let directory = Dir::open(&self.0).map_err(unkept)?;
        #[cfg(unix)]
        let permissions = Some(std::os::unix::fs::PermissionsExt::from_mode(0o600));
        #[cfg(not(unix))]
        let permissions = None;
        directory.replace(OsStr::new(FILE), &bytes, permissions).map_err(unkept)
    }

    async fn clear(&self) -> Result<(), AuthError> {
        match fs::remove_file(self.0.join(FILE)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unkept(error)),
            _ => Ok(()),
        }
    }

    /// Renews a token in one process at a time, because many servers accept each refresh token only
    /// once.
    async fn acquire_refresh_guard(&self) -> Result<Option<CredentialRefreshGuard>, AuthError> {
        create_private_dir(&self.0).map_err(unkept)?;
        let locked = async {
            loop {
                match open_locked(&self.0.join(".lock")).map_err(unkept)? {
                    Some(locked) => return Ok(Some(CredentialRefreshGuard::new(locked))),
                    None => sleep(Duration::from_millis(50)).await,
                }
            }
        };
        timeout(STEP, locked).await.map_err(unkept)?
    }
}

/// Converts an error of reading or writing credentials, without including any part of the
/// credentials.
fn unkept(error: impl std::fmt::Display) -> AuthError {
    AuthError::CredentialStoreError(error.to_string())
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, SocketAddr};
    use std::sync::Arc;

    use reqwest::Url;
    use reqwest::dns::{Addrs, Name, Resolve, Resolving};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::{LoginClient, Network, is_public};

    /// Resolves every name to this machine.
    struct Rebound;

    impl Resolve for Rebound {
        fn resolve(&self, _: Name) -> Resolving {
            let found = [SocketAddr::from(([127, 0, 0, 1], 0))];
            Box::pin(async move { Ok(Box::new(found.into_iter()) as Addrs) })
        }
    }

    // SPEC 22.9: the resolved addresses count, of the name of the server as well
    #[tokio::test]
    async fn a_name_that_resolves_to_this_machine_is_not_connected_to() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let answers = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("a client");
            let mut head = [0; 1024];
            assert_ne!(stream.read(&mut head).await.expect("a request"), 0);
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
            stream.write_all(answer.as_bytes()).await.expect("sent");
        });
        for (server, is_sent) in [("https://mcp.example/", false), ("http://127.0.0.1:1/", true)] {
            let server = Url::parse(server).expect("a URL");
            let client = LoginClient::new(Network::around(&server), Arc::new(Rebound)).expect("a client");
            let sent = client.stops.get(format!("http://inside.example:{port}/")).send().await;
            assert_eq!(sent.is_ok(), is_sent, "{server}: {sent:?}");
        }
        answers.await.expect("answered once");
    }

    // SPEC 22.9
    #[test]
    fn metadata_leads_only_into_the_network_of_its_server() {
        let permits = |server: &str, address: &str| {
            let address: IpAddr = address.parse().expect("an address");
            Network::around(&Url::parse(server).expect("a URL")).permits(address)
        };
        for server in ["https://mcp.example", "http://localhost", "http://127.0.0.1:80", "https://10.0.0.1"] {
            assert!(permits(server, "1.1.1.1"), "{server}");
            assert_eq!(permits(server, "127.0.0.2"), server.starts_with("http:"), "{server}");
            assert_eq!(permits(server, "::1"), server.starts_with("http:"), "{server}");
            assert_eq!(permits(server, "::ffff:127.0.0.1"), server.starts_with("http:"), "{server}");
            assert_eq!(permits(server, "10.0.0.9"), server == "https://10.0.0.1", "{server}");
            assert_eq!(permits(server, "fd00::1"), server == "https://10.0.0.1", "{server}");
            assert!(!permits(server, "169.254.169.254"), "{server}");
            assert!(!permits(server, "0.0.0.0"), "{server}");
        }
    }

    // SPEC 22.9
    #[test]
    fn addresses_of_this_machine_and_of_private_networks_are_not_public() {
        for inside in [
            "127.0.0.1",
            "127.8.8.8",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "100.64.0.1",
            "169.254.169.254",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:10.0.0.1",
            "64:ff9b::7f00:1",
            "2002:c0a8:101::1",
            "fe80::1",
            "fd00::1",
        ] {
            assert!(!is_public(inside.parse().expect("an address")), "{inside}");
        }
        for public in ["1.1.1.1", "100.128.0.1", "172.32.0.1", "2606:4700::1111", "64:ff9b::101:101"] {
            assert!(is_public(public.parse().expect("an address")), "{public}");
        }
    }
}
