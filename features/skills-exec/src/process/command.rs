//! A request becomes a started process, or the exit code and reason that a shell would give (SPEC 7.1, 7.2).

use std::ffi::OsStr;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

#[cfg(target_os = "linux")]
pub(crate) use super::confine::lack;
#[cfg(target_os = "linux")]
use super::confine::{Confined, confine};
use super::inherited;
use super::kept::Kept;
use super::limit;
use super::shebang::{Shebang, StartFault, refuse};
use super::tree::Leash;
use crate::Request;
#[cfg(not(target_os = "linux"))]
use {crate::Sandbox, std::os::fd::OwnedFd};

/// Starts the program of `request` as the leader of a process group of its own and the child of a keeper, confined where
/// that is asked for. Returns the keeper, its leash, and what the run needs as long as it lasts.
pub(super) fn spawn(request: &Request) -> Result<(Child, Leash, Kept), StartFault> {
    let unconfined = |reason: String| StartFault {
        exit_code: 126,
        reason: format!("cannot confine the program: {reason}"),
    };
    let kept = Kept::of(request).map_err(unconfined)?;
    let Some(sandbox) = &request.sandbox else {
        let (child, leash) = spawn_here(request, &kept, None)?;
        return Ok((child, leash, kept));
    };
    // A confined thread stays so: this one starts the program and ends.
    let (child, leash, asked) = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().spawn_scoped(scope, || {
            let confined = confine(
                request,
                sandbox,
                kept.open_scratch().map_err(|error| unconfined(error.to_string()))?,
            )
            .map_err(|error| unconfined(error.to_string()))?;
            let (child, leash) = spawn_here(request, &kept, Some(&confined))?;
            Ok((child, leash, confined.asked))
        });
        let thread = thread.map_err(|error| unconfined(error.to_string()))?;
        thread.join().unwrap_or_else(|_| Err(unconfined("its thread failed".to_owned())))
    })?;
    // By a thread that is not confined; until there is one the program waits for its first connection.
    kept.answer(asked);
    Ok((child, leash, kept))
}

/// On macOS the program is started by `sandbox-exec`, which confines it.
#[cfg(target_os = "macos")]
fn confine(_: &Request, sandbox: &Sandbox, _: Option<OwnedFd>) -> Result<Confined, String> {
    match (lack(), &sandbox.net) {
        (Some(lack), _) => Err(lack),
        (None, skills_registry::Net::Hosts(_)) => {
            Err("hosts can be named on Linux only: ask for \"none\" or \"all\"".to_owned())
        }
        (None, _) => Ok(Confined::default()),
    }
}

/// Refuses: no kernel feature confines a program here, or this crate was built without them.
#[cfg(not(any(target_os = "macos", target_os = "linux")))]
fn confine(_: &Request, _: &Sandbox, _: Option<OwnedFd>) -> Result<Confined, String> {
    lack().map_or_else(|| Ok(Confined::default()), Err)
}

/// What a confined thread has for the programs that it starts: nothing, since no thread is confined here.
#[cfg(not(target_os = "linux"))]
#[derive(Default)]
struct Confined {
    scoped: bool,
    asked: Option<OwnedFd>,
}

#[cfg(not(target_os = "linux"))]
impl Confined {
    fn put_on(&self, _: &mut Command) -> io::Result<()> {
        Ok(())
    }
}

/// Says why no program can be confined here; nothing when one can.
#[cfg(target_os = "macos")]
pub(crate) fn lack() -> Option<String> {
    (!Path::new(SANDBOX_EXEC).is_file()).then(|| format!("there is no {SANDBOX_EXEC}"))
}

/// Says why no program can be confined here.
#[cfg(not(any(target_os = "macos", target_os = "linux")))]
pub(crate) fn lack() -> Option<String> {
    Some("it needs Linux".to_owned())
}

#[cfg(target_os = "macos")]
const SANDBOX_EXEC: &str = "/usr/bin/sandbox-exec";

/// What is started: the program, or on macOS what confines it.
#[cfg(target_os = "macos")]
fn started(request: &Request, kept: &Kept, program: &Path) -> Command {
    let Some(sandbox) = &request.sandbox else { return Command::new(program) };
    let mut command = Command::new(SANDBOX_EXEC);
    command.arg("-p").arg(super::seatbelt::profile(request, sandbox, kept.scratch(), None)).arg(program);
    command
}

#[cfg(not(target_os = "macos"))]
fn started(_: &Request, _: &Kept, program: &Path) -> Command {
    Command::new(program)
}

fn spawn_here(
    request: &Request,
    kept: &Kept,
    confined: Option<&Confined>,
) -> Result<(Child, Leash), StartFault> {
    let shown = shown(request);
    let shebang = look(request, &shown)?;
    match &shebang {
        Some(shebang) => shebang.check(&shown, request.environment.get("PATH"))?,
        None if !is_binary(&request.program) => {
            let unknown = io::Error::from_raw_os_error(rustix::io::Errno::NOEXEC.raw_os_error());
            return Err(fault(request, &shown, &unknown));
        }
        None => {}
    }
    let own = || started(request, kept, &request.program);
    match (spawn_when_free(request, kept, confined, own), shebang) {
        (Ok(started), _) => Ok(started),
        // The file may not be executed (no x bit, or a file system mounted noexec), but its interpreter may read it.
        (Err(error), Some(shebang)) if error.kind() == io::ErrorKind::PermissionDenied => {
            let interpreted = || {
                let mut command = started(request, kept, &shebang.interpreter);
                command.args(&shebang.argument).arg(&request.program);
                command
            };
            spawn_when_free(request, kept, confined, interpreted)
                .map_err(|error| fault(request, &shown, &error))
        }
        (Err(error), _) => Err(fault(request, &shown, &error)),
    }
}

