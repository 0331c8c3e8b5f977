//! Checks files of a few megabytes with as many errors as possible: the time of a check must grow linearly.

use std::time::Duration;

use super::Victim;

/// The maximum ratio of times for four times the size. It is the geometric middle between linear growth
/// beyond the processor's cache (five to six) and quadratic growth (sixteen).
const MOST: f64 = 9.0;

/// The minimum time of a check for a meaningful ratio.
const LEAST: Duration = Duration::from_millis(300);

/// Creates the file with this many errors.
type Maker = fn(usize) -> (&'static str, String);

const FILES: [(&str, Maker); 16] = [
    ("keys", |count| {
        ("SKILL.md", document(&(0..count).map(|at| format!("key{at}: 1\n")).collect::<String>()))
    }),
    ("near keys", |count| {
        ("SKILL.md", document(&(0..count).map(|at| format!("descripton{at}: 1\n")).collect::<String>()))
    }),
    ("twins", |count| ("SKILL.md", document(&"tags: a\n".repeat(count)))),
    ("servers", |count| {
        ("SKILL.md", document(&(0..count).map(|at| format!("mcp-a{at}: run it\n")).collect::<String>()))
    }),
    ("keys of metadata", |count| {
        let keys: String = (0..count).map(|at| format!("  key{at}: a\n")).collect();
        ("SKILL.md", document(&format!("metadata:\n{keys}")))
    }),
    ("items on a line", |count| {
        let items: String = (0..count).map(|at| format!("[a{at}], ")).collect();
        ("SKILL.md", document(&format!("tags: [{items}]\n")))
    }),
    ("colons", |count| {
        ("SKILL.md", document(&(0..count).map(|at| format!("k{at}: a: b: c\n")).collect::<String>()))
    }),
    ("hidden characters", |count| ("SKILL.md", document("") + &"a\u{1}b\n".repeat(count))),
    ("links", |count| ("SKILL.md", document("") + &"[a](nowhere.md)\n".repeat(count))),
    ("allowances", |count| ("SKILL.md", document("") + &"<!-- skills: allow(long-body) -->\n".repeat(count))),
    ("members", |count| {
        let members: String = (0..count).map(|at| format!("\n\"m{at}\": 1,")).collect();
        ("skill.json", format!("{{{members}\n\"name\": \"it\"}}"))
    }),
    ("near members", |count| {
        let members: String = (0..count).map(|at| format!("\n\"descriptio{at}\": 1,")).collect();
        ("skill.json", format!("{{{members}\n\"name\": \"it\"}}"))
    }),
    ("properties", |count| {
        let members: Vec<String> = (0..count).map(|at| format!("\n\"p{at}\": {{\"typ\": 1}}")).collect();
        typed(&format!("\"input\": {{\"type\": \"object\", \"properties\": {{{}}}}}", members.join(",")))
    }),
    ("references", |count| {
        let uses: Vec<String> =
            (0..count).map(|at| format!("\"a{at}\": {{\"$ref\": \"#/$defs/d{at}\"}}")).collect();
        let defs: Vec<String> = (0..count).map(|at| format!("\"d{at}\": {{\"type\": \"string\"}}")).collect();
        typed(&format!(
            "\"input\": {{\"type\": \"object\", \"properties\": {{{}}}, \"$defs\": {{{}}}}}",
            uses.join(","),
            defs.join(",")
        ))
    }),
    ("required names", |count| {
        let names: Vec<String> = (0..count).map(|at| format!("\"e{at}\"")).collect();
        typed(&format!("\"input\": {{\"type\": \"object\", \"required\": [{}]}}", names.join(",")))
    }),
    ("steps", |count| {
        let step = |at: usize| {
            let before = at.saturating_sub(1);
            format!(
                "\n{{\"step\": \"s{at}\", \"skill\": \"p\", \"input\": {{\"a\": \"{{{{steps.s{before}.x}}}}\"}}}}"
            )
        };
        let steps: Vec<String> = (0..count).map(step).collect();
        let (name, text) =
            typed(&format!("\"input\": {{\"type\": \"object\"}}, \"pipeline\": [{}]", steps.join(",")));
        (name, text.replace("\"code\"", "\"composite\""))
    }),
];

/// Returns a skill.json with these additional keys.
fn typed(keys: &str) -> (&'static str, String) {
    let text = format!(
        "{{\"name\": \"it\", \"description\": \"It stalls.\", \"category\": \"c\", \"mode\": \"code\", \
         \"output\": {{\"type\": \"object\"}}, {keys}}}"
    );
    ("skill.json", text)
}

fn document(lines: &str) -> String {
    format!("---\nname: it\ndescription: It stalls.\n{lines}---\n")
}

/// Lines of `.skillignore`, with enough files that each look at a line has a cost.
const IGNORED: &str = "lines of .skillignore";

pub(super) fn attack(victim: &Victim, rounds: usize) -> Result<String, String> {
    let count = if rounds < 50 { 2_500 } else { 25_000 };
    let mut reports = Vec::new();
    for (what, make) in FILES {
        let put = |count| {
            victim.clear("s");
            let (name, text) = make(count);
            victim.write(format!("s/it/{name}"), &text)
        };
        reports.push(growth(victim, what, count, &put)?);
    }
    let put = |count| {
        victim.clear("s");
        victim.write("s/it/SKILL.md", &document(""))?;
        let lines: String = (0..count).map(|at| format!("name{at}\n")).collect();
        victim.write("s/it/.skillignore", &lines)?;
        (0..300).try_for_each(|at| victim.write(format!("s/it/files/{at}.txt"), ""))
    };
    reports.push(growth(victim, IGNORED, count, &put)?);
    Ok(format!("four times {count} takes {}", reports.join(", ")))
}

/// Checks this many errors and four times as many, taking the better of two times each. Returns the ratio.
fn growth(
    victim: &Victim,
    what: &str,
    count: usize,
    put: &dyn Fn(usize) -> Result<(), String>,
) -> Result<String, String> {
    let mut times = [Duration::MAX; 2];
    // On a busy machine, the measurement is repeated.
    for _ in 0..3 {
        for (time, count) in times.iter_mut().zip([count, count * 4]) {
            put(count)?;
            *time = (*time).min(victim.time(&["check", "s"])?);
        }
        let ratio = times[1].as_secs_f64() / times[0].as_secs_f64();
        if ratio < MOST || times[1] < LEAST {
            return Ok(format!("{ratio:.1} for {what} ({:.1} s)", times[1].as_secs_f64()));
        }
    }
    Err(format!(
        "{count} {what} took {:.3} s, four times as many {:.3} s",
        times[0].as_secs_f64(),
        times[1].as_secs_f64()
    ))
}
