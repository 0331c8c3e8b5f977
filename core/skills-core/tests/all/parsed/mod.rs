//! Parses the text of a `SKILL.md`, for the tests of the frontmatter.

use std::path::PathBuf;

use skills_core::diagnostic::Diagnostic;
use skills_core::levels::{Levels, Profile};
use skills_core::parse::{Parsed, SkillDocument, parse};
use skills_core::read::{Content, File, SkillDir, SourceTree};
use skills_core::report::Report;
use skills_core::span::{SourceMap, Span};
use skills_core::tree::text::to_json;

/// One parsed skill and its problems.
pub(crate) struct Skill {
    pub(crate) parsed: Parsed,
    pub(crate) report: Report,
}

impl Skill {
    /// Parses a text as the `SKILL.md` of a skill that is not the first file of its map.
    pub(crate) fn new(text: &str) -> Self {
        let mut sources = SourceMap::new("skills/");
        sources.add("first.md".into(), "# é\n".into(), None);
        let id = sources.add("pdf/SKILL.md".into(), text.into(), Some(0));
        sources.add("last.md".into(), "# end\n".into(), None);
        let file = File {
            path: "SKILL.md".into(),
            content: Content::Text(id),
            executable: false,
            mode_executable: false,
            crlf_shebang: false,
        };
        let dir =
            SkillDir { path: "pdf".into(), name: "pdf".into(), files: vec![file], ..SkillDir::default() };
        let mut report = Report::default();
        let parsed = parse(
            SourceTree { sources, skills: vec![dir], ..SourceTree::default() },
            Profile::Bundle,
            &mut report,
        );
        report.settle(&Levels::default(), Profile::Bundle, &parsed.sources);
        Self { parsed, report }
    }

    pub(crate) fn document(&self) -> &SkillDocument {
        self.parsed.skills[0].document.as_ref().expect("the skill has a SKILL.md")
    }

    pub(crate) fn body(&self) -> &str {
        self.parsed.sources.text(self.document().body)
    }

    pub(crate) fn json(&self) -> Option<String> {
        self.document().frontmatter.as_ref().map(|frontmatter| to_json(&frontmatter.tree))
    }

    pub(crate) fn sound(&self) -> bool {
        self.document().frontmatter.as_ref().is_some_and(|frontmatter| frontmatter.sound)
    }

    /// Formats a place as `line:column-line:column`, or shorter if possible.
    pub(crate) fn place(&self, span: Span) -> String {
        let (start, end) = self.parsed.sources.positions(span);
        let head = format!("{}:{}", start.line, start.column);
        match (start == end, start.line == end.line) {
            (true, _) => head,
            (_, true) => format!("{head}-{}", end.column),
            _ => format!("{head}-{}:{}", end.line, end.column),
        }
    }

    pub(crate) fn lines(&self, line: impl Fn(&Diagnostic) -> String) -> Vec<String> {
        self.report.diagnostics.iter().map(line).collect()
    }

    /// Formats each problem as place and code.
    pub(crate) fn codes(&self) -> Vec<String> {
        self.lines(|d| format!("{} {}", self.place(d.span), d.rule.code))
    }

    /// Formats each problem as place and title.
    pub(crate) fn titles(&self) -> Vec<String> {
        self.lines(|d| format!("{} {}", self.place(d.span), d.title))
    }

    /// Formats each problem as place and help.
    pub(crate) fn helps(&self) -> Vec<String> {
        self.lines(|d| format!("{} {}", self.place(d.span), d.help))
    }
}

/// Returns the texts of all `SKILL.md` below a folder of the directory that `SKILLS_FIELD_DIR` names.
pub(crate) fn field_skills(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = vec![test_bed::field(folder)];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.file_name().is_some_and(|name| name == "SKILL.md")
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                found.push((path, text));
            }
        }
    }
    found.sort();
    found
}

/// A deterministic random number generator.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % (limit.max(1) as u64)).expect("it is below the limit")
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}
