//! The bytes of one output become text of bounded size (SPEC 7.2).

/// Keeps the first bytes of an output and counts the rest.
#[derive(Debug)]
pub(super) struct Capture {
    kept: Vec<u8>,
    cap: usize,
    dropped: u64,
}

impl Capture {
    pub(super) fn new(cap: usize) -> Self {
        Self { kept: Vec::new(), cap, dropped: 0 }
    }

    pub(super) fn take(&mut self, chunk: &[u8]) {
        let room = self.cap - self.kept.len();
        let (kept, dropped) = chunk.split_at(room.min(chunk.len()));
        self.kept.extend_from_slice(kept);
        self.dropped = self.dropped.saturating_add(count(dropped));
    }

    /// Returns the text and how many bytes are not in it. Invalid UTF-8 is replaced; a character that the cap cut
    /// in two is dropped.
    pub(super) fn finish(mut self) -> (String, u64) {
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

/// The length of an unfinished character at the end of `bytes`.
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
