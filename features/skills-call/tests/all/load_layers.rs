//! Tests that layers form one list: the highest skill with a name wins, and hidden skills are still listed.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests may")]

use std::fs;
use std::path::Path;

use skills_call::{Loader, Runner};
use skills_load::{Layers, LayersBuilder, Level, Origin, agent_directories};
use skills_runtime::{Prompt, Style, ToolFormat};

use crate::planted::{self, Planted, codes, names, only};

// SPEC 1.6
#[test]
fn a_later_layer_wins_and_the_bundle_is_the_lowest() {
    let bundle = Planted::of_names(&["alone", "pdf"]);
    let (user, workspace) = (Planted::new(&[]), Planted::new(&[]));
    user.skill("pdf", "of the user");
    user.skill("web", "of the user");
    workspace.skill("web", "of the workspace");
    let layers = LayersBuilder::new()
        .bundle(bundle.bundle())
        .directories([user.path(), workspace.path()])
        .load()
        .unwrap();

    assert_eq!(names(&layers), ["alone", "pdf", "web"]);
    assert_eq!(layers.len(), 3);
    let described = |name| layers.find(name).unwrap().description();
    assert_eq!(
        [described("alone"), described("pdf"), described("web")],
        ["alone", "of the user", "of the workspace"]
    );
    assert_eq!(*layers.locate("alone").unwrap().origin, Origin::Bundle(""));
    assert_eq!(layers.locate("alone").unwrap().directory(), None);
    assert_eq!(layers.locate("web").unwrap().directory(), Some(workspace.path().join("web")));

    let shadowed: Vec<_> = layers.shadowed().collect();
    assert_eq!(shadowed.len(), 2);
    assert_eq!((shadowed[0].lost.skill.name(), shadowed[0].lost.origin), ("pdf", &Origin::Bundle("")));
    assert_eq!(shadowed[0].won.directory(), Some(user.path().join("pdf")));
    assert_eq!(shadowed[1].lost.directory(), Some(user.path().join("web")));
    assert_eq!(shadowed[1].won.directory(), Some(workspace.path().join("web")));

    assert_eq!(codes(layers.problems()), ["skill-shadowed", "skill-shadowed"]);
    let expected = format!(
        "skill://pdf/SKILL.md:1:1: `pdf` of the bundle is shadowed by `pdf` of {}",
        user.path().display()
    );
    assert_eq!(layers.problems()[0].to_string(), expected);
    assert_eq!(layers.problems()[0].level, Level::Note);
}

// SPEC 1.6, 6.6: each merged set keeps its problems, and layers that are set later lie above it
#[test]
fn merged_sets_keep_their_problems() {
    let twice = |name: &str| {
        let roots = [Planted::of_names(&[name]), Planted::new(&[])];
        roots[1].skill(name, "changed");
        LayersBuilder::new().directories(roots.iter().map(Planted::path)).load().unwrap()
    };
    let titles = |layers: &Layers| -> Vec<String> {
        let titles = layers.problems().iter().map(|problem| problem.title.clone());
        titles.map(|title| title.split(" of ").next().unwrap().to_owned()).collect()
    };
    let merged = twice("a").merge(twice("b"));
    assert_eq!(titles(&merged), ["`a`", "`b`"]);
    assert_eq!(titles(&merged.clone().merge(twice("c")).replace(twice("d"))), ["`b`", "`c`", "`d`"]);
    let alone = LayersBuilder::new().load().unwrap();
    assert_eq!(titles(&merged.replace(alone.clone())), ["`b`"]);
    assert_eq!(titles(&twice("a").replace(alone)), [""; 0]);
}

// SPEC 1.6: a skill that is hidden twice is hidden by the one that finally wins
#[test]
fn the_winner_is_the_highest_of_three() {
    let all: Vec<Planted> = (0..3).map(|_| Planted::of_names(&["pdf"])).collect();
    let layers = LayersBuilder::new().directories(all.iter().map(Planted::path)).load().unwrap();
    let winners: Vec<_> = layers.shadowed().map(|shadowed| shadowed.won.directory().unwrap()).collect();
    assert_eq!(winners, vec![all[2].path().join("pdf"); 2]);
}

