//! Findings that the author of a real skill would call wrong or unwanted are not reported, and the real faults
//! beside them are. The texts are our own, in the manner of published skills.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its material must fail")]

use skills_core::level::Level;
use skills_core::levels::{Levels, Profile};
use skills_core::options::Options;
use skills_core::read::{DirectoryKind, ReadOptions};
use skills_core::{Loaded, load};

use crate::disk::{Disk, MD};

fn check(entries: &[(&str, &str)], scope: DirectoryKind, options: Options) -> Loaded {
    let read = ReadOptions { scope, ..ReadOptions::default() };
    load(&Disk::new(entries).root(), "skills", &Options { read, ..options })
}

/// Returns the findings as `path:line code title`.
fn found(loaded: &Loaded) -> Vec<String> {
    let sources = loaded.catalog.sources();
    let show = |problem: &skills_core::diagnostic::Diagnostic| {
        let (start, _) = sources.positions(problem.span);
        let path = &sources.file_of(problem.span).path;
        format!("{path}:{} {} {}", start.line, problem.rule.code, problem.title)
    };
    loaded.report.diagnostics.iter().map(show).collect()
}

fn repository(entries: &[(&str, &str)]) -> Vec<String> {
    found(&check(entries, DirectoryKind::Repository, Options::default()))
}

fn md(name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}.\n---\n{body}\n")
}

// SPEC 1.10, 2.11
#[test]
fn a_workspace_with_skills_in_some_crates_is_clean_and_a_fault_in_it_is_found() {
    let skill = |name: &str| md(name, "Read `references/guide.md`.");
    let (a, b, c) = (skill("alpha"), skill("beta"), skill("gamma"));
    let crates: Vec<String> = (0..10).map(|at| format!("crates/c{at}/Cargo.toml")).collect();
    let mut entries: Vec<(&str, &str)> = crates.iter().map(|path| (path.as_str(), "[package]\n")).collect();
    entries.extend([
        ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n"),
        ("crates/c1/skills/alpha/SKILL.md", a.as_str()),
        ("crates/c1/skills/alpha/references/guide.md", "g"),
        ("crates/c4/skills/beta/SKILL.md", b.as_str()),
        ("crates/c4/skills/beta/references/guide.md", "g"),
        ("crates/c7/src/prompts/gamma/SKILL.md", c.as_str()),
        ("crates/c7/src/prompts/gamma/references/guide.md", "g"),
    ]);
    assert_eq!(repository(&entries), [""; 0]);
    entries.push(("crates/c4/skills/beta/template/Cargo.toml", "[package]\n"));
    entries.retain(|(path, _)| !path.starts_with("crates/c1/skills/alpha/references"));
    entries.push(("crates/c1/skills/alpha/references/other.md", "o"));
    assert_eq!(
        repository(&entries),
        [
            "crates/c1/skills/alpha/SKILL.md:5 broken-link the mention `references/guide.md` points to a file that does \
             not exist"
        ]
    );
    // The scripts of a skill may be a crate, unless a crate bundles the skill (SPEC 2.11).
    let bundle = found(&check(&entries, DirectoryKind::Bundle, Options::default()));
    let manifest =
        "crates/c4/skills/beta/template/Cargo.toml:1 cargo-toml `cargo package` leaves this directory out";
    assert!(bundle.iter().any(|found| found == manifest), "{bundle:?}");
}

// SPEC 2.14
#[test]
fn mentions_of_files_outside_the_skill_are_not_faults() {
    let body = "Run `scripts/release.py` and read `references/my-notes.md`.\n\
        Your project's `references/style.md` has the rules.\n\
        Read `references/forms.md` of the skill pdf.\n\
        Read `references/gone.md`, then again `references/gone.md`.";
    let (own, writer) = (md("docs", body), md("skill-writer", "Put rules into `references/rules.md`."));
    let entries = [
        ("docs/SKILL.md", own.as_str()),
        ("docs/references/other.md", "o"),
        ("skill-writer/SKILL.md", writer.as_str()),
        ("pdf/SKILL.md", &md("pdf", "Reads.")),
        ("pdf/references/forms.md", "f"),
    ];
    let loaded = check(&entries, DirectoryKind::Repository, Options::default());
    assert_eq!(
        found(&loaded),
        ["docs/SKILL.md:8 broken-link the mention `references/gone.md` points to a file that does not exist"]
    );
    assert_eq!(loaded.report.diagnostics[0].label, "no such file in the skill; named 2 times");
    let own = |path: &str, text: &str| {
        let skill = md("docs", text);
        let files = [("docs/SKILL.md", skill.as_str()), (path, "x")];
        found(&check(&files, DirectoryKind::Bundle, Options::default())).len()
    };
    for (path, count) in [("docs/scripts/run.py", 1), ("docs/script/a.py", 1), ("docs/tools/run.py", 0)] {
        assert_eq!(own(path, "Run the script `scripts/a.py`."), count, "{path}");
    }
    // Nothing promises that these files exist.
    for text in [
        "If `scripts/a.py` exists, run it.",
        "`scripts/a.py` was renamed to `scripts/run.py`.",
        "Removed in 2.0: `scripts/a.py`.",
        "## Version history\n\n- Split `scripts/a.py`.",
        "## Examples\n\nThen run `scripts/a.py`.",
    ] {
        assert_eq!(own("docs/scripts/run.py", text), 0, "{text}");
    }
}

// SPEC 2.14
#[test]
fn the_skill_that_has_a_missing_file_is_named() {
    let entries = [
        ("draw/SKILL.md", md("draw", "Draws.")),
        ("draw/scripts/plot.py", "x".to_owned()),
        ("cite/SKILL.md", md("cite", "Run `scripts/plot.py`.")),
        ("cite/scripts/cite.py", "x".to_owned()),
    ];
    let entries = entries.each_ref().map(|(path, text)| (*path, text.as_str()));
    let loaded = check(&entries, DirectoryKind::Repository, Options::default());
    let help = &loaded.report.diagnostics[0].help;
    assert_eq!(help, "tell the reader to use the skill `draw`, which has the file `../draw/scripts/plot.py`");
}

// SPEC 2.14
#[test]
fn a_skill_of_the_same_family_may_be_installed_elsewhere() {
    let skill = md("mail-read", "See [send](../mail-send/SKILL.md) and [plan](../plan/SKILL.md).");
    assert_eq!(
        repository(&[("skills/mail-read/SKILL.md", &skill)]),
        [
            "skills/mail-read/SKILL.md:5 broken-link the link `../plan/SKILL.md` points to a file that does not exist"
        ]
    );
}

// SPEC 2.18
#[test]
fn a_link_that_git_wrote_as_a_text_is_named() {
    let found = repository(&[
        (".claude/skills/a/SKILL.md", "../../../.agents/skills/a/SKILL.md"),
        (".agents/skills/a/SKILL.md", &md("a", "Reads.")),
    ]);
    assert_eq!(
        found,
        [
            ".claude/skills/a/SKILL.md:1 description-missing the file is a symbolic link that Git wrote as a text"
        ]
    );
}

