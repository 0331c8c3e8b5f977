//! Lines at the end of a terminal that change while a command works, such as elapsed times and bars.

use std::io::{IsTerminal, Write};

use super::look;
use super::table::fit;

/// The width of a terminal that does not report its width.
const COLUMNS: usize = 80;

/// Returns `true` if lines on standard error can change: it is a terminal that can erase lines, and the output
/// is not quiet.
pub fn is_possible() -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    std::io::stderr().is_terminal() && !is_dumb && !look::is_quiet()
}

/// The lines that are shown now on standard error.
#[derive(Debug, Default)]
pub struct Live {
    shown: usize,
}

impl Live {
    /// Erases the shown lines, writes lines that stay, and shows other lines below them. The lines must not
    /// contain control characters.
    pub fn show(&mut self, staying: &[String], lines: &[String]) {
        let columns = look::columns_of_errors().unwrap_or(COLUMNS);
        let out = self.drawn(staying, lines, columns);
        let mut stderr = std::io::stderr().lock();
        // If standard error cannot be written, there is nowhere to report that.
        let _ = stderr.write_all(out.as_bytes()).and_then(|()| stderr.flush());
    }

    fn drawn(&mut self, staying: &[String], lines: &[String], columns: usize) -> String {
        let mut out = match self.shown {
            0 => String::new(),
            1 => "\r\u{1b}[K".to_owned(),
            shown => format!("\r\u{1b}[{}A\u{1b}[J", shown - 1),
        };
        staying.iter().for_each(|line| out.push_str(&format!("{line}\n")));
        // A line that reaches the last column would continue in the next row, which is not erased.
        let lines: Vec<String> = lines.iter().map(|line| fit(line, columns.saturating_sub(1))).collect();
        out.push_str(&lines.join("\n"));
        self.shown = lines.len();
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 11.27: changing lines are erased before others are written, and each fits one row of the terminal
    #[test]
    fn changing_lines_are_erased() {
        let mut live = Live::default();
        let lines = |lines: &[&str]| lines.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(live.drawn(&lines(&["kept"]), &lines(&["a", "long line"]), 6), "kept\na\nlong…");
        assert_eq!(live.drawn(&lines(&["b done"]), &lines(&["a"]), 6), "\r\u{1b}[1A\u{1b}[Jb done\na");
        assert_eq!(live.drawn(&[], &[], 6), "\r\u{1b}[K");
        assert_eq!(live.drawn(&lines(&["end"]), &[], 6), "end\n");
    }
}
