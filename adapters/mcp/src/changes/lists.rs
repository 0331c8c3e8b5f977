//! The lists of a server become small numbers by which one sees that they are others, and what to tell clients of it.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use rmcp::model::{
    PromptListChangedNotification, ResourceListChangedNotification, ResourceUpdatedNotification,
    ResourceUpdatedNotificationParam, ServerNotification, ToolListChangedNotification,
};
use skills_call::Runner;

use crate::offer::{audience, prompt, resource, tool};

/// What the lists were at some time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lists {
    tools: u64,
    prompts: u64,
    /// The files, and what is in them: `skills/list` has their digests.
    resources: u64,
}

impl Lists {
    pub(crate) fn of(runner: &Runner) -> Self {
        let files = audience::documents(runner.skills()).flat_map(|skill| {
            skill.files().map(move |file| (skill.name(), skill.description(), file.path(), file.sha256()))
        });
        Self {
            // These types always serialize.
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

/// What a client knows.
#[derive(Default)]
pub(crate) struct Known {
    lists: Option<Lists>,
    /// The files that it subscribed to, and what is in them; nothing in one that is gone.
    files: BTreeMap<String, Option<[u8; 32]>>,
}

impl Known {
    /// Takes note of what the client can see; nothing is news then.
    pub(crate) fn see(&mut self, lists: Option<Lists>) {
        self.lists = lists;
    }

    /// Takes note of a file, and tells whether there is room for it. One that does not exist is passed over.
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

    /// Takes note of what is there now, and returns what the client does not know of it.
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
