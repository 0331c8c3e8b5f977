//! Starts the process of a request, or returns the exit code and reason that a shell would report.

use std::ffi::OsStr;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

#[cfg(target_os = "linux")]
pub(super) use super::confine::Confined;
#[cfg(target_os = "linux")]
use super::confine::confine;
#[cfg(target_os = "linux")]
pub(crate) use super::confine::unavailable;
use super::resources::RunResources;
use super::shebang::{Shebang, StartFault, read_start, refuse};
use super::tree::{Patience, StartSettings, Started};
use crate::Request;
#[cfg(not(target_os = "linux"))]
use {crate::Sandbox, std::os::fd::OwnedFd};

/// Returns the fault of a program that cannot be confined.
fn unconfined(reason: String) -> StartFault {
    StartFault { exit_code: 126, reason: format!("cannot confine the program: {reason}") }
}

/// Starts the program of `request` as the leader of a new process group and the child of a keeper, confined
/// if the request has a sandbox. Also returns the resources that the run needs until it ends.
pub(super) fn spawn(
    request: &Request,
    patience: Patience<'_>,
) -> Result<(Started, RunResources), StartFault> {
    let resources = RunResources::create(request).map_err(|error| unconfined(error.to_string()))?;
    let Some(sandbox) = &request.sandbox else {
        return Ok((spawn_here(request, &resources, None, patience)?, resources));
    };
    // An unconfined thread answers the reported calls.
    let (reports, asked) = mpsc::channel();
    resources.answer(asked);
    // A thread cannot undo its confinement, so a separate thread starts the program and ends.
    let started = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().spawn_scoped(scope, || {
            let mut confined = confine(
                request,
                sandbox,
                resources.open_scratch().map_err(|error| unconfined(error.to_string()))?,
            )
            .map_err(|error| unconfined(error.to_string()))?;
            // If that thread does not exist, the descriptor is closed here, and the reported calls fail.
            confined.asked.take().into_iter().for_each(|asked| drop(reports.send(asked)));
            spawn_here(request, &resources, Some(&confined), patience)
        });
        let thread = thread.map_err(|error| unconfined(error.to_string()))?;
        thread.join().unwrap_or_else(|_| Err(unconfined("its thread failed".to_owned())))
    })?;
    Ok((started, resources))
}

/// Returns an error: this system has no supported way to confine a program.
#[cfg(not(target_os = "linux"))]
fn confine(_: &Request, _: &Sandbox, _: Option<OwnedFd>) -> io::Result<Confined> {
    match unavailable() {
        None => Ok(Confined::default()),
        Some(reason) => Err(io::Error::new(io::ErrorKind::Unsupported, reason)),
    }
}

/// The state of a confined thread for the programs that it starts: empty, because threads are not confined
/// here.
#[cfg(not(target_os = "linux"))]
#[derive(Default)]
pub(super) struct Confined {
    pub(super) scoped: bool,
    asked: Option<OwnedFd>,
}

#[cfg(not(target_os = "linux"))]
impl Confined {
    pub(super) fn put_on(&self, _: &mut Command) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the reason why this system cannot confine programs.
#[cfg(not(target_os = "linux"))]
pub(crate) fn unavailable() -> Option<String> {
    Some("it needs Linux".to_owned())
}

fn spawn_here(
    request: &Request,
    resources: &RunResources,
    confined: Option<&Confined>,
    patience: Patience<'_>,
) -> Result<Started, StartFault> {
    let shown = shown(request);
    let shebang = look(request, &shown)?;
    let failed = |error: io::Error| fault(request, &shown, &error);
    match &shebang {
        Some(shebang) => shebang.check(&shown, request.environment.get("PATH"))?,
        None if !is_binary(&request.program) => {
            let unknown = io::Error::from_raw_os_error(rustix::io::Errno::NOEXEC.raw_os_error());
            return Err(failed(unknown));
        }
        None => {}
    }
    let own = || Command::new(&request.program);
    let interpreted = |shebang: &Shebang| {
        let command = || {
            let mut command = Command::new(&shebang.interpreter);
            command.args(&shebang.argument).arg(&request.program);
            command
        };
        spawn_when_free(request, resources, confined, patience, command)
    };
    // This check saves two forks: the kernel refuses a file without any x bit only after them.
    let first = match &shebang {
        Some(shebang) if mode(&request.program) & 0o111 == 0 => return interpreted(shebang).map_err(failed),
        _ => spawn_when_free(request, resources, confined, patience, own),
    };
    match (first, shebang) {
        // The interpreter may be able to read a file that may not be executed, such as one on a file system that is
        // mounted noexec.
        (Err(error), Some(shebang)) if error.kind() == io::ErrorKind::PermissionDenied => {
            interpreted(&shebang).map_err(failed)
        }
        (first, _) => first.map_err(failed),
    }
}

/// Returns the mode of a file, or 0 if it has none.
fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.permissions().mode())
}

