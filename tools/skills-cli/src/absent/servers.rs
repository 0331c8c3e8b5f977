//! Replaces the option `--mcp` in a build without the feature `mcp`.

use clap::Args;
use skills_load::LayersBuilder;

#[derive(Debug, Args)]
pub(crate) struct Servers {}

impl Servers {
    pub(crate) fn is_empty(&self) -> bool {
        true
    }

    pub(crate) fn add(&self, builder: LayersBuilder) -> LayersBuilder {
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
    use std::path::PathBuf;
    use std::process::ExitCode;

    use skills_load::trust::{TrustStore, TrustStoreError};

    use super::Servers;
    use crate::trust::Candidate;

    /// The use of a server, of which there is none.
    pub(crate) enum ServerUse {}

    impl ServerUse {
        pub(crate) fn lines(&self) -> Vec<String> {
            match *self {}
        }

        pub(crate) fn changes(&self, _: &TrustStore) -> Option<String> {
            match *self {}
        }

        pub(crate) fn is_approved(&self, _: &TrustStore) -> bool {
            match *self {}
        }

        pub(crate) fn approve(&self, _: &mut TrustStore) -> Result<(), TrustStoreError> {
            match *self {}
        }
    }

    pub(crate) fn uses<'s>(_: &'s Servers, _: &TrustStore) -> Result<Vec<(&'s str, ServerUse)>, String> {
        Ok(Vec::new())
    }

    pub(crate) fn withdraw(_: &Servers, _: &mut TrustStore) -> Result<Vec<PathBuf>, String> {
        Ok(Vec::new())
    }

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
