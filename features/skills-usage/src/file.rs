//! The JSON file of `skills check --commands FILE`: one program, or a list of programs.

use std::path::Path;

use serde::Deserialize;

use crate::set::CommandSet;
use crate::tree::CommandTree;

/// The contents of a file.
#[derive(Deserialize)]
#[serde(untagged)]
enum Contents {
    Several(Vec<CommandTree>),
    One(Box<CommandTree>),
}

impl CommandSet {
    /// Reads files.
    ///
    /// # Errors
    /// Returns the file that cannot be read, and why.
    pub fn read<P: AsRef<Path>>(files: impl IntoIterator<Item = P>) -> Result<Self, String> {
        let mut programs = Vec::new();
        for file in files {
            let file = file.as_ref();
            let text = std::fs::read_to_string(file).map_err(|error| error.to_string());
            let read = text.and_then(|text| parse(&text));
            programs.extend(
                read.map_err(|why| format!("cannot read the commands in {}: {why}", file.display()))?,
            );
        }
        Ok(Self(programs))
    }
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
    // An untagged enum forgets where the fault is, so the one form that begins the text is read for the message.
    let read = match text.trim_start().starts_with('[') {
        true => serde_json::from_str(text).map(Contents::Several),
        false => serde_json::from_str(text).map(Contents::One),
    };
    match read {
        Ok(Contents::Several(programs)) => Ok(programs),
        Ok(Contents::One(program)) => Ok(vec![*program]),
        Err(error) => Err(error.to_string()),
    }
}

/// Prints a program as the text of a file.
pub fn print(program: &CommandTree) -> String {
    serde_json::to_string_pretty(program).map_or_else(|_| String::new(), |text| text + "\n")
}