// SPEC 1.5: names that differ only in `-` and `_` hide each other, and look-up is exact
#[test]
fn names_that_differ_in_separators_shadow_each_other() {
    let (low, high) = (Planted::of_names(&["a-b"]), Planted::of_names(&["a_b"]));
    let layers = LayersBuilder::new().directories([low.path(), high.path()]).load().unwrap();
    assert_eq!(names(&layers), ["a_b"]);
    assert!(layers.get("a_b").is_some() && layers.get("a-b").is_none());
    let shadowed = layers.shadowed().next().unwrap();
    assert_eq!((shadowed.lost.skill.name(), shadowed.won.skill.name()), ("a-b", "a_b"));
    assert_eq!(layers.find("a-b").unwrap_err().nearest.as_deref(), Some("a_b"));
}

// SPEC 1.6: the default directories, lowest first
#[test]
fn an_agent_has_its_bundle_and_four_directories() {
    let bundle = Planted::of_names(&["pdf"]);
    let (home, workspace) = (Planted::new(&[]), Planted::new(&[]));
    let directories = agent_directories(Some(home.path()), workspace.path());
    let expected = [
        home.path().join(".agents/skills"),
        home.path().join(".claude/skills"),
        workspace.path().join(".claude/skills"),
        workspace.path().join(".agents/skills"),
    ];
    assert_eq!(directories, expected);
    let load = || {
        let builder = LayersBuilder::new().bundle(bundle.bundle()).agent(Some(home.path()), workspace.path());
        builder.trust(|_| true).load().unwrap()
    };
    assert_eq!(load().get("pdf").unwrap().description(), "pdf");
    for (at, directory) in expected.iter().enumerate() {
        let text = planted::document("pdf", &format!("of layer {at}"));
        fs::create_dir_all(directory.join("pdf")).unwrap();
        fs::write(directory.join("pdf/SKILL.md"), text).unwrap();
        assert_eq!(load().get("pdf").unwrap().description(), format!("of layer {at}"));
    }
    assert_eq!(
        agent_directories(None, Path::new("w")),
        [Path::new("w/.claude/skills"), Path::new("w/.agents/skills")]
    );
}

// SPEC 1.2
#[test]
fn a_missing_root_is_empty_and_one_that_cannot_be_listed_is_an_error() {
    let missing = LayersBuilder::new().directory("no/such/directory").load().unwrap();
    assert!(missing.is_empty() && missing.problems().is_empty());
    let empty = Planted::new(&[]).load();
    assert!(empty.is_empty() && empty.problems().is_empty());

    let planted = Planted::of_names(&["pdf"]);
    planted.write("file", "");
    let file = planted.path().join("file");
    let error = LayersBuilder::new().directory(planted.path()).directory(&file).load().unwrap_err();
    let expected = format!("read skills dir {}: not a directory", file.display());
    assert_eq!(error.to_string(), expected);
    assert_eq!(error.problems().len(), 1);
    assert_eq!(codes(error.problems()), ["root-unreadable"]);
    let rest = error.into_layers();
    assert_eq!(names(&rest), ["pdf"], "the other layers are not lost");
    assert_eq!(codes(rest.problems()), ["root-unreadable"]);
}

// SPEC 1.1: a leading `~/` is HOME; a root that is itself a skill contains only that skill
#[test]
fn a_root_may_be_a_skill_or_begin_with_a_tilde() {
    let planted = Planted::of_names(&["pdf"]);
    let layers = LayersBuilder::new().directory(planted.path().join("pdf")).load().unwrap();
    let found = layers.locate("pdf").unwrap();
    assert_eq!(found.directory(), Some(planted.path().join("pdf")));
    assert_eq!(Path::new(found.skill.location()), planted.path().join("pdf/SKILL.md"));

    // HOME belongs to the whole process, so the test runs in a separate one.
    let home = Planted::new(&[("skills/pdf/SKILL.md", &planted::document("pdf", "x")), ("file", "")]);
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "load_layers::the_home_directory_is_used", "--include-ignored"])
        .env("SKILLS_TEST_CHILD", "1")
        .env("HOME", home.path())
        .status();
    assert!(status.unwrap().success());
}

