//! An array or object that is being read.

/// An open array or object: the read position, and the start of its keys in the reader's list.
pub struct Frame {
    /// When reading a text, the number of members read so far; when reading a tape, the number of members
    /// left.
    pub count: u32,
    pub(super) base: usize,
}

impl Frame {
    /// Creates a frame with this count of members.
    pub fn of(count: u32) -> Self {
        Self { count, base: 0 }
    }
}
