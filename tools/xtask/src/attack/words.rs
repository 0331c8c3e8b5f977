//! Lets two processes trust two directories at the same time: neither change may be lost.

use super::Target;

/// The number of repetitions for each round.
const REPETITIONS: usize = 40;

pub(super) fn attack(victim: &Target, rounds: usize) -> Result<String, String> {
    let count = rounds.saturating_mul(REPETITIONS);
    for name in ["one", "two"] {
        let text = "---\nname: dig\ndescription: Digs. Use to dig.\n---\nDig.\n";
        victim.write(format!("{name}/.claude/skills/dig/SKILL.md"), text)?;
    }
    let config = victim.path("config");
    for round in 0..count {
        victim.clear("config/skills");
        let mut all = Vec::new();
        for name in ["one", "two"] {
            let mut command = victim.command(&["trust", name]);
            command.env("XDG_CONFIG_HOME", &config);
            all.push(command.spawn().map_err(|error| error.to_string())?);
        }
        for child in all {
            let output = child.wait_with_output().map_err(|error| error.to_string())?;
            if !output.status.success() {
                return Err(format!("round {round}: {}", String::from_utf8_lossy(&output.stderr)));
            }
        }
        let kept =
            std::fs::read_to_string(config.join("skills/trust.json")).map_err(|error| error.to_string())?;
        let found = kept.matches("\"path\"").count();
        if found != 2 {
            return Err(format!("round {round}: {found} of 2 changes were kept"));
        }
    }
    Ok(format!("{count} pairs, all kept"))
}
