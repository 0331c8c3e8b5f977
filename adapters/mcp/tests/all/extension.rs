//! Reimplements the checks of hosts and of the SEP-2640 suite: raw JSON-RPC on both transports, over skills
//! whose frontmatter is rewritten, including their limits (SPEC 11.18).
#![allow(clippy::panic, reason = "a test that cannot go on must fail")]

use std::collections::{BTreeMap, BTreeSet};

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value, json};
use skills_mcp::Server;

use crate::support::{Raw, directory, runner};

const META: &str = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":
    {"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}"#;

/// Returns skills that others read differently for different reasons, and one that is fine.
fn odd() -> tempfile::TempDir {
    let function = r#"{"name": "code_review", "description": "Reviews \"code\".", "category": "c", "mode": "code",
        "permissions": {"net": ["a.example"]}, "input": {"type": "object", "properties": {}},
        "output": {"type": "object", "properties": {}}}"#;
    directory(&[
        (
            "plain/SKILL.md",
            b"---\nname: plain\ndescription: Plain.\nlicense: MIT\nmetadata:\n  level: '3'\n---\n# Plain\n",
        ),
        ("plain/references/deep/b.md", b"b\n"),
        ("plain/references/a.md", "é\n".as_bytes()),
        ("plain/assets/p.bin", b"\xff\x00"),
        (
            "toml/SKILL.md",
            b"---\nname = \"toml\"\ndescription = \"In TOML.\"\ntags = [\"a\", \"b\"]\n---\nToml.\n",
        ),
        ("nameless/SKILL.md", b"---\ndescription: Has no name.\n---\nNameless.\n"),
        (
            "marked/SKILL.md",
            b"\xef\xbb\xbf---\r\nname: marked\r\ndescription: Has a mark.\r\n---\r\nMarked.\r\n",
        ),
        ("colon/SKILL.md", b"---\nname: colon\ndescription: Use when: always.\n---\nColon.\n"),
        ("tagged/SKILL.md", b"---yaml\nname: tagged\ndescription: Has a tag.\n---\nTagged.\n"),
        ("low_line/SKILL.md", b"---\nname: low_line\ndescription: Has a low line.\non: 'yes'\n---\nLow.\n"),
        (
            "hides/SKILL.md",
            "---\nname: hides\ndescription: \"Hi\u{e0048}\u{e0049}des.\"\n---\nHides \u{202e}.\n".as_bytes(),
        ),
        ("plain/inner_one/SKILL.md", b"---\nname: inner_one\ndescription: Lies inside.\n---\nIn.\n"),
        ("plain/inner_one/notes.md", b"in\n"),
        (
            "plain/secret/SKILL.md",
            b"---\nname: secret\ndescription: For programs.\ntags: [internal]\n---\nNo.\n",
        ),
        ("code_review/SKILL.md", b"Reviews.\n"),
        ("code_review/skill.json", function.as_bytes()),
    ])
}

/// A client on one of the two transports.
struct Wire {
    raw: Raw,
    meta: Option<Value>,
}

impl Wire {
    async fn old(server: Server) -> Self {
        let mut raw = Raw::new(server);
        raw.begin().await;
        Self { raw, meta: None }
    }

    fn new(server: Server) -> Self {
        Self { raw: Raw::new(server), meta: Some(serde_json::from_str(META).expect("JSON")) }
    }

    async fn ask(&mut self, method: &str, mut params: Value) -> Value {
        if let Some(meta) = &self.meta {
            params["_meta"] = meta.clone();
        }
        self.raw.ask(method, method, params).await
    }

    async fn result(&mut self, method: &str, params: Value) -> Value {
        let answer = self.ask(method, params).await;
        assert_eq!(answer.get("error"), None, "{method}");
        answer["result"].clone()
    }

    async fn code(&mut self, method: &str, uri: &str) -> i64 {
        let answer = self.ask(method, json!({ "uri": uri })).await;
        assert_eq!(answer["error"]["data"]["uri"], uri, "{method}: {answer}");
        answer["error"]["code"].as_i64().expect("an error")
    }

