//! The cases of the specification (SEP-2640), each named by its section. `conformance.rs` has the scenarios of the
//! official suite.

use skills_call::Runner;
use skills_load::{RemoteSkills, trust::Trust};
use skills_registry::ToolFormat;

use crate::support::{Place, files};

fn load(runner: &Runner, name: &str) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let arguments = format!("{{\"name\": \"{name}\"}}");
    runtime.block_on(runner.dispatch("load_skill", &arguments, &Default::default())).text
}

// SPEC 22.4. SEP-2640 "Listing Skills", "Lazy Retrieval": a file is read when it is used, once.
#[test]
fn only_requested_files_are_read() {
    let place = Place::new();
    let server = place.server("good");
    place.approve(&server);
    let layers = place.load([server]);
    let runner = Runner::from(layers.clone());
    assert!(layers.prompt().contains("docs__pdf") && !layers.search("read PDF", &|_| true).is_empty());
    assert_eq!(place.requests("docs"), ["skills/list"]);
    assert_eq!(layers.get("docs__pdf").and_then(|skill| skill.digest().copied()), None, "nothing was read");
    let text = load(&runner, "docs__pdf");
    assert!(text.contains("BODY PWNED") && text.contains("references/a.md"), "{text}");
    // "Origin is visible to the model"
    assert!(text.contains("from the MCP server `docs`"), "{text}");
    assert_eq!(place.requests("docs"), ["skills/list", "resources/read skill://pdf/SKILL.md"]);
    let file = load(&runner, "docs__pdf/references/a.md");
    assert!(file.contains("FILE PWNED") && file.contains("`docs__pdf` comes from an MCP server"), "{file}");
    assert!(load(&runner, "docs__pdf/references/a.md").contains("FILE PWNED"));
    assert_eq!(place.requests("docs").len(), 3, "{:?}", place.requests("docs"));
    // "The Acting Window and the Held Entry": an unlisted file is not requested
    assert!(load(&runner, "docs__pdf/other.md").contains("has no file"));
    assert_eq!(place.requests("docs").len(), 3);
}

// SPEC 22.4: a skill whose document is not the approved one is an error for a model, and so are its other files
#[test]
fn a_document_that_changed_is_an_error() {
    for attack in ["lie-digest", "lie-size", "lie-frontmatter"] {
        let place = Place::new();
        let server = place.server(attack);
        place.approve(&server);
        let runner = Runner::from(place.load([server]));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        for name in ["docs__pdf", "docs__pdf/references/a.md"] {
            let arguments = format!("{{\"name\": \"{name}\"}}");
            let answer = runtime.block_on(runner.dispatch("load_skill", &arguments, &Default::default()));
            assert!(answer.is_error && answer.text.contains("cannot be read"), "{attack} {name}: {answer:?}");
        }
        assert!(!place.requests("docs").iter().any(|request| request.contains("a.md")), "{attack}");
    }
}

// SPEC 22.5. SEP-2640 "Security Considerations": content-bound approval
#[test]
fn a_skill_does_nothing_before_it_is_approved() {
    let place = Place::new();
    let server = place.server("good");
    let layers = place.load([server]);
    assert!(layers.get("docs__pdf").is_none() && !layers.prompt().contains("PWNED"));
    assert!(layers.search("read PDF", &|_| true).is_empty());
    let withheld = layers.withheld("docs__pdf").expect("people see it");
    assert_eq!(withheld.trust, Trust::Untrusted);
    assert_eq!(place.requests("docs"), ["skills/list"], "nothing is read");
    let problem = layers.problems().iter().find(|problem| problem.code == "skill-untrusted").expect("a note");
    assert!(problem.to_string().contains("skills trust --mcp"), "{problem}");
    // A user who inspects it reads it.
    assert!(withheld.skill.body().contains("BODY PWNED"));
}

