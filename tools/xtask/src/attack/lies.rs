//! Uses lock files and trees with arbitrary content: the command must report errors, in text that cannot
//! control a terminal.

use super::Target;
use crate::mutate::Mutator;

/// Hostile path components: paths out of the directory, terminal control sequences, names that systems
/// refuse.
const PARTS: [&str; 14] = [
    "..",
    "/etc",
    "a\\b",
    "\u{1b}[2J",
    "\u{202e}",
    "\u{e0041}",
    "\u{9b}",
    "\u{2028}",
    "CON",
    "caf\u{e9}",
    "cafe\u{301}",
    "</SKILL>",
    "\u{feff}",
    "-rf",
];

const LOCK: &str = r#"{"format": 1, "skills": {"it": {"bundle": "victim/s", "version": "1", "files": {"SKILL.md": {"sha256": "0000000000000000000000000000000000000000000000000000000000000000"}}}}}"#;

const SKILL: &str = "---\nname: it\ndescription: \"It lies.\"\ntags: [a]\n---\n# It\nBody.\n";

const MANIFEST: &str = r#"{"name": "asks", "description": "Asks.", "category": "c", "mode": "llm", "input": {"type": "object", "properties": {"p": {"type": "string", "description": "P"}}}, "output": {"type": "object"}}"#;

pub(super) fn attack(victim: &Target, rounds: usize) -> Result<String, String> {
    let mut mutator = Mutator::new(14);
    let mut runs = 0;
    for round in 0..rounds {
        victim.clear("s");
        victim.clear("t");
        victim.write("outside", "outside")?;
        let part = PARTS[round % PARTS.len()];
        let lie = |mutator: &mut Mutator, text: &str| {
            let text =
                if round % 3 == 0 { text.replacen("it", part, 1 + round % 4) } else { text.to_owned() };
            mutator.mutate(&text, &PARTS)
        };
        victim.write("t/skills/.skills-lock.json", &lie(&mut mutator, LOCK))?;
        victim.write("s/it/SKILL.md", &lie(&mut mutator, SKILL))?;
        victim.write("s/asks/skill.json", &lie(&mut mutator, MANIFEST))?;
        victim.write("s/asks/prompt.md", part)?;
        if !part.contains(['/', '\\']) && part != ".." {
            victim.write(format!("s/it/notes {part}.md"), part)?;
            victim.write(format!("t/skills/flat {part}.md"), SKILL)?;
        }
        for command in [
            &["status", "--dir", "s", "--to", "t"][..],
            &["install", "--dir", "s", "--to", "t", "--force"],
            &["uninstall", "--dir", "s", "--to", "t", "--force"],
            &["migrate", "--flat", "t"],
            &["list", "s", "--all"],
            &["prompt", "s"],
            &["tools", "s", "--format", "openai"],
            &["show", "it", "--dir", "s"],
            &["check", "s"],
        ] {
            let output = victim.run(command)?;
            runs += 1;
            for text in [&output.stdout, &output.stderr] {
                let text = String::from_utf8_lossy(text);
                if let Some(odd) = text.chars().find(|c| controls(*c)) {
                    return Err(format!(
                        "`skills {}` wrote U+{:04X}: {text:?}",
                        command.join(" "),
                        u32::from(odd)
                    ));
                }
            }
        }
        let outside = std::fs::read_to_string(victim.path("outside")).unwrap_or_default();
        let tops = std::fs::read_dir(&victim.top).map_or(0, Iterator::count);
        if outside != "outside" || tops != 3 {
            return Err(format!("something outside of the target was changed in round {round}"));
        }
    }
    Ok(format!("{runs} runs over {rounds} trees, no panic, nothing outside, nothing that a terminal obeys"))
}

fn controls(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
}
