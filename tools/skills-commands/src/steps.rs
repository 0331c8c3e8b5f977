//! The steps of commands that write files: as lines for people, and as one JSON object.

use std::path::Path;
use std::process::ExitCode;

use skills_schema::json::Node;
use skills_schema::json::make::{array, boolean, object, string};
use skills_text::visible;

use crate::output::{OutputArgs, text_or_null, versioned};
use crate::terminal::{self, Ink, Tone};

/// One step: a file, or a whole skill that is kept, with the action.
#[derive(Debug)]
pub struct FileStep {
    action: &'static str,
    /// The path below the target.
    path: String,
    /// The path of the earlier file after the step, below the target.
    moved_to: Option<String>,
    /// The reason why nothing is done, or why a file is replaced.
    reason: Option<String>,
    /// The line for people.
    line: String,
}

impl FileStep {
    /// Creates a step.
    pub fn new(action: &'static str, path: impl Into<String>) -> Self {
        let path = path.into();
        Self { line: format!("{action:7} {path}"), action, path, moved_to: None, reason: None }
    }

    /// Sets where the earlier file is afterwards.
    pub fn moved_to(self, path: impl Into<String>) -> Self {
        Self { moved_to: Some(path.into()), ..self }
    }

    /// Sets why nothing is done.
    pub fn because(self, reason: impl Into<String>) -> Self {
        Self { reason: Some(reason.into()), ..self }
    }

    /// Sets the line for people.
    pub fn shown(self, line: impl Into<String>) -> Self {
        Self { line: line.into(), ..self }
    }

    /// Converts the steps of an installation whose skills are in `folder` of the target, which is `skills/` or empty.
    pub fn installed(steps: &[skills_install::Step], folder: &str) -> Vec<Self> {
        let steps = steps.iter().map(|step| Self {
            action: step.action.as_str(),
            path: format!("{folder}{}", step.full_path()),
            moved_to: step.action.backup().map(|backup| format!("{folder}{}/{backup}", step.skill)),
            reason: step.action.reason(),
            line: step.to_string(),
        });
        steps.collect()
    }

    /// Shows the path below the target, and not below its folder of skills.
    pub fn with_folder(self) -> Self {
        let why = match (&self.moved_to, &self.reason) {
            (Some(to), Some(reason)) => format!(" ({reason}; kept as {to})"),
            (None, Some(reason)) => format!(" ({reason})"),
            _ => String::new(),
        };
        Self { line: format!("{:7} {}{why}", self.action, self.path), ..self }
    }

    fn text(&self, ink: Ink) -> String {
        let tone = match self.action {
            "keep" | "remove" | "replace" => Tone::Warning,
            _ => Tone::Good,
        };
        match self.line.strip_prefix(self.action) {
            Some(rest) => format!("{}{}\n", ink.paint(tone, self.action), visible(rest)),
            None => format!("{}\n", visible(&self.line)),
        }
    }

    fn node(&self) -> Node {
        object([
            ("action", string(self.action)),
            ("path", string(self.path.as_str())),
            ("moved_to", text_or_null(self.moved_to.as_deref())),
            ("reason", text_or_null(self.reason.as_deref())),
        ])
    }
}

/// The steps at all targets of a command. Lines are printed at once, and JSON at the end.
#[derive(Debug)]
pub struct FileSteps {
    is_json: bool,
    targets: Vec<Node>,
}

impl FileSteps {
    /// Starts without steps.
    pub fn new(output: &OutputArgs) -> Self {
        Self { is_json: output.is_json(), targets: Vec::new() }
    }

    /// Adds the steps at a target. If there are no steps, prints the text `none`, unless that text is empty.
    pub fn add(&mut self, target: &Path, steps: &[FileStep], none: &str) -> ExitCode {
        if self.is_json {
            let steps = array(steps.iter().map(FileStep::node));
            self.targets.push(object([("path", string(target.to_string_lossy())), ("steps", steps)]));
            return ExitCode::SUCCESS;
        }
        if steps.is_empty() && !none.is_empty() {
            terminal::status(none);
        }
        let ink = Ink::of_output();
        terminal::exact(&steps.iter().map(|step| step.text(ink)).collect::<String>())
    }

    /// Prints the JSON object. `is_written` says whether the steps were done, and not only shown.
    pub fn end(self, is_written: bool) -> ExitCode {
        self.end_with(is_written, [])
    }

    /// Prints the JSON object with more members.
    pub fn end_with(
        self,
        is_written: bool,
        more: impl IntoIterator<Item = (&'static str, Node)>,
    ) -> ExitCode {
        if !self.is_json {
            return ExitCode::SUCCESS;
        }
        let own = [("written", boolean(is_written)), ("targets", array(self.targets))];
        terminal::json(&versioned(own.into_iter().chain(more)))
    }
}