    /// Returns every entry, page by page.
    async fn entries(&mut self) -> Vec<Value> {
        let (mut entries, mut params) = (Vec::new(), json!({}));
        loop {
            let result = self.result("skills/list", params).await;
            entries.extend(result["skills"].as_array().expect("a list").clone());
            match result.get("nextCursor") {
                Some(next) => params = json!({ "cursor": next }),
                None => return entries,
            }
        }
    }

    async fn read(&mut self, uri: &str) -> Value {
        self.result("resources/read", json!({ "uri": uri })).await["contents"][0].clone()
    }
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} of {value}"))
}

/// Returns the frontmatter that a host finds in a text: a line `---`, YAML read with an independent parser, a
/// line `---`.
fn parsed(document: &str) -> Value {
    let rest = document.strip_prefix("---\n").unwrap_or_else(|| panic!("no frontmatter: {document:?}"));
    let (block, _) = rest.split_once("\n---\n").expect("closed");
    let mut events = Parser::new_from_str(block).map(|event| event.expect("YAML").0);
    loop {
        match events.next().expect("a map") {
            Event::StreamStart | Event::DocumentStart(..) => {}
            first => return value(first, &mut events),
        }
    }
}

fn value<'y>(event: Event<'y>, rest: &mut dyn Iterator<Item = Event<'y>>) -> Value {
    match event {
        Event::Scalar(text, ScalarStyle::Plain, ..) => match text.parse::<i64>() {
            Ok(number) => json!(number),
            Err(_) => json!(text),
        },
        Event::Scalar(text, ..) => json!(text),
        Event::SequenceStart(..) => {
            let mut items = Vec::new();
            loop {
                match rest.next().expect("closed") {
                    Event::SequenceEnd => return Value::Array(items),
                    item => items.push(value(item, rest)),
                }
            }
        }
        Event::MappingStart(..) => {
            let mut members = Map::new();
            loop {
                match rest.next().expect("closed") {
                    Event::MappingEnd => return Value::Object(members),
                    key => {
                        let Value::String(key) = value(key, rest) else { panic!("a key that is not text") };
                        let found = rest.next().expect("a value");
                        members.insert(key, value(found, rest));
                    }
                }
            }
        }
        other => panic!("{other:?}"),
    }
}

fn is_standard(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.split('-').all(|word| {
            !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        })
}

