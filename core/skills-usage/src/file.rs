//! The JSON file of `skills check --commands FILE`: one program, or a list of programs.

use std::path::Path;

use skills_core::config::Config;
use skills_core::options::TextChecks;

use crate::set::CommandSet;
use crate::tree::CommandTree;

impl CommandSet {
    /// Reads files.
    ///
    /// # Errors
    /// Returns the file that cannot be read, and why.
    pub fn read<P: AsRef<Path>>(files: impl IntoIterator<Item = P>) -> Result<Self, String> {
        let read: Result<Vec<_>, _> = files.into_iter().map(|file| read(file.as_ref())).collect();
        Ok(Self(read?.into_iter().flatten().collect()))
    }

    /// Reads the files that the settings name, and returns a check of texts. A file that cannot be read is a problem
    /// of the settings.
    pub fn configured(config: &mut Config) -> TextChecks {
        let mut programs = Vec::new();
        for (file, place) in config.command_files() {
            match read(&file) {
                Ok(read) => programs.extend(read),
                Err(why) => config.unreadable_commands(place, why),
            }
        }
        if programs.is_empty() { TextChecks::default() } else { TextChecks::new(Self(programs)) }
    }
}

fn read(file: &Path) -> Result<Vec<CommandTree>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string());
    let read = text.and_then(|text| parse(&text));
    read.map_err(|why| format!("cannot read the commands in {}: {why}", file.display()))
}

/// Reads the text of a file.
///
/// # Errors
/// Returns what is wrong, with the line and the column.
///
/// ```
/// let programs = skills_usage::parse(r#"{"name": "acme", "flags": [{"names": ["--all"]}]}"#);
/// assert_eq!(programs.map(|programs| programs[0].flags.len()), Ok(1));
/// ```
pub fn parse(text: &str) -> Result<Vec<CommandTree>, String> {
    let text = skills_text::unmarked(text);
    // Parsing an untagged enum would lose the position of an error, so the first character selects the form.
    let programs = match text.trim_start().starts_with('[') {
        true => serde_json::from_str(text),
        false => serde_json::from_str(text).map(|program| vec![program]),
    };
    programs.map_err(|error| error.to_string())
}

/// Prints a program as the text of a file.
pub fn print(program: &CommandTree) -> String {
    serde_json::to_string_pretty(program).map_or_else(|_| String::new(), |text| text + "\n")
}
