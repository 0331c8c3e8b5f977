//! `serve`: serves skills over HTTP. Without a token, only this machine can reach them.

use std::io;
use std::net::SocketAddr;
use std::process::ExitCode;

use clap::Args;
use skills_call::{Failure, Runner};
use skills_http::{Api, Guard, bind, ui};

use crate::confined::Confined;
use crate::failure::Ended;
use crate::guard::guard;
use crate::model::Model;
use crate::on_demand::OnDemand;
#[cfg(feature = "otlp")]
use crate::otlp::Otlp;
use crate::workspace::Workspace;
use crate::{failure, interrupt, terminal};

#[derive(Debug, Args)]
pub(crate) struct Listener {
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
    confined: Confined,
    #[command(flatten)]
    model: Model,
    #[command(flatten)]
    on_demand: OnDemand,
    #[cfg(feature = "otlp")]
    #[command(flatten)]
    pub(crate) otlp: Otlp,
}

impl Listener {
    /// Applies the model and the policy of the arguments to a runner. `own` is `true` if a program set its
    /// policy.
    pub(crate) fn equip(&self, runner: Runner, own: bool) -> Result<Runner, ExitCode> {
        let runner = self.on_demand.give(self.confined.give(runner, own)?, None);
        #[cfg(feature = "otlp")]
        let runner = self.otlp.give(runner);
        self.model.give(runner)
    }

    /// Serves the current result of `source` for each request until a signal arrives. Prints the address when
    /// the server is ready.
    pub(crate) fn listen(
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
                ExitCode::SUCCESS => server.run(routes, guard).await,
                unwritten => return Ok(unwritten),
            }
            Ok::<_, io::Error>(ExitCode::SUCCESS)
        });
        match serving? {
            Ok(served) => {
                served.map_err(|problem| failure::error(format!("cannot serve at {}: {problem}", self.bind)))
            }
            Err(_) => Ok(ExitCode::SUCCESS),
        }
    }

    /// Returns who may send requests.
    pub(crate) fn guard(&self) -> Result<Guard, ExitCode> {
        let guard = guard(self.bind.ip(), self.token_env.as_deref()).map_err(terminal::usage)?;
        let guard = self.host.iter().fold(guard, Guard::host);
        // The page contains nothing that the token protects.
        Ok(if self.ui { guard.open("/") } else { guard })
    }
}