// SPEC 1.9, 2.14
#[test]
fn files_that_a_reader_finds_elsewhere_are_not_faults() {
    let page = "See [cto](cto.md).\nThe archive is `assets/data.zip`:\n```sh\nunzip $REPO_ROOT/assets/data.zip\n```\n\
        Write these:\n```\n├── guide.md\n```\n| [Guide](./guide.md) | [Wiki](wiki/start) | [Page](.wiki/a.md) |\n\
        A local checkout must have\n`references/config.md`. Delete `references/lock.md`.\n\
        Details are in the build skill's `references/a.md`, or elsewhere (e.g.\n`references/b.md`).\n\
        Read `references/gone.md`.";
    let page = md("ceo", page);
    let outer = md("outer", "Body");
    let inner = md("inner", "See [guide](references/guide.md).");
    let found = repository(&[
        ("agents/ceo.md", page.as_str()),
        ("agents/cto.md", "c"),
        (".gemini/skills/ceo/references/other.md", "o"),
        (".gemini/skills/ceo/SKILL.md -> ../../../agents/ceo.md", ""),
        ("skills/outer/SKILL.md", outer.as_str()),
        ("skills/outer/references/guide.md", "g"),
        ("skills/outer/packages/inner/SKILL.md", inner.as_str()),
        ("tests/fixtures/broken/SKILL.md", "---\nname: x\n---\n"),
    ]);
    assert_eq!(
        found,
        [
            ".gemini/skills/ceo/SKILL.md:19 broken-link the mention `references/gone.md` points to a file that does not exist"
        ]
    );
}

// SPEC 2.14
#[test]
fn links_out_of_the_skill_are_reported_once_and_within_a_plugin_not_at_all() {
    let body = "See [b](../b/notes.md), [c](../../c/c.md), [lost](../../docs/x.md) and [lost](../../docs/y.md).\n\
        See [b](../../group/b/notes.md) too.";
    let (a, other) = (md("a", body), md("b", "Body"));
    let mut entries = vec![
        ("p/skills/a/SKILL.md", a.as_str()),
        ("p/skills/b/SKILL.md", other.as_str()),
        ("p/skills/b/notes.md", "n"),
        ("p/c/c.md", "c"),
    ];
    let alone = repository(&entries);
    let lost = "p/skills/a/SKILL.md:5 broken-link 2 links point to files that do not exist, the first to \
        `../../docs/x.md`";
    let meant = "p/skills/a/SKILL.md:6 broken-link the link `../../group/b/notes.md` points to a file that does not exist";
    let leaves =
        "p/skills/a/SKILL.md:5 link-leaves-skill 2 links lead out of the skill, the first to `../b/notes.md`";
    assert_eq!(alone, [leaves, lost, meant]);
    entries.push(("p/.claude-plugin/plugin.json", "{}"));
    let loaded = check(&entries, DirectoryKind::Repository, Options::default());
    let plugin = found(&loaded);
    assert!(
        plugin.iter().any(|found| found == lost) && !plugin.iter().any(|found| found == leaves),
        "{plugin:?}"
    );
    let fixed = loaded.report.diagnostics.iter().find(|found| found.title.contains("group")).unwrap();
    assert_eq!(fixed.help, "change the path to `../b/notes.md`");
    assert!(fixed.fix.is_some());
}

// SPEC 2.13, 13.1, 14.17
#[test]
fn permissions_and_manifests_of_other_systems_are_data() {
    let foreign = "---\nname: a\ndescription: Does a.\npermissions: [file_read, shell]\n---\nBody\n";
    let nested = "---\nname: b\ndescription: Does b.\nmetadata:\n  permissions:\n    file_read:\n      - x\n---\nBody\n";
    let ours = "---\nname: c\ndescription: Does c.\npermissions:\n  read: [x]\n---\nBody\n";
    let entries = [
        ("a/SKILL.md", foreign),
        ("b/SKILL.md", nested),
        ("c/SKILL.md", ours),
        ("d/SKILL.md", &md("d", "Body")),
        (
            "d/skill.json",
            r#"{ "name": "D!", "mode": "chat", "input": "text", "output": { "format": "md" } }"#,
        ),
    ];
    let loaded = check(&entries, DirectoryKind::Bundle, Options::default());
    let codes: Vec<(&str, Level)> =
        loaded.report.diagnostics.iter().map(|found| (found.rule.code, found.level)).collect();
    assert_eq!(
        codes,
        [
            ("key-foreign", Level::Warning),
            ("restriction-misspelt", Level::Error),
            ("manifest-foreign", Level::Warning)
        ]
    );
    let skills = loaded.catalog.skills();
    assert_eq!(skills.len(), 3);
    // An unreadable value grants nothing.
    for skill in &skills[..2] {
        assert_eq!(skill.permissions, Some(Default::default()), "{}", skill.name);
    }
}

// SPEC 2.11, 11.18
#[test]
fn collections_have_no_budget_and_folders_of_clients_do() {
    let long = format!("---\nname: NAME\ndescription: {}\n---\nBody\n", "word ".repeat(190));
    let texts: Vec<(String, String)> = (0..40)
        .flat_map(|at| {
            let text = long.replace("NAME", &format!("s{at}"));
            [
                (format!("skills/s{at}/SKILL.md"), text.clone()),
                (format!(".claude/skills/s{at}/SKILL.md"), text),
            ]
        })
        .collect();
    let entries: Vec<(&str, &str)> =
        texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let budgets = |options: Options| -> Vec<String> {
        let loaded = check(&entries, DirectoryKind::Repository, options);
        found(&loaded).into_iter().map(|found| found.split(':').next().unwrap().to_owned()).collect()
    };
    assert_eq!(budgets(Options::default()), [".claude/skills"]);
    assert_eq!(
        budgets(Options { catalog_budget: Some(9_000), ..Options::default() }),
        [".claude/skills", "skills"]
    );
}

// SPEC 1.5, 2.11
#[test]
fn lints_can_be_allowed_and_no_skill_is_lost_silently() {
    let allowed = "Body\n<!-- skills: allow(name-twice, description-long) -->";
    let long = format!("---\nname: pdf\ndescription: {}\n---\n{allowed}\n", "word ".repeat(222));
    let entries = [("pdf/SKILL.md", &*md("pdf", "Body")), ("x/pdf/SKILL.md", &*long)];
    let loaded = check(&entries, DirectoryKind::Bundle, Options::default());
    assert_eq!(found(&loaded), ["x/pdf/SKILL.md:2 skill-left-out the skill `pdf` is left out of the bundle"]);
    assert_eq!(loaded.catalog.skills().len(), 1);
    let mut levels = Levels::default();
    for rule in ["name-twice", "description-long", "restriction-misspelt"] {
        levels.set(rule, Level::Allow).unwrap();
    }
    let levels = Options { levels, ..Options::default() };
    assert_eq!(found(&check(&entries, DirectoryKind::Bundle, levels)).len(), 1);
    assert!(Levels::default().set("skill-left-out", Level::Allow).is_err());
}

// SPEC 2.15
#[test]
fn a_comment_in_a_description_is_valid_by_the_standard() {
    let text = "---\nname: pdf\ndescription: Posts tables to #data each day.\n---\nBody\n";
    for (profile, expected) in [(Profile::Standard, 0), (Profile::Bundle, 1)] {
        let loaded = check(
            &[("pdf/SKILL.md", text)],
            DirectoryKind::Repository,
            Options { profile, ..Options::default() },
        );
        assert_eq!(loaded.report.diagnostics.len(), expected, "{profile:?}");
    }
}

// SPEC 1.9: a working link that leads out of the directory is not an error
#[test]
fn a_working_link_out_of_the_directory_is_a_warning() {
    for profile in [Profile::Bundle, Profile::Standard] {
        let entries = [
            ("../shared/x/SKILL.md", MD),
            ("a/SKILL.md", MD),
            ("x -> ../shared/x", ""),
            ("b/SKILL.md -> ../../shared/x/SKILL.md", ""),
        ];
        let loaded = check(&entries, DirectoryKind::Repository, Options { profile, ..Options::default() });
        let outside: Vec<Level> = loaded
            .report
            .diagnostics
            .iter()
            .filter(|found| found.rule.code == "link-outside")
            .map(|found| found.level)
            .collect();
        // The link to the skill itself is the layout of npm's `skills` and nix.
        assert_eq!(outside, [Level::Warning], "{:?}", found(&loaded));
        assert_eq!(loaded.report.errors(), 0);
        assert_eq!(loaded.tally.passed_over.len(), 2, "and both are named as passed over");
    }
}

