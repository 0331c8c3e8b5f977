//! The appearance of output: colours, width, and whether notes and details are printed. `--color`, `--quiet` and `--verbose` decide, then the
//! environment.

use std::io::IsTerminal;
use std::sync::OnceLock;

use clap::ValueEnum;
use clap::builder::styling::{AnsiColor, Style};
use terminal_size::{Height, Width, terminal_size_of};

/// When output has colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR`, `CLICOLOR=0` or `TERM=dumb` is set
    #[default]
    Auto,
    /// Also in a pipe
    Always,
    /// Nowhere
    Never,
}

/// The look that the arguments select.
#[derive(Clone, Copy, Debug, Default)]
struct Look {
    color: Color,
    is_quiet: bool,
    is_verbose: bool,
}

static LOOK: OnceLock<Look> = OnceLock::new();

/// Sets the look of this process. Only the first call has an effect.
pub fn set(color: Color, is_quiet: bool, is_verbose: bool) {
    LOOK.get_or_init(|| Look { color, is_quiet, is_verbose });
}

/// Returns `true` if notes, progress and summaries are not printed.
pub fn is_quiet() -> bool {
    LOOK.get().is_some_and(|look| look.is_quiet)
}

/// Returns `true` if details are printed.
pub fn is_verbose() -> bool {
    LOOK.get().is_some_and(|look| look.is_verbose)
}

/// Returns `true` if standard output has colours.
pub fn has_colours() -> bool {
    has(std::io::stdout().is_terminal())
}

/// Decides whether to use colours, by the same conventions as clap's help: never with `NO_COLOR`, always with
/// `CLICOLOR_FORCE`, and otherwise on a terminal that supports colours unless `CLICOLOR` is 0.
fn has(is_terminal: bool) -> bool {
    match LOOK.get().map(|look| look.color).unwrap_or_default() {
        Color::Always => return true,
        Color::Never => return false,
        Color::Auto => {}
    }
    if std::env::var_os("NO_COLOR").is_some_and(|set| !set.is_empty()) {
        return false;
    }
    if std::env::var_os("CLICOLOR_FORCE").is_some_and(|set| set != "0") {
        return true;
    }
    let is_off = std::env::var_os("CLICOLOR").is_some_and(|set| set == "0");
    !is_off && std::env::var_os("TERM").is_none_or(|term| term != "dumb") && is_terminal
}

/// Returns the width of the terminal on standard output: the value of `COLUMNS`, or else the width that the
/// terminal reports. Returns `None` for a pipe, for a file, and for a terminal that does not report its
/// width.
pub fn columns() -> Option<usize> {
    let stdout = std::io::stdout();
    width(stdout.is_terminal(), || terminal_size_of(&stdout))
}

/// Returns the width of the terminal on standard error, as [`columns`] does.
pub(super) fn columns_of_errors() -> Option<usize> {
    let stderr = std::io::stderr();
    width(stderr.is_terminal(), || terminal_size_of(&stderr))
}

fn width(is_terminal: bool, size: impl FnOnce() -> Option<(Width, Height)>) -> Option<usize> {
    if !is_terminal {
        return None;
    }
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    columns.filter(|columns| *columns > 0).or_else(|| size().map(|(width, _)| usize::from(width.0)))
}

/// The meaning of a piece of text, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Plain,
    /// The heading of a table or a section.
    Heading,
    /// The name of a skill, a rule or a file.
    Name,
    /// Details that are rarely needed.
    Faint,
    /// Something that is right.
    Good,
    Warning,
    Error,
    /// A note, and the place in a diff.
    Note,
}

/// Writes text in colours, or without.
#[derive(Clone, Copy, Debug)]
pub struct Ink(bool);

impl Ink {
    /// Returns the ink for standard output.
    pub fn of_output() -> Self {
        Self(has_colours())
    }

    /// Returns the ink for standard error.
    pub(super) fn of_errors() -> Self {
        Self(has(std::io::stderr().is_terminal()))
    }

    /// Returns the ink without colours.
    pub fn none() -> Self {
        Self(false)
    }

    /// Colours a text, which must not contain control characters.
    pub fn paint(self, tone: Tone, text: &str) -> String {
        if !self.0 || tone == Tone::Plain || text.is_empty() {
            return text.to_owned();
        }
        let style = tone.style();
        format!("{style}{text}{style:#}")
    }
}

impl Tone {
    fn style(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Heading => Style::new().bold().underline(),
            Self::Name => Style::new().bold(),
            Self::Faint => Style::new().dimmed(),
            Self::Good => AnsiColor::Green.on_default(),
            Self::Warning => AnsiColor::Yellow.on_default().bold(),
            Self::Error => AnsiColor::BrightRed.on_default().bold(),
            Self::Note => AnsiColor::Cyan.on_default(),
        }
    }
}
