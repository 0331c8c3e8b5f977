//! Runs programs and writes files for chores, with errors that name the program or file.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

/// Returns a cargo command without arguments.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    test_bed::without_package(&mut cargo);
    cargo
}

/// Prints a command line and runs it. Its output is shown directly.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let name = name(command);
    let arguments: Vec<_> = command.get_args().map(|argument| argument.to_string_lossy()).collect();
    println!("{name} {}", arguments.join(" "));
    match command.status().map_err(|error| format!("{name} cannot be started: {error}"))? {
        status if status.success() => Ok(()),
        status => Err(format!("{name} ended with {status}")),
    }
}

/// Runs a command and returns what it printed.
pub(crate) fn stdout_of(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{} cannot be started: {error}", name(command)))?;
    let [stdout, problems] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if output.status.success() { Ok(stdout) } else { Err(format!("{command:?}:\n{stdout}{problems}")) }
}

/// Runs cargo and returns what it prints.
pub(crate) fn ask(arguments: &[&str]) -> Result<String, String> {
    stdout_of(cargo().args(arguments))
}

/// Returns the name of a program without its directory.
fn name(command: &Command) -> String {
    let program = Path::new(command.get_program());
    program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()
}

/// Returns a function that adds the path to an IO error.
pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// Writes a file, and the directories above it.
pub(crate) fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), String> {
    let above = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(above).and_then(|()| fs::write(path, text)).map_err(at(path))
}