// SPEC 11.18: `capability-*`, `skills-list-*`, `entry-*`, `resources-*`, `limit-*`, `metadata-reserved-prefix`, `name-*`,
// `authority-reg-name`, `names-should-be-unique`, `skills-get-*`, `skillmd-*`, `entry-frontmatter-identical`.
#[tokio::test]
async fn every_entry_matches_its_files() {
    let root = odd();
    let server = || Server::new(runner(root.path()));
    for is_new in [false, true] {
        let mut wire = if is_new { Wire::new(server()) } else { Wire::old(server()).await };
        if is_new {
            // The settings are directly below the identifier, and resources are declared in addition.
            let found = wire.result("server/discover", json!({})).await;
            let capabilities = &found["capabilities"];
            assert_eq!(
                capabilities["extensions"]["io.modelcontextprotocol/skills"],
                json!({"directoryRead": true})
            );
            assert!(capabilities["resources"].is_object(), "{capabilities}");
        }
        let entries = wire.entries().await;
        let names: Vec<&str> = entries.iter().map(|entry| text(&entry["frontmatter"], "name")).collect();
        assert_eq!(
            names,
            [
                "code-review",
                "colon",
                "hides",
                "inner-one",
                "low-line",
                "marked",
                "nameless",
                "plain",
                "tagged",
                "toml"
            ]
        );
        let uris: BTreeSet<&str> = entries.iter().map(|entry| text(entry, "uri")).collect();
        assert_eq!(uris.len(), entries.len(), "each once, on one page");
        for entry in &entries {
            let uri = text(entry, "uri");
            let root = uri.strip_suffix("/SKILL.md").expect("a SKILL.md");
            let name = root.strip_prefix("skill://").expect("the scheme");
            assert!(is_standard(name), "{uri}");
            assert_eq!(text(&entry["frontmatter"], "name"), name);
            assert!(!text(&entry["frontmatter"], "description").is_empty(), "{uri}");
            if let Some(metadata) = entry["frontmatter"]["metadata"].as_object() {
                assert!(metadata.keys().all(|key| !key.starts_with("io.modelcontextprotocol/")), "{uri}");
            }
            // The files are complete, without duplicates and below the skill, with the digest and size of the
            // contents.
            let files = entry["resources"].as_array().expect("a list");
            let listed: BTreeMap<&str, &Value> = files.iter().map(|file| (text(file, "uri"), file)).collect();
            assert_eq!(listed.len(), files.len(), "{uri}");
            assert!(listed.contains_key(uri) && files.len() <= 512, "{uri}");
            let total: u64 = files.iter().map(|file| file["size"].as_u64().expect("a size")).sum();
            assert!(total <= 16 * 1024 * 1024, "{uri}");
            for (address, file) in &listed {
                assert!(address.starts_with(&format!("{root}/")), "{address}");
                let contents = wire.read(address).await;
                let bytes = match contents.get("blob") {
                    Some(blob) => {
                        assert_eq!(blob, "/wA=");
                        vec![0xff, 0]
                    }
                    None => text(&contents, "text").as_bytes().to_vec(),
                };
                assert_eq!(file["size"], bytes.len(), "{address}");
                let hash = hmac_sha256::Hash::hash(&bytes).map(|byte| format!("{byte:02x}")).concat();
                assert_eq!(text(file, "digest"), format!("sha256:{hash}"), "{address}");
            }
            // A host compares this, using an independent YAML parser.
            let document = wire.read(uri).await;
            assert_eq!(text(&document, "mimeType"), "text/markdown");
            assert_eq!(parsed(text(&document, "text")), entry["frontmatter"], "{uri}");
            // A single skill by its URI: the same entry, without a cursor.
            let got = wire.result("skills/get", json!({ "uri": uri })).await;
            assert_eq!(&got["skill"], entry);
            assert_eq!(got.get("nextCursor"), None);
        }
        for uri in
            ["skill://nobody-9f3a2b/SKILL.md", "skill://code_review/SKILL.md", "skill://low_line/SKILL.md"]
        {
            assert_eq!(wire.code("skills/get", uri).await, -32602, "{uri}");
        }
        let list = wire.result("skills/list", json!({})).await;
        assert_eq!((list["ttlMs"].is_u64(), list["cacheScope"].is_string()), (is_new, is_new), "{list}");
    }
}

// SPEC 11.18
#[tokio::test]
async fn a_repaired_frontmatter_keeps_the_words_of_its_author() {
    let root = odd();
    let mut wire = Wire::new(Server::new(runner(root.path())));
    let entries = wire.entries().await;
    let entry = |name: &str| {
        let entry = entries.iter().find(|entry| entry["frontmatter"]["name"] == name).expect("listed");
        entry["frontmatter"].clone()
    };
    assert_eq!(entry("toml"), json!({"name": "toml", "description": "In TOML.", "tags": ["a", "b"]}));
    assert_eq!(entry("colon"), json!({"name": "colon", "description": "Use when: always."}));
    assert_eq!(entry("low-line"), json!({"name": "low-line", "description": "Has a low line.", "on": "yes"}));
    assert_eq!(entry("hides"), json!({"name": "hides", "description": "Hi\u{fffd}des."}));
    let asked = r#"{"read":[],"write":[],"net":["a.example"],"env":[]}"#;
    assert_eq!(
        entry("code-review"),
        json!({"name": "code-review", "description": "Reviews \"code\".",
            "metadata": {"function": "code_review", "permissions": asked}}),
        "SPEC 9.7, 13.4"
    );
    // A suitable document is sent unchanged.
    let plain = std::fs::read_to_string(root.path().join("plain/SKILL.md")).expect("a file");
    assert_eq!(text(&wire.read("skill://plain/SKILL.md").await, "text"), plain);
    let hides = wire.read("skill://hides/SKILL.md").await;
    assert!(text(&hides, "text").ends_with("---\n\nHides \u{fffd}.\n"), "SPEC 12.8: {hides}");
    // The unpublished name has no resources, and the tool has the name of the function.
    assert_eq!(wire.code("resources/read", "skill://code_review/SKILL.md").await, -32602);
}

