//! Prints the events of a call on standard error. On a terminal, shows a line with the elapsed time for each
//! running step, a bar for a step with a list, and a summary.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use skills_call::{CallId, ErrorKind, Event};
use skills_text::visible;

use crate::terminal::{Live, can_change_lines, counted, is_quiet};

/// The width of a full bar, in characters.
const WIDTH: usize = 24;

/// The maximum number of characters of a step's name that are shown before its time. Both then fit into 80
/// columns.
const NAME: usize = 40;

/// The most running steps that are shown.
const SHOWN: usize = 8;

/// How often the elapsed times change, and how long a call without steps runs until it is shown.
const TICK: Duration = Duration::from_secs(1);

/// The progress output of one call.
pub(super) struct CallProgress {
    display: Arc<Display>,
    /// The thread that updates the times ends when this is dropped.
    ticking: Option<Sender<()>>,
}

struct Display {
    /// `true` if lines can change.
    is_live: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    live: Live,
    /// The outermost call.
    call: Option<Running>,
    steps: Vec<Running>,
    /// How many steps the outermost call has.
    total: usize,
    /// How many steps of the outermost call have ended, and how many of these failed or were skipped.
    ended: [usize; 3],
    has_ticked: bool,
    is_over: bool,
}

/// A running step, or the outermost call.
struct Running {
    /// Steps with the same name may run at the same time in several calls. A program that is run without a call has none.
    call: Option<CallId>,
    name: String,
    start: Instant,
    /// How many items of a list are done, and how many there are.
    items: Option<(usize, usize)>,
}

impl CallProgress {
    /// Creates the progress output of a call with this number of steps on standard error. If there is a log, no lines
    /// change, because changing lines would erase lines of the log.
    pub(super) fn new(total: usize) -> Self {
        let is_logged = tracing::enabled!(target: "skills", tracing::Level::INFO);
        let state = Mutex::new(State { total, ..State::default() });
        let display = Arc::new(Display { is_live: can_change_lines() && !is_logged, state });
        let ticking = display.is_live.then(|| tick(Arc::clone(&display)));
        Self { display, ticking }
    }

    /// Creates the progress output of a program that runs without a call.
    pub(super) fn of_program(name: &str) -> Self {
        let progress = Self::new(0);
        progress.display.change("", |state| state.call = Some(Running::new(None, name)));
        progress
    }

    /// Returns the observer that receives the events of the call.
    pub(super) fn observer(&self) -> impl Fn(&Event) + Send + Sync + 'static {
        let display = Arc::clone(&self.display);
        move |event| {
            if !is_quiet() {
                display.update(event);
            }
        }
    }

    /// Erases the lines of running steps.
    pub(super) fn end(self) {
        drop(self.ticking);
        self.display.change("", |state| {
            (state.call, state.is_over) = (None, true);
            state.steps.clear();
        });
    }
}

/// Updates the times until the sender is dropped.
fn tick(display: Arc<Display>) -> Sender<()> {
    let (working, is_over) = mpsc::channel();
    let thread = thread::Builder::new().spawn(move || {
        while is_over.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            display.change("", |state| state.has_ticked = true);
        }
    });
    // If no thread can be started, the times change only with the steps.
    drop(thread);
    working
}

impl Display {
    fn update(&self, event: &Event) {
        match event {
            Event::Call { call, skill, depth: 0, .. } => {
                self.change("", |state| state.call = Some(Running::new(Some(*call), skill)));
            }
            Event::Result { depth: 0, skill, duration, .. } => self.end(skill, *duration),
            Event::StepStart { call, skill, step } => {
                let name = format!("{skill}/{step}");
                let text = if self.is_live { String::new() } else { format!("{name}: started") };
                self.change(&text, |state| state.steps.push(Running::new(Some(*call), &name)));
            }
            Event::StepSkipped { call, skill, step } => {
                self.end_step(*call, &format!("{skill}/{step}"), "skipped", false, true);
            }
            Event::StepItem { call, skill, step, done, total } => {
                let name = format!("{skill}/{step}");
                self.change("", |state| {
                    if let Some(running) = state.steps.iter_mut().find(|running| running.is(*call, &name)) {
                        running.items = Some((*done, *total));
                    }
                });
            }
            Event::StepEnd { call, skill, step, error, kind } => {
                let outcome = match (error, kind) {
                    (None, _) => "done".to_owned(),
                    (_, Some(ErrorKind::Cancelled)) => "cancelled".to_owned(),
                    (Some(reason), _) => format!("failed: {reason}"),
                };
                self.end_step(*call, &format!("{skill}/{step}"), &outcome, error.is_some(), false);
            }
            Event::ValidationRetry { skill, attempt, max_attempts, violations, .. } => {
                let mut text =
                    format!("{skill}: answer {attempt} of {max_attempts} does not match the output schema");
                violations.iter().for_each(|violation| text.push_str(&format!("\n  {violation}")));
                self.change(&text, |_| {});
            }
            _ => {}
        }
    }

