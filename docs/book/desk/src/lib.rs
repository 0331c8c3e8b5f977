//! The desk of a garden shop: its skills, and the notes that they read.

use skills::{Context, Failure};

skills::skills!("skills/");

/// The notes of the shop. A real program would use a database.
pub struct Desk {
    /// Titles and texts.
    pub notes: Vec<(&'static str, &'static str)>,
}

impl Default for Desk {
    fn default() -> Self {
        Self {
            notes: vec![
                ("Roses", "Roses want water twice a week."),
                ("Tomatoes", "Tomatoes want water every day."),
            ],
        }
    }
}

impl Host for Desk {
    async fn find_notes(&self, input: find_notes::Input, _: &Context) -> Result<find_notes::Output, Failure> {
        let topic = input.topic.to_lowercase();
        let found = self.notes.iter().filter(|(_, text)| text.to_lowercase().contains(&topic));
        let notes = found
            .take(usize::try_from(input.limit)?)
            .map(|(title, text)| find_notes::Note { title: (*title).to_owned(), text: (*text).to_owned() });
        Ok(find_notes::Output { notes: notes.collect() })
    }
}
