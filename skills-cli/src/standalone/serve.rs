//! `skills serve`: the skills over HTTP, for this machine unless there is a token (SPEC 11.2, 11.3).

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use skills_http::{Api, Guard, bind, ui};
use skills_runtime::call::{Failure, Runner};
use skills_runtime::load::{Live, Watch};

use super::source::{self, Directories, Skills};
use crate::model::Model;
use crate::workspace::Workspace;
use crate::{failure, interrupt, terminal};

/// The arguments of `skills serve`.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    #[command(flatten)]
    directories: Directories,
    /// The address; port 0 takes a free one. One that other machines can reach needs a token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8787")]
    bind: SocketAddr,
    /// Let clients run programs and call skills
    #[arg(long)]
    enable_exec: bool,
    /// Serve a page for people at `/`; with a token they open `/#token=TOKEN`
    #[arg(long)]
    ui: bool,
    /// The variable of the environment that holds the token: clients send it as `Authorization: Bearer TOKEN`
    #[arg(long, value_name = "VAR")]
    token_env: Option<String>,
    /// A name by which clients reach this machine, besides `localhost` and the address (repeatable)
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    #[command(flatten)]
    workspace: Workspace,
    #[command(flatten)]
    model: Model,
}

impl Serve {
    /// Serves until a signal comes; prints the address once it answers.
    ///
    /// # Errors
    /// The token is missing where there must be one.
    pub(crate) fn run(&self) -> Result<ExitCode, String> {
        let guard = self.guard()?;
        let Some(layers) = self.directories.read() else { return Ok(ExitCode::FAILURE) };
        let live = Arc::new(Live::with(self.directories.builder(), layers));
        let skills = match Current::of(&live, &self.model) {
            Ok(skills) => skills,
            Err(reason) => return Ok(failure::told(&reason)),
        };
        let api = Api::live(move || skills.runner());
        let api = self.workspace.path().into_iter().fold(api, Api::workspace);
        let api = if self.enable_exec { api.enable_exec() } else { api.read_only_chat() };
        let mut routes = api.routes().merge(api.chat());
        if self.ui {
            routes = routes.merge(ui());
        }
        let serving = interrupt::run(async {
            let server = bind(self.bind).await?;
            let address = server.address()?;
            match terminal::data(&format!("http://{address}\n")) {
                ExitCode::SUCCESS => server.run(routes, guard).await,
                unwritten => return Ok(unwritten),
            }
            Ok::<_, std::io::Error>(ExitCode::SUCCESS)
        });
        Ok(match serving {
            Ok(None) => ExitCode::SUCCESS,
            Ok(Some(Ok(code))) => code,
            Ok(Some(Err(error))) => failure::told(&format!("error: cannot serve at {}: {error}", self.bind)),
            Err(reason) => failure::told(&reason),
        })
    }

    /// Decides who may ask.
    fn guard(&self) -> Result<Guard, String> {
        let ip = self.bind.ip();
        let guard = self.host.iter().fold(Guard::new().host(ip.to_string()), Guard::host);
        // The page holds nothing that the token protects.
        let guard = if self.ui { guard.open("/") } else { guard };
        let Some(variable) = &self.token_env else {
            return if ip.is_loopback() {
                Ok(guard)
            } else {
                Err(format!(
                    "other machines can reach {ip}, so a token is needed: name a variable that holds it by \
                     `--token-env`"
                ))
            };
        };
        match std::env::var(variable) {
            Ok(token) if !token.trim().is_empty() => Ok(guard.token(token.trim())),
            Ok(_) | Err(std::env::VarError::NotPresent) => {
                Err(format!("`--token-env`: the variable {variable} is not set"))
            }
            Err(std::env::VarError::NotUnicode(_)) => {
                Err(format!("`--token-env`: the variable {variable} is not UTF-8"))
            }
        }
    }
}

/// The skills as they are now.
struct Current {
    live: Arc<Live>,
    /// What a runner is made of: it has the model.
    runner: Runner,
    /// Whether changes are not told, or were not taken up: directories are then read for each request.
    is_blind: Arc<AtomicBool>,
    _watch: Option<Watch>,
}

impl Current {
    fn of(live: &Arc<Live>, model: &Model) -> Result<Self, String> {
        let runner = model.give(Runner::from(live.layers()))?;
        let is_blind = Arc::new(AtomicBool::new(false));
        let blinded = Arc::clone(&is_blind);
        let watch = live.watch(move |outcome| match outcome {
            Ok(changes) => changes.new_problems.iter().for_each(source::tell_problem),
            Err(error) => {
                terminal::line(&format!("error: {error}"));
                blinded.store(true, Ordering::Release);
            }
        });
        let watch = watch.inspect_err(|error| {
            terminal::line(&format!(
                "note: skills are read for each request, since they cannot be watched: {error}"
            ));
            is_blind.store(true, Ordering::Release);
        });
        Ok(Self { live: Arc::clone(live), runner, is_blind, _watch: watch.ok() })
    }

    fn runner(&self) -> Result<Runner, Failure> {
        if self.is_blind.load(Ordering::Acquire) {
            self.live.reload()?;
        }
        Ok(self.runner.clone().layers(self.live.layers()))
    }
}
