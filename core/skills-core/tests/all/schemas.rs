//! Problems in the schemas of a skill are reported at their place, in any file.
#![allow(clippy::unwrap_used, reason = "a test that cannot read its material must fail")]

use std::path::Path;

use skills_build::shape::{DefKind, TypeShape, Width, shapes};
use skills_core::lower::define_tools;
use skills_core::options::{FormatPolicy, Options};
use skills_core::print::text;
use skills_core::{Loaded, load};
use skills_registry::ToolFormat;
use skills_schema::validate_str;

fn manifest(input: &str, output: &str) -> String {
    format!(
        "{{\n  \"name\": \"add\", \"description\": \"Adds.\", \"category\": \"math\", \"mode\": \"code\",\n\
         \"input\": {input},\n\"output\": {output}\n}}\n"
    )
}

fn check(files: &[(&str, &str)], options: &Options) -> Loaded {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = root.path().join("add").join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).unwrap();
        std::fs::write(path, text).unwrap();
    }
    load(root.path(), "skills", options)
}

/// Returns one line per problem: rule, place, and the text at that place.
fn problems(files: &[(&str, &str)]) -> Vec<String> {
    let loaded = check(files, &Options::default());
    let sources = loaded.catalog.sources();
    let line = |found: &skills_core::diagnostic::Diagnostic| {
        let (start, _) = sources.positions(found.span);
        format!(
            "{} {}:{}:{} {}",
            found.rule.code,
            sources.display_path(found.span),
            start.line,
            start.column,
            sources.text(found.span)
        )
    };
    loaded.report.diagnostics.iter().map(line).collect()
}

fn in_manifest(input: &str, output: &str) -> Vec<String> {
    problems(&[("skill.json", &manifest(input, output))])
}

// SPEC 3.2: no value fits an empty list of values.
#[test]
fn an_empty_enum_is_reported() {
    let input = r#"{"type": "object", "properties": {"a": {"enum": []}, "b": {"enum": ["x"]}}}"#;
    assert_eq!(in_manifest(input, "true"), ["schema-bounds skills/add/skill.json:3:58 []"]);
}

// SPEC 3.2: the help is the corrected schema, reported once; ambiguous parts are reported by other rules.
#[test]
fn bare_properties_are_corrected_to_a_schema() {
    let helps = |input: &str| {
        let loaded = check(&[("skill.json", &manifest(input, "true"))], &Options::default());
        loaded.report.diagnostics.into_iter().map(|found| found.help).collect::<Vec<_>>()
    };
    assert_eq!(
        helps("{\"text\": \"string\", \"count\": {\"type\": \"integer\"}}"),
        [
            "write it as: { \"type\": \"object\", \"properties\": { \"text\": { \"type\": \"string\" }, \"count\": {\"type\":\"integer\"} } }"
        ]
    );
    for other in
        ["{\"typ\": \"string\"}", "{\"text\": \"some\"}", "{\"type\": \"object\", \"text\": \"string\"}"]
    {
        assert!(!helps(other).concat().contains("\"properties\": {"), "{other}");
    }
    assert_eq!(
        in_manifest(
            "{\"type\": \"object\", \"properties\": {\"a\": true}, \"required\": [\"a\", \"a\"]}",
            "true"
        ),
        ["schema-keyword skills/add/skill.json:3:74 \"a\""]
    );
}

// SPEC 3.2
#[test]
fn a_fault_has_the_place_of_its_characters() {
    assert_eq!(
        in_manifest("{ \"type\": \"strnig\" }", "{\n  \"minLength\": -1 }"),
        [
            "schema-invalid skills/add/skill.json:3:20 \"strnig\"",
            "schema-keyword skills/add/skill.json:5:16 -1"
        ]
    );
    assert_eq!(
        in_manifest("{ \"title\": \"技能\", \"pattern\": \"é\\\\d\\u0028\" }", "{}"),
        [r"schema-pattern skills/add/skill.json:3:43 \u0028"],
        "behind wide characters and escapes: the group is never closed"
    );
    assert_eq!(
        in_manifest("3", "[]"),
        ["schema-invalid skills/add/skill.json:3:10 3", "schema-invalid skills/add/skill.json:4:11 []"]
    );
}

