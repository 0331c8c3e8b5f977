//! Tests skills as documents: the Skills extension, resources, directories and prompts (SPEC 8.5, 11.4,
//! SEP-2640).
#![allow(clippy::panic, reason = "a test that cannot go on must fail")]

use std::collections::BTreeSet;
use std::path::Path;

use rmcp::model::{
    GetPromptRequestParams, GetSkillRequestParams, PaginatedRequestParams,
    ReadResourceDirectoryRequestParams, ReadResourceRequestParams, SkillResources,
};
use serde_json::{Value, json};

use crate::support::rng::META;
use crate::support::{Client, Raw, Shop, connect, directory, refusal, runner};

async fn read(client: &Client, uri: &str) -> Result<Value, rmcp::ServiceError> {
    let result = client.read_resource(ReadResourceRequestParams::new(uri)).await?;
    Ok(serde_json::to_value(result).expect("JSON")["contents"][0].clone())
}

async fn children(client: &Client, uri: &str) -> Result<Vec<(String, String)>, rmcp::ServiceError> {
    let result = client.read_resource_directory(ReadResourceDirectoryRequestParams::new(uri)).await?;
    Ok(result.resources.into_iter().map(|child| (child.uri, child.mime_type.unwrap_or_default())).collect())
}

/// Decodes Base64 between quotation marks, with an independent decoder.
fn base64(text: &str) -> Vec<u8> {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: Vec<usize> = text.chars().filter_map(|c| alphabet.find(c)).collect();
    bits.chunks(4)
        .flat_map(|chunk| {
            let word = chunk.iter().fold(0, |all, bits| all << 6 | bits) << (6 * (4 - chunk.len()));
            (0..chunk.len() - 1).map(move |at| u8::try_from(word >> (16 - 8 * at) & 0xff).expect("a byte"))
        })
        .collect()
}

// SPEC 11.4
#[tokio::test]
async fn digests_match_the_bytes_on_disk_and_on_the_wire() {
    let shop = Shop::new();
    let client = connect(shop.server()).await;
    let skills = client.list_all_skills().await.expect("skills");
    let names: Vec<&str> = skills.iter().map(|skill| skill.name()).collect();
    assert_eq!(names, ["double", "fails", "move", "mute", "prose", "slow"]);
    let mut files = 0;
    for skill in &skills {
        let SkillResources::Files(listed) = &skill.resources else { panic!("files") };
        let mut paths = BTreeSet::new();
        for file in listed {
            let path = file.uri.strip_prefix("skill://").expect("a skill").replace("%20", " ");
            let on_disk = std::fs::read(shop.root.path().join(&path)).expect("a file");
            let contents = read(&client, &file.uri).await.expect("readable");
            let sent = match contents.get("blob") {
                Some(blob) => base64(blob.as_str().expect("text")),
                None => contents["text"].as_str().expect("text").as_bytes().to_vec(),
            };
            // Documents that hosts would read differently are rewritten (SPEC 11.18), such as those with a
            // byte order mark or without a name.
            let is_rewritten = ["double/SKILL.md", "fails/SKILL.md", "prose/SKILL.md", "slow/SKILL.md"];
            let bytes = if is_rewritten.contains(&path.as_str()) { sent.clone() } else { on_disk };
            let hash: String =
                hmac_sha256::Hash::hash(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(file.digest, format!("sha256:{hash}"), "{path}");
            assert_eq!(sent, bytes, "{path}");
            file.verify(&sent).expect("rmcp agrees");
            paths.insert(path);
            files += 1;
        }
        assert_eq!(paths, on_disk(shop.root.path(), skill.name()), "every file, once");
    }
    assert!(files >= 15);
}

fn on_disk(root: &Path, name: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![root.join(name)];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let below = path.strip_prefix(root).expect("below");
                found.insert(below.to_str().expect("UTF-8").to_owned());
            }
        }
    }
    found
}

