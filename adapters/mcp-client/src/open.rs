//! Begins a session with a server: starts its program, or connects to its URL.

use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{
    ClientCapabilities, ClientConfig, ElicitationCapability, FormElicitationCapability, Implementation,
    ProtocolVersion, SKILLS_EXTENSION_ID, SamplingCapability, TASKS_EXTENSION_ID,
};
use rmcp::service::{ClientLifecycleMode, RunningService, serve_client_with_lifecycle};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::{StreamableHttpClientTransport, Transport};
use skills_exec::{Companion, Environment, Limits};
use skills_files::ScratchDir;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::address::ServerAddress;
use crate::approved::{Approved, StartDirectory};
use crate::error::Error;
use crate::guard::{Guard, Guarded, JsonCounts, Lines};
use crate::handler::{Changed, Handler, Input};
use crate::http;
use crate::options::Options;
use crate::session::ServerSession;

/// How much of the standard error of a server is kept for messages, in bytes.
const TAIL: usize = 2048;

/// How long to wait for the rest of the standard error after the end of a session.
const READING: Duration = Duration::from_millis(500);

/// The end of the standard error of a server.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: tokio::sync::Mutex<Option<JoinHandle<()>>>,
}

impl Tail {
    fn read(stderr: ChildStderr, guard: &Arc<Guard>) -> Self {
        let bytes = Arc::default();
        let reader = tokio::spawn(keep(stderr, Arc::clone(&bytes), Arc::clone(guard)));
        Self { bytes, reader: Some(reader).into() }
    }

    /// Appends the last line of the standard error to a reason. Call it when the session is over.
    pub(crate) async fn explain(&self, reason: &str) -> String {
        if let Some(reader) = self.reader.lock().await.take() {
            drop(timeout(READING, reader).await);
        }
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&bytes);
        let last = text.lines().rev().map(str::trim).find(|line| !line.is_empty());
        match last {
            None => reason.to_owned(),
            Some(last) if reason.is_empty() => last.to_owned(),
            Some(last) => format!("{reason}: {last}"),
        }
    }
}

/// The address of a session that begins now. [`ServerSession::open`] creates it from an approval.
pub(crate) struct CheckedAddress(ServerAddress, StartDirectory);

impl CheckedAddress {
    pub(crate) fn address(&self) -> &ServerAddress {
        &self.0
    }
}

impl ServerSession {
    /// Begins a session, if its approval still holds.
    pub(crate) async fn open(
        server: &Approved,
        options: &Options,
        changed: &watch::Sender<Changed>,
    ) -> Result<Self, Error> {
        let (address, place) = server.check()?;
        let server = &CheckedAddress(address, place);
        let guard = Guard::new(&options.limits);
        let handler = Handler {
            config: config(options.input.as_ref()),
            changed: changed.clone(),
            input: options.input.clone(),
        };
        let (opened, program, tail) = match &server.0 {
            ServerAddress::Command { .. } => {
                let (program, transport, tail) = start(server, &guard)?;
                (begin(handler, transport, options).await, Some(program), tail)
            }
            ServerAddress::Http { .. } => {
                (connect(server, options, handler, &guard).await?, None, Tail::default())
            }
        };
        let service = match opened {
            Ok(service) => service,
            Err(reason) => {
                drop(program); // the standard error ends with the program
                let mut reason = tail.explain(&reason).await;
                if server.1 == StartDirectory::Empty {
                    reason.push_str(EMPTY);
                }
                let reason = Error::Unreachable(reason);
                return Err(guard.fault().unwrap_or(reason));
            }
        };
        Ok(Self::new(service, guard, program, tail))
    }
}

/// The end of the error for a program that started in an empty directory and began no session.
const EMPTY: &str = "\nit started in an empty directory, because its command line names nothing in the repository; a word such as \
     `.` or `./FILE` lets it start in the project";

/// The running program of a server.
pub(crate) struct ServerProgram {
    pub(crate) companion: Companion,
    /// Its empty working directory, which is removed after the program has ended.
    _directory: Option<ScratchDir>,
}

/// Returns the identity and the capabilities of this client.
fn config(input: Option<&Arc<dyn Input>>) -> ClientConfig {
    let mut capabilities = ClientCapabilities::default();
    for extension in [TASKS_EXTENSION_ID, SKILLS_EXTENSION_ID] {
        capabilities.extensions.get_or_insert_default().insert(extension.to_owned(), Default::default());
    }
    if input.is_some() {
        capabilities.sampling = Some(SamplingCapability::default());
        let form = FormElicitationCapability::default();
        capabilities.elicitation = Some(ElicitationCapability::new().with_form(form));
    }
    ClientConfig::new(capabilities, Implementation::new("skills", env!("CARGO_PKG_VERSION")))
        .with_protocol_version(ProtocolVersion::V_2025_11_25)
}

/// Connects over HTTP. Uses the user's login if there is one and the address does not name a token.
async fn connect(
    server: &CheckedAddress,
    options: &Options,
    handler: Handler,
    guard: &Arc<Guard>,
) -> Result<Begun, Error> {
    let (client, config) = http::client(server, options, guard)?;
    #[cfg(feature = "oauth")]
    let client = match options.logins.as_ref().filter(|_| config.auth_header.is_none()) {
        None => client,
        Some(logins) => match logins.authorized(server, client).await? {
            Err(client) => client,
            Ok(client) => {
                let inner = StreamableHttpClientTransport::with_client(client, config);
                return Ok(begin(handler, Guarded { inner, guard: Arc::clone(guard) }, options).await);
            }
        },
    };
    let inner = StreamableHttpClientTransport::with_client(client, config);
    Ok(begin(handler, Guarded { inner, guard: Arc::clone(guard) }, options).await)
}