#[test]
#[ignore = "another test runs it in a separate process"]
fn the_home_directory_is_used() {
    if std::env::var_os("SKILLS_TEST_CHILD").is_none() {
        return;
    }
    assert_eq!(names(&LayersBuilder::new().directory("~/skills").load().unwrap()), ["pdf"]);
    assert!(LayersBuilder::new().directory("~/none").load().unwrap().is_empty());
    let error = LayersBuilder::new().directory("~/file").load().unwrap_err();
    assert_eq!(error.to_string(), "read skills dir ~/file: not a directory");
}

// SPEC 1.8, 1.1: category folders are allowed, and lists are sorted by name
#[test]
fn lists_are_sorted_by_name() {
    let planted = Planted::new(&[]);
    for (path, name) in [("z/b", "b"), ("a/c", "c"), ("m/n/a", "a")] {
        planted.write(&format!("{path}/SKILL.md"), &planted::document(name, "x"));
    }
    assert_eq!(names(&planted.load()), ["a", "b", "c"]);
}

// SPEC 1.4: a directory that was already read is skipped with a diagnostic, also between layers
#[test]
fn a_directory_in_two_layers_is_read_once() {
    let (planted, other) = (Planted::of_names(&["pdf"]), Planted::of_names(&["pdf"]));
    let again = planted.path().join(".");
    // An equal copy would not be reported (SPEC 14.23).
    other.write("pdf/SKILL.md", &planted::document("pdf", "Other."));
    let layers = LayersBuilder::new()
        .directory(planted.path())
        .directory(other.path())
        .directory(&again)
        .load()
        .unwrap();
    assert_eq!(codes(layers.problems()), ["root-repeated", "skill-shadowed"]);
    let origin = Origin::Directory(std::path::absolute(&again).unwrap());
    assert_eq!(*layers.locate("pdf").unwrap().origin, origin, "the higher of the two");
}

// SPEC 2.9
#[test]
fn a_gated_skill_is_treated_as_unknown() {
    let planted = Planted::of_names(&["open"]);
    let gated = "---\nname: shut\ndescription: Takes pictures.\nrequires: [cap:camera]\n---\n";
    planted.write("shut/SKILL.md", gated);
    let builder = LayersBuilder::new().directory(planted.path());
    let shut = builder.clone().load().unwrap();
    assert_eq!((names(&shut), shut.len()), (vec!["open"], 1));
    assert!(shut.get("shut").is_none() && shut.locate("shut").is_none());
    let error = shut.find("shut").unwrap_err();
    assert_eq!((error.available, error.nearest), (vec!["open".to_owned()], None));
    let all: Vec<_> = shut.all().map(|found| (found.skill.name(), found.gated)).collect();
    assert_eq!(all, [("open", false), ("shut", true)]);
    assert!(!shut.prompt_with(&Prompt::new(Style::Skills)).contains("shut"));
    let by_prompt = shut.prompt_with(&Prompt::new(Style::Skills).grant(&|capability| capability == "camera"));
    assert!(by_prompt.contains("<name>shut</name>"));

    let open = builder.grant(|capability| capability == "camera").load().unwrap();
    assert_eq!(names(&open), ["open", "shut"]);
    assert!(open.find("shut").is_ok() && open.all().all(|found| !found.gated));
    assert!(open.prompt_with(&Prompt::new(Style::Skills)).contains("<name>shut</name>"));
}

// SPEC 2.9: a skill that a gated skill hides stays hidden, so that no other skill runs than the user installed
#[test]
fn a_gated_winner_does_not_bring_back_what_it_hides() {
    let (low, high) = (Planted::of_names(&["pdf"]), Planted::new(&[]));
    high.write("pdf/SKILL.md", "---\nname: pdf\ndescription: x\nrequires: cap:files\n---\n");
    let layers = LayersBuilder::new().directories([low.path(), high.path()]).load().unwrap();
    assert!(layers.is_empty() && layers.get("pdf").is_none());
}

