//! `serve`: serves skills over HTTP. Without a token, only this machine can reach them.

use std::io;
use std::net::SocketAddr;
use std::process::ExitCode;

use clap::Args;
use skills_call::{Failure, Runner};
use skills_http::{Api, Guard, bind, ui};

use crate::arguments::Workspace;
use crate::bundle::Bundle;
use crate::call::{OnDemand, interrupt};
use crate::confined::Confined;
use crate::failure::Ended;
use crate::guard::guard;
use crate::model::ModelArgs;
use crate::{failure, terminal};

#[derive(Debug, Args)]
pub struct Listener {
    /// The address to listen at; port 0 selects a free port. An address that other machines can reach requires
    /// `--token-env`
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8787")]
    bind: SocketAddr,
    /// Allow clients to run programs and call skills
    #[arg(long)]
    enable_exec: bool,
    /// Serve a web page at `/`; with a token, open `/#token=TOKEN`
    #[arg(long)]
    ui: bool,
    /// Require the token in this environment variable; clients send it as `Authorization: Bearer TOKEN`
    #[arg(long, value_name = "VAR")]
    token_env: Option<String>,
    /// Another host name that clients may use for this server, besides `localhost` and the address (repeatable)
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    #[command(flatten)]
    workspace: Workspace,
    #[command(flatten)]
    confined: Confined,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    on_demand: OnDemand,
}

impl Listener {
    /// Applies the model and the policy of the arguments to a runner. `own` is `true` if a program set its
    /// policy.
    pub fn equip(&self, runner: Runner, own: bool) -> Result<Runner, ExitCode> {
        self.model.apply_to(self.on_demand.apply_to(self.confined.apply_to(runner, own)?, None))
    }

    /// Serves the skills of a program.
    pub(crate) fn run_in(&self, bundle: &Bundle<'_>) -> Ended {
        let guard = self.guard()?;
        let runner = self.equip(bundle.own_runner()?, true)?;
        self.listen(guard, move || Ok(runner.clone()))
    }

    /// Serves the current result of `source` for each request until a signal arrives. Prints the address when
    /// the server is ready.
    pub fn listen(
        &self,
        guard: Guard,
        source: impl Fn() -> Result<Runner, Failure> + Send + Sync + 'static,
    ) -> Ended {
        let api = self.workspace.path().into_iter().fold(Api::live(source), Api::workspace);
        let api = if self.enable_exec { api.enable_exec() } else { api.read_only_chat() };
        let mut routes = api.routes().merge(api.chat());
        if self.ui {
            routes = routes.merge(ui());
        }
        let serving = interrupt::run_server(async {
            let server = bind(self.bind).await?;
            let address = server.address()?;
            match terminal::exact(&format!("http://{address}\n")) {
                ExitCode::SUCCESS => {}
                unwritten => return Ok(unwritten),
            }
            if !self.ui {
                terminal::status(&format!(
                    "the list of skills is at http://{address}/v1/skills; `--ui` adds a web page at /"
                ));
            }
            server.run(routes, guard).await;
            Ok::<_, io::Error>(ExitCode::SUCCESS)
        });
        match serving? {
            Ok(served) => {
                served.map_err(|problem| failure::error(format!("cannot serve at {}: {problem}", self.bind)))
            }
            Err(signal) => Ok(signal.code_of_server()),
        }
    }

    /// Returns who may send requests.
    pub fn guard(&self) -> Result<Guard, ExitCode> {
        let guard = guard(self.bind.ip(), self.token_env.as_deref()).map_err(terminal::usage)?;
        let guard = self.allow_host.iter().fold(guard, Guard::host);
        // The page contains nothing that the token protects.
        Ok(if self.ui { guard.open("/") } else { guard })
    }
}
