//! Computes hashes of a server's lists to detect changes, and the notifications for clients.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use rmcp::model::{
    PromptListChangedNotification, ResourceListChangedNotification, ResourceUpdatedNotification,
    ResourceUpdatedNotificationParam, ServerNotification, ToolListChangedNotification,
};
use skills_call::Runner;

use crate::offer::{self, prompt, resource, tool};

/// The hashes of the lists.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lists {
    tools: u64,
    prompts: u64,
    /// The files and their contents, since `skills/list` contains their digests.
    resources: u64,
}

impl Lists {
    pub(crate) fn from_runner(runner: &Runner) -> Self {
        let files = offer::documents(runner.skills()).flat_map(|skill| {
            skill.files().map(move |file| (skill.name(), skill.description(), file.path(), file.sha256()))
        });
        Self {
            // Serializing these types cannot fail.
            tools: hash(tool::tools(runner).filter_map(|tool| serde_json::to_string(&tool).ok())),
            prompts: hash(prompt::prompts(runner).filter_map(|prompt| serde_json::to_string(&prompt).ok())),
            resources: hash(files),
        }
    }
}

fn hash(items: impl Iterator<Item: Hash>) -> u64 {
    let mut hasher = DefaultHasher::new();
    items.for_each(|item| item.hash(&mut hasher));
    hasher.finish()
}

/// The state that a client knows.
#[derive(Default)]
pub(crate) struct KnownLists {
    lists: Option<Lists>,
    /// The subscribed files with their digests, or `None` for a file that does not exist.
    files: BTreeMap<String, Option<[u8; 32]>>,
}

impl KnownLists {
    /// Records the current lists, so that they do not count as changes.
    pub(crate) fn see(&mut self, lists: Option<Lists>) {
        self.lists = lists;
    }

    /// Subscribes to a file. Returns `false` if there are too many subscriptions. Ignores a file that does
    /// not exist.
    pub(crate) fn follow(&mut self, runner: &Runner, uri: &str, most: usize) -> bool {
        let Some(digest) = resource::digest(runner, uri) else { return true };
        let has_room = self.files.len() < most || self.files.contains_key(uri);
        if has_room {
            self.files.insert(uri.to_owned(), Some(digest));
        }
        has_room
    }

    pub(crate) fn unfollow(&mut self, uri: &str) {
        self.files.remove(uri);
    }

    /// Records the current state, and returns notifications for everything that has changed.
    pub(crate) fn news(&mut self, now: Lists, runner: &Runner) -> Vec<ServerNotification> {
        let mut news: Vec<ServerNotification> = Vec::new();
        if let Some(before) = self.lists.replace(now) {
            if before.tools != now.tools {
                news.push(ToolListChangedNotification::default().into());
            }
            if before.prompts != now.prompts {
                news.push(PromptListChangedNotification::default().into());
            }
            if before.resources != now.resources {
                news.push(ResourceListChangedNotification::default().into());
            }
        }
        for (uri, digest) in &mut self.files {
            let now = resource::digest(runner, uri);
            if *digest != now {
                *digest = now;
                let updated = ResourceUpdatedNotificationParam::new(uri.as_str());
                news.push(ResourceUpdatedNotification::new(updated).into());
            }
        }
        news
    }
}
