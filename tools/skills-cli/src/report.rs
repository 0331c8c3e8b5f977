//! Prints the problems of a directory for the commands that check one, and checks texts that are not files yet for `new`,
//! `migrate` and `pin`.

use std::process::ExitCode;

use skills_core::diagnostic::Diagnostic;
use skills_core::level::Level;
use skills_core::options::Options;
use skills_core::print::{cargo, text};
use skills_core::read::{Content, File, SkillDir, SourceTree};
use skills_core::report::Report;
use skills_core::span::SourceMap;
use skills_core::{Loaded, check_tree};

use skills_commands::terminal;

/// Returns `true` if a command can fix a problem.
pub(super) type IsFixable = fn(&Diagnostic, &SourceMap) -> bool;

/// Prints the problems on standard error, one per line.
pub(super) fn print_report(report: &Report, sources: &SourceMap) {
    for diagnostic in &report.diagnostics {
        let line = cargo::line(diagnostic, sources);
        match diagnostic.level {
            Level::Error => terminal::error(line),
            _ => terminal::warning(line),
        }
    }
}

/// Prints the problems with the lines in which they occur. On a terminal, they fit its width. Marks the
/// problems for which `is_fixable` returns `true`.
pub(super) fn print(report: &Report, sources: &SourceMap, is_fixable: Option<IsFixable>) -> ExitCode {
    let style = if terminal::has_colours() { text::Style::Ansi } else { text::Style::Plain };
    let layout = text::ReportLayout { style, columns: terminal::columns(), is_fixable };
    terminal::exact(&text::print_styled(report, sources, layout))
}

/// A file of a skill before it is written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NewFile {
    /// The path below the skill.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl NewFile {
    pub(crate) fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }

    /// Returns `true` if the file is a program: its first line names the interpreter.
    pub(crate) fn is_program(&self) -> bool {
        self.text.starts_with("#!")
    }
}

/// Checks the files of one skill. `label` is shown as their directory, and `name` is used as its name.
pub(crate) fn check_texts(label: &str, name: &str, texts: &[NewFile], options: &Options) -> Loaded {
    let mut sources = SourceMap::new(label);
    let files = texts.iter().map(|file| {
        // The contents of other files are not parsed.
        let is_read = file.path.ends_with(".md") || file.path.ends_with(".json");
        let content = if is_read {
            Content::Text(sources.add(file.path.clone(), file.text.clone(), Some(0)))
        } else {
            Content::Bytes(file.text.clone().into_bytes())
        };
        let executable = file.is_program();
        let path = file.path.clone();
        File { path, content, executable, mode_executable: executable, crlf_shebang: false }
    });
    let mut files: Vec<File> = files.collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let skills = vec![SkillDir { name: name.to_owned(), files, ..SkillDir::default() }];
    check_tree(SourceTree { sources, skills, ..SourceTree::default() }, Report::default(), options)
}
