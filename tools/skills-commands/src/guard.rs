//! Decides who may send requests to a server: programs on this machine if the address is local, and otherwise
//! clients with a token.

use std::net::IpAddr;

use skills_serve::Guard;

use crate::failure::CommandError;

/// Creates the guard of a server at an address. `token_env` names the variable that holds the token.
pub(crate) fn guard(ip: IpAddr, token_env: Option<&str>) -> Result<Guard, CommandError> {
    let guard = Guard::new().host(ip.to_string());
    let Some(variable) = token_env else {
        return if ip.is_loopback() {
            Ok(guard)
        } else {
            Err(CommandError::from(format!(
                "other machines can reach {ip}, so a token is required: name the variable that holds it with `--token-env`"
            )))
        };
    };
    match std::env::var(variable) {
        Ok(token) if !token.trim().is_empty() => Ok(guard.token(token.trim())),
        Ok(_) | Err(std::env::VarError::NotPresent) => {
            Err(format!("`--token-env`: the variable {variable} is not set").into())
        }
        Err(std::env::VarError::NotUnicode(_)) => {
            Err(format!("`--token-env`: the variable {variable} is not UTF-8").into())
        }
    }
}