    /// Writes how a step ended: with its place among the steps of the outermost call, and its time.
    fn end_step(&self, call: CallId, name: &str, outcome: &str, has_failed: bool, is_skipped: bool) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = format!("{name}: {outcome}");
        if state.call.as_ref().is_some_and(|outermost| outermost.call == Some(call)) {
            let [ended, failed, skipped] = state.ended;
            state.ended = [ended + 1, failed + usize::from(has_failed), skipped + usize::from(is_skipped)];
            text = format!("{}/{} {text}", ended + 1, state.total);
        }
        if let Some(at) = state.steps.iter().position(|running| running.is(call, name)) {
            let seconds = state.steps.remove(at).start.elapsed().as_secs_f64();
            // The reason of a failure may have several lines.
            text = match text.split_once('\n') {
                None => format!("{text} in {seconds:.1} s"),
                Some((first, rest)) => format!("{first} in {seconds:.1} s\n{rest}"),
            };
        }
        drop(state);
        self.change(&text, |_| {});
    }

    /// Summarizes the steps of the outermost call.
    fn end(&self, skill: &str, duration: Duration) {
        let [ended, failed, skipped] = self.state.lock().unwrap_or_else(PoisonError::into_inner).ended;
        let mut text = String::new();
        if self.is_live && ended > 0 {
            let parts = [(failed, "failed"), (skipped, "skipped")];
            let parts = parts.iter().filter(|(count, _)| *count > 0);
            let parts: Vec<String> = parts.map(|(count, what)| format!("{count} {what}")).collect();
            let parts = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
            text = format!("{skill}: {}{parts} in {:.1} s", counted(ended, "step"), duration.as_secs_f64());
        }
        self.change(&text, |state| state.call = None);
    }

    /// Changes the state, writes lines that stay, and shows the running steps below them.
    fn change(&self, text: &str, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_over {
            return;
        }
        change(&mut state);
        let staying: Vec<String> = text.lines().map(visible).collect();
        let lines = if self.is_live { state.lines() } else { Vec::new() };
        state.live.show(&staying, &lines);
    }
}

impl State {
    /// Returns a line for each running step, or for a call without steps that takes long.
    fn lines(&self) -> Vec<String> {
        let call =
            self.call.iter().filter(|_| self.has_ticked && self.steps.is_empty() && self.ended[0] == 0);
        let mut lines: Vec<String> = self.steps.iter().take(SHOWN).chain(call).map(Running::line).collect();
        match self.steps.len().saturating_sub(SHOWN) {
            0 => {}
            more => lines.push(format!("… and {}", counted(more, "more running step"))),
        }
        lines
    }
}

impl Running {
    fn new(call: Option<CallId>, name: &str) -> Self {
        Self { call, name: name.to_owned(), start: Instant::now(), items: None }
    }

    fn is(&self, call: CallId, name: &str) -> bool {
        self.call == Some(call) && self.name == name
    }

    fn line(&self) -> String {
        let name = skills_text::cut(&visible(&self.name), NAME);
        let items = self.items.map_or_else(String::new, |(done, total)| bar(done, total) + ", ");
        format!("{name}: {items}{:.0} s", self.start.elapsed().as_secs_f64())
    }
}

/// Draws the finished share of a list as a bar.
fn bar(done: usize, total: usize) -> String {
    let full = done.saturating_mul(WIDTH).checked_div(total).unwrap_or(WIDTH).min(WIDTH);
    format!("[{}{}] {done}/{total}", "#".repeat(full), ".".repeat(WIDTH - full))
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn a_bar_grows_to_its_width() {
        assert_eq!(bar(0, 4), "[........................] 0/4");
        assert_eq!(bar(1, 4), "[######..................] 1/4");
        assert_eq!(bar(4, 4), "[########################] 4/4");
        assert_eq!(bar(0, 0), "[########################] 0/0");
        assert_eq!(bar(usize::MAX, 1).len(), bar(1, 1).len() + usize::MAX.to_string().len() - 1);
    }
}
