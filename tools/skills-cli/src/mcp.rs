//! `mcp`: serves skills to clients of the Model Context Protocol, on standard input and output or over HTTP.

use std::io;
use std::net::SocketAddr;
use std::process::ExitCode;

use clap::Args;
use skills_call::Runner;
use skills_mcp::{Guard, Server, bind, stdio};

use crate::confined::Confined;
use crate::failure::Ended;
use crate::guard::guard;
use crate::on_demand::OnDemand;
#[cfg(feature = "otlp")]
use crate::otlp::Otlp;
use crate::{failure, interrupt, terminal};

#[derive(Debug, Args)]
pub(crate) struct Channel {
    /// Serve over HTTP at this address, below /mcp, instead of standard input and output
    #[arg(long, value_name = "ADDRESS:PORT")]
    http: Option<SocketAddr>,
    /// Demand the token in this environment variable
    #[arg(long, value_name = "VAR", requires = "http")]
    token_env: Option<String>,
    #[command(flatten)]
    confined: Confined,
    #[command(flatten)]
    on_demand: OnDemand,
    #[cfg(feature = "otlp")]
    #[command(flatten)]
    pub(crate) otlp: Otlp,
}

impl Channel {
    /// Applies the arguments to a runner. `own` is `true` if a program set its policy.
    pub(crate) fn equip(&self, runner: Runner, own: bool) -> Result<Runner, ExitCode> {
        let runner = self.on_demand.give(self.confined.give(runner, own)?, None);
        #[cfg(feature = "otlp")]
        let runner = self.otlp.give(runner);
        Ok(runner)
    }

    /// Serves until the client closes its side or a signal arrives. Then stops the programs that calls have
    /// started.
    pub(crate) fn run(&self, server: Server, guard: Guard) -> Ended {
        match interrupt::run_alone(self.serve(server, guard))? {
            Ok(served) => served.map(|()| ExitCode::SUCCESS).map_err(failure::error),
            Err(_) => Ok(ExitCode::SUCCESS),
        }
    }

    async fn serve(&self, server: Server, guard: Guard) -> io::Result<()> {
        let Some(address) = self.http else { return stdio(server).await };
        let bound = bind(address).await?;
        terminal::line(&format!("listening at http://{}/mcp", bound.address()?));
        bound.run(server.routes(), guard).await;
        Ok(())
    }

    /// Returns who may send requests. A server that other machines can reach needs a token, since clients run
    /// programs.
    pub(crate) fn guard(&self) -> Result<Guard, ExitCode> {
        match self.http {
            Some(address) => guard(address.ip(), self.token_env.as_deref()).map_err(terminal::usage),
            None => Ok(Guard::new()),
        }
    }
}
