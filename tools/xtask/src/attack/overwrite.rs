//! Attack: a directory is replaced by a link to another place and back while a command writes. The command
//! must write nothing there.

use super::Target;

#[cfg(not(unix))]
pub(super) fn attack(_: &Target, _: usize) -> Result<String, String> {
    Ok("there are no such links here".to_owned())
}

#[cfg(unix)]
pub(super) use unix::attack;

#[cfg(unix)]
mod unix {
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::Path;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::Target;
    use crate::attack::exchange::exchange;

    /// A skill with a fault that can be fixed, and that `migrate` accepts.
    const SKILL: &str = "---\nname: it\ndescription: Use when: reading\n---\nBody.\n";
    /// The same skill without the fault, for commands that refuse the fault.
    const SOUND: &str = "---\nname: it\ndescription: Reads it.\n---\nBody.\n";

    /// The private key that RFC 8410 prints in its section 10.3.
    const KEY: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n";

    /// The commands that write, each with the directory that is replaced and the document in it.
    const WRITERS: [(&[&str], &str, &str); 5] = [
        (&["check", "w/s", "--fix"], "w/s/it", SKILL),
        (&["sign", "w/s", "--each", "--key", "w/key.pem"], "w/s/it", SOUND),
        (&["new", "more", "--dir", "w/s", "--exec", "python"], "w/s/more", SOUND),
        (
            &["plugin", "pack", "w/s", "--to", "w/p", "--name", "p", "--agent", "claude", "--force"],
            "w/p/.claude-plugin",
            SOUND,
        ),
        (&["migrate", "w/s/it"], "w/s/it", SOUND),
    ];

    pub(in crate::attack) fn attack(victim: &Target, rounds: usize) -> Result<String, String> {
        let (mut runs, mut done) = (0, 0);
        for _ in 0..rounds {
            for (arguments, place, document) in WRITERS {
                let is_done = write(victim, arguments, place, document)?;
                runs += 1;
                done += usize::from(is_done);
            }
        }
        Ok(format!("0 of {runs} runs wrote elsewhere, {done} ended well"))
    }

    /// Runs one command while its directory is replaced. Returns `true` if the command succeeded.
    fn write(victim: &Target, arguments: &[&str], place: &str, document: &str) -> Result<bool, String> {
        victim.clear("w");
        victim.write("w/key.pem", KEY)?;
        victim.write("w/s/it/SKILL.md", document)?;
        victim.write("w/p/.claude-plugin/plugin.json", "{}")?;
        victim.write("w/elsewhere/SKILL.md", document)?;
        victim.write("w/elsewhere/plugin.json", "{}")?;
        let (elsewhere, link) = (victim.path("w/elsewhere"), victim.path("w/link"));
        std::os::unix::fs::symlink(&elsewhere, &link).map_err(|error| error.to_string())?;
        let before = contents(&elsewhere)?;
        let (place, away, stop) = (victim.path(place), victim.path("w/away"), AtomicBool::new(false));
        let output = std::thread::scope(|scope| {
            scope.spawn(|| exchange(&stop, &place, &away, &link));
            let output = victim.run(arguments);
            stop.store(true, Ordering::Relaxed);
            output
        })?;
        if contents(&elsewhere)? != before {
            return Err(format!("`skills {}` wrote elsewhere", arguments.join(" ")));
        }
        Ok(output.status.success())
    }

    fn contents(directory: &Path) -> Result<BTreeMap<String, Vec<u8>>, String> {
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(directory).map_err(|error| error.to_string())? {
            let entry = entry.map_err(|error| error.to_string())?;
            let bytes = fs::read(entry.path()).unwrap_or_default();
            files.insert(entry.file_name().to_string_lossy().into_owned(), bytes);
        }
        Ok(files)
    }
}
