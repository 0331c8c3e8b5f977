//! Runs each agent to its end with a script, and checks its output.

use std::process::Command;

/// The variables that would select a real model.
const REAL: [&str; 7] = [
    "SKILLS_MODEL",
    "SKILLS_SMALL_MODEL",
    "SKILLS_BASE_URL",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
];

const TOOL: &str = r#"  find_notes {TOPIC}
  -> {"notes":[{"title":"Garden","text":"roses wants water twice a week","pinned":false}]}
"#;
const LAST: &str = "Water the roses twice a week.\n";

fn stdout(program: &str) -> String {
    let mut command = Command::new(program);
    for name in REAL {
        command.env_remove(name);
    }
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints text")
}

/// Returns the line that is printed for a tool call.
fn tool(topic: &str) -> String {
    TOOL.replace("{TOPIC}", topic)
}

// SPEC 6.5: each interface gets the same tools and answers
#[test]
fn a_loop_over_each_interface_ends() {
    let written = tool(r#"{"topic": "roses"}"#) + LAST;
    assert_eq!(stdout(env!("CARGO_BIN_EXE_genai")), written);
    assert_eq!(stdout(env!("CARGO_BIN_EXE_openai")), written);
    assert_eq!(stdout(env!("CARGO_BIN_EXE_async_openai")), written);
    assert_eq!(stdout(env!("CARGO_BIN_EXE_anthropic")), tool(r#"{"topic":"roses"}"#) + LAST);
}

// SPEC 7.5: text before a call is printed, and the pieces of its arguments are joined
#[test]
fn text_is_shown_around_calls() {
    let written = format!("Let me look.\n{}{LAST}", tool(r#"{"topic": "roses"}"#));
    assert_eq!(stdout(env!("CARGO_BIN_EXE_streaming")), written);
}

// SPEC 6.5: the helper has its own skills, and only its last message is returned
#[test]
fn a_helper_answers_with_its_last_message() {
    let asked = r#"research {"question": "How often do roses want water?"}"#;
    let helper = tool(r#"{"topic": "roses"}"#);
    let written = format!("{asked}\n{helper}-> Garden: roses want water twice a week.\n{LAST}");
    assert_eq!(stdout(env!("CARGO_BIN_EXE_sub_agent")), written);
}
