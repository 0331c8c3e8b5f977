//! Skills in layers, from the program, from the user and from the workspace; with live
//! reloading.
//!
//! ```text
//! cargo run --example overlay --features watch              # runs a demo in a temporary directory
//! cargo run --example overlay --features watch -- --watch   # watches your own directories until Ctrl-C
//! ```
#![expect(clippy::print_stdout, reason = "it talks to its user")]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skills::load::{LayersBuilder, Live};

skills::skills!("skills/");

fn main() -> Result<(), Box<dyn Error>> {
    if std::env::args().any(|argument| argument == "--watch") {
        return follow(&std::env::current_dir()?);
    }
    let scratch = std::env::temp_dir().join(format!("skills-overlay-{}", std::process::id()));
    let shown = show(&scratch.join("home"), &scratch.join("work"));
    fs::remove_dir_all(&scratch).ok();
    shown
}

/// Lists the layers of this user and this directory, and prints changes.
fn follow(workspace: &Path) -> Result<(), Box<dyn Error>> {
    let home = std::env::home_dir();
    let live = Arc::new(Live::new(LayersBuilder::new().bundle(&SKILLS).agent(home.as_deref(), workspace))?);
    for skill in live.layers().iter() {
        println!("{:24} {}", skill.name(), skill.location());
    }
    println!("\nwrite a skill to .agents/skills/NAME/SKILL.md, edit it, remove it");
    let _watch = live.watch(|outcome| match outcome {
        Ok(changes) => {
            println!(
                "added {:?}, changed {:?}, removed {:?}",
                changes.added, changes.changed, changes.removed
            );
            changes.new_problems.iter().for_each(|problem| println!("{problem}"));
        }
        Err(error) => println!("{error}"),
    })?;
    loop {
        std::thread::park();
    }
}

/// Shows a skill that the program provides, the user overrides, and the workspace overrides again.
fn show(home: &Path, workspace: &Path) -> Result<(), Box<dyn Error>> {
    let user = home.join(".agents/skills/summarize/SKILL.md");
    let team = workspace.join(".agents/skills/summarize/SKILL.md");
    // This program wrote the skills of this workspace itself, so it trusts them. In a real program the user
    // decides (SPEC 14.10).
    let builder = LayersBuilder::new().bundle(&SKILLS).agent(Some(home), workspace).trust(|_| true);
    let live = Live::new(builder)?;
    print_skills("the program alone", &live);

    write(&user, "Sums up in the way I like it.")?;
    println!("\nchanged: {:?}", live.reload()?.changed);
    print_skills("the user's own", &live);

    write(&team, "Sums up as this team does.")?;
    println!("\nchanged: {:?}", live.reload()?.changed);
    print_skills("the workspace's", &live);
    // A snapshot does not change, whatever happens on disk.
    let held = live.layers();

    fs::write(&team, "---\nname: summarize\n")?;
    for problem in live.reload()?.new_problems {
        println!("\nproblem: {problem}");
    }
    print_skills("after a slip of the pen", &live);

    fs::remove_dir_all(workspace)?;
    live.reload()?;
    print_skills("\nthe workspace is gone", &live);
    let is_kept = held.get("summarize").is_some_and(|skill| skill.description().contains("team"));
    if is_kept && held.shadowed().count() == 2 { Ok(()) } else { Err("the snapshot changed".into()) }
}

fn write(path: &Path, description: &str) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    Ok(fs::write(path, format!("---\nname: summarize\ndescription: {description}\n---\nBe brief.\n"))?)
}

/// Prints the winner of the name, and the skills it hides.
fn print_skills(when: &str, live: &Live) {
    println!("{when}:");
    let layers = live.layers();
    if let Some(skill) = layers.get("summarize") {
        println!("  {}  {}", skill.description(), place(skill));
    }
}

/// Returns only the end of a path, to keep the output short.
fn place(skill: skills::Skill<'_>) -> String {
    let parts: Vec<_> = Path::new(skill.location()).components().rev().take(5).collect();
    if skill.is_bundled() {
        skill.location().to_owned()
    } else {
        parts.iter().rev().collect::<PathBuf>().display().to_string()
    }
}