// SPEC 11.4
#[tokio::test]
async fn frontmatter_is_json_as_it_was_written() {
    let shop = Shop::new();
    let client = connect(shop.server()).await;
    let get = |uri: &'static str| client.get_skill(GetSkillRequestParams::new(uri));
    let prose = get("skill://prose/SKILL.md").await.expect("a skill").skill;
    assert_eq!(
        serde_json::to_value(prose.frontmatter).expect("JSON"),
        json!({"name": "prose", "description": "Says how.", "license": "MIT", "metadata": {"level": 3}})
    );
    let double = get("skill://double/SKILL.md").await.expect("a skill").skill;
    assert_eq!(
        serde_json::to_value(double.frontmatter).expect("JSON"),
        json!({"name": "double", "description": "Is double.", "exec": "bin/double"}),
        "what skill.json says is added"
    );
    let typing = get("skill://typing/SKILL.md").await.expect("not listed, and there").skill;
    assert_eq!(typing.name(), "typing");
}

// SPEC 2.9, 6.3, 11.4
#[tokio::test]
async fn gated_and_internal_skills_are_unknown() {
    let shop = Shop::new();
    let client = connect(shop.server()).await;
    for name in ["nothing", "secret", "inner"] {
        let document = format!("skill://{name}/SKILL.md");
        let got = client.get_skill(GetSkillRequestParams::new(&document)).await;
        assert_eq!(refusal(got), (-32602, format!("unknown skill: {document}")));
        for uri in [document, format!("skill://{name}/file.md")] {
            let (code, reason) = refusal(read(&client, &uri).await);
            assert!(matches!(code, -32002 | -32602), "{code}");
            assert_eq!(reason, format!("unknown resource: {uri}"));
        }
        let uri = format!("skill://{name}");
        assert_eq!(refusal(children(&client, &uri).await), (-32602, format!("unknown directory: {uri}")));
        let prompt = client.get_prompt(GetPromptRequestParams::new(name)).await;
        assert_eq!(refusal(prompt), (-32602, format!("unknown prompt: {name}")));
    }
    let all = serde_json::to_string(&client.list_all_resources().await.expect("resources")).expect("JSON");
    assert!(!all.contains("secret") && !all.contains("inner") && !all.contains("review"), "{all}");
}

// SPEC 11.4
#[tokio::test]
async fn resources_have_kinds_and_directories() {
    let shop = Shop::new();
    let client = connect(shop.server()).await;
    let all = client.list_all_resources().await.expect("resources");
    let document = all.iter().find(|one| one.uri == "skill://prose/SKILL.md").expect("listed");
    assert_eq!((document.name.as_str(), document.description.as_deref()), ("prose", Some("Says how.")));
    assert_eq!(document.mime_type.as_deref(), Some("text/markdown"));
    let blob = read(&client, "skill://prose/assets/a%20b.bin").await.expect("readable");
    assert_eq!((&blob["mimeType"], &blob["blob"]), (&json!("application/octet-stream"), &json!("/wAB")));
    let pair = |uri: &str, kind: &str| (uri.to_owned(), kind.to_owned());
    assert_eq!(
        children(&client, "skill://prose").await.expect("a directory"),
        [
            pair("skill://prose/SKILL.md", "text/markdown"),
            pair("skill://prose/assets", "inode/directory"),
            pair("skill://prose/notes.md", "text/markdown"),
            pair("skill://prose/notes.txt", "text/plain"),
        ]
    );
    assert_eq!(
        children(&client, "skill://prose/assets").await.expect("a directory"),
        [
            pair("skill://prose/assets/a%20b.bin", "application/octet-stream"),
            pair("skill://prose/assets/deep", "inode/directory"),
        ]
    );
    for uri in
        ["skill://", "skill://prose/", "skill://prose/notes", "skill://prose/notes.md", "skill://prose/.."]
    {
        assert_eq!(refusal(children(&client, uri).await).0, -32602, "{uri}");
    }
}

// SPEC 8.2, 12.3
#[tokio::test]
async fn no_address_leads_out_of_a_skill() {
    let shop = Shop::new();
    std::fs::write(shop.root.path().join("outside.md"), "no\n").expect("a file");
    let client = connect(shop.server()).await;
    let tried = [
        "skill://prose/../outside.md",
        "skill://prose/%2e%2e/outside.md",
        "skill://prose/..%2Foutside.md",
        "skill://prose/..%5coutside.md",
        "skill://prose/assets/../notes.md",
        "skill://prose//notes.md",
        "skill://prose/./notes.md",
        "skill://prose/notes%2Emd",
        "skill://PROSE/SKILL.md",
        "skill://prose/notes.md?x",
        "skill://prose/notes.md#x",
        "skill://../outside.md",
        "file:///etc/passwd",
        "/etc/passwd",
        "",
    ];
    for uri in tried {
        let (_, reason) = refusal(read(&client, uri).await);
        assert_eq!(reason, format!("unknown resource: {uri}"));
    }
}

