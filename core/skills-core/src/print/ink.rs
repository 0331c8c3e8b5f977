//! Formats lines of toned pieces as plain text or with ANSI colours, for the text printer.

use crate::Level;

/// Whether text is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// No colours.
    #[default]
    Plain,
    /// ANSI codes, in the colours of rustc.
    Ansi,
}

/// The role of a piece of a line, which determines its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    /// Source and text.
    Plain,
    /// The title, and the words before notes.
    Strong,
    /// Line numbers, rulers and arrows.
    Gutter,
    /// The level and the marks of the first place.
    Primary(Level),
    /// The marks of the other places.
    Secondary,
}

#[derive(Debug, Default)]
pub(super) struct InkLine(Vec<(Tone, String)>);

impl InkLine {
    pub(super) fn with_text(tone: Tone, text: &str) -> Self {
        Self::default().and(tone, text)
    }

    pub(super) fn and(mut self, tone: Tone, text: &str) -> Self {
        match self.0.last_mut() {
            Some((last, piece)) if *last == tone => piece.push_str(text),
            _ => self.0.push((tone, text.to_owned())),
        }
        self
    }

    /// Writes the line without trailing spaces, and a line feed.
    pub(super) fn write(mut self, style: Style, out: &mut String) {
        while let Some((_, last)) = self.0.last_mut() {
            last.truncate(last.trim_end_matches(' ').len());
            if !last.is_empty() {
                break;
            }
            self.0.pop();
        }
        for (tone, text) in &self.0 {
            match style {
                Style::Ansi if *tone != Tone::Plain => {
                    out.push_str(tone.code());
                    out.push_str(text);
                    out.push_str("\u{1b}[0m");
                }
                _ => out.push_str(text),
            }
        }
        out.push('\n');
    }
}

impl Tone {
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Strong => "\u{1b}[1m",
            Self::Gutter | Self::Secondary => "\u{1b}[1m\u{1b}[94m",
            Self::Primary(Level::Error) => "\u{1b}[1m\u{1b}[91m",
            Self::Primary(_) => "\u{1b}[1m\u{1b}[33m",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(line: InkLine, style: Style) -> String {
        let mut out = String::new();
        line.write(style, &mut out);
        out
    }

    #[test]
    fn trailing_blanks_are_dropped_and_colours_are_closed() {
        let line = || InkLine::with_text(Tone::Gutter, " |").and(Tone::Plain, " a  ").and(Tone::Plain, " ");
        assert_eq!(written(line(), Style::Plain), " | a\n");
        assert_eq!(written(line(), Style::Ansi), "\u{1b}[1m\u{1b}[94m |\u{1b}[0m a\n");
        assert_eq!(written(InkLine::with_text(Tone::Strong, "  "), Style::Ansi), "\n");
    }
}
