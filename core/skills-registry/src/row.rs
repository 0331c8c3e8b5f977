//! A row of a table under construction.

/// A row of words, initially zero.
pub(crate) struct Row(pub(crate) Vec<u32>);

impl Row {
    pub(crate) fn new(width: u32) -> Self {
        Self(vec![0; width as usize])
    }

    pub(crate) fn put<const N: usize>(&mut self, field: u32, words: [u32; N]) {
        let field = field as usize;
        self.0[field..field + N].copy_from_slice(&words);
    }
}

/// Appends words to the rows.
pub(crate) fn push_words(rows: &mut Vec<u8>, words: &[u32]) {
    let start = rows.len();
    rows.resize(start + words.len() * 4, 0);
    let (places, _) = rows[start..].as_chunks_mut();
    for (place, word) in places.iter_mut().zip(words) {
        *place = word.to_le_bytes();
    }
}
