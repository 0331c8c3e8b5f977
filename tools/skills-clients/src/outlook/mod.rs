//! Predicts how clients will treat each skill of a directory. Used by `check --for`.

mod facts;
mod place;

use std::path::Path;

use skills_core::clients::Client;
use skills_core::known;
use skills_core::levels::Profile;
use skills_core::parse::{Dialect, ParsedSkill, parse};
use skills_core::read::{ReadOptions, read};
use skills_core::report::Report;
use skills_core::tree::text::listed;
use skills_core::tree::{Node, json};

use self::facts::{FACTS, Fact, What};
use self::place::Place;

/// The treatment of one skill by one client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// The client.
    pub client: Client,
    /// The directory of the skill below the root; `.` for the root.
    pub skill: String,
    /// Whether the client will load it.
    pub loads: bool,
    /// Further effects, or the reason why it does not load.
    pub effects: Vec<Effect>,
}

/// One effect in a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The description of the effect.
    pub text: String,
    /// The source of the fact.
    pub source: &'static str,
}

/// Predicts how clients will treat the skills of a directory: for each client, in the order of the skills'
/// paths.
///
/// Problems of the directory itself are added to the report.
pub fn predict(
    root: &Path,
    label: &str,
    options: &ReadOptions,
    clients: &[Client],
    report: &mut Report,
) -> Vec<Outlook> {
    let tree = read(root, label, options, report);
    let mut found = Report::default();
    let parsed = parse(tree, Profile::Standard, &mut found);
    let faulty = |skill: usize| {
        found.diagnostics.iter().any(|problem| parsed.sources.file_of(problem.span).skill == Some(skill))
    };
    let mut skills: Vec<(usize, &ParsedSkill)> = parsed.skills.iter().enumerate().collect();
    skills.sort_by(|(_, a), (_, b)| a.dir.path.cmp(&b.dir.path));
    let mut outlooks = Vec::with_capacity(clients.len() * skills.len());
    for client in clients {
        for (at, skill) in &skills {
            outlooks.push(outlook(*client, skill, faulty(*at)));
        }
    }
    outlooks
}

fn outlook(client: Client, skill: &ParsedSkill, is_faulty: bool) -> Outlook {
    let facts: Vec<&Fact> = FACTS.iter().filter(|fact| fact.0 == client.id).collect();
    let source = facts.first().map_or("", |fact| fact.2);
    let path = if skill.dir.path.is_empty() { "." } else { &skill.dir.path };
    let mut outlook = Outlook { client, skill: path.to_owned(), loads: true, effects: Vec::new() };
    let frontmatter = skill.document.as_ref().and_then(|document| document.frontmatter.as_ref());
    let refusal = match (&skill.document, frontmatter) {
        (None, _) => Some("there is no `SKILL.md`"),
        (_, Some(frontmatter)) if frontmatter.dialect == Dialect::Toml => {
            Some("its frontmatter is TOML, not YAML")
        }
        (_, Some(_)) if is_faulty && !facts.iter().any(|fact| of_faulty(fact.1).is_some()) => {
            Some("its frontmatter is not valid YAML (see `skills check`)")
        }
        _ => None,
    };
    if let Some(why) = refusal {
        outlook.refuse(why.to_owned(), source);
        return outlook;
    }
    let empty = Node::empty(Default::default());
    let is_bare = is_faulty && facts.iter().any(|fact| fact.1 == What::LoadsBare);
    let tree = frontmatter.filter(|_| !is_bare).map_or(&empty, |frontmatter| &frontmatter.tree);
    for Fact(_, what, source) in facts {
        if let Some(how) = of_faulty(*what).filter(|_| is_faulty) {
            outlook.add(
                format!("{how}, because its frontmatter is not valid YAML (see `skills check`)"),
                source,
            );
        }
        outlook.apply(*what, source, skill, tree);
    }
    outlook
}

/// Returns the directories of a project in which a client looks for skills. `id` is the name of the client on
/// the command line.
pub fn directories(id: &str) -> impl Iterator<Item = &'static str> {
    let looks = FACTS.iter().filter(move |fact| fact.0 == id).filter_map(|fact| match fact.1 {
        What::Looks(folders, _) => Some(folders),
        _ => None,
    });
    looks.flatten().copied()
}

/// Returns how a client reads a frontmatter that is not valid YAML. Returns `None` if it leaves the skill
/// out.
fn of_faulty(what: What) -> Option<&'static str> {
    match what {
        What::ReadsLines => Some("reads only its name and description, line by line"),
        What::LoadsBare => Some("loads it as if it had no name, no description and no other key"),
        _ => None,
    }
}

impl Outlook {
    fn refuse(&mut self, why: String, source: &'static str) {
        self.loads = false;
        self.add(format!("does not load: {why}"), source);
    }

    fn add(&mut self, text: String, source: &'static str) {
        self.effects.push(Effect { text, source });
    }

