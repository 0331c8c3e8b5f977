//! `mcp`: skills of directories, as they are at the time, for clients of the Model Context Protocol (SPEC 1.6, 11.1, 11.4).

use std::io;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use skills_mcp::{Guard, Notifier, Server, bind, stdio};
use skills_runtime::call::Runner;
use skills_runtime::load::{Changes, Live, Watch, WatchError};

use super::source::{self, Place, Skills};
use crate::terminal;

/// The arguments of `mcp`.
#[derive(Debug, Args)]
pub(crate) struct Mcp {
    #[command(flatten)]
    skills: Place,
    /// Serve over HTTP at this address, below /mcp, instead of standard input and output
    #[arg(long, value_name = "ADDRESS:PORT")]
    http: Option<SocketAddr>,
    /// Demand the token in this environment variable
    #[arg(long, value_name = "VAR", requires = "http")]
    token_env: Option<String>,
}

impl Mcp {
    /// Serves until the client closes its side, or a signal comes; what calls run is then stopped.
    pub(crate) fn run(&self) -> Result<ExitCode, String> {
        let guard = self.guard()?;
        let Some(layers) = self.skills.read() else { return Ok(ExitCode::FAILURE) };
        let current = Current::of(Live::with(self.skills.builder(), layers));
        let notifier = current.notifier.clone();
        let server = Server::live(move || Ok(current.runner())).notifier(&notifier);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| format!("no runtime can be made: {error}"))?;
        let served = runtime.block_on(async {
            tokio::select! {
                served = self.serve(server, guard) => served,
                stopped = stop() => stopped,
            }
        });
        // Calls are dropped, and their processes end; a thread that waits for standard input is not waited for.
        runtime.shutdown_background();
        Ok(match served {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                terminal::line(&format!("error: {error}"));
                ExitCode::FAILURE
            }
        })
    }

    async fn serve(&self, server: Server, guard: Guard) -> io::Result<()> {
        let Some(address) = self.http else { return stdio(server).await };
        let bound = bind(address).await?;
        terminal::line(&format!("listening at http://{}/mcp", bound.address()?));
        bound.run(server.routes(), guard).await;
        Ok(())
    }

    /// Says who may ask. What others than this machine can reach wants a token, since clients run programs.
    fn guard(&self) -> Result<Guard, String> {
        let mut guard = Guard::new();
        if let Some(address) = self.http.filter(|address| !address.ip().is_loopback()) {
            if self.token_env.is_none() {
                return Err(format!(
                    "{address} can be reached from elsewhere: name a token with --token-env"
                ));
            }
            guard = guard.host(address.ip().to_string());
        }
        match &self.token_env {
            None => Ok(guard),
            Some(name) => match std::env::var(name) {
                Ok(token) if !token.trim().is_empty() => Ok(guard.token(token.trim())),
                _ => Err(format!("the environment variable {name} holds no token")),
            },
        }
    }
}

/// The skills as they could be read last.
struct Current {
    live: Arc<Live>,
    notifier: Notifier,
    /// Whether the system does not tell of changes: directories are then read for each request.
    is_blind: Arc<AtomicBool>,
    _watch: Option<Watch>,
}

impl Current {
    fn of(live: Live) -> Self {
        let (live, notifier) = (Arc::new(live), Notifier::default());
        let is_blind = Arc::new(AtomicBool::new(false));
        let (clients, blinded) = (notifier.clone(), Arc::clone(&is_blind));
        let watch = live.watch(move |outcome| match outcome {
            Ok(changes) => tell(&changes, &clients),
            Err(error) => {
                terminal::line(&format!("error: {error}"));
                // What cannot be read now is read when it changes again.
                if matches!(error, WatchError::System(_)) {
                    blinded.store(true, Ordering::Release);
                }
            }
        });
        let watch = watch.inspect_err(|error| {
            terminal::line(&format!(
                "note: skills are read for each request, since they cannot be watched: {error}"
            ));
            is_blind.store(true, Ordering::Release);
        });
        Self { live, notifier, is_blind, _watch: watch.ok() }
    }

    fn runner(&self) -> Runner {
        if self.is_blind.load(Ordering::Acquire) {
            match self.live.reload() {
                Ok(changes) if changes.is_empty() => {}
                Ok(changes) => tell(&changes, &self.notifier),
                Err(error) => terminal::line(&format!("error: {error}")),
            }
        }
        Runner::from(self.live.layers())
    }
}

/// Tells of new problems here, and of changes to the clients.
fn tell(changes: &Changes, clients: &Notifier) {
    changes.new_problems.iter().for_each(source::tell_problem);
    clients.changed();
}

/// Waits for a signal to stop.
async fn stop() -> io::Result<()> {
    #[cfg(unix)]
    {
        let mut terminated = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
        tokio::select! {
            stopped = tokio::signal::ctrl_c() => stopped,
            _ = terminated.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
