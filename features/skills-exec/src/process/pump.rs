//! Moves data through the pipes of a process. Input is written as the process reads it, output is read as the
//! process writes it, and neither blocks the engine.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

use crate::{Request, StderrLog};

/// The three pipes, each kept until one side closes it.
#[derive(Debug)]
pub(super) struct Pump<'a> {
    stdin: Option<File>,
    input: &'a [u8],
    outputs: [(Option<File>, Capture); 2],
    buffer: Vec<u8>,
}

impl<'a> Pump<'a> {
    /// Takes the pipes of the program that runs a request.
    pub(super) fn start(pipes: [Option<OwnedFd>; 3], request: &'a Request) -> io::Result<Self> {
        let [stdin, stdout, stderr] = pipes.map(|pipe| pipe.map(nonblocking).transpose());
        let caps = request.caps;
        let errors = Capture { log: request.stderr_log.clone(), ..Capture::new(caps.stderr) };
        Ok(Self {
            stdin: stdin?,
            input: request.input.as_bytes(),
            outputs: [(stdout?, Capture::new(caps.stdout)), (stderr?, errors)],
            buffer: vec![0; 64 * 1024],
        })
    }

    /// Returns `true` if both outputs have ended.
    pub(super) fn is_drained(&self) -> bool {
        self.outputs.iter().all(|(pipe, _)| pipe.is_none())
    }

    /// Closes the input, even if the program has not read all of it. Ignoring the input is not an error.
    pub(super) fn stop_feeding(&mut self) {
        self.stdin = None;
    }

    /// Waits until a pipe or one of `signals` is ready, or the time is over. Then moves all data that is
    /// available.
    pub(super) fn turn(&mut self, signals: &[BorrowedFd<'_>], limit: Duration) -> io::Result<()> {
        let ready = self.wait(signals, limit)?;
        if ready[0] {
            self.feed();
        }
        for ((pipe, capture), ready) in self.outputs.iter_mut().zip(&ready[1..]) {
            if !ready {
                continue;
            }
            let Some(file) = pipe else { continue };
            match file.read(&mut self.buffer) {
                Ok(0) => *pipe = None,
                Ok(count) => capture.take(&self.buffer[..count]),
                Err(error) if is_passing(&error) => {}
                Err(_) => *pipe = None,
            }
        }
        Ok(())
    }

    /// Returns whether stdin, stdout and stderr are ready.
    fn wait(&self, signals: &[BorrowedFd<'_>], limit: Duration) -> io::Result<[bool; 3]> {
        let pipes = [self.stdin.as_ref(), self.outputs[0].0.as_ref(), self.outputs[1].0.as_ref()];
        let interest = [PollFlags::OUT, PollFlags::IN, PollFlags::IN];
        let mut polled: Vec<PollFd<'_>> = Vec::with_capacity(5);
        for (pipe, interest) in pipes.iter().zip(interest) {
            polled.extend(pipe.map(|file| PollFd::from_borrowed_fd(file.as_fd(), interest)));
        }
        polled.extend(signals.iter().map(|signal| PollFd::from_borrowed_fd(*signal, PollFlags::IN)));
        let limit = Timespec::try_from(limit).unwrap_or(Timespec { tv_sec: 3600, tv_nsec: 0 });
        match poll(&mut polled, Some(&limit)) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok([false; 3]),
            Err(error) => return Err(error.into()),
        }
        let mut polled = polled.iter();
        Ok(pipes
            .map(|pipe| pipe.is_some() && polled.next().is_some_and(|polled| !polled.revents().is_empty())))
    }

    fn feed(&mut self) {
        let Some(pipe) = &mut self.stdin else { return };
        match pipe.write(self.input) {
            Ok(count) => self.input = self.input.get(count..).unwrap_or_default(),
            Err(error) if is_passing(&error) => return,
            // The program closed its stdin and needs no more input.
            Err(_) => self.input = &[],
        }
        if self.input.is_empty() {
            self.stop_feeding();
        }
    }

    /// Returns the texts of stdout and stderr, each with the number of bytes dropped.
    pub(super) fn finish(self) -> [(String, u64); 2] {
        self.outputs.map(|(_, capture)| capture.finish())
    }
}

fn nonblocking(pipe: OwnedFd) -> io::Result<File> {
    fcntl_setfl(&pipe, fcntl_getfl(&pipe)? | OFlags::NONBLOCK)?;
    Ok(File::from(pipe))
}

fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

/// Keeps the first bytes of an output and counts the rest.
#[derive(Debug)]
struct Capture {
    kept: Vec<u8>,
    cap: usize,
    dropped: u64,
    /// Receives the kept bytes at once.
    log: Option<StderrLog>,
}

impl Capture {
    fn new(cap: usize) -> Self {
        Self { kept: Vec::new(), cap, dropped: 0, log: None }
    }

    fn take(&mut self, chunk: &[u8]) {
        let room = self.cap - self.kept.len();
        let (kept, dropped) = chunk.split_at(room.min(chunk.len()));
        self.kept.extend_from_slice(kept);
        if let Some(log) = &self.log {
            log.push(kept);
        }
        self.dropped = self.dropped.saturating_add(count(dropped));
    }

    /// Returns the text and the number of bytes that it omits. Invalid UTF-8 is replaced. If the cap cuts a
    /// character in two, the character is dropped.
    fn finish(mut self) -> (String, u64) {
        if self.dropped > 0 {
            let whole = self.kept.len() - cut_character(&self.kept);
            self.dropped = self.dropped.saturating_add(count(&self.kept[whole..]));
            self.kept.truncate(whole);
        }
        let text = String::from_utf8(self.kept)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        (text, self.dropped)
    }
}

fn count(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

/// Returns the length of an unfinished character at the end of `bytes`.
fn cut_character(bytes: &[u8]) -> usize {
    let last = bytes.utf8_chunks().last().map_or(&[][..], |chunk| chunk.invalid());
    let is_cut = std::str::from_utf8(last).is_err_and(|error| error.error_len().is_none());
    if is_cut { last.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::Capture;

    fn captured(cap: usize, text: &[u8]) -> (String, u64) {
        let mut capture = Capture::new(cap);
        text.chunks(3).for_each(|chunk| capture.take(chunk));
        capture.finish()
    }

    // SPEC 7.2
    #[test]
    fn the_cap_counts_what_it_drops_and_cuts_no_character() {
        assert_eq!(captured(5, b"hello"), ("hello".to_owned(), 0));
        assert_eq!(captured(4, b"hello"), ("hell".to_owned(), 1));
        assert_eq!(captured(0, b"hello"), (String::new(), 5));
        let text = "aé€😀".repeat(3);
        for cap in 0..text.len() {
            let (kept, dropped) = captured(cap, text.as_bytes());
            assert!(text.starts_with(&kept), "{cap}: {kept}");
            assert!(cap - kept.len() < 4);
            assert_eq!(kept.len() as u64 + dropped, text.len() as u64);
        }
    }

    // SPEC 7.2
    #[test]
    fn invalid_utf8_is_replaced() {
        assert_eq!(captured(9, b"a\xff\xfeb\xe2\x82"), ("a\u{fffd}\u{fffd}b\u{fffd}".to_owned(), 0));
    }
}
