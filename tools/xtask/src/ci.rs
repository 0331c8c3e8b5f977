//! Runs all checks that must pass before a change is merged, one after the other, so that one run shows all failures.

use std::process::Command;

use skills_schema::json::Node;

use crate::bench::gate;
use crate::command::{ask, at, run};
use crate::steps::Steps;
use crate::workspace::{Workspace, text};
use crate::{attack, book, circles, deny, dist, fuzz, man, package, statements, systems};

/// Runs all steps. At the end, prints the time of each and the test results.
pub(crate) fn all() -> Result<(), String> {
    let mut steps = Steps::default();
    run_each(&mut steps);
    println!("{}", steps.summary());
    steps.outcome()
}

fn run_each(steps: &mut Steps) {
    steps.cargo("formatting", &["fmt", "--all", "--check"], &[]);
    steps.run("oldest compiler, stated by every crate", |_| msrv());
    steps.run("licences, bans and sources of dependencies", |_| deny::run());
    steps.run("dependencies between the rows of crates", |_| statements::rows());
    steps.run("circles of files and folders", |_| circles::check_all());
    steps.run("stages that use no files", |_| statements::later_stages());
    steps.run("writers of files", |_| statements::writers());
    steps.run("paths in documents", |_| statements::paths());
    steps.run("rules of the specification with a test", |_| statements::tested_rules());
    steps.run("files to read for a path", |_| statements::reading_lists());
    for (name, package, features, is_refused) in LIGHT {
        steps.run(name, |_| light(package, features, is_refused));
    }
    steps.run("manifests and files of packages", |_| package::manifests());
    // The long forms of these checks, `cargo xtask package` and `cargo xtask dist --check`, take minutes and
    // are run before a release.
    steps.run("manifests of channels", |_| dist::manifests());
    steps.run("crates built twice", |_| built_once());
    // The lint `incompatible_msrv` finds calls to the standard library that are newer than `rust-version`.
    let lints = ["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"];
    steps.cargo("lints", &lints, &[]);
    each_feature(steps);
    steps.test("tests", &["test", "--workspace", "--no-fail-fast"], &[]);
    outside(steps);
    steps.run("room for the rest", |_| remove_test_packages());
    systems::all(steps);
    let documentation = ["doc", "--workspace", "--no-deps", "--all-features"];
    steps.cargo("documentation", &documentation, &[("RUSTDOCFLAGS", "-D warnings")]);
    let optional = ["test", "--doc", "--package", "skills-bundle", "--features", OPTIONAL];
    steps.cargo("examples of optional modules", &optional, &[]);
    for (name, arguments) in EXAMPLES {
        steps.cargo(name, &[&["run", "--quiet"], arguments].concat(), &[]);
    }
    for (name, path, arguments) in BUILT {
        steps.run(name, |_| run(Command::new(Workspace::built(path)?).args(arguments)));
    }
    for (name, examples) in APART {
        separate_workspace(steps, name, examples);
    }
    steps.run("instructions of small runs", count_instructions);
    steps.run("manual pages", |_| man::on_built());
    steps.run("the book", |_| book::run());
    steps.run("mutated inputs", |_| fuzz::run("5", "0"));
    steps.run("attacks", |_| attack::on_built("5", ""));
}

/// Runs the ignored tests, which need programs or files that not every machine has; each says which. Tests named
/// `field_…` read the directory in `SKILLS_FIELD_DIR`, and are left out without it.
fn outside(steps: &mut Steps) {
    if !cfg!(target_os = "linux") {
        steps.leave_out("tests that need other programs: they are run on Linux");
        return;
    }
    let mut tests = vec!["test", "--workspace", "--no-fail-fast", "--tests", "--", "--ignored"];
    if std::env::var_os("SKILLS_FIELD_DIR").is_none() {
        steps.leave_out("tests named `field_…`: SKILLS_FIELD_DIR is not set");
        tests.extend(["--skip", "field_"]);
    }
    steps.test("tests with programs and files from outside", &tests, &[]);
}

/// Counts the instructions of small runs. The figures hold for one processor and one compiler.
fn count_instructions(steps: &mut Steps) -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        steps.leave_out("counts of instructions: they need valgrind on Linux");
        return Ok(());
    }
    // The examples above replaced programs of the tests by ones with fewer features.
    gate::build()?;
    if let Some(reason) = gate::compare(false)? {
        steps.leave_out(&reason);
    }
    Ok(())
}