    fn apply(&mut self, what: What, source: &'static str, skill: &ParsedSkill, tree: &Node) {
        match what {
            What::Looks(folders, most) => match Place::of(&skill.dir.path, folders) {
                None => self.add(format!("searches only {}", listed(folders)), source),
                Some(Place { depth, folder, .. }) if depth > most => {
                    let below = format!("{depth} directories below `{folder}`");
                    self.refuse(format!("it is {below}, but at most {most} are searched"), source);
                }
                Some(_) => {}
            },
            What::ScopesByPlace(folders) => {
                if let Some(above) = Place::of(&skill.dir.path, folders).and_then(|place| place.above) {
                    self.add(format!("shows it only while the agent works on files below `{above}`"), source);
                }
            }
            What::ScopesBy(keys) => {
                let is_there = |key: &&&str| tree.get(key).is_some_and(|value| !value.is_absent());
                if let Some(key) = keys.iter().find(is_there) {
                    self.add(
                        format!("shows it only while the agent works on files that match its `{key}`"),
                        source,
                    );
                }
            }
            What::Needs(keys) => {
                for key in keys.iter().filter(|key| text(tree, key).is_none_or(|text| text.trim().is_empty()))
                {
                    self.refuse(format!("it has no `{key}`"), source);
                }
            }
            What::Reads(keys) => {
                let entries = tree.as_map().unwrap_or_default().iter();
                let ignored = entries.map(|entry| entry.key.as_str());
                let ignored: Vec<&str> = ignored.filter(|key| !keys.contains(&&*known::fold(key))).collect();
                if !ignored.is_empty() {
                    self.add(format!("ignores {}", listed(&ignored)), source);
                }
            }
            What::NamedByDirectory => {
                let dir = &skill.dir.name;
                if let Some(name) = text(tree, "name").filter(|name| name != dir) {
                    self.add(format!("uses the name of its directory, `{dir}`, instead of `{name}`"), source);
                }
            }
            What::NameWithout(character) => {
                if let Some(name) = text(tree, "name").filter(|name| name.contains(character)) {
                    self.refuse(format!("its name `{name}` has a `{character}`"), source);
                }
            }
            What::MostName(most) => {
                let name =
                    text(tree, "name").filter(|name| !name.trim().is_empty()).unwrap_or(&skill.dir.name);
                let length = name.chars().count();
                if length > most {
                    self.refuse(format!("its name has {length} characters, more than {most}"), source);
                }
            }
            // Reported above if the frontmatter is faulty.
            What::ReadsLines | What::LoadsBare => {}
            What::MostDescription(most) => {
                let length = text(tree, "description").map_or(0, |text| text.trim().chars().count());
                if length > most {
                    self.refuse(format!("its description has {length} characters, more than {most}"), source);
                }
            }
            What::CutsDescription(most) => {
                let length = text(tree, "description").map_or(0, |text| text.trim().chars().count());
                if length > most {
                    self.add(format!("cuts its description from {length} to {most} characters"), source);
                }
            }
            What::CutsEntry(most) => {
                let keys = ["description", "when_to_use", "when-to-use"].into_iter();
                let length: usize =
                    keys.filter_map(|key| text(tree, key)).map(|text| text.chars().count()).sum();
                if length > most {
                    let cut = format!("from {length} to {most} characters");
                    self.add(format!("cuts its entry in the catalog {cut}"), source);
                }
            }
            What::HidesWhen(key) => {
                let entry =
                    tree.as_map().unwrap_or_default().iter().find(|entry| known::fold(&entry.key) == key);
                if entry.and_then(|entry| entry.value.truth()) == Some(true) {
                    self.add(format!("hides it from the model: `{key}` is true"), source);
                }
            }
            What::HidesByOpenai => {
                let policy = skill.openai.as_ref().and_then(|openai| openai.tree.get("policy"));
                let allow = policy.and_then(|policy| policy.get("allow_implicit_invocation"));
                if allow.and_then(Node::truth) == Some(false) {
                    let what = "`agents/openai.yaml` forbids implicit invocation";
                    self.add(format!("hides it from the model: {what}"), source);
                }
            }
            What::GatesByMetadata => self.gates(source, tree),
        }
    }

    /// Adds the requirements that OpenClaw checks before it shows a skill.
    fn gates(&mut self, source: &'static str, tree: &Node) {
        let metadata = tree.get("metadata").map(json::unwrapped);
        let block = |key| metadata.as_ref().and_then(|node| node.get(key));
        let Some(block) = block("openclaw").or_else(|| block("clawdbot")) else { return };
        let words = |node: Option<&Node>| -> Vec<String> {
            let items = node.and_then(Node::as_list).unwrap_or_default();
            items.iter().filter_map(|item| Some(item.as_scalar()?.text.clone())).collect()
        };
        let always =
            block.get("always").and_then(|node| node.as_scalar()).is_some_and(|flag| flag.text == "true");
        let requires = block.get("requires").filter(|_| !always);
        let required = |key| words(requires.and_then(|node| node.get(key)));
        let gates = [
            ("can be run", required("bins")),
            ("(at least one) can be run", required("anyBins")),
            ("is set in the environment", required("env")),
            ("is enabled in its configuration", required("config")),
            ("is the operating system", words(block.get("os"))),
        ];
        for (what, words) in gates.iter().filter(|(_, words)| !words.is_empty()) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let words = listed(&words);
            self.add(format!("shows it only where {words} {what}"), source);
        }
    }
}

fn text<'a>(tree: &'a Node, key: &str) -> Option<&'a str> {
    Some(tree.get(key)?.as_scalar()?.text.as_str())
}

#[cfg(test)]
mod tests {
    use skills_core::clients::{CLIENTS, named};

    use super::*;

    // SPEC 11.9: at least eight clients, each with facts, each fact with its source
    #[test]
    fn every_client_has_facts_with_sources() {
        assert!(CLIENTS.len() >= 8 && CLIENTS.is_sorted_by(|a, b| a.id < b.id));
        for client in CLIENTS {
            assert!(FACTS.iter().filter(|fact| fact.0 == client.id).count() >= 3, "{}", client.id);
        }
        for Fact(client, what, source) in FACTS {
            assert!(named(client).is_ok(), "{client}");
            assert!(source.starts_with("https://"), "{client}: {what:?}");
            if let What::Reads(keys) | What::Needs(keys) = what {
                assert!(keys.iter().all(|key| known::fold(key) == *key), "{client}: spelled with `-`");
            }
        }
    }
}
