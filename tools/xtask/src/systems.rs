//! Builds and runs what users build: with the oldest compiler, and for other systems. Programs for Windows run in wine,
//! and those for WASI in wasmtime.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{cargo, run, write};
use crate::steps::Steps;
use crate::workspace::{Workspace, text};

const WINDOWS: &str = "x86_64-pc-windows-gnu";
const MUSL: &str = "x86_64-unknown-linux-musl";
const WASI: &str = "wasm32-wasip1";
const TARGETS: [&str; 4] = [WINDOWS, MUSL, WASI, "aarch64-apple-darwin"];

/// The packages of a user, and the arguments for each program that is portable.
const PACKAGES: [&str; 3] = ["run", "--manifest-path", "tests/packages/Cargo.toml"];
const PORTABLE: [&[&str]; 4] = [
    &["--package", "portable"],
    &["--package", "portable", "--features", "full"],
    &["--package", "portable-2021"],
    &["--package", "portable-2021", "--features", "full"],
];

/// Runs all steps, and nothing else.
pub(crate) fn run_alone() -> Result<(), String> {
    let mut steps = Steps::default();
    all(&mut steps);
    steps.outcome()
}

/// Runs all steps. Other systems run this command themselves.
pub(crate) fn all(steps: &mut Steps) {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        steps.leave_out("the oldest compiler and other systems: they are checked on Linux");
        return;
    }
    steps.run("the oldest compiler", |_| oldest(&Workspace::target()?));
    steps.run("crates for other systems", |_| check());
    steps.run("a static program", |_| run(&mut portable(&Workspace::target()?, MUSL, "full")));
    steps.run("a program for WASI", |_| wasi(&Workspace::target()?));
    steps.run("programs and tests for Windows", |_| windows(&Workspace::target()?));
}

/// Runs a user's programs with the compiler that `rust-version` names, and checks the workspace with it.
fn oldest(target: &Path) -> Result<(), String> {
    let workspace = Workspace::read()?;
    let version = workspace.packages().first().and_then(|package| text(package, "rust_version"));
    let version = format!("{}.0", version.ok_or("no package states its oldest compiler")?);
    // The toolchain is kept apart from those of the user, and survives in the target directory.
    let home = target.join("oldest");
    let mut install = rustup(&["toolchain", "install", &version, "--profile", "minimal", "--no-self-update"]);
    if !home.join("toolchains").join(format!("{version}-x86_64-unknown-linux-gnu")).exists() {
        run(install.env("RUSTUP_HOME", &home))?;
    }
    let check: &[&str] = &["check", "--workspace", "--all-features"];
    for arguments in PORTABLE.map(|program| [&PACKAGES, program].concat()).iter().chain([&check.to_vec()]) {
        let mut cargo = rustup(&["run", &version, "cargo"]);
        cargo.args(arguments).arg("--locked").env("RUSTUP_HOME", &home);
        run(cargo.env("CARGO_TARGET_DIR", home.join("target")))?;
    }
    Ok(())
}

fn rustup(arguments: &[&str]) -> Command {
    let mut rustup = Command::new("rustup");
    test_bed::without_package(&mut rustup);
    rustup.args(arguments);
    rustup
}

/// Checks the facade for all systems, and the command for Windows. Crates with C code need a compiler for Windows.
fn check() -> Result<(), String> {
    run(&mut rustup(&[&["target", "add"][..], &TARGETS].concat()))?;
    let targets: Vec<&str> = TARGETS.iter().flat_map(|target| ["--target", target]).collect();
    let facade = ["check", "--locked", "--package", "skills-bundle", "--features", "call,install"];
    run(cargo().args(facade).args(&targets))?;
    let _compiler = find("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64")?;
    run(cargo().args(["check", "--locked", "--package", "cargo-skills", "--target", WINDOWS]))
}