/// Removes the packages that tests built, which take 1.7 GB, so that a small disk has room for the adapters.
fn remove_test_packages() -> Result<(), String> {
    let made = Workspace::target()?.join("tmp");
    if made.exists() {
        std::fs::remove_dir_all(&made).map_err(at(&made))?;
    }
    // Create the directory: cargo creates it only when it builds tests, and the tests need it.
    std::fs::create_dir_all(&made).map_err(at(&made))
}

/// The features of most examples and of the optional modules. With one set for all, their crates are built once.
const OPTIONAL: &str = "call,compat,exec,include_dir,install,load,watch";

/// Examples to run.
const EXAMPLES: [(&str, &[&str]); 6] = [
    ("the example", &["--example", "agent"]),
    ("the example of a directory", &["--example", "include_dir", "--features", OPTIONAL]),
    ("the example of an installation", &["--example", "install", "--features", OPTIONAL]),
    ("the example of a loop", &["--example", "loop", "--features", OPTIONAL]),
    ("the example of pipelines", &["--example", "composite", "--features", OPTIONAL]),
    ("the example of layers", &["--example", "overlay", "--features", OPTIONAL]),
];

/// Examples that the tests have built. Building them separately would build their dependencies again with
/// other features.
const BUILT: [(&str, &str, &[&str]); 3] = [
    ("the example with the commands", "examples/embed_cli", &["skill", "list"]),
    ("the example of a chat", "examples/chat_server", &["--once"]),
    ("the bundled skills", "skills", &["check", "skills"]),
];

/// The adapters with their own workspaces, each with its examples. Their dependencies need a newer compiler.
/// The tests of engines install real servers, and kill them twenty times.
const APART: [(&str, &[&str]); 3] = [("rig", &["skills", "rig"]), ("restate", &[]), ("temporal", &[])];

/// Ignored tests that are left out: one measures the figures in `docs/ENGINES.md`, the other starts three servers.
const UNUSUAL: &[&str] = &["--skip", "figures", "--skip", "a_cluster_"];

/// Makes clippy compile an adapter, so that its tests and lints share the dependencies: `cargo clippy` would compile
/// those a second time, which takes minutes. This is how `cargo clippy` starts clippy itself.
const LINTED: &[(&str, &str)] = &[
    ("RUSTC_WORKSPACE_WRAPPER", "clippy-driver"),
    ("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__"),
];

/// Runs the same checks for an adapter with its own workspace. It shares the target directory to save disk
/// space.
fn separate_workspace(steps: &mut Steps, adapter: &str, examples: &[&str]) {
    let manifest = format!("adapters/{adapter}/Cargo.toml");
    let name = |step: &str| format!("{adapter}: {step}");
    let target = match Workspace::target() {
        Ok(target) => target.display().to_string(),
        Err(problem) => return steps.run(&name("target directory"), |_| Err(problem)),
    };
    let at = |command: &'static str| [command, "--manifest-path", &manifest, "--target-dir", &target];
    steps.cargo(&name("formatting"), &["fmt", "--manifest-path", &manifest, "--check"], &[]);
    steps.test(&name("lints and tests"), &[&at("test")[..], &["--locked"]].concat(), LINTED);
    if cfg!(target_os = "linux") {
        let ignored = ["--locked", "--tests", "--", "--ignored"];
        steps.test(&name("tests with servers"), &[&at("test")[..], &ignored, UNUSUAL].concat(), LINTED);
    }
    for example in examples {
        let run = ["--quiet", "--locked", "--example", example];
        steps.cargo(&name(&format!("the example {example}")), &[&at("run")[..], &run].concat(), LINTED);
    }
}

/// Checks that each public feature of the libraries compiles alone, and the commands of a program without features. The
/// features of the commands are compiled alone by [`package`].
fn each_feature(steps: &mut Steps) {
    for package in ["skills-bundle", "skills-runtime", "skills-load"] {
        steps.run(&format!("each feature of {package} alone"), |_| compile_each_feature(package));
    }
    let commands =
        ["clippy", "--package", "skills-commands", "--no-default-features", "--", "-D", "warnings"];
    steps.cargo("the commands of a program without features", &commands, &[]);
}