// SPEC 3.3
#[test]
fn what_the_json_reader_reports_is_not_reported_again() {
    let found = in_manifest("{ \"type\": \"string\", /* no */ \"type\": \"string\", }", "{}");
    let codes: Vec<&str> = found.iter().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(codes, ["json-comment", "json-duplicate-key", "json-trailing-comma"]);
}

// SPEC 3.2
#[test]
fn references_lead_to_other_files_of_the_skill() {
    let text = manifest(
        "{ \"properties\": { \"at\": { \"$ref\": \"shapes/point.json#/definitions/point\" } } }",
        "{ \"$ref\": \"skill.json#/input/properties/at\" }",
    );
    let point = "\u{feff}{ \"definitions\": { \"point\": { \"$ref\": \"number.json\" } } }";
    let files = [
        ("skill.json", text.as_str()),
        ("shapes/point.json", point),
        ("shapes/number.json", "{ \"type\": \"number\" }"),
    ];
    let loaded = check(&files, &Options::default());
    assert_eq!(text::print(&loaded.report, loaded.catalog.sources()), "");
    let signature = loaded.catalog.skills()[0].signature.as_ref().unwrap();
    assert!(validate_str(&signature.input_tables, "{\"at\": 1}").is_ok());
    assert!(validate_str(&signature.input_tables, "{\"at\": \"x\"}").is_err());
    assert!(validate_str(&signature.output_tables, "1").is_ok());
    assert!(validate_str(&signature.output_tables, "true").is_err());
}

