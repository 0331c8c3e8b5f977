//! Parses the bytes of a response as Server-Sent Events, looking at each byte once.

use reqwest::Response;
use skills_call::model::ModelError;

use crate::failure::Origin;
use crate::limits::{self, TooMuch};

/// The events of a response.
pub(crate) struct Events {
    response: Response,
    /// Received bytes that are not consumed yet.
    buffer: Vec<u8>,
    /// The start of the next line.
    start: usize,
    /// The position up to which the search for a line end has got.
    seen: usize,
    /// The total number of received bytes.
    total: usize,
}

impl Events {
    pub(crate) fn new(response: Response) -> Self {
        Self { response, buffer: Vec::new(), start: 0, seen: 0, total: 0 }
    }

    /// Returns the data of the next event. The end of the response is an error.
    pub(crate) async fn next(&mut self, origin: &Origin) -> Result<String, ModelError> {
        let too_much = |error: TooMuch| origin.error(&error.to_string(), false);
        let mut data = String::new();
        let mut is_begun = false;
        loop {
            let Some(end) = self.line() else {
                TooMuch::check("the bytes of an event", self.buffer.len() - self.start, limits::EVENT)
                    .map_err(too_much)?;
                self.more(origin).await?;
                continue;
            };
            let line = self.buffer.get(self.start..end).unwrap_or_default();
            let line = std::str::from_utf8(line.strip_suffix(b"\r").unwrap_or(line))
                .map_err(|_| origin.error("the stream is not UTF-8", false))?;
            if let Some(more) = line.strip_prefix("data:") {
                if is_begun {
                    data.push('\n');
                }
                data.push_str(more.strip_prefix(' ').unwrap_or(more));
                is_begun = true;
                TooMuch::check("the bytes of an event", data.len(), limits::EVENT).map_err(too_much)?;
            }
            let is_blank = line.is_empty();
            self.start = end + 1;
            self.seen = self.start;
            if is_blank && !data.is_empty() {
                return Ok(data);
            }
        }
    }

    /// Finds the end of the next line.
    fn line(&mut self) -> Option<usize> {
        let rest = self.buffer.get(self.seen..).unwrap_or_default();
        let end = rest.iter().position(|byte| *byte == b'\n').map(|at| self.seen + at);
        self.seen = end.unwrap_or(self.buffer.len());
        end
    }

    async fn more(&mut self, origin: &Origin) -> Result<(), ModelError> {
        crate::pause::pause().await;
        let chunk = self.response.chunk().await.map_err(|error| origin.transport(error))?;
        let chunk = chunk.ok_or_else(|| origin.error("the stream ended before the answer did", true))?;
        self.total += chunk.len();
        TooMuch::check("the bytes of a stream", self.total, limits::STREAM)
            .map_err(|error| origin.error(&error.to_string(), false))?;
        // Bytes are moved only once per line.
        self.buffer.drain(..self.start);
        self.seen -= self.start;
        self.start = 0;
        self.buffer.extend_from_slice(&chunk);
        Ok(())
    }
}