// SPEC 3.1
#[test]
fn a_version_that_is_a_word_is_reported_in_both_files() {
    let version = |text: &str| {
        let skill = format!("---\nname: a\ndescription: Does a.\nversion: {text}\n---\nBody\n");
        repository(&[("a/SKILL.md", &skill)]).len()
    };
    assert_eq!((version("v1"), version("latest")), (1, 1));
    assert_eq!((version("1.0"), version("2"), version("1.2.3"), version("2026.07")), (0, 0, 0, 0));
}

// SPEC 5.5, 5.8
#[test]
fn a_syntax_fault_in_a_prompt_hides_no_other_fault() {
    let json = r#"{ "name": "a", "description": "Does a.", "category": "x", "mode": "llm",
  "input": { "type": "object", "properties": { "topic": { "type": "string" } }, "additionalProperties": false },
  "output": { "type": "object" } }"#;
    let prompt = "{{input.topic | }}\n{{input.topik}}\n{{#if input.other}}{{input.third}}\n";
    let entries = [("a/skill.json", json), ("a/prompt.md", prompt)];
    let places: Vec<String> = found(&check(&entries, DirectoryKind::Bundle, Options::default()))
        .into_iter()
        .map(|found| found.split(' ').take(2).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        places,
        [
            "a/prompt.md:1 template-syntax",
            "a/prompt.md:2 template-path",
            "a/prompt.md:3 template-block",
            "a/prompt.md:3 template-path",
            "a/prompt.md:3 template-path"
        ]
    );
}

// SPEC 2.14
#[test]
fn a_list_is_not_renamed_to_a_key_with_one_text() {
    let help = |line: &str| {
        let skill = format!("---\nname: a\ndescription: Does a.\n{line}\n---\nBody\n");
        let loaded = check(&[("a/SKILL.md", &skill)], DirectoryKind::Repository, Options::default());
        loaded.report.diagnostics[0].help.lines().next().unwrap().to_owned()
    };
    assert_eq!(help("agents: [one, two]"), "move it below `metadata`:");
    assert_eq!(help("agents: one"), "change it to `agent`");
}

// SPEC 1.9, 2.10, 2.11, 2.14, 2.15
#[test]
fn formats_of_other_programs_templates_and_texts_about_faults_are_not_errors() {
    let with = |name: &str, fields: &str, body: &str| {
        format!("---\nname: {name}\ndescription: Does {name}.\n{fields}---\n{body}\n")
    };
    let found = repository(&[
        ("skills/a/SKILL.md", &with("a", "mcp-servers:\n  - github\n", "Reads.")),
        ("skills/b/SKILL.md", &with("b", "mcp-url: https://example.com/mcp\n", "Reads.")),
        ("skills/c/SKILL.md", &with("c", "mcp-tools: github, slack\n", "Reads.")),
        ("skills/d/SKILL.md", &with("d", "mcp-evil: a;b\n", "Reads.")),
        ("skills/e/SKILL.md", &with("e", "mode: interactive\n", "Reads.")),
        ("skills/f/SKILL.md", &with("f", "", "See [a](.data/a.md).")),
        ("skills/f/.data/a.md", "a"),
        ("skills/_Template/SKILL.md", "---\nname: X Y\n---\n"),
        ("skills/g/SKILL.md", &with("g", "", "| Ã© | é |\n| â€™ | ’ |")),
        ("skills/h/SKILL.md", &with("h", "", "It repairs encoding errors: CafÃ© naÃ¯ve.")),
        ("skills/i/SKILL.md", &with("i", "", "CafÃ© naÃ¯ve.")),
        ("skills/j/SKILL.md", &with("j", "", "鏂囦欢锛屾枃浠讹紝鏂囦欢")),
        ("skills/k/SKILL.md", &with("k", "- one\n- two\n", "Reads.")),
        ("skills/l/SKILL.md", &with("l", "", "Reads.")),
        ("skills/l/assets/secrets.yaml", "# from the vault\npassword: ${PASSWORD}\ntoken: \"{{ token }}\"\n"),
        ("skills/l/assets/config.env.j2", "TOKEN={{ token }}\n"),
        ("skills/m/SKILL.md", &with("m", "", "Reads.")),
        ("skills/m/assets/secrets.yaml", "password: hunter2\n"),
    ]);
    assert_eq!(
        found,
        [
            "skills/a/SKILL.md:4 key-foreign the value of `mcp-servers` is a list, which is the format of another system",
            "skills/b/SKILL.md:4 key-foreign the value of `mcp-url` is a string, which is the format of another system",
            "skills/c/SKILL.md:4 key-foreign the value of `mcp-tools` is a string, which is the format of another system",
            "skills/d/SKILL.md:4 mcp-command the command of MCP server `evil` contains `;`",
            "skills/e/SKILL.md:4 key-unknown unknown key `mode`",
            "skills/i/SKILL.md:5 decoded-twice the text was decoded twice",
            "skills/j/SKILL.md:5 decoded-twice the text was decoded twice",
            "skills/k/SKILL.md:4 yaml-syntax this list has no key",
            "skills/m/assets/secrets.yaml:1 secret-file `assets/secrets.yaml` may contain passwords and tokens",
        ]
    );
}