// SPEC 8.5, 11.4
#[tokio::test]
async fn prompts_take_arguments() {
    let shop = Shop::new();
    let client = connect(shop.server()).await;
    let prompts = client.list_all_prompts().await.expect("prompts");
    let names: Vec<&str> = prompts.iter().map(|prompt| prompt.name.as_str()).collect();
    assert_eq!(names, ["double", "fails", "move", "prose", "slow", "typing"]);
    let declared = |at: usize| serde_json::to_value(&prompts[at].arguments).expect("JSON");
    assert_eq!(
        declared(2),
        json!([{"name": "source", "required": false}, {"name": "target", "required": false}])
    );
    assert_eq!(declared(5), json!([{"name": "arguments", "description": "a line", "required": false}]));
    let get = async |name: &str, arguments: Value| {
        let Value::Object(arguments) = arguments else { panic!("an object") };
        let request = GetPromptRequestParams::new(name).with_arguments(arguments);
        let result = client.get_prompt(request).await?;
        let value = serde_json::to_value(result).expect("JSON");
        Ok(value["messages"][0]["content"]["text"].as_str().expect("text").to_owned())
    };
    let moved = get("move", json!({"source": "it's here", "target": "b"})).await.expect("a prompt");
    assert_eq!(moved, "Move it's here to b. ('it'\\''s here' b)\n");
    let moved = get("move", json!({"target": "$source"})).await.expect("a prompt");
    assert_eq!(moved, "Move  to $source. ('' $source)\n", "nothing is expanded twice");
    assert_eq!(get("typing", json!({"arguments": "a  b"})).await.expect("a prompt"), "Type: a  b\n");
    let prose = get("prose", json!({})).await.expect("a prompt");
    assert!(prose.starts_with("Paths in this skill are relative to skill://prose;"), "{prose}");
    assert!(prose.ends_with("\n\n# How\r\n\r\nRead `notes.md`.\r\n"), "{prose}");
    let refused = refusal(get("move", json!({"speed": "1"})).await);
    assert_eq!(refused, (-32602, "unknown argument: speed; there are: source, target".to_owned()));
    assert_eq!(refusal(get("mute", json!({})).await).0, -32602);
}

// SPEC 1.8, 11.4, 12.2
#[tokio::test]
async fn a_thousand_skills_come_in_pages() {
    let names: Vec<String> = (0..1_000).map(|n| format!("skill-{n:04}")).collect();
    let files: Vec<(String, String)> = names
        .iter()
        .map(|name| (format!("{name}/SKILL.md"), format!("---\nname: {name}\ndescription: D.\n---\nB.\n")))
        .collect();
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect();
    let root = directory(&files);
    let client = connect(skills_mcp::Server::new(runner(root.path()))).await;
    let first = client.list_skills(None).await.expect("a page");
    assert!(first.next_cursor.is_some() && first.skills.len() < 1_000);
    let skills = client.list_all_skills().await.expect("skills");
    assert_eq!(skills.iter().map(|skill| skill.name()).collect::<Vec<_>>(), names);
    let resources = client.list_all_resources().await.expect("resources");
    assert_eq!(resources.len(), 1_000);
    assert_eq!(client.list_all_prompts().await.expect("prompts").len(), 1_000);
    let wrong = PaginatedRequestParams::default().with_cursor(Some("x".to_owned()));
    assert_eq!(refusal(client.list_skills(Some(wrong)).await), (-32602, "invalid cursor".to_owned()));
}

