//! Tests the functions that mirror those of other loaders (SPEC 11.1).

use skills_load::compat::{
    CompatError, Frontmatter, discover, find_by_name, infer_tier, install_bundled_skills, load_record,
    load_skills, migrate_flat_skills, parse_frontmatter,
};

use crate::planted::{Planted, document};

// SPEC 1.6, 2.7, 11.1 (cogos Discover)
#[test]
fn discover_lists_records_of_the_later_directory() {
    let (user, workspace) = (Planted::of_names(&["pdf", "web"]), Planted::new(&[]));
    workspace.write("pdf/SKILL.md", "# PDF\n\nReads PDF files.\n");
    workspace.write(
        "run/SKILL.md",
        "---\nname: run\nexec: run\nschema: in.json\nversion: 1.2\nrequires: cap:x\n---\n",
    );
    workspace.write("run/bin/run", "#!/bin/sh\n");
    workspace.write("run/in.json", "{}");
    workspace.write("broken/SKILL.md", "---\nname: \"\n---\n");
    let missing = workspace.path().join("none");
    let records = discover(&[user.path(), &missing, workspace.path()]).unwrap();
    let json: Vec<String> = records.iter().map(|record| record.to_json()).collect();
    let (user, workspace) = (user.path().display(), workspace.path().display());
    assert_eq!(
        json,
        [
            format!(
                r#"{{"name":"pdf","version":"0.1.0","tier":0,"description":"Reads PDF files.","exec":null,"schema":null,"path":"{workspace}/pdf","requires":[]}}"#
            ),
            format!(
                r#"{{"name":"run","version":"1.2","tier":3,"description":"","exec":"run","schema":"in.json","path":"{workspace}/run","requires":["cap:x"],"gated":true}}"#
            ),
            format!(
                r#"{{"name":"web","version":"0.1.0","tier":0,"description":"web","exec":null,"schema":null,"path":"{user}/web","requires":[]}}"#
            ),
        ]
    );
}

// SPEC 1.2, 8.3 (cogos FindByName)
#[test]
fn find_by_name_says_what_is_missing() {
    let planted = Planted::of_names(&["pdf"]);
    planted.write("shut/SKILL.md", "---\nname: shut\ndescription: x\nrequires: cap:x\n---\n");
    assert_eq!(find_by_name(&[planted.path()], "pdf").unwrap().name, "pdf");
    for name in ["shut", "unknown"] {
        let error = find_by_name(&[planted.path()], name).unwrap_err();
        assert_eq!(error.to_string(), format!("skill not found: {name}"));
        let CompatError::NotFound(missing) = error else { panic!("{error}") };
        assert_eq!(missing.available, ["pdf"]);
    }
    let file = planted.path().join("pdf/SKILL.md");
    let error = find_by_name(&[&file], "pdf").unwrap_err();
    assert_eq!(error.to_string(), format!("read skills dir {}: not a directory", file.display()));
    assert_eq!(discover(&[&file]).unwrap_err().to_string(), error.to_string());
}

// SPEC 2.6, 2.7 (cogos LoadRecord)
#[test]
fn load_record_reads_one_directory() {
    let planted = Planted::of_names(&["group/pdf"]);
    let record = load_record(planted.path().join("group/pdf")).unwrap();
    assert_eq!(record.path, planted.path().join("group/pdf").to_str().unwrap());
    let error = load_record(planted.path().join("group")).unwrap_err();
    assert!(matches!(&error, CompatError::NoSkill { problems, .. } if problems.is_empty()), "{error}");
    planted.write("bad/SKILL.md", "---\nname: \"\n---\n");
    let error = load_record(planted.path().join("bad")).unwrap_err();
    assert!(error.to_string().contains("SKILL.md:2:"), "{error}");
    assert!(load_record(planted.path().join("none")).is_err());
}

