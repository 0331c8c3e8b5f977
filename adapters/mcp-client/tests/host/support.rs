//! A place with a cache, a trust file and servers.

use std::path::{Path, PathBuf};
use std::time::Duration;

use skills_load::trust::TrustStore;
use skills_load::{Layers, LayersBuilder, Live, RemoteSkills};
use skills_mcp_client::host::{Cache, McpHost, McpSkills};
use skills_mcp_client::{Approved, Limits, Options, ServerAddress};
use tempfile::TempDir;

pub(crate) struct Place {
    pub(crate) root: TempDir,
    pub(crate) host: McpHost,
}

impl Place {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().expect("a directory");
        let host = McpHost::new().expect("a thread").cache(Cache::in_directory(root.path().join("cache")));
        Self { root, host }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Returns the skills of the example program in a mode, called `docs`.
    pub(crate) fn server(&self, mode: &str) -> McpSkills {
        self.labelled("docs", mode)
    }

    pub(crate) fn labelled(&self, label: &str, mode: &str) -> McpSkills {
        let mut limits = Limits::default();
        (limits.connect, limits.request) = (Duration::from_secs(20), Duration::from_secs(20));
        (limits.message, limits.budget.messages) = (4 << 20, 500);
        if mode == "read-never" {
            limits.request = Duration::from_millis(300);
        }
        let log = self.path(&format!("{label}.log"));
        let arguments = vec![mode.to_owned(), log.to_str().expect("UTF-8").to_owned()];
        let address =
            ServerAddress::command(test_bed::example("skills_peer").to_str().expect("UTF-8"), arguments);
        self.host.skills(label, Approved::typed(address), Options::default().limits(limits)).expect("a label")
    }

    /// Returns the requests for the skills of a server.
    pub(crate) fn requests(&self, label: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.path(&format!("{label}.log"))).unwrap_or_default();
        let of_session = |line: &&str| !matches!(*line, "initialize" | "server/discover");
        text.lines().filter(of_session).map(str::to_owned).collect()
    }

    pub(crate) fn trust(&self) -> TrustStore {
        TrustStore::read(self.path("config/trust.json"))
    }

    /// Approves everything that the server lists.
    pub(crate) fn approve(&self, server: &McpSkills) {
        let listed = server.list().skills;
        let skills = listed.iter().map(|skill| (skill.uri.clone(), skill.contents()));
        self.trust().approve(&server.server(), skills).expect("saved");
    }

    pub(crate) fn load(&self, servers: impl IntoIterator<Item = McpSkills>) -> Layers {
        let builder =
            LayersBuilder::new().directory(self.path("local")).trust_file(self.path("config/trust.json"));
        servers.into_iter().fold(builder, |builder, server| builder.mcp(server)).load().expect("readable")
    }

    /// Loads a server whose list is requested at each reading.
    pub(crate) fn live(&self, server: McpSkills) -> Live {
        let builder = LayersBuilder::new().trust_file(self.path("config/trust.json")).mcp(server);
        Live::new(builder).expect("readable")
    }

    /// Writes a skill on disk.
    pub(crate) fn local(&self, name: &str) {
        let directory = self.path("local").join(name);
        std::fs::create_dir_all(&directory).expect("a directory");
        let text = format!("---\nname: {name}\ndescription: Is here.\n---\nHere.\n");
        std::fs::write(directory.join("SKILL.md"), text).expect("a file");
    }
}

/// Returns all files below a directory.
pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.path().is_dir() { found.extend(files(&entry.path())) } else { found.push(entry.path()) }
    }
    found
}
