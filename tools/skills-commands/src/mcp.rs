//! `mcp`: serves skills to clients of the Model Context Protocol, on standard input and output or over HTTP.

use std::io;
use std::net::SocketAddr;
use std::process::ExitCode;

use clap::Args;
use skills_call::Runner;
use skills_mcp::{Guard, Server, bind, stdio};

use crate::bundle::Bundle;
use crate::call::{OnDemand, interrupt};
use crate::confined::Confined;
use crate::failure::Ended;
use crate::guard::guard;
use crate::{failure, terminal};

#[derive(Debug, Args)]
pub struct Channel {
    /// Serve over HTTP at this address, under /mcp, instead of standard input and output; port 0 selects a free port
    #[arg(long, value_name = "ADDRESS")]
    bind: Option<SocketAddr>,
    /// Require clients to send the token in this environment variable
    #[arg(long, value_name = "VAR", requires = "bind")]
    token_env: Option<String>,
    #[command(flatten)]
    confined: Confined,
    #[command(flatten)]
    on_demand: OnDemand,
}

impl Channel {
    /// Applies the arguments to a runner. `own` is `true` if a program set its policy.
    pub fn equip(&self, runner: Runner, own: bool) -> Result<Runner, ExitCode> {
        Ok(self.on_demand.apply_to(self.confined.apply_to(runner, own)?, None))
    }

    /// Serves the skills of a program.
    pub(crate) fn run_in(&self, bundle: &Bundle<'_>) -> Ended {
        let guard = self.guard()?;
        let server = Server::new(self.equip(bundle.own_runner()?, true)?);
        let version = bundle.version.unwrap_or(env!("CARGO_PKG_VERSION"));
        self.run(server.identity(bundle.name, version), guard)
    }

    /// Serves until the client closes its side or a signal arrives. Then stops the programs that calls have
    /// started.
    pub fn run(&self, server: Server, guard: Guard) -> Ended {
        match interrupt::run_alone(self.serve(server, guard))? {
            Ok(served) => served.map(|()| ExitCode::SUCCESS).map_err(failure::error),
            Err(signal) => Ok(signal.code_of_server()),
        }
    }

    async fn serve(&self, server: Server, guard: Guard) -> io::Result<()> {
        let Some(address) = self.bind else { return stdio(server).await };
        let bound = bind(address).await?;
        terminal::line(&format!("listening at http://{}/mcp", bound.address()?));
        bound.run(server.routes(), guard).await;
        Ok(())
    }

    /// Returns who may send requests. A server that other machines can reach needs a token, since clients run
    /// programs.
    pub fn guard(&self) -> Result<Guard, ExitCode> {
        match self.bind {
            Some(address) => guard(address.ip(), self.token_env.as_deref()).map_err(terminal::usage),
            None => Ok(Guard::new()),
        }
    }
}
