//! The arguments that several commands have: words of a table, paths, the input, the working directory, and the filters
//! of skills.

use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Args, Command, Error};
use skills_registry::{Filter, Mode};
use skills_text::{expand_home, shell_word};

use crate::failure;

/// A word that an argument accepts, with its help text and its value.
pub type Row<T> = (&'static str, &'static str, T);

/// Returns a parser that accepts one of the words.
pub fn one_of<T: Clone + Send + Sync + 'static, const N: usize>(
    rows: [Row<T>; N],
) -> impl TypedValueParser<Value = T> {
    let words = rows.each_ref().map(|(word, about, _)| PossibleValue::new(*word).help(*about));
    PossibleValuesParser::new(words).try_map(move |given| {
        let row = rows.iter().find(|(word, ..)| *word == given);
        row.map(|(.., meant)| meant.clone()).ok_or("not one of the accepted values")
    })
}

/// Returns the rows of an enum whose values have names, from each value and its help text.
pub fn named<T: Copy, const N: usize>(
    values: [(T, &'static str); N],
    name: fn(T) -> &'static str,
) -> [Row<T>; N] {
    values.map(|(value, about)| (name(value), about, value))
}

/// A parser of an argument whose words completions know. It accepts every text that `parse` accepts.
#[derive(Clone)]
pub struct Completed<T> {
    pub words: fn() -> Vec<&'static str>,
    pub parse: fn(&str) -> Result<T, String>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Completed<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        let parse = self.parse;
        StringValueParser::new().try_map(move |text| parse(&text)).parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.words)().into_iter().map(PossibleValue::new)))
    }
}

/// Returns the path with a leading `~/` replaced by the home directory.
pub fn expand_path(given: &Path) -> PathBuf {
    expand_home(given, std::env::home_dir().as_deref())
}

/// The largest input, in bytes. The check holds several copies of it in memory.
const MAX_INPUT: u64 = 64 << 20;

/// Returns the text of `--input`, or the text of standard input for `-`. Returns `None` if the option is
/// unset.
pub fn read_input(given: Option<&str>) -> Result<Option<String>, ExitCode> {
    if given != Some("-") {
        return Ok(given.map(str::to_owned));
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MAX_INPUT + 1).read_to_end(&mut bytes);
    let read = read.map_err(|problem| failure::error(format!("cannot read standard input: {problem}")))?;
    if u64::try_from(read).is_ok_and(|read| read > MAX_INPUT) {
        return Err(failure::error(format!("standard input has more than {} MiB", MAX_INPUT >> 20)));
    }
    String::from_utf8(bytes).map(Some).map_err(|problem| {
        let at = problem.utf8_error().valid_up_to();
        failure::error(format!("standard input is not UTF-8 (byte {at})"))
    })
}

/// Returns the line that is added to the error for an invalid input if the user gave the path of a file as the input.
pub(crate) fn name_file(given: Option<&str>) -> String {
    match given.filter(|given| Path::new(given).is_file()) {
        Some(path) => format!("\nto pass the text of the file, use `--input - < {}`", shell_word(path)),
        None => String::new(),
    }
}

/// Where programs run.
#[derive(Debug, Args)]
pub struct Workspace {
    /// The working directory of programs [default: the current directory]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
}

impl Workspace {
    /// Returns the directory as an absolute path, so that the program receives a path that does not depend on
    /// its current directory.
    pub fn path(&self) -> Option<PathBuf> {
        let dir = expand_path(self.workspace.as_deref()?);
        Some(std::path::absolute(&dir).unwrap_or(dir))
    }
}

/// The filters.
#[derive(Debug, Args)]
#[command(next_help_heading = "Filters")]
pub struct FilterArgs {
    /// Only skills with this tag (repeatable: a skill must have all of them)
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Only skills in this category (repeatable: in any of them)
    #[arg(long, value_name = "CATEGORY")]
    category: Vec<String>,
    /// Only skills with this mode (repeatable: with any of them)
    #[arg(long, value_name = "MODE", value_parser = one_of(named(MODES, Mode::as_str)))]
    mode: Vec<Mode>,
    /// Only skills that have all of these words in their name, description or tags
    #[arg(long, value_name = "WORDS")]
    search: Vec<String>,
}

/// The modes in which a skill with a `skill.json` can run.
const MODES: [(Mode, &str); 4] = [
    (Mode::Code, "Run by a function of the host, or by the program of the skill"),
    (Mode::Llm, "Run by a language model"),
    (Mode::Composite, "Run by a pipeline of other skills"),
    (Mode::Mcp, "Run by a tool of an MCP server"),
];

impl FilterArgs {
    /// Returns the filter.
    pub fn filter(&self) -> Filter {
        Filter {
            tags: self.tag.clone(),
            categories: self.category.clone(),
            modes: self.mode.clone(),
            words: self.search.clone(),
        }
    }
}
