//! OAuth for servers over HTTP: the login in a browser, and the tokens in files of this user.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use reqwest::Url;
use rmcp::transport::auth::{
    AuthClient, AuthError, AuthorizationManager, AuthorizationRequest, CredentialRefreshGuard,
    CredentialStore, OAuthState, StoredCredentials,
};
use skills_files::{Dir, create_private_dir, open_locked};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, lookup_host};
use tokio::time::{sleep, timeout};

use crate::address::{ServerAddress, is_local};
use crate::approved::Approved;
use crate::error::Error;
use crate::open::Checked;

/// How long the user may take in the browser, and how long each other step may take.
const LOGIN_TIMEOUT: Duration = Duration::from_secs(5 * 60);
const STEP: Duration = Duration::from_secs(60);

/// How long the look-up of a name may take.
const RESOLVING: Duration = Duration::from_secs(10);

/// The maximum size of a file of credentials and of a request of the browser, in bytes.
const LARGEST: u64 = 256 * 1024;
const LONGEST: usize = 16 * 1024;

const FILE: &str = "credentials.json";

/// The credentials of this user for servers that ask for OAuth. Tokens are renewed, and never shown.
///
/// Each server has a directory that only this user can read.
#[derive(Clone, Debug)]
pub struct Logins(PathBuf);

impl Logins {
    /// Keeps credentials below a directory, which is created by the first login.
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self(directory.into())
    }

    /// Returns `true` if there are credentials for a server.
    pub fn has(&self, server: &ServerAddress) -> bool {
        self.of(server).0.join(FILE).exists()
    }

    /// Removes the credentials for a server.
    ///
    /// # Errors
    /// The error of the system.
    pub fn remove(&self, server: &ServerAddress) -> io::Result<()> {
        match fs::remove_dir_all(self.of(server).0) {
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
        let server = &server.check()?;
        let url = server.url()?.ok_or_else(|| Error::Address("a program has no login".to_owned()))?;
        let page_of = url.clone();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(unreachable)?;
        let origin = format!("http://{}", listener.local_addr().map_err(unreachable)?);
        let mut manager = AuthorizationManager::new(url).await.map_err(unreachable)?;
        manager.set_credential_store(self.of(server));
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
        // rmcp checks the addresses that it connects to itself, and the browser connects to this one.
        if asked.origin() != page_of.origin() && !is_local(&page_of) && leads_inside(&asked).await {
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
        server: &Checked,
        client: C,
    ) -> Result<Result<AuthClient<C>, C>, Error> {
        let server = server.address();
        let Some(url) = server.url()?.filter(|_| self.has(server)) else { return Ok(Err(client)) };
        let mut manager = AuthorizationManager::new(url).await.map_err(unreachable)?;
        manager.set_credential_store(self.of(server));
        let mut is_known = false;
        step(async { manager.initialize_from_store().await.map(|found| is_known = found) }).await?;
        Ok(if is_known { Ok(AuthClient::new(client, manager)) } else { Err(client) })
    }

    fn of(&self, server: &ServerAddress) -> Credentials {
        let digest = skills_text::hex(&hmac_sha256::Hash::hash(server.identity().as_bytes()));
        Credentials(self.0.join(digest))
    }
}

/// Returns `true` if the host of a URL is, or has, an address of this machine or of a private network.
async fn leads_inside(url: &Url) -> bool {
    let port = url.port_or_known_default().unwrap_or_default();
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let found = timeout(RESOLVING, lookup_host((host, port))).await;
    // A name without an address leads nowhere.
    found.is_ok_and(|found| found.is_ok_and(|mut found| found.any(|address| !is_public(address.ip()))))
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
    use super::is_public;

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