// SPEC 8.1: skills on disk have real paths, and bundled ones `skill://`
#[test]
fn the_catalog_shows_the_locations_of_winners() {
    let (bundle, user) = (Planted::of_names(&["alone", "pdf"]), Planted::of_names(&["pdf"]));
    let layers = LayersBuilder::new().bundle(bundle.bundle()).directory(user.path()).load().unwrap();
    let text = layers.prompt_with(&Prompt::new(Style::AgentSkills));
    let expected = format!(
        "<available_skills>\n<skill>\n<name>\nalone\n</name>\n<description>\nalone\n</description>\n<location>\n\
         skill://alone/SKILL.md\n</location>\n</skill>\n<skill>\n<name>\npdf\n</name>\n<description>\npdf\n\
         </description>\n<location>\n{}/pdf/SKILL.md\n</location>\n</skill>\n</available_skills>",
        user.path().display()
    );
    assert_eq!(text, expected);
    let small = layers.prompt_with(&Prompt::new(Style::Skills).budget(1));
    assert!(small.ends_with("\n2 more skills not shown: alone, pdf"), "{small}");
    assert_eq!(LayersBuilder::new().load().unwrap().prompt_with(&Prompt::new(Style::Skills)), "");
}

// SPEC 8.3
#[test]
fn an_unknown_name_lists_the_available() {
    let error = Planted::of_names(&["pdf", "web"]).load().find("pfd").unwrap_err();
    assert_eq!(error.skill_tool_text(), "Error: skill 'pfd' not found. Available skills: pdf, web.");
}

const MANIFEST: &str = r#"{"name": "NAME", "description": "x", "category": "c", "mode": "llm",
    "input": {"type": "object", "properties": {"text": {"type": "string"}}},
    "output": {"$ref": "common.json"}}"#;

fn typed(planted: &Planted, name: &str, manifest: &str, common: &str) {
    planted.write(&format!("{name}/skill.json"), &manifest.replace("NAME", name));
    planted.write(&format!("{name}/prompt.md"), "Do it.\n");
    planted.write(&format!("{name}/common.json"), common);
}

