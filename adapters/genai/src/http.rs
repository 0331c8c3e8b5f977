//! Creates an HTTP client that does not follow redirects.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::config::ConfigError;

const CONNECT: Duration = Duration::from_secs(30);

/// Creates the client. It does not open a connection yet.
pub(crate) fn client(base_url: &Url, idle: Duration) -> Result<reqwest::Client, ConfigError> {
    let mut builder = reqwest::Client::builder()
        .tls_backend_preconfigured(tls(base_url)?)
        // A redirect would send the key, which is in a provider-specific header, to another host (SPEC 12.4).
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT)
        .read_timeout(idle)
        .tcp_nodelay(true);
    // No proxy can reach this machine.
    if base_url.host_str().is_some_and(skills_registry::is_loopback) {
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| ConfigError::new(format!("no HTTP client: {}", error.without_url())))
}

fn tls(base_url: &Url) -> Result<ClientConfig, ConfigError> {
    let failed = |error: rustls::Error| ConfigError::new(format!("no TLS: {error}"));
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(failed)?;
    // Plain HTTP needs no certificates.
    let mut config = if base_url.scheme() == "http" {
        builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth()
    } else {
        builder.with_platform_verifier().map_err(failed)?.with_no_client_auth()
    };
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