// SPEC 3.9: a reference is resolved once, so types, tools and templates agree with the tables.
#[test]
fn types_tools_and_templates_follow_references_as_the_tables_do() {
    let input = "{ \"type\": \"object\", \"required\": [\"at\"], \"additionalProperties\": false,\n\
                 \"properties\": { \"at\": { \"$ref\": \"point.json#x\" } } }";
    let point = "{ \"definitions\": { \"x\": { \"$id\": \"#x\", \"type\": \"object\", \"required\": [\"n\"],\n\
                 \"properties\": { \"n\": { \"$ref\": \"nested/n.json\" } }, \"additionalProperties\": false } } }";
    let number = "{ \"$ref\": \"#/definitions/n\", \"definitions\": { \"n\": { \"type\": \"integer\" } } }";
    let text = manifest(input, "{}").replace("\"code\"", "\"llm\"");
    let check_prompt = |prompt| {
        let files = [
            ("skill.json", text.as_str()),
            ("point.json", point),
            ("nested/n.json", number),
            ("prompt.md", prompt),
        ];
        check(&files, &Options::default())
    };
    let loaded = check_prompt("Of {{input.at.n}}.");
    assert_eq!(text::print(&loaded.report, loaded.catalog.sources()), "");
    let skill = &loaded.catalog.skills()[0];
    let shapes = shapes(&[("Input", &skill.signature.as_ref().unwrap().input)]).remove(0);
    let fields = shapes.defs.iter().map(|def| match &def.kind {
        DefKind::Struct(of) => (def.name.as_str(), of.fields[0].shape.clone()),
        other => unreachable!("{other:?}"),
    });
    let wanted = [("Input", TypeShape::Named(1)), ("X", TypeShape::Integer(Width::I64))];
    assert_eq!(fields.collect::<Vec<_>>(), wanted);
    let tool =
        define_tools(skill, true).unwrap()[ToolFormat::Anthropic as usize].as_ref().unwrap().to_string();
    assert!(tool.contains(r#""n":{"type":"integer""#) && !tool.contains("$ref"), "{tool}");
    let wrong = check_prompt("Of {{input.at.m}}.");
    let found: Vec<&str> = wrong.report.diagnostics.iter().map(|found| found.rule.code).collect();
    assert_eq!(found, ["template-path"]);
}

// SPEC 3.9: `check` lowers each schema once; types, tool definitions and tables use the result.
#[test]
fn schemas_are_lowered_once() {
    let text = manifest("{ \"properties\": { \"at\": { \"$ref\": \"point.json\" } } }", "{}");
    let before = skills_schema::lower::count();
    let loaded =
        check(&[("skill.json", &text), ("point.json", "{ \"type\": \"integer\" }")], &Options::default());
    assert_eq!(loaded.report.errors(), 0, "{:?}", loaded.report);
    assert_eq!(skills_schema::lower::count() - before, 2, "its input and its output");
    let skill = &loaded.catalog.skills()[0];
    assert!(define_tools(skill, true).is_some());
    let signature = skill.signature.as_ref().unwrap();
    assert_eq!(shapes(&[("Input", &signature.input), ("Output", &signature.output)]).len(), 2);
    assert!(skills_core::lower::tables(&loaded.catalog, 8_000).is_ok());
    assert_eq!(skills_schema::lower::count() - before, 2, "no schema is lowered twice");
}

// SPEC 3.9: only `check` reads and lowers schemas.
#[test]
fn schemas_are_read_in_one_place() {
    fn readers(dir: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                readers(&path, found);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            // Functions that would follow a reference by hand; the document resolves references.
            let reads = [
                r##"["$ref"]"##,
                r##""$ref").and_then"##,
                r##"== "$ref""##,
                "Document::read(",
                "Document::gather(",
                "lower_document(",
                "lower::lower(",
            ];
            if path.file_name().unwrap() != "tests.rs"
                && code.into_iter().any(|line| reads.iter().any(|read| line.contains(read)))
            {
                found.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    let mut found = Vec::new();
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    for dir in [own.join("src"), own.join("../skills-build/src"), own.join("../../tools/skills-lsp/src")]
        .iter()
        .filter(|dir| dir.is_dir())
    {
        readers(dir, &mut found);
    }
    found.sort();
    let names: Vec<&str> =
        found.iter().filter_map(|path| path.split_once("/src/")).map(|(_, path)| path).collect();
    // The last one reads the schema of `skill.json` itself, which does not belong to a skill.
    assert_eq!(names, ["check/schema/lookup.rs", "check/schema/mod.rs", "meta/mod.rs"], "{found:?}");
}

// SPEC 3.2
#[test]
fn a_fault_in_a_file_that_two_schemas_refer_to_is_reported_once() {
    let text = manifest("{ \"$ref\": \"point.json\" }", "{ \"$ref\": \"./point.json#\" }");
    let point = "\u{feff}{ // a point\n\"type\": \"numbr\" }";
    assert_eq!(
        problems(&[("skill.json", &text), ("point.json", point)]),
        [
            "json-comment skills/add/point.json:1:3 // a point",
            "schema-invalid skills/add/point.json:2:9 \"numbr\""
        ]
    );
    assert_eq!(
        problems(&[("skill.json", &text), ("point.json", "{ \"type\": ")]),
        ["json-syntax skills/add/point.json:1:11 "]
    );
}

// SPEC 3.2: a reference is a URI, so its path is percent-encoded
#[test]
fn a_reference_names_its_file_percent_encoded() {
    let files = |reference: &'static str| {
        let input = format!("{{ \"$ref\": \"{reference}\" }}");
        [("skill.json", manifest(&input, "{}")), ("two words.json", "{ \"type\": \"object\" }".to_owned())]
    };
    for (reference, found) in [
        ("two%20words.json", ""),
        ("two words.json", ""),
        ("./two%20word%73.json#", ""),
        ("two%2words.json", "schema-ref"),
        ("%2e%2e/add/two%20words.json", "schema-ref"),
    ] {
        let files = files(reference);
        let files = files.each_ref().map(|(path, text)| (*path, text.as_str()));
        let reported: Vec<String> = problems(&files);
        assert!(
            reported.iter().all(|line| !found.is_empty() && line.starts_with(found)),
            "{reference}: {reported:?}"
        );
        assert_eq!(reported.is_empty(), found.is_empty(), "{reference}");
    }
}

// SPEC 3.2, 12.4
#[test]
fn references_never_leave_the_skill() {
    for reference in [
        "https://example.com/a.json",
        "../other/schema.json",
        "/etc/passwd",
        "file:///etc/passwd",
        "missing.json",
    ] {
        let found = in_manifest(&format!("{{ \"$ref\": \"{reference}\" }}"), "{}");
        assert_eq!(found, [format!("schema-ref skills/add/skill.json:3:20 \"{reference}\"")], "{reference}");
    }
    let meta = "{ \"$ref\": \"http://json-schema.org/draft-07/schema#\" }";
    assert_eq!(in_manifest(meta, "{}"), [""; 0], "the meta-schemas are at hand");
}

// SPEC 4.3
#[test]
fn the_schema_file_of_the_frontmatter_is_checked_alike() {
    let skill = "---\nname: add\ndescription: Adds.\nexec: run\nschema: in/put.json\n---\n# Add\n";
    let files = |schema| [("SKILL.md", skill), ("bin/run", "#!/bin/sh\n"), ("in/put.json", schema)];
    let allow_bit = |found: Vec<String>| {
        found.into_iter().filter(|line| !line.starts_with("shebang")).collect::<Vec<_>>()
    };
    assert_eq!(
        allow_bit(problems(&files("{ \"properties\": { \"a\": { \"$ref\": \"a.json\" } } }"))),
        ["schema-ref skills/add/in/put.json:1:34 \"a.json\""]
    );
    let loaded = check(&files("{ \"required\": [\"text\"] }"), &Options::default());
    let tables = loaded.catalog.skills()[0].schema_tables.as_ref().unwrap();
    assert!(validate_str(tables, "{}").is_err());
    assert!(validate_str(tables, "{\"text\": 1}").is_ok());
}

// SPEC 6.1
#[test]
fn formats_are_asserted_as_the_options_say() {
    let drafts = ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"];
    for (policy, refused) in [
        (FormatPolicy::AsDraft, [true, false]),
        (FormatPolicy::Assert, [true, true]),
        (FormatPolicy::Ignore, [false, false]),
    ] {
        for (draft, refused) in drafts.iter().zip(refused) {
            let text = manifest(&format!("{{ \"$schema\": \"{draft}\", \"format\": \"date\" }}"), "{}");
            let loaded = check(&[("skill.json", &text)], &Options { formats: policy, ..Options::default() });
            let tables = &loaded.catalog.skills()[0].signature.as_ref().unwrap().input_tables;
            assert_eq!(validate_str(tables, "\"soon\"").is_err(), refused, "{policy:?} {draft}");
        }
    }
}

// SPEC 4.3
#[test]
fn the_fix_for_a_missing_schema_names_its_place() {
    for (reference, wanted) in [
        ("#/$defs/step", "\"$defs\": { \"step\": { … } }"),
        ("#/definitions/step", "\"definitions\": { \"step\": { … } }"),
        ("#/step", "\"definitions\": { \"NAME\": { … } }"),
    ] {
        let text = manifest(&format!("{{ \"$ref\": \"{reference}\" }}"), "{}");
        let loaded = check(&[("skill.json", &text)], &Options::default());
        let help: Vec<_> = loaded.report.diagnostics.iter().map(|found| found.help.as_str()).collect();
        assert!(help.iter().any(|help| help.contains(wanted)), "{reference}: {help:?}");
    }
}
