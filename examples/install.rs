//! Installs the skills of a program in an agent's directory, twice: the user's edits in between are kept.
#![expect(clippy::print_stdout, reason = "it talks to its user")]

use std::error::Error;
use std::fs;
use std::path::Path;

use skills::install::{InstallOptions, install, status};

skills::skills!("skills/");

fn main() -> Result<(), Box<dyn Error>> {
    // A real program would get the directory from `Agent::Claude.target(…)`.
    let target = std::env::temp_dir().join(format!("skills-example-{}", std::process::id()));
    let shown = show(&target);
    fs::remove_dir_all(&target).ok();
    shown
}

fn show(target: &Path) -> Result<(), Box<dyn Error>> {
    let options = InstallOptions::new(env!("CARGO_PKG_NAME"));

    println!("== the first time");
    print!("{}", SKILLS.install(target)?);

    println!("\n== the user edits a skill");
    let edited = target.join("skills/commit-message/SKILL.md");
    let mine = format!("{}\nAlways mention the ticket.\n", fs::read_to_string(&edited)?);
    fs::write(&edited, &mine)?;
    for skill in status(&SKILLS, target, &options)? {
        println!("{:8}  {}", skill.state, skill.name);
    }

    println!("\n== the second time");
    print!("{}", install(&SKILLS, target, &options)?);
    if fs::read_to_string(&edited)? != mine {
        return Err("the edit is lost".into());
    }

    println!("\n== with force");
    print!("{}", install(&SKILLS, target, &options.force(true))?);
    Ok(())
}