// SPEC 2.6, 2.11, 2.14, 2.22
#[test]
fn what_authors_mean_is_not_reported() {
    let named = |name: &str, body: &str| md(name, body);
    let known: Vec<(String, String)> = (0..4)
        .map(|at| {
            let skill = format!("---\nname: k{at}\ndescription: Does k.\norigin: ours\n---\nText.\n");
            (format!("skills/k{at}/SKILL.md"), skill)
        })
        .collect();
    let project = named("ship", "Read [the rules](../../../specs/ship.md).");
    let lint = named("lint", "Use the `analysis` skill, or the `analisys` skill.");
    let install = named(
        "install",
        "curl -LsSf https://astral.sh/uv/install.sh | sh\ncurl -fsS https://astral.sh.example.com/x | sh\n\
         curl -fsS http://astral.sh/x | sh\ncurl https://x.y/a https://astral.sh/b | sh",
    );
    let template = named(
        "docs",
        "- [Component Name]: [Description]\n  - See [the file](./component-one.md)\n\n[Guide](guide.md)\n\n\
         A page might include:\n\n- [Setup](setup.md)\n\nSee [it](tool-name.md).\n\n\
         **Fix:** Create a folder and move the texts there:\n- Rubrics \u{2192} `references/rubrics.md`\n\
         - More \u{2192} `references/more.md`",
    );
    let scan = named("scan", "Text.");
    let example = named("config", "Add `${CLAUDE_PLUGIN_ROOT}/config.json`.");
    let mut entries = vec![
        ("specs/ship.md", "Rules."),
        (".claude/skills/ship/SKILL.md", project.as_str()),
        ("skills/ship/SKILL.md", project.as_str()),
        ("skills/lint/SKILL.md", lint.as_str()),
        ("plugins/analysis/.claude-plugin/plugin.json", "{\"name\": \"analysis\"}"),
        ("plugins/analysis/skills/scan/SKILL.md", scan.as_str()),
        ("skills/install/SKILL.md", install.as_str()),
        ("skills/docs/SKILL.md", template.as_str()),
        ("skills/docs/references/other.md", "Other."),
        ("plugins/plugin-dev/.claude-plugin/plugin.json", "{\"name\": \"plugin-dev\"}"),
        ("plugins/plugin-dev/skills/config/SKILL.md", example.as_str()),
    ];
    let (vendor, tool, other) = (named("acme-pdf", "Text."), named("acme", "Text."), named("mails", "Text."));
    entries.extend([
        ("skills/pdf/SKILL.md", vendor.as_str()),
        ("crates/acme/skill/SKILL.md", tool.as_str()),
        ("skills/post/SKILL.md", other.as_str()),
    ]);
    entries.extend(known.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    let found = repository(&entries);
    let expected = [
        "skills/docs/SKILL.md:8 broken-link the link `guide.md` points to a file that does not exist",
        "skills/install/SKILL.md:6 pipe-to-shell a download is piped into `sh`",
        "skills/install/SKILL.md:7 pipe-to-shell a download is piped into `sh`",
        "skills/install/SKILL.md:8 pipe-to-shell a download is piped into `sh`",
        "skills/lint/SKILL.md:5 skill-unknown the text names the skill `analisys`, which does not exist",
        "skills/post/SKILL.md:2 name-mismatch the name `mails` differs from the directory name `post`",
        "skills/ship/SKILL.md:5 link-leaves-skill the link `../../../specs/ship.md` leads out of the skill",
    ];
    assert_eq!(found, expected);
    entries.truncate(entries.len() - 1);
    let key = "skills/k0/SKILL.md:4 key-unknown unknown key `origin`, in 3 skills".to_owned();
    assert!(repository(&entries).contains(&key), "the key of a few skills may be a mistake");
}

// SPEC 2.14
#[test]
fn a_heading_in_a_block_of_code_is_the_cause_of_a_broken_link_to_it() {
    let text = "See [it](#use) and [that](#us).\n\n```sh\nrun\n\n## Use\n\nText.\n```\n";
    let entries = [("a/SKILL.md", &*md("a", text)), ("a/guide.md", text)];
    let loaded = check(&entries, DirectoryKind::Repository, Options::default());
    let found: Vec<(&str, usize)> =
        loaded.report.diagnostics.iter().map(|found| (found.rule.code, found.related.len())).collect();
    assert_eq!(found, [("broken-heading", 1), ("broken-heading", 0), ("broken-heading", 1)]);
}

// SPEC 2.14
#[test]
fn keys_of_other_formats_are_not_judged() {
    let keys = |lines: &str| format!("---\nname: a\ndescription: Does a.\n{lines}\n---\nText.\n");
    let helps = |entries: &[(&str, &str)]| -> Vec<String> {
        let loaded = check(entries, DirectoryKind::Repository, Options::default());
        let found = loaded.report.diagnostics.iter();
        found.map(|found| format!("{} {}", found.rule.code, found.help.lines().next().unwrap())).collect()
    };
    for (lines, help) in [
        ("Name: A", "key-unknown move it below `metadata`:"),
        ("tools: [claude-code, cursor]", "key-unknown move it below `metadata`:"),
        (
            "triggers: [a, b]",
            "key-unknown write the words into `description`, by which models choose a skill",
        ),
        ("tools: [read-file, Bash]", "key-unknown change it to `allowed-tools`"),
    ] {
        assert_eq!(helps(&[("a/SKILL.md", &keys(lines))]), [help], "{lines}");
    }
    for line in ["globs: \"*.rs\"", "read_when:\n  - A page is tested."] {
        assert_eq!(helps(&[("a/SKILL.md", &keys(line))]), [""; 0], "{line}");
    }
    let agent = keys("tools: Read");
    let linked = [("agents/a.md", agent.as_str()), ("skills/a/SKILL.md -> ../../agents/a.md", "")];
    assert_eq!(helps(&linked), [""; 0]);
    let four = |line: &str| {
        let text = keys(line);
        let paths = ["w", "x", "y", "z"].map(|name| format!("{name}/a/SKILL.md"));
        helps(&paths.each_ref().map(|path| (path.as_str(), text.as_str())))
    };
    assert_eq!(four("triggers: x"), [""; 0]);
    assert_eq!(four("tools: [claude-code, cursor]"), [""; 0]);
    assert_eq!(four("allowed-tool: x"), ["key-unknown change it to `allowed-tools`"]);
}

// SPEC 2.6
#[test]
fn names_that_belong_to_another_directory_are_accepted() {
    let (a, pages) = (md("status", "Text."), md("reader", "Text."));
    let names: Vec<(String, String)> =
        ["one", "two", "three"].map(|name| (format!("skills/cat-{name}/SKILL.md"), md(name, "Text."))).into();
    let mut entries = vec![
        ("plugins/p/skills/status/SKILL.md", a.as_str()),
        ("all/p-status/SKILL.md -> ../../plugins/p/skills/status/SKILL.md", ""),
        ("commands/reader.md", pages.as_str()),
        ("all/cmd-reader/SKILL.md -> ../../commands/reader.md", ""),
        ("packages/reader-skill/SKILL.md", pages.as_str()),
    ];
    assert_eq!(repository(&entries), [""; 0]);
    entries.extend(names.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    let title =
        "skills/cat-one/SKILL.md:2 name-mismatch the name `one` differs from the directory name `cat-one`";
    assert_eq!(repository(&entries), [format!("{title}, in 3 skills")]);
    entries.pop();
    assert_eq!(repository(&entries).len(), 2);
}

// SPEC 2.6
#[test]
fn kinds_of_names_that_an_author_chose_are_a_convention() {
    let skills = |pairs: &[(&str, &str)]| {
        let texts: Vec<(String, String)> =
            pairs.iter().map(|(dir, name)| (format!("skills/{dir}/SKILL.md"), md(name, "Text."))).collect();
        let entries: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), &**text)).collect();
        check(&entries, DirectoryKind::Repository, Options::default())
    };
    let letters =
        [("a-research-notes", "acme-research-notes"), ("b-plan", "acme-plan"), ("00-home", "acme-home")];
    assert_eq!(found(&skills(&letters)), [""; 0]);
    assert_eq!(found(&skills(&letters[..2])).len(), 2, "two names may be mistakes");
    let colons = [("acme-find", "acme:find"), ("acme-home", "acme:home"), ("acme-plan", "acme:plan")];
    let loaded = skills(&colons);
    assert_eq!(
        found(&loaded),
        ["skills/acme-find/SKILL.md:2 name-invalid the names of 3 skills begin with a word and `:`"]
    );
    assert_eq!((loaded.report.errors(), loaded.report.warnings()), (0, 1));
    assert_eq!(skills(&colons[..2]).report.errors(), 2);
    let plain = [("find", "acme:find"), ("home", "OTHER:home"), ("plan", "third:plan")];
    assert_eq!(
        found(&skills(&plain)),
        ["skills/find/SKILL.md:2 name-invalid the names of 3 skills begin with a word and `:`"]
    );
    let loaded = skills(&[("a", "acme-a"), ("b", "acme-b"), ("c", "acme-c"), ("init", "acme-start")]);
    let helps: Vec<&str> = loaded.report.diagnostics.iter().map(|found| &*found.help).collect();
    assert_eq!(helps, ["write it as: name: acme-init"]);
    assert_eq!(found(&skills(&[("reference", "acme-forms")])), [""; 0]);
    // chezmoi installs `dot_claude/skills/private_pdf` as `.claude/skills/pdf`.
    let text = md("pdf", "Text.");
    let source = ["dot_claude/skills/private_pdf/SKILL.md", "x/exact_readonly_pdf/SKILL.md"]
        .map(|path| (path, &*text));
    let loaded = check(&source, DirectoryKind::Repository, Options::default());
    let title =
        "x/exact_readonly_pdf/SKILL.md:2 name-mismatch the name `pdf` differs from the directory name";
    assert_eq!(found(&loaded), [format!("{title} `exact_readonly_pdf`")]);
}