/// Returns the command that builds and runs the portable program for a system.
fn portable(target: &Path, system: &str, features: &str) -> Command {
    let mut cargo = cargo();
    cargo.args(PACKAGES).args(["--locked", "--package", "portable", "--features", features]);
    cargo.args(["--target", system]).env("CARGO_TARGET_DIR", target);
    cargo
}

/// Runs a program in wasmtime, which is installed once for Python.
fn wasi(target: &Path) -> Result<(), String> {
    const RUN: &str = "\
import sys, wasmtime
engine, wasi = wasmtime.Engine(), wasmtime.WasiConfig()
wasi.inherit_stdout()
wasi.inherit_stderr()
store, linker = wasmtime.Store(engine), wasmtime.Linker(engine)
store.set_wasi(wasi)
linker.define_wasi()
program = linker.instantiate(store, wasmtime.Module.from_file(engine, sys.argv[1]))
program.exports(store)[\"_start\"](store)
";
    let environment = target.join("tools/wasmtime");
    let (python, script) = (environment.join("bin/python"), environment.join("run.py"));
    if !script.exists() {
        run(Command::new(find("python3", "python3")?).args(["-m", "venv"]).arg(&environment))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "wasmtime"]))?;
        write(&script, RUN)?;
    }
    run(portable(target, WASI, "default").arg("--config").arg(runner(WASI, &[&python, &script])))
}

/// Runs in wine: a program that installs its skills, the tests of the crates that write files, and the command.
fn windows(target: &Path) -> Result<(), String> {
    // wine before 9 lacks this library, in which programs look for random numbers.
    const RANDOM: &str = "\
#include <stddef.h>
unsigned char SystemFunction036(void *, unsigned long);
__declspec(dllexport) int ProcessPrng(void *bytes, size_t size) { return SystemFunction036(bytes, size); }
";
    let compiler = find("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64")?;
    let wine = find("wine64", "wine64").or_else(|missing| {
        // Debian does not link it into a directory of PATH.
        let debian = PathBuf::from("/usr/lib/wine/wine64");
        if debian.exists() { Ok(debian) } else { Err(missing) }
    })?;
    let prefix = target.join("wine");
    let library = prefix.join("drive_c/windows/system32/bcryptprimitives.dll");
    if !library.exists() {
        run(in_wine(Command::new(&wine).args(["wineboot", "--init"]), &prefix))?;
        let source = prefix.join("random.c");
        write(&source, RANDOM)?;
        run(Command::new(compiler).arg("-shared").arg(&source).arg("-o").arg(&library).arg("-ladvapi32"))?;
    }
    let runner = runner(WINDOWS, &[&wine]);
    let mut program = portable(target, WINDOWS, "full");
    let tests = ["test", "--package", "skills-files", "--package", "skills-install"];
    let command = ["run", "--package", "cargo-skills", "--bin", "skills", "--no-default-features"];
    let [mut tested, mut checked] = [&tests[..], &command].map(|arguments| {
        let mut cargo = cargo();
        cargo.args(arguments).args(["--locked", "--target", WINDOWS]);
        cargo
    });
    run(in_wine(program.arg("--config").arg(&runner), &prefix))?;
    run(in_wine(tested.arg("--config").arg(&runner), &prefix))?;
    run(in_wine(checked.arg("--config").arg(&runner).args(["--", "check", "skills"]), &prefix))
}

fn in_wine<'a>(command: &'a mut Command, prefix: &Path) -> &'a mut Command {
    command.env("WINEPREFIX", prefix).env("WINEDEBUG", "-all").env("WINEDLLOVERRIDES", "mscoree,mshtml=")
}

/// Returns the setting of cargo that runs programs for a system with another program.
fn runner(system: &str, words: &[&Path]) -> String {
    format!("target.{system}.runner={words:?}")
}

/// Finds a program in PATH.
///
/// # Errors
/// The error names the program, and the package of Debian that contains it.
fn find(program: &str, package: &str) -> Result<PathBuf, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|dir| dir.join(program))
        .find(|file| file.is_file())
        .ok_or_else(|| format!("`{program}` is missing; Debian's package `{package}` contains it"))
}