// SPEC 2.1, 2.2, 2.3, 2.7 (cogos ParseFrontmatter)
#[test]
fn a_frontmatter_is_parsed_into_its_fields() {
    let whole = "---\nname: yes\nversion: 1.0\ndescription: d\nexec: run\nschema: in.json\nrequires: [npx, git]\n\
                 timeout: 3000\n---\n\n# Title\n\n> quote\n\nText: it is.\nMore.\n";
    let (fields, title, paragraph) = parse_frontmatter(whole.as_bytes());
    let expected = Frontmatter {
        name: "yes".into(),
        version: "1.0".into(),
        description: "d".into(),
        exec: "run".into(),
        schema: "in.json".into(),
        requires: vec!["npx".into(), "git".into()],
        timeout: "3000".into(),
    };
    assert_eq!(fields, expected);
    assert_eq!((title.as_str(), paragraph.as_str()), ("Title", "Text: it is."));
    let toml = parse_frontmatter(b"---\nname = \"pdf\"\nrequires = [\"npx\"]\n---\n").0;
    assert_eq!((toml.name.as_str(), toml.requires.as_slice()), ("pdf", &["npx".to_owned()][..]));
    let none = parse_frontmatter(b"# Title\n\nname: no field\n");
    assert_eq!(none, (Frontmatter::default(), "Title".into(), "name: no field".into()));
    for text in ["---js\nname: x\n---\n", "---\nname: \"\n---\n", "", "---", "---\n"] {
        assert_eq!(parse_frontmatter(text.as_bytes()).0.name, "", "{text:?}");
    }
    assert_eq!(parse_frontmatter(b"---\nname: \xff\n---\n").0.name, "\u{fffd}");
}

// SPEC 4.1, 4.2, 4.3 (cogos InferTier)
#[test]
fn the_tier_follows_the_files() {
    let planted = Planted::of_names(&["pdf"]);
    let dir = planted.path().join("pdf");
    let fields = |exec: &str, schema: &str| Frontmatter {
        exec: exec.into(),
        schema: schema.into(),
        ..Default::default()
    };
    assert_eq!(infer_tier(&dir, &fields("run", "in.json")), 0);
    planted.write("pdf/helper.py", "");
    assert_eq!(infer_tier(&dir, &fields("run", "in.json")), 1);
    planted.write("pdf/bin/run", "");
    assert_eq!(infer_tier(&dir, &fields("run", "in.json")), 2);
    assert_eq!(infer_tier(&dir, &fields("../run", "")), 1);
    planted.write("pdf/in.json", "{}");
    assert_eq!(infer_tier(&dir, &fields("run", "in.json")), 3);
    assert_eq!(infer_tier(&dir, &fields("", "in.json")), 1);
    assert_eq!(infer_tier(planted.path(), &fields("pdf/bin/run", "")), 0, "no skill");
}

// SPEC 1.1, 2.5, 2.9, 2.10 (omega-skills load_skills)
#[test]
fn skills_of_a_data_directory_are_loaded() {
    let planted = Planted::new(&[]);
    assert!(load_skills(planted.path()).unwrap().is_empty());
    let web = "---\nname = \"web\"\ndescription = \"Browses.\"\nrequires = [\"sh\"]\nhomepage = \"https://e.org\"\n\
               trigger = \"browse|click\"\n[mcp.playwright]\ncommand = \"npx\"\nargs = [\"-y\", \"p\"]\n---\n";
    planted.write("skills/web/SKILL.md", web);
    planted.write(
        "skills/tool/SKILL.md",
        "---\nname: tool\ndescription: x\nrequires: [no-such-program-at-all]\n---\n",
    );
    planted.write("skills/none/SKILL.md", "---\nname: none\n---\n");
    let skills = load_skills(planted.path()).unwrap();
    assert_eq!(skills.iter().map(|skill| skill.name.as_str()).collect::<Vec<_>>(), ["tool", "web"]);
    assert_eq!((skills[0].available, skills[1].available), (false, true));
    let web = &skills[1];
    assert_eq!((web.homepage.as_str(), web.trigger.as_deref()), ("https://e.org", Some("browse|click")));
    assert_eq!(web.path, planted.path().join("skills/web/SKILL.md"));
    assert_eq!((web.mcp_servers[0].command.as_str(), web.mcp_servers[0].args.len()), ("npx", 2));
    planted.write("other/skills", "");
    assert!(load_skills(planted.path().join("other")).is_err());
}

// SPEC 9.1, 9.3 (omega-skills install_bundled_skills, migrate_flat_skills)
#[test]
fn flat_files_are_moved_before_the_bundle_is_installed() {
    let bundle = Planted::of_names(&["pdf", "web"]);
    let planted = Planted::new(&[("skills/pdf.md", &document("pdf", "the user's"))]);
    assert_eq!(migrate_flat_skills(planted.path()).unwrap().moved, ["pdf"]);
    install_bundled_skills(bundle.bundle(), planted.path()).unwrap();
    let described: Vec<String> =
        load_skills(planted.path()).unwrap().into_iter().map(|skill| skill.description).collect();
    assert_eq!(described, ["the user's", "web"]);
    planted.write("skills/web/SKILL.md", &document("web", "edited"));
    install_bundled_skills(bundle.bundle(), planted.path()).unwrap();
    assert_eq!(load_skills(planted.path()).unwrap()[1].description, "edited");
}