// SPEC 2.6
#[test]
fn the_help_for_a_wrong_name_keeps_its_words() {
    for (dir, name, help) in [
        ("skill-adapter", "Managing Snapshot Tests", "write it as: name: managing-snapshot-tests"),
        ("snapshot-tests", "Managing Snapshot Tests", "write it as: name: snapshot-tests"),
        ("pdf", "\u{6280}\u{80fd}", "write it as: name: pdf"),
        ("linux", "video-sdk/linux", "write it as: name: video-sdk-linux"),
        ("toolkit", "toolkit/web", "write it as: name: toolkit"),
    ] {
        let path = format!("{dir}/SKILL.md");
        let loaded = check(&[(&path, &md(name, "Text."))], DirectoryKind::Repository, Options::default());
        assert_eq!(loaded.report.diagnostics[0].help, help);
    }
}

// SPEC 2.14, 2.18, 23.12
#[test]
fn links_that_nobody_would_change_are_not_reported() {
    let own = "See [plan](../../docs/specs/2026-05-15-names.md), [csv](../../more/skills/csv/SKILL.md), [csv](../../more/csv/)\n\
        and [more](../../docs/specs/names.md), [page](#9f2f0735d57ix) and [part](#names-2026).\n\n\
        ```sh\nnode build.js > scripts/made.js\npython x.py -o scripts/out.json\ncat scripts/a.js\n```\n\n\
        Read `scripts/made.js`, `scripts/out.json` and `scripts/gone.js`.\n\n\
        ```yaml\n# {baseDir}/config/a.yaml\na: b\n```\n\n```sh\n# runs {baseDir}/config/b.sh\n```\n";
    let (own, csv, outside) = (md("own", own), md("csv", "Text."), md("outside", "[a](../../../a.md)"));
    let entries = [
        ("skills/own/SKILL.md", own.as_str()),
        ("skills/own/scripts/a.js", ""),
        ("docs/specs/2026-05-15-names.md", ""),
        ("docs/specs/names.md", ""),
        ("more/skills/csv/SKILL.md", csv.as_str()),
        ("more/csv/skills/csv/SKILL.md", csv.as_str()),
        ("skills/outside/SKILL.md", outside.as_str()),
    ];
    let loaded = check(&entries, DirectoryKind::Repository, Options::default());
    let found = found(&loaded);
    let titles: Vec<&str> =
        found.iter().filter_map(|found| found.split_once(' ')).map(|(_, it)| it).collect();
    assert_eq!(
        titles,
        [
            "link-leaves-skill the link `../../../a.md` leads out of the skill",
            "link-leaves-skill the link `../../docs/specs/names.md` leads out of the skill",
            "broken-heading the text has no heading `#names-2026`",
            "broken-link the mention `scripts/gone.js` points to a file that does not exist",
            "broken-link the path `config/b.sh` points to a file that does not exist",
        ]
    );
    let help = |title: &str| {
        let mut found = loaded.report.diagnostics.iter().filter(|found| found.title.contains(title));
        found.next().unwrap().help.clone()
    };
    assert_eq!(help("docs/specs/names.md"), "copy the file into the skill");
    assert_eq!(help("../../../a.md"), "correct the path, or remove the link");
}

// SPEC 2.18
#[test]
fn the_files_of_made_up_plugins_are_examples() {
    let body = "Run `${CLAUDE_PLUGIN_ROOT}/scripts/build.sh`.";
    for (path, name, count) in [
        ("p/skills/development/SKILL.md", "Command Development", 0),
        ("p/skills/Hook-Writing/SKILL.md", "writing", 0),
        ("p/skills/writing/SKILL.md", "writing", 1),
    ] {
        let text = md(name, body);
        let found = repository(&[("p/.claude-plugin/plugin.json", "{}"), (path, &text)]);
        let links = found.iter().filter(|found| found.contains("broken-link")).count();
        assert_eq!(links, count, "{path}");
    }
}

// SPEC 2.18
#[test]
fn a_base_directory_may_be_that_of_the_repository() {
    let alpha = md("alpha", "Run `{baseDir}/skills/alpha/scripts/q.py` on {baseDir}/jobs/job_1/a.csv.");
    let beta = md(
        "beta",
        "Read {baseDir}/runtime/a.md, {baseDir}/runtime/gone.md, {baseDir}/references/b.md and \
        {baseDir}/references/gone.md. It writes {baseDir}/out/x.csv.",
    );
    let mut entries = vec![
        ("runtime/a.md", "x"),
        ("skills/alpha/SKILL.md", alpha.as_str()),
        ("skills/beta/SKILL.md", &beta),
        ("skills/beta/references/b.md", "x"),
        ("skills/alpha/scripts/q.py", "x"),
    ];
    let loaded = check(&entries, DirectoryKind::Repository, Options::default());
    let helps: Vec<&str> = loaded.report.diagnostics.iter().map(|found| found.help.as_str()).collect();
    let gone = "add the file `references/gone.md` to the skill";
    assert_eq!(helps, ["add the file `runtime/gone.md` to the repository", gone]);
    // Without the script, only `runtime` shows that the paths begin at the root.
    entries.pop();
    assert_eq!(repository(&entries).len(), 3, "the script is missing in the repository");
    entries.remove(0);
    assert_eq!(repository(&entries).len(), 6, "each path is missing in its skill");
    let job = md("job", "Read {baseDir}/jobs/a.csv.\n\n## 示例\n\nRead {baseDir}/jobs/job_1/a.csv.");
    assert_eq!(repository(&[("job/SKILL.md", &job)]).len(), 1);
}

// SPEC 1.9
#[test]
fn old_skills_and_templates_are_passed_over() {
    let (a, gone) = (md("a", "Text."), md("a", "Read [b](b.md)."));
    let [legacy, template] = ["legacy", "template"].map(|name| md(name, "Text."));
    let entries = [
        ("SKILL.md", "# All skills\n"),
        ("_legacy/a/SKILL.md", gone.as_str()),
        ("skills-legacy/a/SKILL.md", &gone),
        ("skills/archived/a/SKILL.md", &gone),
        ("skills/a/SKILL.md", &a),
        ("skills/legacy/SKILL.md", &legacy),
        ("skills/template/SKILL.md", &template),
        ("template/SKILL.md", &gone),
        ("more/TEMPLATE/SKILL.md", &template),
        ("more/templates/skill-skeleton/SKILL.md", &gone),
        ("plugins/legacy/.claude-plugin/plugin.json", "{}"),
        ("plugins/legacy/skills/a/SKILL.md", &a),
        ("plugins/templates/.claude-plugin/plugin.json", "{}"),
        ("plugins/templates/skills/a/SKILL.md", &a),
    ];
    let loaded = check(&entries, DirectoryKind::Repository, Options::default());
    assert_eq!(found(&loaded), [""; 0]);
    let mut passed: Vec<(&str, &str)> = loaded
        .tally
        .passed_over
        .iter()
        .map(|passed| (passed.path.as_str(), passed.reason.as_str()))
        .collect();
    passed.retain(|(path, _)| *path != "SKILL.md");
    passed.sort_unstable();
    let (old, template) = ("below a directory of old skills", "below a template");
    assert_eq!(
        passed,
        [
            ("_legacy/a/SKILL.md", old),
            ("more/TEMPLATE/SKILL.md", template),
            ("more/templates/skill-skeleton/SKILL.md", template),
            ("skills-legacy/a/SKILL.md", old),
            ("skills/archived/a/SKILL.md", old),
            ("template/SKILL.md", template),
        ]
    );
}

