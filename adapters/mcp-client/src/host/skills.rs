//! The skills of one server.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::model::Skill;
use crate::{Changed, Connection, Error, Listing};
use skills_load::{RemoteFile, RemoteList, RemoteReadError, RemoteSkill, RemoteSkills};
use skills_registry::MAX_BYTES;
use skills_text::hidden_runs;

use super::Thread;
use super::cache::Cache;
use super::entry::check_all;

/// The shortest time between two requests for the list, however often the server reports changes.
const SHORTEST: Duration = Duration::from_secs(1);

/// The skills of an MCP server. Give it to [`LayersBuilder::mcp`](skills_load::LayersBuilder::mcp).
pub struct McpSkills {
    label: String,
    server: String,
    connection: Connection,
    thread: Arc<Thread>,
    cache: Cache,
    unlisted: Vec<String>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    list: Option<(Instant, u64, RemoteList)>,
    /// The URI of each file, by the URI of its skill and its path.
    uris: HashMap<(String, String), String>,
}

impl McpSkills {
    pub(crate) fn new(label: &str, connection: Connection, thread: Arc<Thread>, cache: Cache) -> Self {
        let server = connection.server().identity();
        let (label, state) = (label.to_owned(), Mutex::default());
        Self { label, server, connection, thread, cache, unlisted: Vec::new(), state }
    }

    /// Also offers a skill that the server does not list, by the URI of its `SKILL.md`.
    #[must_use]
    pub fn skill(mut self, uri: impl Into<String>) -> Self {
        self.unlisted.push(uri.into());
        self
    }

    /// Returns the connection, on which tools of the server can be called.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Returns a file of a skill as it was approved, by its digest, if it is in the cache.
    pub fn cached(&self, uri: &str, sha256: &[u8; 32]) -> Option<Vec<u8>> {
        self.cache.get(&self.server, uri, sha256, u32::try_from(MAX_BYTES).unwrap_or(u32::MAX))
    }

    fn changed(&self) -> u64 {
        let Changed { resources, .. } = *self.connection.changes().borrow();
        resources
    }

    /// Requests the list, and the entries of skills that are not listed.
    fn request(&self) -> Result<Listing, Error> {
        let (connection, unlisted) = (self.connection.clone(), self.unlisted.clone());
        self.thread.wait(async move {
            let mut listing = connection.skills().await?;
            for uri in unlisted {
                if listing.skills.iter().any(|entry| entry.uri == uri) {
                    continue;
                }
                match connection.skill(&uri).await {
                    Ok(skill) => listing.skills.push(skill),
                    Err(error) => listing.invalid.push(format!("{uri}: {error}")),
                }
            }
            Ok(listing)
        })
    }
}

impl RemoteSkills for McpSkills {
    fn label(&self) -> &str {
        &self.label
    }

    fn server(&self) -> String {
        self.server.clone()
    }

    fn generation(&self) -> u64 {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match &state.list {
            // The change is noticed when the list may be requested again.
            Some((at, generation, _)) if at.elapsed() < SHORTEST => *generation,
            _ => self.changed(),
        }
    }

    fn list(&self) -> RemoteList {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = self.changed();
        if let Some((at, generation, list)) = &state.list
            && (*generation == changed && list.offline.is_none() || at.elapsed() < SHORTEST)
        {
            return list.clone();
        }
        let mut list = RemoteList::default();
        let (entries, invalid) = match self.request() {
            Ok(listing) => {
                if let Ok(bytes) = serde_json::to_vec(&listing.skills) {
                    self.cache.put_list(&self.server, &bytes);
                }
                (listing.skills, listing.invalid)
            }
            Err(error) => {
                list.offline = Some(error.to_string());
                let cached = self.cache.list(&self.server);
                let entries: Option<Vec<Skill>> = cached.and_then(|list| serde_json::from_slice(&list).ok());
                (entries.unwrap_or_default(), Vec::new())
            }
        };
        let (checked, refused) = check_all(&entries);
        list.refused = invalid.into_iter().chain(refused).collect();
        state.uris.clear();
        for entry in checked {
            let skill = &entry.skill;
            let uris = entry.uris.into_iter().map(|(path, uri)| ((skill.uri.clone(), path), uri));
            state.uris.extend(uris);
            list.skills.push(Arc::new(entry.skill));
        }
        state.list = Some((Instant::now(), changed, list.clone()));
        list
    }

    fn read(&self, skill: &RemoteSkill, file: &RemoteFile) -> Result<Vec<u8>, RemoteReadError> {
        if let Some(bytes) = self.cache.get(&self.server, &skill.uri, &file.sha256, file.size) {
            return Ok(bytes);
        }
        let key = (skill.uri.clone(), file.path.clone());
        let uri = self.state.lock().unwrap_or_else(PoisonError::into_inner).uris.get(&key).cloned();
        let uri = uri.ok_or(RemoteReadError::Unlisted)?;
        let connection = self.connection.clone();
        let read = self.thread.wait(async move { connection.read(&uri).await });
        let bytes = read.map_err(|error| match error {
            // The texts of these errors may be texts of the server.
            Error::Server { code, .. } => RemoteReadError::Refused(code),
            Error::Closed(_) => RemoteReadError::Closed,
            Error::Unreachable(_) => RemoteReadError::Unreachable,
            Error::Protocol(_) => RemoteReadError::Protocol,
            error => RemoteReadError::Client(error.to_string()),
        })?;
        if u32::try_from(bytes.len()) != Ok(file.size) {
            return Err(RemoteReadError::Size { found: bytes.len(), listed: file.size });
        }
        if hmac_sha256::Hash::hash(&bytes) != file.sha256 {
            return Err(RemoteReadError::Digest);
        }
        if std::str::from_utf8(&bytes).is_ok_and(|text| !hidden_runs(text).is_empty()) {
            return Err(RemoteReadError::HiddenCharacters);
        }
        self.cache.keep(&self.server, &skill.uri, &file.sha256, &bytes);
        Ok(bytes)
    }
}

impl fmt::Debug for McpSkills {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpSkills")
            .field("label", &self.label)
            .field("server", &self.server)
            .finish_non_exhaustive()
    }
}
