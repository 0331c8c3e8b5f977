//! Skills without an effect, links that Git wrote as texts, and values that only Claude's clients read.
#![allow(clippy::unwrap_used, reason = "a test without its material must fail")]

use skills_core::config;
use skills_core::options::Options;
use skills_core::read::{DirectoryKind, ReadOptions};

use crate::disk::Disk;

/// Returns the findings of a repository as `path:line code title`.
fn found(entries: &[(&str, &str)]) -> Vec<String> {
    let disk = Disk::new(entries);
    let read = ReadOptions { scope: DirectoryKind::Repository, ..ReadOptions::default() };
    let mut options = Options { read, ..Options::default() };
    config::find(&disk.root(), None).apply(&mut options);
    let loaded = skills_core::load(&disk.root(), ".", &options);
    let sources = loaded.catalog.sources();
    let show = |problem: &skills_core::diagnostic::Diagnostic| {
        let (start, _) = sources.positions(problem.span);
        let path = &sources.file_of(problem.span).path;
        format!("{path}:{} {} {}", start.line, problem.rule.code, problem.title)
    };
    loaded.report.diagnostics.iter().map(show).collect()
}

fn skill(name: &str, lines: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}.\n{lines}---\n{body}")
}

// SPEC 2.19
#[test]
fn a_skill_without_a_text_is_reported() {
    for body in ["", "\n \n", "<!-- later -->\n", "<!-- a --> <!-- b\n-->"] {
        let text = skill("a", "", body);
        let title = "a/SKILL.md:1 body-empty the skill has no text after its frontmatter";
        assert_eq!(found(&[("a/SKILL.md", &text)]), [title], "{body:?}");
    }
    for body in ["# A\n", "<!-- a --> Read.", "<!-- never closed", "![](a.png)"] {
        let text = skill("a", "", body);
        let found = found(&[("a/SKILL.md", &text), ("a/a.png", "")]);
        assert_eq!(found, [""; 0], "{body:?}");
    }
}

// SPEC 2.19
#[test]
fn a_skill_that_nobody_can_call_is_reported() {
    let both = "user-invocable: \"false\"\ndisable_model_invocation: true\n";
    let title = "a/SKILL.md:4 skill-unreachable neither models nor users can call the skill";
    assert_eq!(found(&[("a/SKILL.md", &skill("a", both, "A."))]), [title]);
    for one in ["user-invocable: false\n", "disable-model-invocation: true\nuser-invocable: true\n"] {
        assert_eq!(found(&[("a/SKILL.md", &skill("a", one, "A."))]), [""; 0], "{one}");
    }
}

// SPEC 2.18
#[test]
fn a_link_to_skills_that_git_wrote_as_a_text_is_named() {
    let text = skill("a", "", "A.");
    for (path, target) in [
        (".claude/skills", "../.agents/skills"),
        (".claude/skills/a", "../../.agents/skills/a\n"),
        (".cursor/skills/a", "/nix/store/x-a/share"),
        ("plugins/one/skills/a", "../../../.agents/skills/a"),
    ] {
        let title = format!("{path}:1 link-broken the file is a symbolic link that Git wrote as a text");
        assert_eq!(found(&[(".agents/skills/a/SKILL.md", &text), (path, target)]), [title], "{target}");
    }
    for (path, other) in [
        ("skills/LICENSE", "MIT License\n\n..."),
        ("skills/VERSION", "1.0\n"),
        ("skills/list", "a\nb\n"),
        ("skills/README.md", "../README.md"),
    ] {
        assert_eq!(found(&[(".agents/skills/a/SKILL.md", &text), (path, other)]), [""; 0], "{path}");
    }
}

const VALUES: &str = "allowed-tools: Read, Reed(x), mcp__a__b, Bash(git log:*)\ndisallowed-tools: [write, Edit]\n\
    model: sonet\neffort: ultra\ncontext: forks\nargument-hint: \"[file]\"\nhooks:\n  PreTooluse:\n    - matcher: Bash\n      \
    hooks:\n        - type: comand\n          command: ./scripts/gone.sh\n  Stop:\n    - hooks:\n        - type: command\n          \
    command: \"${CLAUDE_SKILL_DIR}/scripts/gone.py\"\n        - type: command\n          command: python3 tools/here.py\n        \
    - command: echo\n";

// SPEC 2.20
#[test]
fn values_that_claude_ignores_are_reported_for_claude_alone() {
    let text = skill("a", VALUES, "Work on the file.");
    let expected = |path: &str| {
        [
            "4 claude-value Claude Code has no tool `Reed`",
            "5 claude-value Claude Code has no tool `write`",
            "6 claude-value Claude Code has no model `sonet`",
            "7 claude-value Claude Code has no effort level `ultra`",
            "8 claude-value Claude Code has no context `forks`",
            "9 arguments-unused the text of the skill does not use its arguments",
            "11 claude-value Claude Code has no hook event `PreTooluse`",
            "14 claude-value Claude Code has no type of hook `comand`",
            "15 broken-link the hook runs `./scripts/gone.sh`, which does not exist",
            "19 broken-link the hook runs `scripts/gone.py`, which does not exist",
            "22 claude-value the hook has no `type`",
        ]
        .map(|line| format!("{path}:{line}"))
    };
    let here = ("tools/here.py", "");
    let of_profile = found(&[("skills.toml", "profile = \"claude\"\n"), ("skills/a/SKILL.md", &text), here]);
    assert_eq!(of_profile, expected("skills/a/SKILL.md"));
    let in_folder = found(&[(".claude/skills/a/SKILL.md", &text), here]);
    assert_eq!(in_folder, expected(".claude/skills/a/SKILL.md"));
    assert_eq!(found(&[("skills/a/SKILL.md", &text), here]), [""; 0]);
}