// SPEC 2.14, 2.18
#[test]
fn files_that_a_build_or_the_reader_adds_are_not_missing() {
    let body = "Read [a](references/a/b.md), [c](references/c.md) and [d](docs/d.md).\n\n\
        - Bad: [w](./src/w.ts)\n- Good: [x](./x.ts)\n\nRead `references/index.json`.\n\n\
        Create an `index.json` file with this structure.\n\nRun `bash ${CLAUDE_SKILL_DIR}/scripts/script-name.sh`.\n\
        Read `references/other.json`. It is beside `other.json`. Write `others.json`.\n";
    let text = md("a", body);
    let entries = [
        ("src/skills/a/SKILL.md", text.as_str()),
        ("src/skills/a/references/e.md", ""),
        ("src/references/a/b.md", ""),
        ("docs/d.md", ""),
    ];
    let missing =
        ["link `references/c.md`", "link `docs/d.md`", "link `./x.ts`", "mention `references/other.json`"];
    let found = repository(&entries);
    assert_eq!(found.len(), missing.len(), "{found:?}");
    for (found, missing) in found.iter().zip(missing) {
        assert!(found.contains(&format!("the {missing} points to")), "{found}");
    }
}

// SPEC 2.14, 2.18
#[test]
fn the_help_for_a_dead_link_names_what_exists() {
    let body = "[b](skills/b/SKILL.md), [c](skills/c/SKILL.md), [m](more/README.md),\n\
        [h](~/.claude/rules/h.md) and [i](~/.claude/skills/i/SKILL.md).";
    let (a, b) = (md("a", body), md("b", "Text."));
    let deep = "[b](../b/SKILL.md)";
    let entries = [
        ("skills/a/SKILL.md", a.as_str()),
        ("skills/a/README.md", ""),
        ("skills/a/references/deep/x.md", deep),
        ("skills/a/references/y.md", "[h](~/h.md)"),
        ("skills/b/SKILL.md", &b),
    ];
    let loaded = check(&entries, DirectoryKind::Repository, Options::default());
    let helps: Vec<&str> = loaded.report.diagnostics.iter().map(|found| found.help.as_str()).collect();
    assert_eq!(
        helps,
        [
            "change the path to `../b/SKILL.md`",
            "add the file `skills/c/SKILL.md` to the skill",
            "add the file `more/README.md` to the skill",
            "write the path as code, without a link: `~/.claude/rules/h.md`",
            "tell the reader to use the skill `i`",
            "change the path to `../../../b/SKILL.md`",
            "write the path as code, without a link: `~/h.md`",
        ]
    );
}

// SPEC 2.14, 2.18
#[test]
fn a_heading_with_the_same_letters_is_the_help_for_a_link() {
    let page = "# 11. FAQ (Often Asked)\n\n## Ambient & Evolving\n\n[a](#user-content-ambient--evolving), \
        [b](#11-faqoften-asked) and [c](#ambient-and-more-than-that).\n";
    let text = md("a", page);
    let entries = [("a/SKILL.md", text.as_str()), ("a/page.md", page)];
    let loaded = check(&entries, DirectoryKind::Repository, Options::default());
    let helps: Vec<&str> = loaded.report.diagnostics.iter().map(|found| found.help.as_str()).collect();
    let lead = "name a heading in small letters, with `-` for spaces and without punctuation";
    assert_eq!(helps, ["change it to `11-faq-often-asked`", lead, "change it to `11-faq-often-asked`"]);
    let fixed = loaded.report.diagnostics.iter().filter(|found| found.fix.is_some()).count();
    assert_eq!(fixed, 2);
}

// SPEC 2.22
#[test]
fn words_that_point_at_a_skill_and_skills_of_claude_are_not_unknown() {
    let body = "Use **this** skill. Then use the `security-review` skill, and the `csv` skill.";
    let (a, b) = (md("a", body), md("b", "Text."));
    let found = repository(&[("a/SKILL.md", &a), ("b/SKILL.md", &b)]);
    assert_eq!(found, ["a/SKILL.md:5 skill-unknown the text names the skill `csv`, which does not exist"]);
}

// SPEC 1.9, 2.14, 2.15
#[test]
fn files_of_other_tools_and_downloads_of_the_owner_are_not_faults() {
    let install =
        md("start", "`curl -fsSL https://raw.githubusercontent.com/acme-dev/ao/main/install.sh | bash`");
    let manifest = "{\"name\": \"ao\", \"homepage\": \"https://github.com/acme-dev/ao\"}";
    let mut entries = vec![
        ("skills/start/SKILL.md", install.as_str()),
        (".claude-plugin/plugin.json", manifest),
        ("skills/start/SKILL.json", "{\"name\": \"start\", \"entry\": \"SKILL.md\", \"files\": []}"),
        ("nix/test-fixtures/skills/sample/SKILL.md", "# Sample\n"),
    ];
    assert_eq!(repository(&entries), [""; 0]);
    entries[2].1 = "{\"name\": \"start\", \"mode\": \"llm\"}";
    assert_eq!(
        repository(&entries),
        ["skills/start/SKILL.json:1 file-name-case `SKILL.json` is not `skill.json`"]
    );
    entries.truncate(1);
    let loaded = check(&entries, DirectoryKind::Repository, Options::default());
    assert_eq!(found(&loaded), ["skills/start/SKILL.md:5 pipe-to-shell a download is piped into `bash`"]);
    assert!(loaded.report.diagnostics[0].help.starts_with("download to a file"));
    for address in ["get.acme.dev", "http://get.acme.dev"] {
        let text = md("start", &format!("`curl {address} | sh`"));
        let loaded = check(&[("start/SKILL.md", &text)], DirectoryKind::Repository, Options::default());
        assert_eq!(loaded.report.diagnostics[0].help, "begin the address with `https://`", "{address}");
    }
}

// SPEC 2.14, 2.18
#[test]
fn examples_and_files_of_the_project_are_not_mentions() {
    let count = |name: &str, body: &str| {
        let text = md(name, body);
        let path = format!("{name}/SKILL.md");
        let (script, guide) = (format!("{name}/scripts/a.sh"), format!("{name}/references/b.md"));
        repository(&[
            (path.as_str(), text.as_str()),
            (&script, "x"),
            (&guide, "x"),
            ("z/SKILL.md", &md("z", "Text.")),
        ])
        .len()
    };
    for text in [
        "For each candidate `Makefile`, `*.mk`, and `scripts/dev.sh`: read it.",
        "Sample groups for a typical repo:\n\n- A: `scripts/dev.sh`",
        "- A: root `AGENTS.md` + `scripts/AGENTS.md`",
        "| Kind | Example |\n|-|-|\n| Relative | `references/guide.md` |",
        "手法は `references/rejected.md` 参照、存在しなければ飛ばす。",
        "Index lokal cachen (`references/registry.json`).",
        "The answers are in `references/registry-cache.json`.",
        "```markdown\n# PDF\n```python\nx\n```\n\nSee `references/gone.md`.\n```\n\nEnd.",
    ] {
        let faults = usize::from(text.contains("```markdown"));
        assert_eq!(count("docs", text), faults, "{text}");
    }
    for text in [
        "Run `scripts/dev.sh` for each `Makefile`.",
        "| Example | Path |\n|-|-|\n| a | `references/guide.md` |",
    ] {
        assert_eq!(count("docs", text), 1, "{text}");
    }
    // A skill about skills shows links as examples.
    for (text, faults) in [
        ("- Link to it: \"See [x](references/api.md)\"", 0),
        ("Write links such as [x](references/api.md).", 0),
        ("See [forms](FORMS.md).", 0),
        ("See [x](references/api.md).", 1),
    ] {
        assert_eq!(count("skill-builder", text), faults, "{text}");
    }
}

