//! The JSON file of `skills check --commands FILE`: one program, or a list of programs.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use skills_core::config::Config;
use skills_core::options::TextChecks;
use skills_core::read::{MAX_PROJECT_FILE, read_text_below};

use crate::set::CommandSet;
use crate::tree::CommandTree;

/// The error for a file whose commands cannot be read.
#[derive(Debug)]
pub struct UnreadableCommands {
    file: PathBuf,
    reason: io::Error,
}

impl fmt::Display for UnreadableCommands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read the commands in {}: {}", self.file.display(), self.reason)
    }
}

impl Error for UnreadableCommands {}

impl CommandSet {
    /// Reads files.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn read<P: AsRef<Path>>(files: impl IntoIterator<Item = P>) -> Result<Self, UnreadableCommands> {
        let read: Result<Vec<_>, _> = files.into_iter().map(|file| read(file.as_ref())).collect();
        Ok(Self(read?.into_iter().flatten().collect()))
    }

    /// Reads the files that the settings name, and returns a check of texts. A file that cannot be read is a problem
    /// of the settings.
    pub fn configured(config: &mut Config) -> TextChecks {
        let mut programs = Vec::new();
        for (file, place) in config.command_files() {
            let text = read_text_below(config.directory(), &file, MAX_PROJECT_FILE);
            match programs_of(&file, text) {
                Ok(read) => programs.extend(read),
                Err(why) => config.unreadable_commands(place, why.to_string()),
            }
        }
        let set = Self(programs);
        set.check_stub(config);
        if set.0.is_empty() { TextChecks::default() } else { TextChecks::new(set) }
    }

    /// Reports the command that installed stubs name, if one of the programs does not print skills with it.
    pub fn check_stub(&self, config: &mut Config) {
        let stub = config.stub().map(|(stub, _)| crate::stub::check(stub, &self.0));
        if let Some(Err(why)) = stub {
            config.unknown_stub(why.to_string());
        }
    }
}

/// Reads a file that the user names, which may be a pipe.
fn read(file: &Path) -> Result<Vec<CommandTree>, UnreadableCommands> {
    let mut text = String::new();
    let opened = File::open(file);
    let read = opened.and_then(|file| file.take(MAX_PROJECT_FILE + 1).read_to_string(&mut text));
    let is_large = text.len() as u64 > MAX_PROJECT_FILE;
    let too_large =
        || io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {MAX_PROJECT_FILE} bytes"));
    programs_of(file, if is_large { Err(too_large()) } else { read.map(|_| text) })
}

fn programs_of(file: &Path, text: io::Result<String>) -> Result<Vec<CommandTree>, UnreadableCommands> {
    let read = text.and_then(|text| Ok(parse(&text)?));
    read.map_err(|reason| UnreadableCommands { file: file.to_owned(), reason })
}

/// Reads the text of a file.
///
/// # Errors
/// Returns what is wrong, with the line and the column.
///
/// ```
/// let programs = skills_usage::parse(r#"{"name": "acme", "flags": [{"names": ["--all"]}]}"#);
/// assert_eq!(programs?[0].flags.len(), 1);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn parse(text: &str) -> serde_json::Result<Vec<CommandTree>> {
    let text = skills_text::unmarked(text);
    // Parsing an untagged enum would lose the position of an error, so the first character selects the form.
    match text.trim_start().starts_with('[') {
        true => serde_json::from_str(text),
        false => serde_json::from_str(text).map(|program| vec![program]),
    }
}

/// Prints a program as the text of a file.
pub fn print(program: &CommandTree) -> String {
    serde_json::to_string_pretty(program).map_or_else(|_| String::new(), |text| text + "\n")
}