// SPEC 22.5: an approval is for one server
#[test]
fn an_approval_is_for_one_server() {
    let place = Place::new();
    place.approve(&place.labelled("docs", "good"));
    // The other one has the same skill with the same files, at another address.
    let layers = place.load([place.labelled("docs", "good"), place.labelled("evil", "good")]);
    assert!(layers.get("docs__pdf").is_some() && layers.get("evil__pdf").is_none());
    let server = place.labelled("docs", "good").server();
    let revoked = place.trust().revoke_server(&server).expect("revoked");
    assert_eq!(revoked.len(), 1);
    assert!(place.load([place.labelled("docs", "good")]).get("docs__pdf").is_none());
}

// SPEC 22.4. SEP-2640 "Getting a Skill": a skill is loaded given only its URI
#[test]
fn a_skill_that_is_not_listed_has_an_entry() {
    let place = Place::new();
    let server = || place.server("good").skill("skill://unlisted/SKILL.md");
    place.approve(&server());
    let layers = place.load([server()]);
    assert!(layers.get("docs__unlisted").expect("there").body().contains("BODY"));
    let unknown = place.load([place.server("good").skill("skill://nobody/SKILL.md")]);
    assert!(unknown.problems().iter().any(|problem| problem.title.contains("skill://nobody/SKILL.md")));
}

// SPEC 22.7. SEP-2640 "Cache integrity": bytes are hashed on each use, and a copy that was changed is not used
#[test]
fn the_cache_is_private_verified_and_used_offline() {
    let place = Place::new();
    let server = place.server("good");
    place.approve(&server);
    assert!(place.load([server]).get("docs__pdf").expect("there").body().contains("BODY"));
    let kept = || {
        files(&place.path("cache"))
            .into_iter()
            .filter(|path| path.file_name().is_some_and(|name| name.len() == 64))
    };
    assert_eq!(kept().count(), 1);
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(place.path("cache")).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    let address = place.server("good").server();
    // Offline: the same address, which cannot be started any more.
    let gone = |place: &Place| {
        let log = place.path("docs.log");
        drop(std::fs::remove_file(&log));
        std::fs::create_dir(&log).expect("the peer cannot write its log, and exits");
        place.server("good")
    };
    let before = place.requests("docs").len();
    let layers = place.load([gone(&place)]);
    assert_eq!(place.server("good").server(), address);
    assert!(before > 0 && layers.get("docs__pdf").expect("cached").body().contains("BODY"));
    let problem = layers.problems().iter().find(|problem| problem.code == "server-offline").expect("said");
    assert!(problem.title.contains("1 approved skills are read from the cache"), "{problem}");
    // What is not in the cache is an error that says so.
    let file = layers.get("docs__pdf").expect("there").file("references/a.md").expect("listed");
    assert!(file.fault().is_some_and(|reason| reason.contains("cannot be read")), "{:?}", file.fault());
    for path in kept() {
        std::fs::write(path, "CHANGED").expect("written");
    }
    std::fs::remove_dir(place.path("docs.log")).expect("removed");
    let layers = place.load([place.server("good")]);
    assert!(layers.get("docs__pdf").expect("there").body().contains("BODY"), "it is read again");
}

// SPEC 22.6: a function of a server is called when it is approved, from verified files
#[test]
fn an_approved_function_is_called() {
    let place = Place::new();
    let server = place.server("function");
    assert!(place.load([place.server("function")]).get("docs__pdf").is_none());
    place.approve(&server);
    let layers = place.load([server]);
    assert!(layers.all_tools(ToolFormat::Anthropic).contains("docs__pdf"), "{:?}", layers.problems());
    let runner = Runner::from(layers);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let answer = runtime.block_on(runner.dispatch("docs__pdf", "{\"n\": 1}", &Default::default()));
    assert_eq!(answer.text, "{\"said\": \"from afar\"}", "{answer:?}");
}

// SPEC 22.4: ten servers with a hundred skills each cost one request each
#[test]
fn ten_servers_cost_one_request_each() {
    let place = Place::new();
    let labels: Vec<String> = (0..10).map(|n| format!("server-{n}")).collect();
    let servers: Vec<_> = labels.iter().map(|label| place.labelled(label, "many-100")).collect();
    let layers = place.load(servers);
    assert_eq!(layers.all().filter(|found| found.skill.is_remote()).count(), 1000);
    for label in &labels {
        assert_eq!(place.requests(label), ["skills/list"]);
    }
}