// SPEC 11.4, 12.2
#[tokio::test]
async fn a_directory_comes_in_pages() {
    let names: Vec<String> = (0..600).map(|n| format!("many/part/{n:03}.txt")).collect();
    let some: Vec<String> = (0..400).map(|n| format!("some/{n:03}.txt")).collect();
    let mut files: Vec<(&str, &[u8])> = vec![
        ("many/SKILL.md", b"---\nname: many\ndescription: M.\n---\nM.\n"),
        ("some/SKILL.md", b"---\nname: some\ndescription: S.\n---\nS.\n"),
    ];
    files.extend(some.iter().map(|path| (path.as_str(), path.as_bytes())));
    files.extend(names.iter().map(|path| (path.as_str(), path.as_bytes())));
    let root = directory(&files);
    let client = connect(skills_mcp::Server::new(runner(root.path()))).await;
    let mut request = ReadResourceDirectoryRequestParams::new("skill://many/part");
    let (mut found, mut pages) = (Vec::new(), 0);
    loop {
        let page = client.read_resource_directory(request.clone()).await.expect("a page");
        found.extend(page.resources.into_iter().map(|file| file.uri));
        pages += 1;
        request.cursor = page.next_cursor;
        if request.cursor.is_none() {
            break;
        }
    }
    assert_eq!(found, names.iter().map(|path| format!("skill://{path}")).collect::<Vec<_>>());
    assert_eq!(pages, 3);
    let skills = client.list_all_skills().await.expect("skills");
    let SkillResources::Files(all) = &skills[0].resources else { panic!("files") };
    assert_eq!(
        (skills.len(), all.len()),
        (1, 401),
        "an entry is never split; that of 601 files is none (SPEC 11.18)"
    );
}

// SPEC 11.4: parts of an answer that the extension requires since 2026-07-28 and older clients do not know.
#[tokio::test]
async fn answers_have_the_fields_of_their_protocol() {
    let shop = Shop::new();
    let asked = [
        ("skills/list", "", true),
        ("skills/get", r#""uri":"skill://prose/SKILL.md","#, true),
        ("resources/read", r#""uri":"skill://prose/SKILL.md","#, true),
        ("resources/list", "", true),
        ("tools/list", "", true),
        ("prompts/list", "", true),
        ("resources/directory/read", r#""uri":"skill://prose","#, false),
    ];
    let mut raw = Raw::new(shop.server());
    for (method, params, is_cacheable) in asked {
        raw.line(
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}{META}}}}}"#)
                .as_bytes(),
        )
        .await;
        let result = raw.next().await.expect("an answer")["result"].clone();
        assert_eq!(result["resultType"], "complete", "{method}");
        // A kept list of skills or resources would have other digests than the files (SPEC 11.19).
        let fresh = if matches!(method, "tools/list" | "prompts/list") { 60_000 } else { 0 };
        let has_hints = result["ttlMs"] == fresh && result["cacheScope"] == "private";
        assert!(has_hints || !is_cacheable, "{method}: {result}");
    }
    for (method, uri) in [
        ("resources/read", "skill://prose/none.md"),
        ("resources/read", "skill://secret/SKILL.md"),
        ("skills/get", "skill://prose/notes.md"),
        ("resources/directory/read", "skill://prose/SKILL.md"),
        ("resources/directory/read", "skill://none"),
    ] {
        let request =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{"uri":"{uri}",{META}}}}}"#);
        raw.line(request.as_bytes()).await;
        assert_eq!(raw.next().await.expect("an answer")["error"]["code"], -32602, "{method} {uri}");
    }
    let mut raw = Raw::new(shop.server());
    raw.begin().await;
    for (method, params, _) in asked {
        let params = format!("{{{}}}", params.trim_end_matches(','));
        let params = serde_json::from_str(&params).expect("JSON");
        let result = raw.ask(method, method, params).await["result"].clone();
        for field in ["resultType", "ttlMs", "cacheScope"] {
            assert_eq!(result.get(field), None, "{method}");
        }
    }
}

// SPEC 2.6, 12.2
#[tokio::test]
async fn an_odd_name_breaks_no_list() {
    let root = directory(&[
        ("odd/SKILL.md", b"---\nname: My Skill/2\ndescription: Odd.\n---\nOdd.\n"),
        ("plain/SKILL.md", b"---\nname: plain\ndescription: Plain.\n---\nPlain.\n"),
    ]);
    let client = connect(skills_mcp::Server::new(runner(root.path()))).await;
    let skills = client.list_all_skills().await.expect("skills");
    assert_eq!(skills.iter().map(|skill| skill.name()).collect::<Vec<_>>(), ["plain"]);
    for resource in client.list_all_resources().await.expect("resources") {
        assert!(read(&client, &resource.uri).await.is_ok(), "{}", resource.uri);
    }
    assert_eq!(client.list_all_prompts().await.expect("prompts").len(), 2);
}
