//! Calls every pinned tool of real servers with right and wrong input; `skills-cli/tests/all/pin_servers.rs` builds it.
#![deny(warnings)]

use serde_json::{Value, json};
use skills::call::ErrorKind;
use skills::{CallError, Failure, Runner};
use skills_mcp_client::Servers;

mod everything {
    skills::skills!("skills/everything");
}
mod filesystem {
    skills::skills!("skills/filesystem");
}
mod memory {
    skills::skills!("skills/memory");
}
mod ours {
    skills::skills!("skills/ours");
}
mod thinking {
    skills::skills!("skills/thinking");
}
mod time {
    skills::skills!("skills/time");
}
mod typescript {
    skills::skills!("skills/typescript");
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let servers = Servers::default();
    let inputs: Value = serde_json::from_str(&std::fs::read_to_string("inputs.json")?)?;
    let (mut tools, mut right) = (0, 0);
    for (name, runner) in [
        ("everything", everything::SKILLS.runner().untyped()),
        ("filesystem", filesystem::SKILLS.runner().untyped()),
        ("memory", memory::SKILLS.runner().untyped()),
        ("ours", ours::SKILLS.runner().untyped()),
        ("thinking", thinking::SKILLS.runner().untyped()),
        ("time", time::SKILLS.runner().untyped()),
        ("typescript", typescript::SKILLS.runner().untyped()),
    ] {
        let runner: Runner = runner.mcp(servers.clone());
        for skill in runner.skills().iter() {
            let tool = skill.name();
            let case = &inputs[name][tool];
            assert!(case.is_object(), "{name}/{tool} has no input");
            let wrong = runner.call_json(tool, json!("no object")).await.expect_err(tool);
            assert_eq!(wrong.kind(), ErrorKind::InvalidInput, "{tool}: {wrong}");
            let called = runner.call_json(tool, case["input"].clone()).await;
            match (called, case["error"].as_str()) {
                (Ok(output), None) => assert!(output.is_object(), "{tool}: {output}"),
                (Err(error), Some(text)) => assert!(error.to_string().contains(text), "{tool}: {error}"),
                (called, text) => panic!("{name}/{tool}: {called:?} instead of {text:?}"),
            }
            tools += 1;
            right += usize::from(case["error"].is_null());
        }
    }

    let files = filesystem::SKILLS.runner().mcp(servers.clone());
    let path =
        inputs["filesystem"]["read_text_file"]["input"]["path"].as_str().unwrap_or_default().to_owned();
    let read = files.call(filesystem::read_text_file::Input { path, ..Default::default() }).await?;
    assert_eq!(read.content, "hello\n");
    let outside = filesystem::read_text_file::Input { path: "/etc/passwd".to_owned(), ..Default::default() };
    assert!(matches!(files.call(outside).await, Err(CallError::Tool { .. })), "the server refuses");
    let sums = everything::SKILLS.runner().mcp(servers.clone());
    let sum = sums.call(everything::get_sum::Input { a: 2.0, b: 3.0, ..Default::default() }).await?;
    assert_eq!(sum.text, "The sum of 2 and 3 is 5.");
    let environment = sums.call_json("get_env", json!({})).await?;
    assert!(!environment.to_string().contains("not-for-servers"), "a server gets no other variables");
    let noon = time::convert_time::Input {
        source_timezone: "UTC".to_owned(),
        time: "12:00".to_owned(),
        target_timezone: "Asia/Tokyo".to_owned(),
        ..Default::default()
    };
    assert_eq!(time::SKILLS.runner().mcp(servers.clone()).call(noon).await?.time_difference, "+9.0h");
    servers.close().await;
    println!("{tools} tools, {right} with an answer");
    Ok(())
}
