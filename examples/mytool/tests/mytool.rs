//! Runs both versions of the program.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use mytool::{command, one, two};
use skills::commands;

type Tested = Result<(), Box<dyn Error>>;

const ONE: &str = env!("CARGO_BIN_EXE_mytool-1");
const TWO: &str = env!("CARGO_BIN_EXE_mytool");

/// Runs a program and returns its output.
fn run(program: &str, directory: &Path, words: &[&str]) -> Result<String, Box<dyn Error>> {
    let cache = directory.join("cache");
    let run =
        Command::new(program).args(words).current_dir(directory).env("XDG_CACHE_HOME", cache).output()?;
    let (output, problems) = (String::from_utf8(run.stdout)?, String::from_utf8(run.stderr)?);
    if run.status.success() { Ok(output) } else { Err(format!("{words:?}: {output}{problems}").into()) }
}

fn scratch(name: &str) -> std::io::Result<PathBuf> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        fs::remove_dir_all(&path)?;
    }
    fs::create_dir_all(&path)?;
    Ok(path)
}

/// Returns the command lines in the blocks of a stub, without the name of the program.
fn named(stub: &str) -> Vec<Vec<String>> {
    let lines = stub.lines().filter_map(|line| line.strip_prefix("mytool "));
    lines.map(|line| line.split(' ').map(str::to_owned).collect()).collect()
}

// SPEC 9.14, 11.37: a stub that version 1 wrote leads to the text of version 2
#[test]
fn stubs_survive_an_upgrade() -> Tested {
    let here = scratch("upgrade")?;
    let clients = ["claude", "codex"];
    for client in clients {
        run(ONE, &here, &["skill", "install", "--agent", client])?;
    }
    for (client, folder) in clients.into_iter().zip([".claude", ".agents"]) {
        let stub = fs::read_to_string(here.join(folder).join("skills/export-data/SKILL.md"))?;
        assert!(stub.starts_with("---\nname: export-data\ndescription: Exports tables"), "{stub}");
        assert!(!here.join(folder).join("skills/write-query/scripts").exists());
        let [words] = &named(&stub)[..] else { return Err(stub.into()) };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(run(ONE, &here, &words)?, one::SKILLS.export_data.body());
        let text = run(TWO, &here, &words)?;
        assert_eq!(text, two::SKILLS.export_data.body());
        assert!(text.contains("mytool db export <TABLE>"), "{text}");
        let file = run(TWO, &here, &[&words[..], &["references/formats.md"]].concat())?;
        assert!(file.starts_with("# Formats\n"), "{file}");
        let status = run(TWO, &here, &["skill", "status", "--agent", client, "--ci"])?;
        assert_eq!(
            status.matches("stub for `mytool skill`, installed by mytool 0.1.0").count(),
            3,
            "{status}"
        );
        assert_eq!(run(TWO, &here, &["skill", "install", "--agent", client])?, "");
    }
    // The user may still have copies.
    run(TWO, &here, &["skill", "install", "--agent", "claude", "--stub=false"])?;
    assert!(here.join(".claude/skills/export-data/references/formats.md").exists());
    run(TWO, &here, &["skill", "status", "--agent", "claude", "--ci"])?;
    Ok(())
}

// SPEC 11.37
#[test]
fn the_program_prints_its_skills() -> Tested {
    let here = scratch("read")?;
    let help = run(TWO, &here, &["--help"])?;
    assert!(help.ends_with("\nAgents: run `mytool skill` first\n"), "{help}");
    let catalog = run(TWO, &here, &["skill"])?;
    assert!(catalog.contains("`mytool skill NAME FILE`"), "{catalog}");
    assert!(catalog.contains("\n- report-bug: Writes a bug report"), "{catalog}");
    // The beginning of a name, and the end of a path, are enough.
    assert!(run(TWO, &here, &["skill", "rep"])?.starts_with("Write that this is mytool 0.1.0,"));
    assert!(run(TWO, &here, &["skill", "export-data", "formats.md"])?.starts_with("# Formats"));
    let refused =
        |words: &[&str]| run(TWO, &here, words).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(refused(&["skill", "exprot-data"]).contains("did you mean `export-data`?"));
    assert!(
        refused(&["skill", "export-data", "refrences/formats.md"])
            .contains("did you mean `references/formats.md`?")
    );
    assert!(refused(&["skill", "instal"]).contains("a similar command is `install`"));
    // The commands are still there.
    assert!(run(TWO, &here, &["skill", "list"])?.contains("write-query"));
    Ok(())
}

// SPEC 11.37
#[cfg(unix)]
#[test]
fn a_script_is_unpacked() -> Tested {
    let here = scratch("script")?;
    let path = run(TWO, &here, &["skill", "write-query", "scripts/explain.sh"])?;
    assert_eq!(run(path.trim_end(), &here, &["SELECT"])?, "EXPLAIN SELECT\n");
    Ok(())
}

// SPEC 9.15, 23.15: the texts, the blocks and the stub fit the commands
#[test]
fn the_skills_fit_the_commands() -> Result<(), commands::Mismatches> {
    commands::check(&one::SKILLS, &command::<one::Arguments>())?;
    commands::check(&two::SKILLS, &command::<two::Arguments>())?;
    commands::blocks("skills", &command::<two::Arguments>())
}

// SPEC 9.15
#[test]
fn a_broken_stub_fails_the_test() {
    let without = clap::Command::new("mytool").subcommand(clap::Command::new("skills"));
    let problem = commands::check(&two::SKILLS, &without).unwrap_err().to_string();
    assert!(problem.contains("`mytool` has no command `skill`; a similar one is `skills`"), "{problem}");
    let problem = commands::check(&two::SKILLS, &clap::Command::new("other")).unwrap_err().to_string();
    assert!(problem.contains("the stub names `mytool skill`, but the program is `other`"), "{problem}");
}

// SPEC 23.15: the block of version 1 follows the commands of version 2
#[test]
fn the_block_follows() -> Tested {
    let below = |path: &Path| path.join("export-data/SKILL.md");
    if let Some(copy) = std::env::var_os("MYTOOL_COPY") {
        return Ok(commands::blocks(PathBuf::from(copy), &command::<two::Arguments>())?);
    }
    let copy = scratch("block")?;
    let old = fs::read_to_string(below(Path::new("version-1/skills")))?;
    fs::create_dir_all(copy.join("export-data"))?;
    fs::write(below(&copy), &old)?;
    let problem = commands::blocks(&copy, &command::<two::Arguments>()).unwrap_err().to_string();
    assert!(problem.contains("the block of `mytool db` does not fit its commands"), "{problem}");
    // The same test, as a user renews the block.
    let program = std::env::current_exe()?;
    let mut run = Command::new(program);
    run.args(["--exact", "the_block_follows"]).env("BLESS", "1").env("MYTOOL_COPY", &copy);
    let run = run.output()?;
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
    let new = fs::read_to_string(below(&copy))?;
    let outside = |text: &str| {
        let (above, rest) = text.split_once("<!-- commands: mytool db -->").unwrap_or_default();
        (above.to_owned(), rest.split_once("<!-- /commands -->").map(|(_, below)| below.to_owned()))
    };
    assert_eq!(outside(&new), outside(&old));
    let block = |text: &str| {
        text.lines().filter(|line| line.contains("mytool db ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(block(&new), block(two::SKILLS.export_data.body()));
    Ok(())
}
