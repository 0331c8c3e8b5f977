//! A skill without `SKILL.md` gets one that every YAML reader understands.

use saphyr_parser::{Event, Parser};
use skills_registry::{
    CompiledFile, CompiledSkill, Facts, FunctionFacts, Layout, Mode, Registry, Skill, SkillVerifier, write,
};

use super::fixture::*;
use crate::{InstallError, install, plan};

fn registry(description: &str, prompt: &'static str) -> Registry {
    function("null", description, prompt)
}

fn function(name: &str, description: &str, prompt: &'static str) -> Registry {
    let file = |path, text: &'static str| CompiledFile {
        path,
        bytes: text.as_bytes(),
        executable: false,
        sha256: hmac_sha256::Hash::hash(text.as_bytes()),
    };
    let function =
        FunctionFacts { prompt: Some(("prompt.md", 0..prompt.len())), ..FunctionFacts::new(Mode::Llm) };
    let facts = Facts {
        name: name.to_owned(),
        version: "1.0.0".to_owned(),
        description: description.to_owned(),
        function: Some(function),
        ..Facts::default()
    };
    let files = vec![file("prompt.md", prompt), file("skill.json", "{}")];
    let skill = CompiledSkill { schemas: ["{}"; 2], files, ..facts.into() };
    Registry::new(write(&[skill], Layout::Joined, 8_000).unwrap().into_tables())
}

#[test]
fn a_generated_document_describes_the_skill() {
    // SPEC 9.1
    let controls: String = (0..0xa0).filter_map(char::from_u32).collect();
    for description in [
        "Reviews code.",
        "Use when: reviewing # not a comment",
        "\"quoted\" 'and' \\n backslash \\",
        "two\nlines\n---\nname: other\n",
        "- *alias &anchor !tag %dir @at `tick` {a: [b]} | > ? : ,",
        "yes",
        " padded ",
        "3000",
        "é 漢字 \u{1f600} \u{e0041}",
        "\u{feff}\u{2028}\u{2029}\u{fffe}\u{ffff}\u{10ffff}",
        &controls,
        "",
    ] {
        let target = Scratch::new();
        run(&registry(description, "Review {{ input.code }} in {{{{a}}}}.\n\n"), &target, &options());
        let text = std::fs::read_to_string(target.join("skills/null/SKILL.md")).unwrap();
        let (block, body) = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
        assert_eq!(body, "\nReview {{ input.code }} in {{a}}.\n", "SPEC 5.8");
        assert_eq!(block.lines().count(), 2, "{block}");
        let scalars: Vec<String> = Parser::new_from_str(block)
            .filter_map(|event| match event.unwrap().0 {
                Event::Scalar(value, ..) => Some(value.into_owned()),
                _ => None,
            })
            .collect();
        assert_eq!(scalars, ["name", "null", "description", description], "{block}");
        assert_eq!(files(&target).len(), 3);
    }
}

#[test]
fn a_document_is_updated_and_can_be_left_out() {
    // SPEC 9.1
    let target = Scratch::new();
    run(&registry("One.", "a"), &target, &options());
    let report = run(&registry("Two.", "a"), &target, &options());
    assert_eq!(lines(&report), ["update  null/SKILL.md"]);
    let report = run(&registry("Two.", ""), &target, &options().documents(false));
    assert_eq!(lines(&report), ["remove  null/SKILL.md", "update  null/prompt.md"]);
    run(&registry("Two.", " \n"), &target, &options());
    assert_eq!(files(&target)["null/SKILL.md"], "---\nname: \"null\"\ndescription: \"Two.\"\n---\n");
}

#[derive(Debug)]
struct Unsigned;

impl SkillVerifier for Unsigned {
    fn verify(&self, _: Skill<'_>) -> Result<(), String> {
        Err("it is not signed".to_owned())
    }
}

// SPEC 14.6, 9.7: the name of the directory selects the skill, too
#[test]
fn an_unsigned_skill_is_refused_under_both_names() {
    let registry = function("code_review", "Reviews code.", "Review.");
    for name in ["code_review", "code-review"] {
        let target = Scratch::new();
        let options = options().names([name]);
        let signed = options.clone().require_signature(Unsigned);
        let results =
            [install(&registry, &*target, &signed).map(drop), plan(&registry, &*target, &signed).map(drop)];
        for refused in results {
            assert!(matches!(refused, Err(InstallError::Unsigned { skill, .. }) if skill == "code_review"));
        }
        assert!(!target.join("skills").exists(), "{name}");
        run(&registry, &target, &options);
        assert!(target.join("skills/code-review/SKILL.md").exists(), "{name}");
    }
}
