//! What must hold before a change lands, step after step; the first failure ends the run.

use std::process::Command;

/// Runs all steps.
///
/// # Errors
/// Names the step that failed.
pub(crate) fn run() -> Result<(), String> {
    step("formatting", &["fmt", "--all", "--check"], &[])?;
    step(
        "lints",
        &["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"],
        &[],
    )?;
    step("tests", &["test", "--workspace"], &[])?;
    step(
        "documentation",
        &["doc", "--workspace", "--no-deps", "--all-features"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    )?;
    let optional =
        ["test", "--doc", "--package", "skills", "--features", "call,exec,install,load,projects,tools,watch"];
    step("examples of optional modules", &optional, &[])?;
    step("the example", &["run", "--quiet", "--example", "agent"], &[])?;
    let install = ["run", "--quiet", "--example", "install", "--features", "install"];
    step("the example of an installation", &install, &[])?;
    let composite = ["run", "--quiet", "--example", "composite", "--features", "call"];
    step("the example of pipelines", &composite, &[])?;
    let servers = "call,skills-cli/mcp,skills-cli/serve";
    let embedded = ["run", "--quiet", "--example", "embed_cli", "--features", servers, "--", "skill", "list"];
    step("the example with the commands", &embedded, &[])?;
    let overlay = ["run", "--quiet", "--example", "overlay", "--features", "watch"];
    step("the example of layers", &overlay, &[])?;
    let chat = ["run", "--quiet", "--package", "skills-http", "--example", "chat_server", "--", "--once"];
    step("the example of a chat", &chat, &[])?;
    let bundled = ["run", "--quiet", "--package", "skills-cli", "--", "check", "skills"];
    step("the bundled skills", &bundled, &[])?;
    crate::man::run()?;
    light_runtime()?;
    light_commands()?;
    built_once()?;
    msrv()?;
    crate::fuzz::run("5", "0")
}

pub(crate) fn step(name: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), String> {
    println!("=== {name}: cargo {}", arguments.join(" "));
    let status = Command::new(env!("CARGO"))
        .args(arguments)
        .envs(environment.iter().copied())
        .status()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("failed: {name}")) }
}

fn cargo(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .output()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The runtime without features builds no parser of files: what a user's binary does not need, it does not pay for.
fn light_runtime() -> Result<(), String> {
    println!("=== dependencies of the runtime");
    let allowed = ["skills-runtime", "skills-registry", "skills-schema", "skills-template"];
    match dependencies("skills-runtime")?.iter().find(|name| !allowed.contains(&name.as_str())) {
        Some(name) => Err(format!("`skills-runtime` without features depends on `{name}`")),
        None => Ok(()),
    }
}

/// The commands that a program adds for its own skills check and generate nothing.
fn light_commands() -> Result<(), String> {
    println!("=== dependencies of the commands of a program");
    let refused =
        ["axum", "clap_complete", "genai", "prettyplease", "rmcp", "skills-build", "skills-core", "tokio"];
    match dependencies("skills-cli")?.iter().find(|name| refused.contains(&name.as_str())) {
        Some(name) => Err(format!("`skills-cli` without features depends on `{name}`")),
        None => Ok(()),
    }
}

/// Cargo unites the features of the macro's crates and of the program's apart: only where both are the same is a crate that
/// both need built once.
fn built_once() -> Result<(), String> {
    println!("=== crates built twice");
    for features in ["", "typed", "exec", "load", "tools", "call", "call,install,load,projects,tools,watch"] {
        let tree = ["tree", "-p", "skills", "--no-default-features", "--features", features];
        let repeated =
            cargo(&[&tree[..], &["-e", "normal,build", "-d", "--depth", "0", "--prefix", "none"]].concat())?;
        if let Some(line) = repeated.lines().find(|line| line.starts_with("skills-")) {
            return Err(format!("the facade with the features `{features}` builds this twice: {line}"));
        }
    }
    Ok(())
}

/// Names what a package without features depends on, itself included.
fn dependencies(package: &str) -> Result<Vec<String>, String> {
    let tree = cargo(&["tree", "-p", package, "--no-default-features", "-e", "normal", "--prefix", "none"])?;
    let name = |line: &str| line.split_whitespace().next().map(str::to_owned);
    Ok(tree.lines().filter_map(name).collect())
}

/// Every crate states the oldest compiler it builds with.
fn msrv() -> Result<(), String> {
    println!("=== minimum supported compiler");
    let metadata = cargo(&["metadata", "--no-deps", "--format-version", "1"])?;
    let crates = metadata.matches("\"manifest_path\"").count();
    let stated = metadata.matches("\"rust_version\":\"1.88\"").count();
    if crates == stated {
        Ok(())
    } else {
        Err(format!("{stated} of {crates} crates state rust-version 1.88"))
    }
}