// SPEC 1.6: a typed call runs the bundled skill unless the winner's schemas are equal
#[test]
fn a_typed_call_runs_the_winner_only_with_equal_schemas() {
    let bundle = Planted::of_names(&["prose"]);
    typed(&bundle, "ask", MANIFEST, r#"{"type": "string"}"#);
    let registry = bundle.bundle();
    let winner = |manifest: &str, common: &str, name: &str| {
        let user = Planted::new(&[]);
        typed(&user, name, manifest, common);
        let layers = LayersBuilder::new().bundle(registry).directory(user.path()).load().unwrap();
        assert!(layers.get(name).unwrap().location().starts_with('/'), "{:?}", layers.problems());
        layers.typed_winner(registry.get("ask").unwrap()).unwrap().location().to_owned()
    };
    let reordered = MANIFEST
        .replace(r#"{"type": "object", "#, "{")
        .replace(r#""string"}}}"#, r#""string"}}, "type": "object"}"#);
    assert_ne!(reordered, MANIFEST);
    let common = r#"{"type": "string"}"#;
    assert!(winner(MANIFEST, common, "ask").starts_with('/'), "the same");
    assert!(winner(&reordered, common, "ask").starts_with('/'), "in another order");
    assert!(!winner(MANIFEST, r#"{"type": "integer"}"#, "ask").starts_with('/'), "another file referred to");
    let other = MANIFEST.replace(r#"{"text": {"type": "string"}}"#, r#"{"text": {"type": "integer"}}"#);
    assert_ne!(other, MANIFEST);
    assert!(!winner(&other, common, "ask").starts_with('/'), "another input");
    let more = MANIFEST.replace(r#""type": "object","#, r#""type": "object", "required": ["text"],"#);
    assert_ne!(more, MANIFEST);
    assert!(!winner(&more, common, "ask").starts_with('/'), "one key more");

    // References may write a path with `%`, and other files are not looked at.
    let escaped = MANIFEST.replace("common.json", "c%6Fmmon.json");
    let bundle = Planted::new(&[]);
    typed(&bundle, "ask", &escaped, common);
    let escaped_registry = bundle.bundle();
    let own = escaped_registry.get("ask").unwrap();
    for (other, wins) in [(common, true), (r#"{"type": "integer"}"#, false)] {
        let user = Planted::new(&[]);
        typed(&user, "ask", &escaped, other);
        user.write("ask/more.json", "[]");
        let layers = LayersBuilder::new().bundle(escaped_registry).directory(user.path()).load().unwrap();
        for _ in 0..2 {
            assert_eq!(layers.typed_winner(own).unwrap().location().starts_with('/'), wins, "{other}");
        }
    }
    // A value that only looks like a reference does not lead to another file.
    let data = MANIFEST.replace(r#"{"$ref": "common.json"}"#, r#"{"enum": [{"$ref": "common.json"}]}"#);
    let bundle = Planted::new(&[]);
    typed(&bundle, "ask", &data, common);
    let user = Planted::new(&[]);
    typed(&user, "ask", &data, r#"{"type": "integer"}"#);
    let data_registry = bundle.bundle();
    let layers = LayersBuilder::new().bundle(data_registry).directory(user.path()).load().unwrap();
    let own = data_registry.get("ask").unwrap();
    assert!(layers.typed_winner(own).unwrap().location().starts_with('/'), "no reference");

    let layers = LayersBuilder::new().bundle(registry).load().unwrap();
    let own = registry.get("ask").unwrap();
    assert!(layers.typed_winner(own).unwrap().is(own), "nothing hides it");
    assert!(layers.typed_winner(registry.get("prose").unwrap()).is_none(), "no function");
    let prose = Planted::of_names(&["ask"]);
    let layers = LayersBuilder::new().bundle(registry).directory(prose.path()).load().unwrap();
    assert_eq!(
        layers.typed_winner(registry.get("ask").unwrap()).unwrap().location(),
        "skill://ask/SKILL.md",
        "no schemas at all"
    );
}

// SPEC 3.2, 4.3: the files that a call needs are kept
#[test]
fn a_loaded_function_can_be_called() {
    let planted = Planted::of_names(&["prose"]);
    typed(&planted, "ask", MANIFEST, r#"{"type": "string"}"#);
    let tier_3 = "---\nname: run\ndescription: x\nexec: run.sh\nschema: input.json\n---\n";
    planted.write("run/SKILL.md", tier_3);
    planted.write("run/run.sh", "#!/bin/sh\n");
    planted.write("run/input.json", r#"{"type": "object", "required": ["a"]}"#);
    let layers = planted.load();
    let function = layers.function("ask").unwrap();
    assert!(skills_schema::validate_str(function.input, r#"{"text": "x"}"#).is_ok());
    assert!(skills_schema::validate_str(function.input, r#"{"text": 1}"#).is_err());
    assert!(skills_schema::validate_str(function.output, r#""x""#).is_ok());
    assert!(skills_schema::validate_str(function.output, "1").is_err(), "by the file referred to");
    assert_eq!(layers.get("ask").unwrap().prompt(), Some("Do it.\n"));
    let tables = layers.input_checker("run").unwrap();
    assert!(skills_schema::validate_str(tables, r#"{"a": 1}"#).is_ok());
    assert!(skills_schema::validate_str(tables, "{}").is_err());
    assert!(layers.function("run").is_none() && layers.input_checker("prose").is_none());
    assert!(layers.input_checker("ask").is_some() && layers.function("unknown").is_none());
}

// SPEC 1.6: a debug build may read the source directory of its bundle
#[test]
fn the_source_of_a_bundle_is_read_in_its_place() {
    let planted = Planted::of_names(&["kept", "pdf"]);
    let bundle = planted.bundle();
    let name = planted.path().file_name().unwrap();
    let builder = LayersBuilder::new().bundle_from_source(bundle, planted.path().parent().unwrap(), name);
    planted.skill("pdf", "edited");
    planted.skill("new", "added");
    let layers = builder.load().unwrap();
    if cfg!(debug_assertions) {
        assert_eq!(names(&layers), ["kept", "new", "pdf"]);
        assert_eq!(layers.get("pdf").unwrap().description(), "edited");
        assert_eq!(layers.shadowed().count(), 0);
        assert_eq!(*layers.locate("pdf").unwrap().origin, Origin::Source(planted.path().to_owned()));
    } else {
        assert_eq!(names(&layers), ["kept", "pdf"]);
    }
    drop(planted);
    let layers = builder.load().unwrap();
    assert_eq!(names(&layers), ["kept", "pdf"], "without the directory the skills in the program are used");
    assert_eq!(*layers.locate("pdf").unwrap().origin, Origin::Bundle(""));
}

// SPEC 1.3, 2.8
#[test]
fn resources_are_read_with_their_bytes() {
    let planted = Planted::of_names(&["pdf"]);
    planted.write("pdf/references/a.md", "A\n");
    let layers = planted.load();
    let skill = layers.get("pdf").unwrap();
    assert_eq!(skill.body(), "Body of pdf.\n");
    assert_eq!(skill.resource("references/a.md").unwrap().bytes(), b"A\n");
    assert_eq!(
        skill.resource("references/a.md").unwrap().sha256_hex(),
        "06f961b802bc46ee168555f066d28f4f0e9afdf3f88174c1ee6f9de004fc30a0",
        "what `sha256sum` says"
    );
    assert!(layers.problems().is_empty(), "{:?}", layers.problems());
}

// SPEC 1.7
#[test]
fn one_problem_is_one_line() {
    let planted = Planted::new(&[("pdf/SKILL.md", "---\nname: pdf\ndescription: a: b\n---\n")]);
    let layers = planted.load();
    let problem = only(&layers);
    assert_eq!((problem.line, problem.column, problem.level), (3, 15, Level::Warning));
    let line = problem.to_string();
    assert!(line.starts_with(&format!("{}/pdf/SKILL.md:3:15: ", planted.path().display())), "{line}");
    assert!(!line.contains('\n'));
}

// SPEC 6.9
#[test]
fn layers_of_a_bundle_have_the_prompt_of_the_bundle() {
    let function = |name: &str, rest: &str| {
        format!(
            r#"{{"name": "{name}", "description": "Does it.", "category": "c", "mode": "code", "input": {{"type": "object"}}, "output": {{}}{rest}}}"#
        )
    };
    let planted = Planted::new(&[]);
    for at in 0..20 {
        planted.skill(&format!("s{at}"), "says at length what it is for, and when it is of use");
    }
    planted.write("host/skill.json", &function("host", ""));
    planted.write("own/skill.json", &function("own", r#", "tags": ["internal"]"#));
    for (tokens, is_cut) in [(8_000, false), (300, true)] {
        let bundle = planted.bundle_within(tokens);
        let layers = LayersBuilder::new().bundle(bundle).load().unwrap();
        assert_eq!(layers.prompt(), bundle.prompt());
        assert_eq!(layers.prompt().len() > 300 * 4, !is_cut);
        for style in [Style::Skills, Style::AgentSkills, Style::Omega] {
            let prompt = || Prompt::new(style);
            assert_eq!(layers.prompt_with(&prompt()), bundle.prompt_with(&prompt()));
            assert_eq!(layers.prompt_with(&prompt().budget(90)), bundle.prompt_with(&prompt().budget(90)));
        }
        for format in ToolFormat::ALL {
            assert_eq!(layers.all_tools(format), bundle.all_tools(format));
        }
        // The same for a runner whose loader has the name that the catalog mentions.
        let runners = [Runner::new(bundle), Runner::from(layers)];
        let granted = Runner::new(bundle).grant(|_| true);
        for runner in runners.into_iter().chain([granted]) {
            assert_eq!(runner.clone().loader(Loader::Skill).prompt(), bundle.prompt());
            assert_eq!(runner.only(|_| true).loader(Loader::Skill).prompt(), bundle.prompt());
        }
    }
    // The budget of the highest layer applies to the catalog.
    let (low, high) = (planted.bundle_within(300), planted.bundle_within(90));
    let both = LayersBuilder::new().bundle(low).bundle(high).load().unwrap();
    assert_eq!(both.catalog_budget(), 90);
    assert_eq!(both.prompt(), high.prompt());
    assert_eq!(LayersBuilder::new().directory(planted.path()).load().unwrap().catalog_budget(), 8_000);
}
