//! Attack: MCP servers that send without end. Each command ends with the reason, soon and with little
//! memory.

use std::time::Duration;

use super::Target;

/// What each server does after it has read the first message.
const FLOODS: [(&str, &str); 4] = [
    ("standard error", "yes xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx >&2"),
    ("notifications", r#"yes '{"jsonrpc": "2.0", "method": "notifications/message", "params": {}}'"#),
    ("answers to nobody", r#"yes '{"jsonrpc": "2.0", "id": 1000000, "result": {}}'"#),
    ("text", "yes xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
];

/// The maximum CPU time of a command, with that of the server.
const LONGEST: Duration = Duration::from_secs(20);

pub(super) fn attack(victim: &Target, _: usize) -> Result<String, String> {
    victim.write("s/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads.\n---\nRead.\n")?;
    for (name, flood) in FLOODS {
        victim.write("flood.sh", &format!("read line\n{flood}\n"))?;
        let arguments = ["list", "--mcp", "x=sh flood.sh"];
        let output = victim.run(&arguments)?;
        let text =
            String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        // Before the session has begun, an answer to nobody ends it at once.
        if !text.contains("more than") && !text.contains("cannot be reached") {
            return Err(format!("a server that floods {name} was not refused: {text}"));
        }
        let time = victim.time(&arguments)?;
        if time > LONGEST {
            return Err(format!("a server that floods {name} took {:.1} s", time.as_secs_f64()));
        }
    }
    Ok(format!("{} kinds of floods end with an error", FLOODS.len()))
}
