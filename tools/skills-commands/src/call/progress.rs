//! Prints the events of a call on standard error. On a terminal, also draws a bar for each list that a step
//! works through.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};

use skills_call::{CallId, ErrorKind, Event};
use skills_text::visible;

/// The width of a full bar, in characters.
const WIDTH: usize = 24;

/// The most characters of a step's name that are shown before a bar, so that both fit into 80 columns.
const NAME: usize = 40;

/// The state of the progress output of one call.
#[derive(Clone)]
pub(super) struct Progress(Arc<Told>);

struct Told {
    /// `true` if a line can be overwritten.
    is_terminal: bool,
    bar: Mutex<Option<Bar>>,
}

/// The last line of the terminal while a list is in progress.
struct Bar {
    /// Steps with the same name may run at the same time in several calls.
    call: CallId,
    step: String,
    text: String,
}

impl Progress {
    /// Creates the progress output on standard error, with bars if standard error is a terminal.
    pub(super) fn of_terminal() -> Self {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let is_terminal = std::io::stderr().is_terminal() && !is_dumb;
        Self(Arc::new(Told { is_terminal, bar: Mutex::default() }))
    }

    /// Returns the observer that receives the events of the call.
    pub(super) fn observer(&self) -> impl Fn(&Event) + Send + Sync + 'static {
        let told = Arc::clone(&self.0);
        move |event| told.tell(event)
    }

    /// Clears the remains of a bar.
    pub(super) fn end(&self) {
        self.0.write(&[], |bar| *bar = None);
    }
}

impl Told {
    fn tell(&self, event: &Event) {
        match event {
            Event::StepStart { skill, step, .. } => self.line(&format!("{skill}/{step}: started")),
            Event::StepSkipped { skill, step, .. } => self.line(&format!("{skill}/{step}: skipped")),
            Event::StepItem { call, skill, step, done, total } if self.is_terminal => {
                let text = format!("{}: {}", short(&visible(&format!("{skill}/{step}"))), bar(*done, *total));
                self.write(&[], |bar| *bar = Some(Bar { call: *call, step: step.clone(), text }));
            }
            Event::StepEnd { call, skill, step, error, kind } => {
                let text = match (error, kind) {
                    (None, _) => format!("{skill}/{step}: done"),
                    (_, Some(ErrorKind::Cancelled)) => format!("{skill}/{step}: cancelled"),
                    (Some(reason), _) => format!("{skill}/{step}: failed: {reason}"),
                };
                let lines: Vec<&str> = text.lines().collect();
                let is_other = |bar: &Bar| (bar.call, &bar.step) != (*call, step);
                self.write(&lines, |bar| *bar = bar.take().filter(is_other));
            }
            Event::ValidationRetry { skill, attempt, max_attempts, violations, .. } => {
                let mut text =
                    format!("{skill}: answer {attempt} of {max_attempts} does not match the output schema");
                violations.iter().for_each(|violation| text.push_str(&format!("\n  {violation}")));
                self.line(&text);
            }
            _ => {}
        }
    }

    fn line(&self, text: &str) {
        let lines: Vec<&str> = text.lines().collect();
        self.write(&lines, |_| {});
    }

    /// Writes lines in place of the bar, then draws the changed bar below them.
    fn write(&self, lines: &[&str], change: impl FnOnce(&mut Option<Bar>)) {
        let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        let mut out = String::new();
        if bar.is_some() {
            out.push_str("\r\u{1b}[K");
        }
        for line in lines {
            out.push_str(&visible(line));
            out.push('\n');
        }
        change(&mut bar);
        if let Some(bar) = &*bar {
            out.push_str(&bar.text);
        }
        let mut stderr = std::io::stderr().lock();
        // If standard error cannot be written, there is nowhere to report that.
        let _ = stderr.write_all(out.as_bytes()).and_then(|()| stderr.flush());
    }
}

/// Shortens a name so that the bar fits into one line, because only one line can be overwritten.
fn short(name: &str) -> String {
    skills_text::cut(name, NAME)
}

/// Draws the finished share of a list as a bar.
fn bar(done: usize, total: usize) -> String {
    let full = done.saturating_mul(WIDTH).checked_div(total).unwrap_or(WIDTH).min(WIDTH);
    format!("[{}{}] {done}/{total}", "#".repeat(full), ".".repeat(WIDTH - full))
}

#[cfg(test)]
mod tests {
    use super::{NAME, bar, short};

    #[test]
    fn a_long_name_is_cut_before_a_bar() {
        assert_eq!(short("each/many"), "each/many");
        let name = "é".repeat(NAME);
        assert_eq!(short(&name), name);
        assert_eq!(short(&format!("{name}é")), format!("{name}…"));
    }

    #[test]
    fn a_bar_grows_to_its_width() {
        assert_eq!(bar(0, 4), "[........................] 0/4");
        assert_eq!(bar(1, 4), "[######..................] 1/4");
        assert_eq!(bar(4, 4), "[########################] 4/4");
        assert_eq!(bar(0, 0), "[########################] 0/0");
        assert_eq!(bar(usize::MAX, 1).len(), bar(1, 1).len() + usize::MAX.to_string().len() - 1);
    }
}