/// Compiles a package with each of its features alone.
///
/// # Errors
/// A feature does not compile, or the compiler warns.
pub(crate) fn compile_each_feature(package: &str) -> Result<(), String> {
    let features = Workspace::read()?.features(package);
    if features.is_empty() {
        return Err(format!("`{package}` has no features"));
    }
    for feature in features {
        let lint = ["clippy", "--quiet", "--package", package, "--no-default-features", "--features"];
        println!("{package}: {feature}");
        let rest = [feature.as_str(), "--", "-D", "warnings"];
        ask(&[&lint[..], &rest].concat()).map_err(|problem| format!("{feature}:\n{problem}"))?;
    }
    Ok(())
}

/// Dependencies that a user's binary must not have. Without features, the runtime has no file parsers, and the
/// commands for a program's own skills have no checker and no generator. Each package is listed with its features and a test for refused dependencies.
const LIGHT: [(&str, &str, &str, IsRefused); 5] = [
    ("dependencies of a program that calls skills", "skills-bundle", "call,install,load,watch", |name| {
        matches!(name, "enumflags2" | "landlock" | "serde_derive" | "syn" | "thiserror")
    }),
    ("dependencies of a program that reads skills", "skills-load", "typed,watch", |name| {
        matches!(name, "seccompiler" | "skills-exec" | "tokio")
    }),
    ("dependencies of an MCP server over standard streams", "skills-bundle-mcp", "", |name| {
        matches!(name, "axum" | "hyper" | "skills-graph" | "skills-http")
    }),
    ("dependencies of the runtime", "skills-runtime", "", |name| {
        !["skills-runtime", "skills-registry", "skills-text"].contains(&name)
    }),
    ("dependencies of the commands of a program", "skills-commands", "", |name| {
        matches!(
            name,
            "axum"
                | "clap_complete"
                | "prettyplease"
                | "reqwest"
                | "rmcp"
                | "skills-build"
                | "skills-core"
                | "tokio"
        )
    }),
];

type IsRefused = fn(&str) -> bool;

fn light(package: &str, features: &str, is_refused: IsRefused) -> Result<(), String> {
    let tree = ["tree", "-p", package, "--no-default-features", "--features", features];
    let tree = ask(&[&tree[..], &["-e", "normal", "--prefix", "none"]].concat())?;
    let mut names = tree.lines().filter_map(|line| line.split_whitespace().next());
    match names.find(|name| is_refused(name)) {
        Some(name) => Err(format!("`{package}` with the features `{features}` depends on `{name}`")),
        None => Ok(()),
    }
}

/// Checks that shared crates are built only once: cargo unifies the features for the macro and for the
/// program separately, so both sets must be equal. Tests of the whole workspace build the largest ones once, too.
/// Programs that call skills evaluate templates over types of the runtime, which the macro does not build. So only they
/// build `skills-template` twice.
fn built_once() -> Result<(), String> {
    for features in ["", "typed", "exec", "load", "call", "call,install,load,watch"] {
        let tree = ["tree", "-p", "skills-bundle", "--no-default-features", "--features", features];
        let repeated =
            ask(&[&tree[..], &["-e", "normal,build", "-d", "--depth", "0", "--prefix", "none"]].concat())?;
        let mut own = repeated.lines().filter(|line| line.starts_with("skills-"));
        if let Some(line) =
            own.find(|line| !features.contains("call") || !line.starts_with("skills-template "))
        {
            return Err(format!("the facade with the features `{features}` builds this twice: {line}"));
        }
    }
    let tree = ["tree", "--workspace", "-e", "normal,build,dev", "-d", "--depth", "0", "--prefix", "none"];
    let repeated = ask(&tree)?;
    let is_large = |line: &&str| {
        ["skills-build ", "skills-core ", "skills-schema "].iter().any(|name| line.starts_with(name))
    };
    if let Some(line) = repeated.lines().find(is_large) {
        return Err(format!("the tests build this twice; see `build-dependencies` of `xtask`: {line}"));
    }
    Ok(())
}

/// Checks that every crate states the same oldest supported compiler.
fn msrv() -> Result<(), String> {
    let workspace = Workspace::read()?;
    let stated = |package: &Node| text(package, "rust_version").map(str::to_owned);
    let oldest = workspace.packages().first().and_then(stated);
    match workspace.packages().iter().find(|package| oldest.is_none() || stated(package) != oldest) {
        None => Ok(()),
        Some(package) => Err(format!(
            "`{}` must have `rust-version.workspace = true`",
            text(package, "name").unwrap_or("?")
        )),
    }
}
