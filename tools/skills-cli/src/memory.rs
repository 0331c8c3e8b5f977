//! Checks texts that are not files yet, as `skills check` does. `new` and `migrate` use it before they write.

use skills_core::levels::Levels;
use skills_core::options::Options;
use skills_core::read::{Content, File, SkillDir, SourceTree};
use skills_core::report::Report;
use skills_core::span::SourceMap;
use skills_core::{Loaded, check_tree};

/// A file of a skill before it is written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Text {
    /// The path below the skill.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Text {
    pub(crate) fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }

    /// Returns `true` if the file is a program: its first line names the interpreter.
    pub(crate) fn is_program(&self) -> bool {
        self.text.starts_with("#!")
    }
}

/// Checks the files of one skill. `label` is shown as their directory, and `name` is used as its name.
pub(crate) fn check_texts(label: &str, name: &str, texts: &[Text], levels: Levels) -> Loaded {
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
    let options = Options { levels, ..Options::default() };
    check_tree(SourceTree { sources, skills, ..SourceTree::default() }, Report::default(), &options)
}
