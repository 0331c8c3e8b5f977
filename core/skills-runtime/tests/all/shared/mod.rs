//! Where the published designs lie that this project merges: tests compare texts with them where they are at hand.

/// Reads the published text that contains a phrase; nothing, and a skip, when the texts are not at hand.
pub(crate) fn seed_with(phrase: &str) -> Option<String> {
    let seeds = test_bed::shared("seeds")?;
    let files = std::fs::read_dir(seeds).expect("a directory that can be listed");
    let mut texts = files.filter_map(|file| std::fs::read_to_string(file.ok()?.path()).ok());
    Some(texts.find(|text| text.contains(phrase)).expect("a published text with the phrase"))
}
