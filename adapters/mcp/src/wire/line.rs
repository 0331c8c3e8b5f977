//! Splits bytes into lines of limited length. Of a longer line, only the envelope is kept.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

use super::envelope::Envelope;

/// The maximum length of a line in bytes: 16 MiB.
pub(crate) const LONGEST: usize = 1 << 24;

/// A stream of lines.
pub(crate) struct Lines<R> {
    read: BufReader<R>,
    line: Vec<u8>,
    /// The envelope of a line that is too long and has not ended yet.
    beyond: Option<Envelope>,
}

/// A line, without its line end.
pub(crate) enum Line {
    Whole(Vec<u8>),
    TooLong(Envelope),
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(crate) fn new(read: R) -> Self {
        Self { read: BufReader::new(read), line: Vec::new(), beyond: None }
    }

    /// Reads a line, or returns `None` at the end. The last line may have no line end. Cancel-safe.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let available = self.read.fill_buf().await?;
            if available.is_empty() {
                let is_over = self.line.is_empty() && self.beyond.is_none();
                return Ok((!is_over).then(|| self.take()));
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = available.get(..end.unwrap_or(available.len())).unwrap_or_default();
            let consumed = part.len() + usize::from(end.is_some());
            if let Some(envelope) = &mut self.beyond {
                envelope.read(part);
            } else if self.line.len() + part.len() > LONGEST {
                let envelope = self.beyond.insert(Envelope::default());
                envelope.read(&std::mem::take(&mut self.line));
                envelope.read(part);
            } else {
                self.line.extend_from_slice(part);
            }
            self.read.consume(consumed);
            if end.is_some() {
                return Ok(Some(self.take()));
            }
        }
    }

    fn take(&mut self) -> Line {
        self.beyond.take().map_or_else(|| Line::Whole(std::mem::take(&mut self.line)), Line::TooLong)
    }
}