/// A session, or the reason why it did not begin.
type Begun = Result<RunningService<RoleClient, Handler>, String>;

async fn begin<T: Transport<RoleClient> + Send + 'static>(
    handler: Handler,
    transport: T,
    options: &Options,
) -> Begun {
    let lifecycle = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: Some(ProtocolVersion::V_2025_11_25),
    };
    let begun = serve_client_with_lifecycle(handler, transport, lifecycle);
    match timeout(options.limits.connect, begun).await {
        Ok(begun) => begun.map_err(|error| match error.is_authorization_required() {
            true => "it asks for authorization: name a variable that has a token, or log in".to_owned(),
            false => error.to_string(),
        }),
        Err(_) => Err(format!("no session in {} s", options.limits.connect.as_secs_f32())),
    }
}

type Stdio = Guarded<AsyncRwTransport<RoleClient, Lines<ChildStdout>, ChildStdin>>;

/// Starts the program of a server.
fn start(server: &CheckedAddress, guard: &Arc<Guard>) -> Result<(ServerProgram, Stdio, Tail), Error> {
    let ServerAddress::Command { program, arguments, environment, directory } = &server.0 else {
        return Err(Error::Address("it is not a command".to_owned()));
    };
    let unstarted = |error: std::io::Error| Error::Unreachable(format!("{program}: {error}"));
    let mut command = Command::new(program);
    let variables = Environment::from_variables(std::env::vars_os(), environment.iter().map(String::as_str));
    command.args(arguments).env_clear().envs(variables.iter());
    if server.1 == StartDirectory::Project {
        // Python would write byte code beside each module of the repository, and end the approval.
        command.env("PYTHONDONTWRITEBYTECODE", "1");
    }
    let mut empty = None;
    if server.1 == StartDirectory::Empty {
        let scratch = empty_directory();
        let scratch =
            scratch.map_err(|error| Error::Unreachable(format!("{program}: no empty directory: {error}")))?;
        command.current_dir(scratch.path());
        empty = Some(scratch);
    } else if let Some(directory) = directory {
        command.current_dir(directory);
    }
    let (companion, stdin, stdout, stderr) =
        Companion::start(command, &Limits::default()).map_err(unstarted)?;
    let tail = Tail::read(ChildStderr::from_std(stderr).map_err(unstarted)?, guard);
    let stdout = ChildStdout::from_std(stdout).map_err(unstarted)?;
    let reader = Lines::new(stdout, guard);
    let stdin = ChildStdin::from_std(stdin).map_err(unstarted)?;
    // The limit is in the reader, so that a line that is too long ends the session instead of being
    // skipped.
    let inner = AsyncRwTransport::new(reader, stdin).with_max_line_length(usize::MAX);
    Ok((ServerProgram { companion, _directory: empty }, Guarded { inner, guard: Arc::clone(guard) }, tail))
}

/// Creates an empty directory that only this user can access. It is in the cache of the user, since programs such as npm
/// also read files of the directories above, and in a shared directory these may belong to somebody else.
#[cfg(unix)]
fn empty_directory() -> Result<ScratchDir, skills_exec::cache::CacheError> {
    skills_exec::RunOptions::of_process().cache.scratch()
}

/// Creates an empty directory that only this user can access.
#[cfg(not(unix))]
fn empty_directory() -> std::io::Result<ScratchDir> {
    ScratchDir::new(&std::env::temp_dir(), "skills-exec-")
}

/// Reads the standard error of a server to its end or until the budget is used up, and keeps the last bytes.
async fn keep(mut stderr: impl AsyncRead + Unpin, tail: Arc<Mutex<Vec<u8>>>, guard: Arc<Guard>) {
    // As much as a pipe holds.
    let mut bytes = vec![0; 64 << 10];
    while let Ok(count @ 1..) = stderr.read(&mut bytes).await {
        if guard.admit_read(count, JsonCounts::default()).is_err() {
            return;
        }
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        let new = bytes.get(..count).unwrap_or_default();
        tail.extend_from_slice(new.get(count.saturating_sub(TAIL)..).unwrap_or_default());
        let excess = tail.len().saturating_sub(TAIL);
        tail.drain(..excess);
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::task::{Context, Poll};

    use skills_exec::{Budget, Exhausted};
    use tokio::io::{AsyncRead, ReadBuf};

    use super::keep;
    use crate::error::Error;
    use crate::guard::Guard;
    use crate::options::Limits;

    /// A stream that returns one byte for each read, without end.
    struct Drops(Arc<AtomicU64>);

    impl AsyncRead for Drops {
        fn poll_read(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
            buffer: &mut ReadBuf<'_>,
        ) -> Poll<std::io::Result<()>> {
            self.0.fetch_add(1, Ordering::Relaxed);
            buffer.put_slice(b"x");
            Poll::Ready(Ok(()))
        }
    }

    // SPEC 22.2: the number of reads is bounded, not only the number of bytes
    #[tokio::test]
    async fn standard_error_in_single_bytes_uses_up_the_budget() {
        let budget = Budget { bytes: 1 << 20, ..Budget::UNLIMITED };
        let guard = Guard::new(&Limits { budget, ..Limits::default() });
        let (reads, tail) = (Arc::<AtomicU64>::default(), Arc::default());
        keep(Drops(Arc::clone(&reads)), Arc::clone(&tail), Arc::clone(&guard)).await;
        assert_eq!(guard.fault(), Some(Error::Budget(Exhausted::Bytes(1 << 20))));
        assert_eq!(reads.load(Ordering::Relaxed), 4097);
        assert_eq!(tail.lock().expect("sound").len(), super::TAIL);
    }
}