// SPEC 2.20
#[test]
fn values_that_claude_knows_are_accepted() {
    for (lines, body) in [
        ("model: claude-opus-4-6\n", "A."),
        ("model: opus[1m]\neffort: xhigh\ncontext: fork\n", "A."),
        ("model: us.anthropic.claude-x-v1:0\n", "A."),
        ("allowed-tools: [\"Bash(npm run:*)\", WebFetch, mcp__x]\n", "A."),
        ("allowed-tools: Read(./a b/**) Skill(x)\n", "A."),
        ("argument-hint: \"[file]\"\n", "Read $ARGUMENTS."),
        ("argument-hint: \"[file]\"\n", "Read $1."),
        ("argument-hint: \"[file]\"\n", "Use the arguments."),
        ("argument-hint: \"[file]\"\narguments: [file]\n", "Read $file."),
        ("argument-hint: \"<file> [all|new]\"\n", "Read `docs/<file>/a.md`."),
        ("argument-hint: \"[file]\"\n", "Users type `/a x.pdf`."),
        ("argument-hint: \"[file]\"\n", "| 引数 | 値 |"),
        ("argument-hint:\n", "A."),
        ("argument-hint: \"\"\n", "A."),
        ("argument-hint: []\n", "A."),
        ("context: default\neffort: inherit\n", "A."),
    ] {
        let text = skill("a", lines, body);
        assert_eq!(found(&[(".claude/skills/a/SKILL.md", &text)]), [""; 0], "{lines}");
    }
}

// SPEC 2.20
#[test]
fn names_and_descriptions_that_an_upload_refuses_are_reported_with_the_profile() {
    let texts = ["claude-helper", "my-anthropic", "a_b"].map(|name| skill(name, "", "A."));
    let tag = "---\nname: tag\ndescription: Builds <example>x</example>.\n---\nA.\n";
    let mut files = vec![
        ("skills/claude-helper/SKILL.md", texts[0].as_str()),
        ("skills/my-anthropic/SKILL.md", texts[1].as_str()),
        ("skills/a_b/SKILL.md", texts[2].as_str()),
        ("skills/tag/SKILL.md", tag),
    ];
    assert_eq!(found(&files), [""; 0]);
    files.push(("skills.toml", "profile = \"claude\"\n"));
    assert_eq!(
        found(&files),
        [
            "skills/a_b/SKILL.md:2 claude-upload the name `a_b` contains `_`",
            "skills/claude-helper/SKILL.md:2 claude-upload the name contains the reserved word `claude`",
            "skills/my-anthropic/SKILL.md:2 claude-upload the name contains the reserved word `anthropic`",
            "skills/tag/SKILL.md:3 claude-upload the description contains the tag `<example>`",
        ]
    );
}

// SPEC 2.18
#[test]
fn a_path_that_leads_up_begins_at_its_file() {
    let body = skill("a", "", "Read [floor](references/floor.md).");
    let floor = "[one](../../references/x.md) [two](../../../references/x.md) [three](../SKILL.md) [four](references/floor.md)";
    let found = found(&[
        ("skills/a/SKILL.md", body.as_str()),
        ("skills/a/references/floor.md", floor),
        ("references/x.md", "x"),
    ]);
    let title = "broken-link the link `../../references/x.md` points to a file that does not exist";
    assert_eq!(found, [format!("skills/a/references/floor.md:1 {title}")]);
}

// SPEC 2.3, 2.15
#[test]
fn an_item_that_begins_with_a_sign_of_yaml_is_named() {
    for (value, mark) in [("[a, @if, b]", '@'), ("[`x`]", '`'), ("[%a, b]", '%'), ("{a: @b}", '@')] {
        let text = skill("a", &format!("tags: {value}\n"), "A.");
        let title = format!("a/SKILL.md:4 yaml-syntax a plain value cannot start with `{mark}`");
        assert_eq!(found(&[("a/SKILL.md", &text)]), [title], "{value}");
    }
}

// SPEC 2.20
#[test]
fn a_command_in_context_is_reported_with_its_place() {
    let text =
        skill("a", "context: |\n  !git log -3\n  !git tag\nisolation: worktree\ncowork:\n  icon: x\n", "A.");
    let disk = Disk::new(&[(".claude/skills/a/SKILL.md", &text)]);
    let read = ReadOptions { scope: DirectoryKind::Repository, ..ReadOptions::default() };
    let loaded = skills_core::load(&disk.root(), ".", &Options { read, ..Options::default() });
    let [found] = &loaded.report.diagnostics[..] else { panic!("{:?}", loaded.report.diagnostics) };
    assert_eq!(found.title, "Claude Code runs no command in `context`");
    assert_eq!(found.help, "move it into the text of the skill, as !`git log -3`");
}