/// Returns `true` if a file without `#!` may be a program of this system. What the kernel does not know the C library would
/// hand to a shell, since a program that is readied between fork and exec is started by its `execvp`.
#[cfg(target_os = "linux")]
fn is_binary(program: &Path) -> bool {
    use std::io::Read;
    /// Bytes of the smaller of the two headers.
    const HEADER: usize = 52;
    let mut head = Vec::with_capacity(HEADER);
    let read = std::fs::File::open(program).and_then(|file| file.take(HEADER as u64).read_to_end(&mut head));
    let may_run = std::fs::metadata(program).is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0);
    // The kernel says what is wrong with one that may not be run, and may run one that cannot be read.
    !may_run || read.is_err() || (head.len() == HEADER && head.starts_with(b"\x7fELF"))
}

#[cfg(not(target_os = "linux"))]
fn is_binary(_: &Path) -> bool {
    true
}

/// The program as messages name it: relative to the skill.
fn shown(request: &Request) -> String {
    let program = &request.program;
    program.strip_prefix(&request.directory).unwrap_or(program).display().to_string()
}

/// Refuses what cannot be run whatever the kernel says, and reads the first line.
fn look(request: &Request, shown: &str) -> Result<Option<Shebang>, StartFault> {
    if !request.program.is_absolute() {
        return refuse(126, format!("{shown} is no absolute path"));
    }
    match std::fs::metadata(&request.program) {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => return refuse(126, format!("{shown} is no regular file")),
        Err(error) => {
            let missing = matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
            return refuse(if missing { 127 } else { 126 }, format!("{shown}: {error}"));
        }
    }
    if let Some(workspace) = request.workspace.as_deref().filter(|workspace| !workspace.is_dir()) {
        return refuse(126, format!("the workspace {} is no directory", workspace.display()));
    }
    // A program that may be executed and not read is no script.
    Ok(Shebang::read(&request.program).ok().flatten())
}

/// Sets environment, directory, group, keeper, pipes, descriptors, limits and sandbox as SPEC 7.1, 7.9, 7.10, 13.7 and 13.11
/// have them.
fn prepare(
    command: &mut Command,
    request: &Request,
    kept: &Kept,
    confined: Option<&Confined>,
) -> io::Result<Leash> {
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
    kept.say(command, request);
    if let Some(workspace) = workspace {
        command.current_dir(workspace);
    }
    command.stdin(if request.input.is_empty() { Stdio::null() } else { Stdio::piped() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let leash = Leash::put_on(command, confined.is_some_and(|confined| confined.scoped))?;
    inherited::keep_from(command);
    limit::set(command, &request.limits, request.sandbox.is_some());
    if let Some(confined) = confined {
        confined.put_on(command)?;
    }
    Ok(leash)
}

/// The program sees the workspace from within it, where a relative path would lead elsewhere.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// Starts a command, waiting for up to a second while its file is still open for writing in a process that another
/// thread has forked and not yet executed (the file was just unpacked). Each attempt has a keeper of its own.
fn spawn_when_free(
    request: &Request,
    kept: &Kept,
    confined: Option<&Confined>,
    command: impl Fn() -> Command,
) -> io::Result<(Child, Leash)> {
    let attempt = || -> io::Result<(Child, Leash)> {
        let mut command = command();
        let leash = prepare(&mut command, request, kept, confined)?;
        Ok((command.spawn()?, leash))
    };
    for _ in 0..100 {
        match attempt() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(10));
            }
            result => return result,
        }
    }
    attempt()
}

/// Says why the kernel did not start the program.
fn fault(request: &Request, shown: &str, error: &io::Error) -> StartFault {
    let mode = std::fs::metadata(&request.program).map_or(0, |metadata| metadata.permissions().mode());
    let (exit_code, reason) = match error.kind() {
        io::ErrorKind::NotFound => (127, format!("{shown}: {error} (the program or its loader is missing)")),
        io::ErrorKind::PermissionDenied if mode & 0o111 == 0 => {
            (126, format!("{shown} is not executable: give it the execute permission (chmod +x)"))
        }
        io::ErrorKind::PermissionDenied if request.sandbox.is_some() => (
            126,
            format!(
                "{shown} may not be executed: {error} (it or its interpreter lies where the sandbox lets nothing be read)"
            ),
        ),
        io::ErrorKind::PermissionDenied => {
            (126, format!("{shown} may not be executed: {error} (is its file system mounted noexec?)"))
        }
        _ if error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => (
            126,
            format!("{shown} is no program for this system and has no `#!` line that names an interpreter"),
        ),
        _ => (126, format!("{shown}: {error}")),
    };
    StartFault { exit_code, reason }
}