// SPEC 11.18: `skillmd-mimetype`, `skillmd-metadata-name`, `skillmd-metadata-description`, `final-segment-equals-name`,
// `meta-prefix`.
#[tokio::test]
async fn a_document_among_the_resources_is_called_like_its_skill() {
    let root = odd();
    let mut wire = Wire::new(Server::new(runner(root.path())));
    let entries = wire.entries().await;
    let resources = wire.result("resources/list", json!({})).await["resources"].clone();
    let resources = resources.as_array().expect("a list");
    for entry in &entries {
        let document = resources.iter().find(|resource| resource["uri"] == entry["uri"]).expect("listed");
        assert_eq!(document["mimeType"], "text/markdown");
        assert_eq!(document["name"], entry["frontmatter"]["name"]);
        assert_eq!(document["description"], entry["frontmatter"]["description"]);
        let own =
            entry["resources"].as_array().expect("a list").iter().find(|file| file["uri"] == entry["uri"]);
        assert_eq!(document["size"], own.expect("its own")["size"]);
        let keys = document.get("_meta").and_then(Value::as_object).into_iter().flat_map(Map::keys);
        assert!(keys.into_iter().all(|key| key.starts_with("io.modelcontextprotocol.skills/")), "{document}");
    }
    let files: usize = entries.iter().map(|entry| entry["resources"].as_array().map_or(0, Vec::len)).sum();
    assert_eq!(resources.len(), files, "no other file is a resource");
}

// SPEC 11.18: `capability-directory-read-flag`, `directory-read-*`.
#[tokio::test]
async fn a_directory_says_what_is_directly_in_it() {
    let root = odd();
    let mut wire = Wire::new(Server::new(runner(root.path())));
    let read = wire.result("resources/directory/read", json!({"uri": "skill://plain"})).await;
    let children: Vec<(&str, &str)> = read["resources"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|child| (text(child, "uri"), text(child, "mimeType")))
        .collect();
    assert_eq!(
        children,
        [
            ("skill://plain/SKILL.md", "text/markdown"),
            ("skill://plain/assets", "inode/directory"),
            ("skill://plain/inner_one", "inode/directory"),
            ("skill://plain/references", "inode/directory"),
        ]
    );
    assert_eq!(read.get("nextCursor"), None);
    let below = wire.result("resources/directory/read", json!({"uri": "skill://plain/references"})).await;
    assert_eq!(below["resources"].as_array().map(Vec::len), Some(2));
    for uri in ["skill://plain/SKILL.md", "skill://plain/nothing", "skill://nobody", "skill://low_line"] {
        assert_eq!(wire.code("resources/directory/read", uri).await, -32602, "{uri}");
    }
}