// SPEC 2.14
#[test]
fn a_skill_in_another_one_may_link_to_its_files() {
    let body = "[a](../../shared/a.yaml), [root](../../SKILL.md) and [b](../../shared/b.yaml)";
    let (root, inner) = (md("router", "See `skills/spaces/SKILL.md`."), md("spaces", body));
    let mut entries =
        vec![("skills/spaces/SKILL.md", inner.as_str()), ("shared/a.yaml", "a"), ("SKILL.md", root.as_str())];
    let lost = "skills/spaces/SKILL.md:5 broken-link the link `../../shared/b.yaml` points to a file that does not exist";
    assert_eq!(repository(&entries), [lost]);
    entries.pop();
    let found = repository(&entries);
    assert!(found.iter().any(|found| found.contains("link-leaves-skill")), "{found:?}");
}

// SPEC 2.14, 2.18
#[test]
fn the_help_for_a_missing_file_is_its_place() {
    let rail = "[labels](docs/labels.md)";
    let mise = "[g](../../safety/references/gotchas.md) and [k](references/karabiner.json)";
    let (rail, mise, safety, label) =
        (md("rail", rail), md("mise", mise), md("safety", "Text."), md("label", rail));
    let entries = [
        (".claude/skills/label/SKILL.md", label.as_str()),
        ("docs/labels.md", "x"),
        ("plugins/dev/.claude-plugin/plugin.json", "{}"),
        ("plugins/dev/skills/safety/SKILL.md", &safety),
        ("plugins/dev/skills/safety/references/gotchas.md", "x"),
        ("plugins/itp/.claude-plugin/plugin.json", "{}"),
        ("plugins/itp/skills/mise/SKILL.md", &mise),
        ("plugins/itp/skills/mise/references/raw/karabiner.json", "x"),
        ("skills/rail/SKILL.md", &rail),
        ("skills/rail/references/docs/request.md", "x"),
        ("skills/rail/references/ops/charts-bar.md", "x"),
        ("skills/rail/references/ops/setup.md", "[r](request.md)"),
        ("skills/rail/references/ops/use.md", "[r](charts/bar.md)"),
    ];
    let loaded = check(&entries, DirectoryKind::Repository, Options::default());
    let helps: Vec<&str> = loaded.report.diagnostics.iter().map(|found| found.help.as_str()).collect();
    assert_eq!(
        helps,
        [
            "change the path to `../../../docs/labels.md`",
            "change the path to `../../../dev/skills/safety/references/gotchas.md`",
            "change the path to `references/raw/karabiner.json`",
            "change the path to `../../docs/labels.md`",
            "change the path to `../docs/request.md`",
            "change the path to `charts-bar.md`",
        ]
    );
}

// SPEC 2.14
#[test]
fn mentioned_files_of_one_folder_are_one_finding() {
    let scripts: Vec<String> = (1..=10).map(|at| format!("Run `scripts/step{at}{at}{at}.py`.")).collect();
    let body = format!("Read `references/a.md` and `references/b.md`.\n\n{}\n", scripts.join("\n"));
    let text = md("a", &body);
    let entries = [("a/SKILL.md", text.as_str()), ("a/scripts/x.sh", "x"), ("a/references/xyz.md", "x")];
    let loaded = check(&entries, DirectoryKind::Repository, Options::default());
    let found = found(&loaded);
    assert_eq!(found.len(), 3, "{found:?}");
    let title =
        "the text names 10 files below `scripts` that do not exist, the first is `scripts/step111.py`";
    assert!(found[2].ends_with(title), "{found:?}");
    let help = &loaded.report.diagnostics[2].help;
    assert!(
        help.starts_with("add the files to the skill: `scripts/step111.py`, `scripts/step222.py`"),
        "{help}"
    );
    assert!(help.ends_with("`scripts/step888.py` and 2 more"), "{help}");
}

// SPEC 2.14, 2.18
#[test]
fn the_help_for_a_missing_file_is_a_similar_path() {
    let a = md(
        "a",
        "[1](../../../SPEC.md), [2](../../tests/mocks.js) and [3](docs/five-steps/all.md). Run `scripts/check_vf.py`,\n\
        `scripts/other.py` and `scripts/old_check.py`. Then run `scripts/named_check.py`.",
    );
    let page = "# P\n\n[b](b.html)";
    let entries = [
        ("plugin.json", "{}"),
        ("skills/a/SKILL.md", a.as_str()),
        ("skills/a/docs/five-step/all.md", "x"),
        ("skills/a/pages/a.md", page),
        ("skills/a/pages/b.md", "[z](../more/z.md)"),
        ("skills/a/pages/c.md", "[host](example.com) and [d](https://example.com)"),
        ("skills/a/pages/d.md", "[y](../../../reference/y.md)"),
        ("skills/a/pages/e.md", "[f](best-practices.md)"),
        ("skills/a/pages/f.md", "[x](../../b/README.md)"),
        ("skills/a/pages/best-practice.md", "x"),
        ("skills/a/scripts/check_vf_all.py", "x"),
        ("skills/b/SKILL.md", &md("b", "Text.")),
        ("more/z.md", "x"),
        ("references/y.md", "x"),
        ("SPEC.md", "x"),
        ("tests/mocks.ts", "x"),
        ("README.md", "x"),
    ];
    let loaded = check(&entries, DirectoryKind::Repository, Options::default());
    let helps: Vec<&str> = loaded.report.diagnostics.iter().map(|found| found.help.as_str()).collect();
    assert_eq!(
        helps,
        [
            "change the path to `../../SPEC.md`",
            "change the path to `../../tests/mocks.ts`",
            "change the path to `docs/five-step/all.md`",
            "change the path to `scripts/check_vf_all.py`",
            "add the files to the skill: `scripts/other.py`, `scripts/old_check.py`, `scripts/named_check.py`",
            "change the path to `b.md`",
            "change the path to `../../../more/z.md`",
            "add the scheme: `https://example.com`",
            "change the path to `../../../references/y.md`",
            "change the path to `best-practice.md`",
            "correct the path, or remove the link",
        ]
    );
}

// SPEC 2.18
#[test]
fn texts_without_any_of_their_pictures_are_one_finding() {
    let a = md("a", "Read `docs/`.");
    let mut entries = vec![
        ("a/SKILL.md", a.as_str()),
        ("a/docs/one.md", "![](img/1.png) and ![](img/2.PNG)"),
        ("a/docs/three.md", "![](../img/3.svg)"),
        ("a/docs/two.md", "[gone](gone.md) and ![](img/4.jpg?raw=true)"),
    ];
    let gone = "a/docs/two.md:1 broken-link the link `gone.md` points to a file that does not exist";
    let pictures = "a/docs/one.md:1 broken-link 3 files link to pictures, and the skill has none";
    assert_eq!(repository(&entries), [pictures, gone]);
    let with_picture = [&entries[..], &[("a/docs/logo.png", "x")]].concat();
    assert_eq!(repository(&with_picture).len(), 3);
    entries.remove(2);
    assert_eq!(repository(&entries).len(), 2);
}

// SPEC 2.14
#[test]
fn files_below_one_missing_folder_are_one_finding() {
    let body = "[a](references/case/), [b](references/case/billing.md), [c](references/case/customers.md) and [d](references/payments.md)";
    let text = md("plan", body);
    let entries = [
        ("plan/SKILL.md", text.as_str()),
        ("plan/references/xyz.md", "x"),
        (
            "plan/assets/templates/page.md",
            "[b](../../references/case/billing.md) and [z](../../references/z.md)",
        ),
    ];
    let loaded = check(&entries, DirectoryKind::Repository, Options::default());
    let first = "plan/SKILL.md:5 broken-link links point to 3 files below `references/case`, a folder that does not exist";
    let second =
        "plan/SKILL.md:5 broken-link the link `references/payments.md` points to a file that does not exist";
    assert_eq!(found(&loaded), [first, second]);
    let label = &loaded.report.diagnostics[0].label;
    assert_eq!(label, "no such folder in the skill; `assets/templates/page.md` links to it, too");
}

