//! Replaces the option `--mcp` in a build without the feature `mcp`.

use clap::Args;
use skills_load::Builder;

#[derive(Debug, Args)]
pub(crate) struct Servers {}

impl Servers {
    pub(crate) fn is_empty(&self) -> bool {
        true
    }

    pub(crate) fn add(&self, builder: Builder) -> Builder {
        builder
    }

    pub(crate) fn identities(&self) -> impl Iterator<Item = (&str, String)> {
        std::iter::empty()
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

/// The approval of skills of a server.
pub(crate) mod approval {
    use std::process::ExitCode;

    use skills_load::trust::TrustStore;

    use super::Servers;
    use crate::trust::Candidate;

    pub(crate) fn candidates(_: &Servers, _: &TrustStore) -> Result<Vec<Candidate>, String> {
        Ok(Vec::new())
    }

    pub(crate) fn login(_: &Servers) -> Result<(), ExitCode> {
        Ok(())
    }

    pub(crate) fn forget(_: &Servers) -> Result<(), String> {
        Ok(())
    }

    pub(crate) fn texts(_: &Servers, _: &TrustStore, _: &Candidate) -> String {
        String::new()
    }
}