// SPEC 11.18: a list with one entry that breaks the rules can cost a client the list.
#[tokio::test]
async fn skills_that_clients_must_not_load_have_no_entry() {
    let skill = |name: &str| format!("---\nname: {name}\ndescription: Is {name}.\n---\n{name}\n");
    let (fits, many, heavy, odd) = (skill("fits"), skill("many"), skill("heavy"), skill("Odd Name"));
    let paths: Vec<(String, String)> =
        (0..512).map(|n| (format!("fits/{n}.txt"), format!("many/{n}.txt"))).collect();
    let mut files: Vec<(&str, &[u8])> = vec![
        ("fits/SKILL.md", fits.as_bytes()),
        ("many/SKILL.md", many.as_bytes()),
        ("heavy/SKILL.md", heavy.as_bytes()),
        ("Odd Name/SKILL.md", odd.as_bytes()),
    ];
    let half = vec![b'x'; 8 * 1024 * 1024];
    files.extend([("heavy/a.txt", half.as_slice()), ("heavy/b.txt", half.as_slice())]);
    files.extend(paths.iter().skip(1).map(|(fits, _)| (fits.as_str(), b"x".as_slice())));
    files.extend(paths.iter().map(|(_, many)| (many.as_str(), b"x".as_slice())));
    let root = directory(&files);
    let mut wire = Wire::new(Server::new(runner(root.path())));
    let entries = wire.entries().await;
    let names: Vec<&str> = entries.iter().map(|entry| text(&entry["frontmatter"], "name")).collect();
    assert_eq!(names, ["fits"], "512 files and 16 MiB are the most");
    assert_eq!(entries[0]["resources"].as_array().map(Vec::len), Some(512), "an entry is whole");
    for (name, is_there) in [("many", true), ("heavy", true), ("fits", true), ("nobody", false)] {
        let uri = format!("skill://{name}/SKILL.md");
        let code = wire.ask("skills/get", json!({ "uri": uri })).await["error"]["code"].clone();
        assert_eq!(code, if name == "fits" { Value::Null } else { json!(-32602) }, "{name}");
        let read = wire.ask("resources/read", json!({ "uri": uri })).await;
        assert_eq!(read.get("result").is_some(), is_there, "its files are resources all the same: {name}");
    }
}

// SPEC 11.19
#[tokio::test]
async fn stateless_requests_cannot_call_session_methods() {
    let root = odd();
    let server = || Server::new(runner(root.path())).notifier(&skills_mcp::Notifier::default());
    // Methods that open a stream are checked first; over HTTP the suite also requests `initialize`.
    for method in ["ping", "resources/subscribe", "resources/unsubscribe"] {
        let mut wire = Wire::new(server());
        wire.entries().await;
        let answer = wire.ask(method, json!({})).await;
        assert_eq!(answer["error"]["code"], -32601, "{method}: {answer}");
    }
    let mut wire = Wire::old(server()).await;
    assert_eq!(
        wire.ask("resources/subscribe", json!({})).await["error"]["code"],
        -32602,
        "malformed, and served"
    );
}

// SPEC 11.34. SEP-2640 "Nested Skills": the files of a nested skill belong to the enclosing skill as well
#[tokio::test]
async fn a_skill_lists_the_files_of_the_skills_in_it() {
    let root = odd();
    let mut wire = Wire::new(Server::new(runner(root.path())));
    let entries = wire.entries().await;
    let files = |name: &str| -> BTreeMap<String, Value> {
        let entry = entries.iter().find(|entry| entry["frontmatter"]["name"] == name).expect("listed");
        let files = entry["resources"].as_array().expect("a list").iter();
        files.map(|file| (text(file, "uri").to_owned(), file["digest"].clone())).collect()
    };
    let (outer, inner) = (files("plain"), files("inner-one"));
    let paths: Vec<&str> = outer.keys().map(|uri| uri.trim_start_matches("skill://plain/")).collect();
    let expected = [
        "SKILL.md",
        "assets/p.bin",
        "inner_one/SKILL.md",
        "inner_one/notes.md",
        "references/a.md",
        "references/deep/b.md",
    ];
    assert_eq!(paths, expected, "the skill for programs is not shown");
    for path in ["SKILL.md", "notes.md"] {
        let of_outer = &outer[&format!("skill://plain/inner_one/{path}")];
        assert_eq!(of_outer, &inner[&format!("skill://inner-one/{path}")], "the same bytes");
    }
    let listed = wire.result("resources/list", json!({})).await;
    let listed = listed["resources"].as_array().expect("a list").iter();
    let below = listed.filter(|file| text(file, "uri").starts_with("skill://plain/")).count();
    assert_eq!(below, expected.len());
    let uri = json!({ "uri": "skill://plain" });
    let children = wire.result("resources/directory/read", uri).await;
    let names = children["resources"].as_array().expect("a list").iter().map(|child| text(child, "name"));
    assert_eq!(names.collect::<Vec<_>>(), ["plain", "assets", "inner_one", "references"]);
    assert_ne!(wire.code("resources/read", "skill://plain/secret/SKILL.md").await, 0);
}
