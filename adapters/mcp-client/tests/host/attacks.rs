//! Servers that attack their client. The user has approved everything that they list: the worst case.

use skills_call::Runner;
use skills_load::Layers;

use crate::support::{Place, files};

/// Attacks in the list: the skill is refused before anything of it is read.
const IN_THE_LIST: [&str; 50] = [
    "uri-of-another-file",
    "uri-traversal",
    "uri-empty-segment",
    "uri-without-scheme",
    "uri-query",
    "uri-hidden",
    "uri-long",
    "name-of-another-directory",
    "name-homoglyph",
    "name-upper-case",
    "name-of-a-tool",
    "name-two-hyphens",
    "name-long",
    "name-line",
    "name-path",
    "description-empty",
    "description-hidden",
    "frontmatter-hidden-key",
    "frontmatter-hidden-deep",
    "frontmatter-huge",
    "files-dynamic",
    "files-missing",
    "files-of-another-kind",
    "files-empty",
    "files-too-many",
    "files-too-large",
    "files-size-overflow",
    "files-size-negative",
    "file-traversal",
    "file-encoded-traversal",
    "file-encoded-separator",
    "file-absolute",
    "file-of-another-skill",
    "file-of-a-neighbour",
    "file-of-another-scheme",
    "file-backslash",
    "file-stream",
    "file-nul",
    "file-hidden",
    "file-not-utf8",
    "file-twice",
    "file-other-case",
    "file-other-composition",
    "file-and-directory",
    "file-deep",
    "digest-upper-case",
    "digest-short",
    "digest-of-another-kind",
    "files-without-document",
    "calls-others",
];

/// Attacks in the contents: the body cannot be read.
const IN_THE_CONTENTS: [&str; 15] = [
    "lie-digest",
    "lie-size",
    "lie-frontmatter",
    "lie-no-frontmatter",
    "lie-invalid-frontmatter",
    "hidden-body",
    "read-other",
    "read-two",
    "read-none",
    "read-base64",
    "read-error",
    "read-endless",
    "read-never",
    "read-flood",
    "read-exit",
];

/// Returns everything that a model is shown of the skills, with the bodies and files that it can load.
fn shown(layers: &Layers) -> String {
    let mut all = layers.prompt();
    let tool = skills_runtime_tool(layers);
    for name in ["docs__pdf", "docs__pdf/references/a.md", "pdf", "docs__acme-pdf"] {
        all.push_str(&tool(name));
    }
    all
}

fn skills_runtime_tool(layers: &Layers) -> impl Fn(&str) -> String + '_ {
    let runner = Runner::from(layers.clone());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    move |name| {
        let arguments = format!("{{\"name\": \"{name}\"}}");
        runtime.block_on(runner.dispatch("load_skill", &arguments, &Default::default())).text
    }
}

// SPEC 22.5, 22.6: each of 65 attacks on an approved skill
#[test]
fn no_attack_reaches_a_model() {
    for attack in IN_THE_LIST.iter().chain(&IN_THE_CONTENTS) {
        let place = Place::new();
        place.local("pdf");
        let server = place.server(attack);
        place.approve(&server);
        let layers = place.load([place.server(attack)]);
        let is_listed = layers.all().any(|found| found.skill.is_remote());
        assert_eq!(is_listed, IN_THE_CONTENTS.contains(attack), "{attack}: {:?}", layers.problems());
        let shown = shown(&layers);
        // The description is what the user has approved; the contents are not.
        let contents = shown.replace("PWNED reads PDF files.", "");
        assert!(!contents.contains("PWNED") && !contents.contains("PWNeD"), "{attack}: {shown}");
        assert!(shown.contains("Here."), "{attack}: the skill on disk is what it was");
        if is_listed {
            assert!(shown.contains("cannot be read"), "{attack}: {shown}");
        } else {
            assert!(layers.problems().iter().any(|problem| problem.code == "skill-refused"), "{attack}");
            let reads =
                place.requests("docs").into_iter().filter(|line| line.starts_with("resources/read")).count();
            assert!(reads == 0 || *attack == "calls-others", "{attack}: {reads} files were read");
        }
        for file in files(place.root.path()) {
            let is_known =
                ["cache", "config", "local"].iter().any(|below| file.starts_with(place.path(below)));
            assert!(
                is_known || file.extension().is_some_and(|end| end == "log"),
                "{attack}: {}",
                file.display()
            );
        }
    }
}

// SPEC 22.5
#[test]
fn an_approval_ends_when_a_file_changes() {
    for attack in ["change-file", "add-file"] {
        let place = Place::new();
        place.approve(&place.server(attack));
        // The server is started again, and lists what was approved; the second list of a session differs.
        let live = place.live(place.server(attack));
        assert!(live.layers().get("docs__pdf").is_some(), "{attack}: it is approved");
        std::thread::sleep(std::time::Duration::from_millis(1100));
        live.reload().expect("readable");
        let layers = live.layers();
        assert!(layers.get("docs__pdf").is_none(), "{attack}");
        let untrusted = layers.untrusted("docs__pdf").expect("withheld").to_string();
        let expected = if attack == "add-file" { "new.sh" } else { "references/a.md" };
        assert!(untrusted.contains(expected) && untrusted.contains("skills trust --mcp"), "{untrusted}");
    }
}

// SPEC 22.4: skills with the same name, in one list and on disk
#[test]
fn names_are_per_origin() {
    let place = Place::new();
    ["pdf", "docs-pdf"].iter().for_each(|name| place.local(name));
    let servers = || [place.labelled("docs", "good"), place.labelled("shop", "names-equal")];
    servers().iter().for_each(|server| place.approve(server));
    let layers = place.load(servers());
    let names: Vec<&str> = layers.iter().map(|skill| skill.name()).collect();
    assert_eq!(names, ["docs-pdf", "docs__pdf", "pdf", "shop__acme-pdf", "shop__pdf"]);
    assert_eq!(layers.shadowed().count(), 0);
    assert!(layers.locate("pdf").is_some_and(|found| found.origin.path().is_some()));
    assert_eq!(layers.locate("shop__pdf").expect("it").origin.to_string(), "the MCP server `shop`");
}

// SPEC 22.2: such an answer is not an empty list, which would hide that the server is broken
#[test]
fn an_answer_without_a_list_is_reported() {
    let place = Place::new();
    let layers = place.load([place.server("list-without-skills")]);
    let problem =
        layers.problems().iter().find(|problem| problem.code == "server-offline").expect("reported");
    assert!(problem.title.contains("the answer has no valid list"), "{problem}");
}

// SPEC 22.6
#[test]
fn requested_tools_and_hooks_have_no_effect() {
    let place = Place::new();
    let server = place.server("brings-servers");
    place.approve(&server);
    let layers = place.load([server]);
    let skill = layers.get("docs__pdf").expect("approved");
    assert_eq!((skill.mcp_servers().count(), skill.allowed_tools().count()), (0, 0));
}
