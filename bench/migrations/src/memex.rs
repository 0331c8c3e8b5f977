use std::path::Path;

use skills::install::{Adopt, InstallError, InstallOptions, install as write, status};

skills::skills!("skills/memex");

// `update` takes over files that are already there, `install` leaves them alone.
fn options(update: bool) -> InstallOptions {
    InstallOptions::new("memex").adopt(if update { Adopt::Named } else { Adopt::Same })
}

pub fn print_status(agent_dir: &Path) -> Result<(), InstallError> {
    status(&SKILLS, agent_dir, &options(false))?
        .iter()
        .for_each(|skill| println!("{}: {:?}", skill.name, skill.state));
    Ok(())
}

pub fn install(home: &Path) -> Result<(), InstallError> {
    print_status(&home.join(".agents"))?;
    write(&SKILLS, home.join(".agents"), &options(true)).map(|report| print!("{report}"))
}
