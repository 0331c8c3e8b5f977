//! The published designs that this project merges: ignored tests compare texts with them.

/// Reads the published text that contains a phrase.
pub(crate) fn seed_with(phrase: &str) -> String {
    let seeds = test_bed::field("seeds");
    let files = std::fs::read_dir(seeds).expect("a directory that can be listed");
    let mut texts = files.filter_map(|file| std::fs::read_to_string(file.ok()?.path()).ok());
    texts.find(|text| text.contains(phrase)).expect("a published text with the phrase")
}
