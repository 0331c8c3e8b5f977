//! Files of a few megabytes with as many faults as fit: the time of a check grows with their size (SPEC 12.10).

use std::time::Duration;

use super::Victim;

/// How long a check of each may take, of a debug build on a busy machine: what was quadratic took minutes.
const LONGEST: Duration = Duration::from_secs(40);

/// Makes the file for so many faults.
type Maker = fn(usize) -> (&'static str, String);

const FILES: [(&str, Maker); 5] = [
    ("keys", |count| {
        ("SKILL.md", document(&(0..count).map(|at| format!("key{at}: 1\n")).collect::<String>()))
    }),
    ("twins", |count| ("SKILL.md", document(&"tags: a\n".repeat(count)))),
    ("hidden characters", |count| ("SKILL.md", document("") + &"a\u{1}b\n".repeat(count))),
    ("links", |count| ("SKILL.md", document("") + &"[a](nowhere.md)\n".repeat(count))),
    ("members", |count| {
        let members: String = (0..count).map(|at| format!("\n\"m{at}\": 1,")).collect();
        ("skill.json", format!("{{{members}\n\"name\": \"it\"}}"))
    }),
];

fn document(lines: &str) -> String {
    format!("---\nname: it\ndescription: It stalls.\n{lines}---\n")
}

pub(super) fn attack(victim: &Victim, rounds: usize) -> Result<String, String> {
    let count = if rounds < 50 { 50_000 } else { 200_000 };
    let mut times = Vec::new();
    for (what, make) in FILES {
        victim.clear("s");
        let (name, text) = make(count);
        victim.write(format!("s/it/{name}"), &text)?;
        times.push((what, victim.time(&["check", "s"])?));
    }
    victim.clear("s");
    victim.write("s/it/SKILL.md", &document(""))?;
    let lines: String = (0..count).map(|at| format!("name{at}\n")).collect();
    victim.write("s/it/.skillignore", &lines)?;
    for at in 0..3_000 {
        victim.write(format!("s/it/files/{at}.txt"), "")?;
    }
    times.push(("lines of .skillignore over 3,000 files", victim.time(&["check", "s"])?));
    let told: Vec<String> =
        times.iter().map(|(what, time)| format!("{what} {:.1} s", time.as_secs_f64())).collect();
    match times.iter().find(|(_, time)| *time > LONGEST) {
        Some((what, time)) => Err(format!("{count} {what} took {:.1} s", time.as_secs_f64())),
        None => Ok(format!("{count} each: {}", told.join(", "))),
    }
}