/// Returns `true` if a file without `#!` may be a program for this system. This check is needed because
/// `execvp` of the C library hands a file that the kernel does not recognize to a shell.
#[cfg(target_os = "linux")]
fn is_binary(program: &Path) -> bool {
    /// The size in bytes of the smaller of the two ELF headers.
    const HEADER: usize = 52;
    let may_run = mode(program) & 0o111 != 0;
    // If the file is unreadable, let the kernel decide: it can execute such a file, or reports why not.
    !may_run
        || read_start(program, HEADER as u64)
            .map_or(true, |head| head.len() == HEADER && head.starts_with(b"\x7fELF"))
}

#[cfg(not(target_os = "linux"))]
fn is_binary(_: &Path) -> bool {
    true
}

/// Returns the path of the program for messages: relative to the skill.
fn shown(request: &Request) -> String {
    let program = &request.program;
    program.strip_prefix(&request.directory).unwrap_or(program).display().to_string()
}

/// Rejects programs that can never run, and reads the first line of a script.
fn look(request: &Request, shown: &str) -> Result<Option<Shebang>, StartFault> {
    if !request.program.is_absolute() {
        return refuse(126, format!("{shown} is not an absolute path"));
    }
    match std::fs::metadata(&request.program) {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => return refuse(126, format!("{shown} is not a regular file")),
        Err(error) => {
            let missing = matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
            return refuse(if missing { 127 } else { 126 }, format!("{shown}: {error}"));
        }
    }
    if let Some(workspace) = request.workspace.as_deref().filter(|workspace| !workspace.is_dir()) {
        return refuse(126, format!("the workspace {} is not a directory", workspace.display()));
    }
    // A program that is executable but not readable cannot be a script.
    Ok(Shebang::read(&request.program).ok().flatten())
}

/// Sets the environment and the directory of the command.
fn prepare(command: &mut Command, request: &Request, resources: &RunResources) {
    command.env_clear().envs(request.environment.iter());
    let workspace = request.workspace.as_deref().map(absolute);
    for (names, value) in [
        (["SKILL_NAME", "COGOS_SKILL_NAME"], Some(OsStr::new(&request.name))),
        (["SKILL_VERSION", "COGOS_SKILL_VERSION"], Some(OsStr::new(&request.version))),
        (["SKILL_PATH", "COGOS_SKILL_PATH"], Some(request.directory.as_os_str())),
        (["SKILL_WORKSPACE", "COGOS_WORKSPACE"], workspace.as_deref().map(Path::as_os_str)),
    ] {
        if let Some(value) = value {
            command.envs(names.map(|name| (name, value)));
        }
    }
    command.env("SKILL_RUN_ID", request.run_id.as_str());
    resources.say(command, request);
    if let Some(workspace) = workspace {
        command.current_dir(workspace);
    }
}

/// Makes a path absolute. The program runs inside the workspace, where a relative path would point elsewhere.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// Starts a command. Retries for up to a second if the file was just unpacked and is still open for writing:
/// another thread may have forked a process that has not yet called exec. Each attempt has its own keeper.
fn spawn_when_free(
    request: &Request,
    resources: &RunResources,
    confined: Option<&Confined>,
    patience: Patience<'_>,
    command: impl Fn() -> Command,
) -> io::Result<Started> {
    let settings =
        StartSettings { takes_input: !request.input.is_empty(), limits: &request.limits, confined, patience };
    let mut attempts = 0;
    loop {
        let mut command = command();
        prepare(&mut command, request, resources);
        attempts += 1;
        match Started::start(command, &settings) {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy && attempts <= 100 => {
                std::thread::sleep(Duration::from_millis(10));
            }
            started => return started,
        }
    }
}

/// Returns the reason why the kernel did not start the program.
fn fault(request: &Request, shown: &str, error: &io::Error) -> StartFault {
    let mode = mode(&request.program);
    let (exit_code, reason) = match error.kind() {
        io::ErrorKind::NotFound => (127, format!("{shown}: {error} (the program or its loader is missing)")),
        io::ErrorKind::PermissionDenied if mode & 0o111 == 0 => {
            (126, format!("{shown} is not executable: give it the execute permission (chmod +x)"))
        }
        io::ErrorKind::PermissionDenied if request.workspace.as_deref().is_some_and(is_closed) => {
            (126, format!("{shown} was not started: its workspace may not be entered: {error}"))
        }
        io::ErrorKind::PermissionDenied if request.sandbox.is_some() => (
            126,
            format!(
                "{shown} may not be executed: {error} (the sandbox forbids reading the directory of this file or of its interpreter)"
            ),
        ),
        io::ErrorKind::PermissionDenied => {
            (126, format!("{shown} may not be executed: {error} (is its file system mounted noexec?)"))
        }
        _ if error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => (
            126,
            format!(
                "{shown} is not a program for this system and has no `#!` line that names an interpreter"
            ),
        ),
        _ => (126, format!("{shown}: {error}")),
    };
    StartFault { exit_code, reason }
}

/// Returns `true` if this process may not make a directory its working directory.
fn is_closed(directory: &Path) -> bool {
    rustix::fs::access(directory, rustix::fs::Access::EXEC_OK).is_err()
}
