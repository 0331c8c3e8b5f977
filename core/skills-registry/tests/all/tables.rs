//! Tests that the handles return the facts that were written, in both layouts, and that rows with any content
//! are safe to read.

#![allow(clippy::unwrap_used)] // test helpers may panic

use skills_registry::{
    Backend, CompiledFile, CompiledSkill, Declared, Facts, FunctionFacts, Layout, Mode, Net, Permissions,
    PinnedTool, Prompt, Registry, ServerFacts, Skill, Style, Tables, write,
};

const DOCUMENT: &str = "---\nname: pdf\n---\nRead pages.\n";

fn file<'a>(path: &'a str, bytes: &'a [u8], executable: bool) -> CompiledFile<'a> {
    let mut sha256 = [0; 32];
    for (at, byte) in bytes.iter().enumerate() {
        sha256[at % 32] ^= byte.wrapping_add(u8::try_from(at / 32).unwrap());
    }
    CompiledFile { path, bytes, executable, sha256 }
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn named(name: &str) -> CompiledSkill<'static> {
    Facts { name: name.to_owned(), ..Facts::default() }.into()
}

fn registry(skills: &[CompiledSkill<'_>]) -> Registry {
    Registry::new(write(skills, Layout::Joined, 8_000).unwrap().into_tables())
}

fn with_skills<T>(then: impl FnOnce(&[CompiledSkill<'_>]) -> T) -> T {
    let pdf = Facts {
        name: "pdf".to_owned(),
        dir: "office/pdf".to_owned(),
        description: "Reads PDF files.".to_owned(),
        version: "0.1.0".to_owned(),
        tier: 3,
        body: Some(18..DOCUMENT.len()),
        frontmatter: r#"{"name":"pdf"}"#.to_owned(),
        exec: Some("pdf".to_owned()),
        program: Some("bin/pdf".to_owned()),
        schema: Some("input.json".to_owned()),
        timeout_ms: Some(1 << 40 | 7),
        requires: strings(&["pdftotext", "cap:files"]),
        declared: Declared {
            exec: Some("pdf".to_owned()),
            trigger: Some("pdf|page".to_owned()),
            homepage: Some("https://example.com".to_owned()),
            argument_hint: Some("PAGE TO".to_owned()),
            allowed_tools: strings(&["Bash(pdf:*)", "Read"]),
            arguments: strings(&["page", "to"]),
            ..Declared::default()
        },
        permissions: Some(Permissions {
            read: strings(&["$WORKSPACE"]),
            write: strings(&["$TMPDIR", "out"]),
            net: Net::Hosts(strings(&["api.example.com"])),
            env: strings(&["LANG"]),
        }),
        mcp_servers: vec![ServerFacts {
            name: "files".to_owned(),
            command: "npx".to_owned(),
            args: strings(&["-y", "server"]),
            env: vec![("A".to_owned(), "1".to_owned()), ("B".to_owned(), "2".to_owned())],
        }],
        model_invocable: true,
        user_invocable: true,
        backend: Some(Backend::Program),
        ..Facts::default()
    };
    let files = vec![
        file("SKILL.md", DOCUMENT.as_bytes(), false),
        file("bin/pdf", &[0xff, 0, 1], true),
        file("notes.md", b"notes", false),
    ];
    let pdf = CompiledSkill { files, checker: Some((&[1, 1 << 31], "of pdf")), ..pdf.into() };
    let ask = Facts {
        name: "ask".to_owned(),
        dir: "ask".to_owned(),
        description: "Asks.".to_owned(),
        version: "1.0.0".to_owned(),
        frontmatter: "{}".to_owned(),
        tags: strings(&["documents"]),
        category: Some("general".to_owned()),
        function: Some(FunctionFacts {
            mode: Mode::Llm,
            calls: strings(&["pdf"]),
            retry: 2,
            pure: false,
            prompt: Some(("prompt.md", 0..12)),
            pipeline: Some("[]".to_owned()),
            output_mapping: None,
            certain_calls: strings(&["pdf"]),
            mcp: Some(PinnedTool {
                server: "files".to_owned(),
                tool: "read".to_owned(),
                digest: "d".to_owned(),
            }),
        }),
        ..Facts::default()
    };
    let files =
        vec![file("prompt.md", b"Answer this.", false), file("skill.json", b"{\"name\":\"ask\"}", false)];
    let ask = CompiledSkill { files, schemas: [r#"{"type":"object"}"#, "true"], ..ask.into() };
    then(&[pdf, ask])
}

#[test]
fn handles_return_the_written_facts() {
    with_skills(|skills| {
        let registry = registry(skills);
        assert_eq!(registry.len(), 2);
        assert_eq!(registry.iter().map(Skill::name).collect::<Vec<_>>(), ["ask", "pdf"], "SPEC 1.8");
        check(&registry);
    });
}

#[test]
fn files_may_be_separate_pieces() {
    with_skills(|skills| {
        let parts = write(skills, Layout::Separate, 8_000).unwrap();
        let first: &'static [u8] = parts.bytes.leak();
        assert!(!first.windows(11).any(|bytes| bytes == b"Read pages."));
        // Sorted by name: the files of `ask`, then those of `pdf`.
        let pieces: &'static [&'static [u8]] =
            vec![first, b"Answer this.", b"{\"name\":\"ask\"}", DOCUMENT.as_bytes(), &[0xff, 0, 1], b"notes"]
                .leak();
        check(&Registry::new(Tables::fixed(pieces, parts.rows.leak())));
    });
}

// SPEC 16.1
#[test]
fn digests_and_the_search_index_may_be_computed_on_demand() {
    fn digest(bytes: &[u8]) -> [u8; 32] {
        file("", bytes, false).sha256
    }
    with_skills(|skills| {
        let mut undigested = skills.to_vec();
        for skill in &mut undigested {
            skill.files.iter_mut().for_each(|file| file.sha256 = [0; 32]);
        }
        let joined = write(skills, Layout::Joined, 8_000).unwrap();
        let parts = write(&undigested, Layout::Lazy, 8_000).unwrap();
        assert!(parts.rows.len() < joined.rows.len(), "the rows contain no index");
        let registry = Registry::new(parts.into_lazy_tables(digest));
        check(&registry);
        let joined = Registry::new(joined.into_tables());
        for query in ["read pages", "PDF files", "ask"] {
            let hits = |registry: &Registry| -> Vec<(String, f32)> {
                registry.search(query).map(|hit| (hit.skill.name().to_owned(), hit.score)).collect()
            };
            assert!(!hits(&joined).is_empty(), "{query}");
            assert_eq!(hits(&registry), hits(&joined), "{query}");
        }
        for skill in skills {
            for file in &skill.files {
                let found = registry.get(&skill.facts.name).unwrap().file(file.path).unwrap();
                assert_eq!((found.bytes(), found.sha256()), (file.bytes, &file.sha256), "{}", file.path);
            }
        }
    });
}

fn check(registry: &Registry) {
    let pdf = registry.get("pdf").unwrap();
    assert_eq!(format!("{pdf:?}"), "Skill(\"pdf\")");
    assert_eq!((pdf.description(), pdf.version(), pdf.tier()), ("Reads PDF files.", "0.1.0", 3));
    assert_eq!((pdf.dir(), pdf.location()), ("office/pdf", "skill://pdf/SKILL.md"));
    assert_eq!((pdf.base(), pdf.is_bundled()), ("skill://pdf", true));
    assert_eq!((pdf.body(), pdf.frontmatter()), ("Read pages.\n", r#"{"name":"pdf"}"#));
    assert_eq!((pdf.exec(), pdf.program(), pdf.schema()), (Some("pdf"), Some("bin/pdf"), Some("input.json")));
    assert_eq!(pdf.checker(), Some(([1, 0, 0, 0, 0, 0, 0, 128].as_slice(), "of pdf")), "SPEC 4.3");
    assert_eq!((pdf.timeout_ms(), pdf.trigger()), (Some(1 << 40 | 7), Some("pdf|page")));
    assert_eq!(pdf.requires().collect::<Vec<_>>(), ["pdftotext", "cap:files"]);
    assert_eq!(pdf.allowed_tools().collect::<Vec<_>>(), ["Bash(pdf:*)", "Read"]);
    assert_eq!(pdf.arguments().collect::<Vec<_>>(), ["page", "to"]);
    assert_eq!((pdf.tags().len(), pdf.category(), pdf.mode()), (0, None, None));
    assert_eq!((pdf.input_schema(), pdf.output_schema(), pdf.prompt()), (None, None, None));
    assert!(pdf.is_model_invocable() && pdf.has_document());
    let server = pdf.mcp_servers().next().unwrap();
    assert_eq!((server.name(), server.command()), ("files", "npx"));
    assert_eq!(server.args().collect::<Vec<_>>(), ["-y", "server"]);
    assert_eq!(server.env().collect::<Vec<_>>(), [("A", "1"), ("B", "2")]);

    // SPEC 1.3
    assert_eq!(pdf.files().map(|file| file.path()).collect::<Vec<_>>(), ["SKILL.md", "bin/pdf", "notes.md"]);
    assert_eq!(pdf.resources().map(|file| file.path()).collect::<Vec<_>>(), ["bin/pdf", "notes.md"]);
    assert_eq!((pdf.files().len(), pdf.resources().len()), (3, 2));
    let mut rest = pdf.resources();
    assert_eq!(rest.next().map(|file| file.path()), Some("bin/pdf"));
    assert_eq!(rest.len(), 1);
    assert!(pdf.resource("SKILL.md").is_none() && pdf.file("SKILL.md").is_some());
    let program = pdf.resource("bin/pdf").unwrap();
    assert_eq!((program.bytes(), program.text(), program.is_executable()), (&[0xff, 0, 1][..], None, true));
    assert_eq!(program.sha256()[..3], [0xff, 0, 1]);
    assert_eq!(program.sha256_hex(), format!("ff0001{}", "0".repeat(58)));
    let notes = pdf.resource("notes.md").unwrap();
    assert_eq!((notes.bytes(), notes.text(), notes.is_executable()), (&b"notes"[..], Some("notes"), false));
    assert!(pdf.resource("nothing").is_none());

    let ask = registry.get("ask").unwrap();
    assert_eq!((ask.mode(), ask.retry(), ask.prompt()), (Some(Mode::Llm), 2, Some("Answer this.")));
    assert_eq!((ask.input_schema(), ask.output_schema()), (Some(r#"{"type":"object"}"#), Some("true")));
    assert_eq!((ask.pipeline(), ask.output_mapping()), (Some("[]"), None));
    let pinned = PinnedTool { server: "files", tool: "read", digest: "d" };
    assert_eq!((ask.pinned_tool(), pdf.pinned_tool()), (Some(pinned), None));
    assert!(ask.certain_calls().eq(["pdf"]) && pdf.certain_calls().len() == 0);
    assert_eq!((pdf.backend(), ask.backend()), (Some(Backend::Program), None));
    assert!(pdf.is_user_invocable() && !ask.is_user_invocable());
    assert_eq!(
        (pdf.declared_exec(), pdf.homepage(), pdf.argument_hint()),
        (Some("pdf"), Some("https://example.com"), Some("PAGE TO"))
    );
    let asked = pdf.permissions().unwrap();
    assert_eq!(
        (asked.read.as_slice(), asked.write.as_slice()),
        (&strings(&["$WORKSPACE"])[..], &strings(&["$TMPDIR", "out"])[..])
    );
    assert_eq!((asked.net, asked.env), (Net::Hosts(strings(&["api.example.com"])), strings(&["LANG"])));
    assert_eq!(ask.permissions(), None);
    assert_eq!((ask.declared_exec(), ask.homepage(), ask.argument_hint()), (None, None, None));
    assert_eq!(ask.calls().collect::<Vec<_>>(), ["pdf"]);
    assert_eq!((ask.tags().collect::<Vec<_>>(), ask.category()), (vec!["documents"], Some("general")));
    assert_eq!(ask.checker(), None);
    assert_eq!((ask.body(), ask.exec(), ask.timeout_ms(), ask.trigger()), ("", None, None, None));
    assert!(!ask.is_model_invocable() && !ask.has_document());
}

#[test]
fn a_skill_on_disk_has_a_directory() {
    // SPEC 8.2
    for (location, base) in [("/s/a\\b/SKILL.md", "/s/a\\b"), ("/SKILL.md", "/"), ("SKILL.md", ""), ("", "")]
    {
        let location = Some(location.to_owned());
        let registry = registry(&[CompiledSkill { location, ..named("pdf") }]);
        let pdf = registry.get("pdf").unwrap();
        assert_eq!((pdf.base(), pdf.is_bundled()), (base, false));
    }
}

#[test]
fn look_up_is_exact_and_lists_alternatives() {
    with_skills(|skills| {
        let registry = registry(skills);
        // SPEC 1.5
        assert!(registry.get("PDF").is_none() && registry.get("").is_none());
        assert_eq!(registry.find("ask").unwrap().name(), "ask");
        // SPEC 8.3: gated names are never suggested.
        let error = registry.find("pfd").unwrap_err();
        assert_eq!((error.available, error.nearest), (strings(&["ask"]), None));
        let error = registry.not_found("pfd", &|capability| capability == "files");
        assert_eq!((error.available, error.nearest), (strings(&["ask", "pdf"]), Some("pdf".to_owned())));
    });
}

#[test]
fn every_name_of_a_large_registry_is_found() {
    for count in [0, 1, 7, 8, 9, 1_000, 5_000] {
        let names: Vec<String> = (0..count).map(|at| format!("skill-{at:05}")).collect();
        let skills: Vec<CompiledSkill<'_>> = names.iter().rev().map(|name| named(name)).collect();
        let registry = registry(&skills);
        assert_eq!((registry.len(), registry.is_empty()), (count, count == 0));
        for name in &names {
            assert_eq!(registry.get(name).map(Skill::name), Some(name.as_str()));
            assert!(registry.get(&format!("{name}x")).is_none());
        }
        assert!(registry.iter().map(Skill::name).eq(&names));
    }
}

#[test]
fn the_prompt_is_prepared_without_hidden_skills() {
    with_skills(|skills| {
        let registry = registry(skills);
        // SPEC 8.1, 2.9: `ask` has no SKILL.md, `pdf` needs a capability that nobody granted.
        assert_eq!(registry.prompt(), "");
        let granted = Prompt::new(Style::Skills).grant(&|capability| capability == "files");
        assert!(registry.prompt_with(&granted).contains("<location>skill://pdf/SKILL.md</location>"));
        let mut open = skills.to_vec();
        open[0].facts.to_mut().requires.clear();
        let registry = self::registry(&open);
        assert!(registry.prompt().contains("<name>pdf</name>") && !registry.prompt().contains("<name>ask"));
        for style in [Style::Skills, Style::AgentSkills] {
            let prompt = registry.prompt_with(&Prompt::new(style));
            assert!(
                matches!(prompt, std::borrow::Cow::Borrowed(_)),
                "{style:?} was put together at run time"
            );
            assert_eq!(prompt, registry.prompt_with(&Prompt::new(style).budget(8_001)));
        }
        open[0].facts.to_mut().model_invocable = false;
        assert_eq!(self::registry(&open).prompt(), "", "SPEC 6.3");
    });
}

#[test]
fn a_repeated_text_is_stored_once() {
    let license = "All rights granted.\n".repeat(50);
    let files = vec![file("LICENSE", license.as_bytes(), false)];
    let names = ["a", "b", "c"];
    let skills = names.map(|name| CompiledSkill { files: files.clone(), ..named(name) });
    let parts = write(&skills, Layout::Joined, 8_000).unwrap();
    assert!(parts.bytes.len() < 2 * license.len());
    let registry = Registry::new(parts.into_tables());
    assert!(registry.iter().all(|skill| skill.file("LICENSE").unwrap().text() == Some(&license)));
}

#[test]
fn tables_of_another_format_are_empty() {
    let mut parts = with_skills(|skills| write(skills, Layout::Joined, 8_000).unwrap());
    parts.rows[0] -= 1;
    let registry = Registry::new(parts.into_tables());
    assert!(registry.is_empty() && registry.get("pdf").is_none());
}

#[test]
fn rows_of_any_content_are_safe_to_read() {
    // SPEC 12.1
    let parts = with_skills(|skills| {
        let many: Vec<String> = (0..20).map(|at| format!("s{at}")).collect();
        let mut all = skills.to_vec();
        all.extend(many.iter().map(|name| named(name)));
        write(&all, Layout::Joined, 8_000).unwrap()
    });
    let mut state = 7_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    for round in 0..3_000 {
        let mut rows = parts.rows.clone();
        let bytes = if round % 2 == 0 { parts.bytes.clone() } else { "é".repeat(200).into_bytes() };
        for _ in 0..=random() % 8 {
            let at = usize::try_from(random()).unwrap() % rows.len();
            // Errors in the header matter most.
            let at = if random() % 2 == 0 { at % 64 } else { at };
            rows[at] = [0, 1, 0x7f, 0xff, 0xfe][usize::try_from(random() % 5).unwrap()];
        }
        if random() % 4 == 0 {
            rows.truncate(usize::try_from(random()).unwrap() % rows.len());
        }
        read_all(&Registry::new(Tables::owned(bytes, rows)));
    }
    read_all(&Registry::new(Tables::owned(Vec::new(), vec![0xff; 4_096])));
    read_all(&Registry::new(Tables::fixed(&[], &[])));
}

fn read_all(registry: &Registry) {
    let text = |count: usize, text: &str| assert!(text.len() < 10_000 || count == 0);
    text(1, registry.prompt());
    let _ = registry.get("pdf").map(Skill::body);
    let _ = registry.get("nothing").map(Skill::body);
    for skill in registry.iter().take(40) {
        for value in [skill.name(), skill.dir(), skill.location(), skill.description(), skill.body()] {
            text(1, value);
        }
        let _ = (skill.version(), skill.tier(), skill.frontmatter(), skill.exec(), skill.timeout_ms());
        let _ = (skill.mode(), skill.prompt(), skill.retry(), skill.pipeline(), skill.is_gated(&|_| true));
        let _ = (skill.requires().take(9).count(), skill.calls().take(9).count(), skill.file("SKILL.md"));
        for server in skill.mcp_servers().take(9) {
            let _ = (server.name(), server.args().take(9).count(), server.env().take(9).count());
        }
        for file in skill.files().take(9) {
            let _ = (file.path(), file.bytes(), file.text(), file.sha256_hex(), file.is_executable());
        }
    }
}