// SPEC 2.18
#[test]
fn the_first_line_that_closes_no_block_is_reported() {
    for (body, line, help) in [
        (
            "- a\n```\n\n## B\n\n```\ntree\n```\n\n## C\n\n```\n\n- x\n```",
            6,
            "delete the line, or open the block above",
        ),
        (
            "```md\n```py\nx\n```\n\n[f](f.md)\n```\n\nEnd.",
            11,
            "open and close the outer block with a longer line",
        ),
        (
            "```md\n```py\nx\n```\n\n[f](f.md)\n```\n\nEnd.\n\n```sh\nx\n```",
            11,
            "open and close the outer block with a longer line",
        ),
        ("```sh\nx", 5, "close the block with a line of 3 backquotes"),
    ] {
        let text = md("a", body);
        let loaded = check(&[("a/SKILL.md", text.as_str())], DirectoryKind::Repository, Options::default());
        let found = found(&loaded);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with(&format!("a/SKILL.md:{line} unclosed-fence")), "{found:?}");
        assert_eq!(loaded.report.diagnostics[0].help, help);
    }
}

// SPEC 2.14
#[test]
fn a_heading_with_the_text_of_a_link_is_the_help_for_the_link() {
    let page = "[KAMAL_* Environment Variables](#kamal-env), [Defer Await](#11) and [Integration `Patterns`](#integration)\n\n\
        # KAMAL_* Environment Variables\n\n# 1.1 Defer Await\n\n# 4. Integration Patterns\n";
    let text = md("a", page);
    let loaded = check(&[("a/SKILL.md", text.as_str())], DirectoryKind::Repository, Options::default());
    let helps: Vec<&str> = loaded.report.diagnostics.iter().map(|found| found.help.as_str()).collect();
    assert_eq!(
        helps,
        ["kamal_-environment-variables", "11-defer-await", "4-integration-patterns"]
            .map(|name| format!("change it to `{name}`"))
    );
    // A heading with more words is meant if no other one begins with the same words.
    for (more, count) in [("", 1), ("\n# 5. Load Management Later\n", 0)] {
        let page =
            format!("[x](#5-load-management)\n\n# 5. Load Management During Incidents of Others\n{more}");
        let text = md("a", &page);
        let loaded = check(&[("a/SKILL.md", text.as_str())], DirectoryKind::Repository, Options::default());
        let help = &loaded.report.diagnostics[0].help;
        assert_eq!(
            usize::from(help.ends_with("`5-load-management-during-incidents-of-others`")),
            count,
            "{help}"
        );
    }
}

// SPEC 2.22
#[test]
fn home_directories_in_tables_and_quotes_of_examples_are_not_reported() {
    for (text, count) in [
        ("| Kind | Example |\n|-|-|\n| Path | `/Users/piet/x` |", 0),
        ("| Kind | Value |\n|-|-|\n| Path | `/Users/piet/x` |", 1),
        ("## Worked example\n\n### Messages\n\n1. \"Directory: `/Users/piet/x`\"", 0),
        ("## Worked example\n\n1. \"Ask\", then open `/Users/piet/x`", 1),
        ("### Examples\n\n## Messages\n\n1. \"Directory: `/Users/piet/x`\"", 1),
        ("## Worked example\n\n```sh\ncd \"/Users/piet/x\"\n```", 1),
    ] {
        let text = md("a", text);
        assert_eq!(repository(&[("a/SKILL.md", &text)]).len(), count, "{text}");
    }
}

// SPEC 2.22
#[test]
fn skills_that_the_text_gets_elsewhere_are_not_unknown() {
    let body = "- Depends on the `plan` skill.\n\nUse the `plan` skill.\nThen use the `npm-release` skill (locally managed).\n\n\
        Use the `create-plan` skill.";
    let (a, b) = (md("a", body), md("create-pr", "Text."));
    let loaded = check(
        &[("a/SKILL.md", &a), ("create-pr/SKILL.md", &b)],
        DirectoryKind::Repository,
        Options::default(),
    );
    assert_eq!(
        found(&loaded),
        ["a/SKILL.md:10 skill-unknown the text names the skill `create-plan`, which does not exist"]
    );
    assert_eq!(loaded.report.diagnostics[0].fix, None);
}

// SPEC 1.4
#[test]
fn an_absolute_link_to_a_file_of_the_repository_is_made_relative() {
    let a = md("a", "Text.");
    let entries = [
        ("real/a/SKILL.md", a.as_str()),
        ("skills/a -> /Users/jo/dev/all/./real/a", ""),
        ("skills/b -> /Users/jo/dev/all/gone", ""),
        ("skills/skills -> /Users/jo/dev/all/skills", ""),
    ];
    let loaded = check(&entries, DirectoryKind::Repository, Options::default());
    let helps: Vec<&str> = loaded.report.diagnostics.iter().map(|found| found.help.as_str()).collect();
    let relative = "make it relative: `ln -sfn ../real/a skills/skills/a`";
    let copy = "copy the target here, and make the link relative";
    assert_eq!(helps, [relative, copy, "delete it: `rm skills/skills/skills`"]);
}

// SPEC 1.4
#[test]
fn a_relative_link_is_led_to_the_end_of_its_target() {
    let a = md("a", "Text.");
    let entries = [
        ("skills/a/SKILL.md", a.as_str()),
        ("skills/a/flows/x.md", "x"),
        ("skills/a/assets/flows/x.md -> ../../../../.agents/skills/a/flows/x.md", ""),
        ("skills/a/assets/y.md -> ../../../.agents/x.md", ""),
    ];
    let loaded = check(&entries, DirectoryKind::Repository, Options::default());
    let helps: Vec<&str> = loaded.report.diagnostics.iter().map(|found| found.help.as_str()).collect();
    let lead = "change its target: `ln -sfn ../../flows/x.md skills/skills/a/assets/flows/x.md`";
    let delete = "change its target to an existing file, or delete it: `rm skills/skills/a/assets/y.md`";
    assert_eq!(helps, [lead, delete]);
}

// SPEC 2.5, 23.12: a skill reads its own key; a block of HTML, or one that is not closed, hides headings
#[test]
fn causes_are_reported_once() {
    let text = "---\nname: a\ndescription: Does a.\nhandoffs: b\npriority: c\n---\n\
        Read `handoffs[0]` of the frontmatter. See [x](#in-html) and [y](#also-there).\n\n\
        <important>\n## In HTML\n## Also there\n</important>\n";
    let loaded = check(&[("skills/a/SKILL.md", text)], DirectoryKind::Repository, Options::default());
    assert_eq!(
        found(&loaded),
        [
            "skills/a/SKILL.md:5 key-unknown unknown key `priority`",
            "skills/a/SKILL.md:7 broken-heading the text has no heading `#in-html`"
        ]
    );
    assert_eq!(loaded.report.diagnostics[1].help, "leave an empty line before the heading");
    let text = "---\nname: a\ndescription: Does a.\n---\nSee [x](#more).\n\n```sh\nrun\n\n## More\n";
    let loaded = check(&[("skills/a/SKILL.md", text)], DirectoryKind::Repository, Options::default());
    assert_eq!(found(&loaded), ["skills/a/SKILL.md:7 unclosed-fence this block of code is not closed"]);
    // Without that finding, its consequence is reported.
    let mut options = Options::default();
    options.levels.set("unclosed-fence", Level::Allow).unwrap();
    let loaded = check(&[("skills/a/SKILL.md", text)], DirectoryKind::Repository, options);
    assert_eq!(found(&loaded), ["skills/a/SKILL.md:5 broken-heading the text has no heading `#more`"]);
}
