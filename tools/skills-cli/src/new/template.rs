//! Creates the texts of a skill from its name and kind.

use skills_text::yaml_text;

use super::Kind;
use super::function;
use super::pipeline::Callee;
use super::program::Language;
use crate::memory::Text;

/// The values from which the texts are created.
pub(super) struct Template<'a> {
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    pub(super) language: Option<Language>,
}

impl Template<'_> {
    /// Creates the files, sorted by path.
    pub(super) fn files(&self, kind: Kind, callee: Option<&Callee>) -> Vec<Text> {
        let mut files = Vec::new();
        if let Some(language) = self.language {
            files.push(Text::new(language.path, language.program));
        }
        match kind {
            Kind::Text => files.push(Text::new("SKILL.md", self.document())),
            kind => {
                files.push(Text::new(
                    "skill.json",
                    function::manifest(self.name, self.description, kind, callee),
                ));
                if kind == Kind::Llm {
                    files.push(Text::new("prompt.md", self.prompt()));
                }
                if self.language.is_some() {
                    files.push(Text::new("SKILL.md", self.companion()));
                }
            }
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    }

    /// Returns the `SKILL.md` of a skill without a `skill.json`, with the complete frontmatter.
    fn document(&self) -> String {
        format!(
            "---\nname: {}\ndescription: {}\n---\n\n# {}\n\nSay here, step by step, how an agent does it.\n\n1. Look at \
             what the user gave, and ask for what is missing.\n2. Do the work.\n3. Check the result, and say what was \
             done.\n",
            self.name,
            yaml_text(self.description),
            self.title()
        )
    }

    /// Returns the `SKILL.md` beside a `skill.json`. It names the program that runs the function.
    fn companion(&self) -> String {
        let Some(language) = self.language else { return String::new() };
        format!("---\n{}---\n\n# {}\n\n{}", exec(language), self.title(), self.usage(language))
    }

    fn usage(&self, language: Language) -> String {
        let path = language.path;
        format!(
            "Run [{path}]({path}) with JSON on standard input, described by `input` and `output` in [skill.json](skill.json). The \
             answer is JSON on standard output.\n\n\
             ```sh\necho '{{\"text\": \"hello\"}}' | {path}\n```\n"
        )
    }

    fn prompt(&self) -> String {
        format!(
            "# {}\n\nSay here what is to be done with the text, and how the result looks.\n\nThe text:\n\n\
             {{{{input.text}}}}\n",
            self.title()
        )
    }

    fn title(&self) -> String {
        let words = self.name.replace(['-', '_'], " ");
        let mut rest = words.chars();
        rest.next()
            .map_or_else(String::new, |first| format!("{}{}", first.to_ascii_uppercase(), rest.as_str()))
    }
}

/// Returns the lines of a frontmatter that name the program and its requirements.
fn exec(language: Language) -> String {
    let requires = language.requires.map(|program| format!("requires: [{program}]\n")).unwrap_or_default();
    format!("exec: {}\n{requires}", language.path)
}
