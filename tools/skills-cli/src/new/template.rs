//! Creates the texts of a skill from its name and kind, and programs in several languages that return their input.

use skills_commands::arguments::Row;
use skills_text::yaml_text;
use skills_usage::CommandTree;

use super::function::{self, Callee};
use super::{Kind, program};
use crate::report::NewFile;

/// The values from which the texts are created.
pub(super) struct Template<'a> {
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    pub(super) language: Option<Language>,
    /// The program whose commands a text describes.
    pub(super) program: Option<&'a CommandTree>,
}

impl Template<'_> {
    /// Creates the files, sorted by path.
    pub(super) fn files(&self, kind: Kind, callee: Option<&Callee>) -> Vec<NewFile> {
        let mut files = Vec::new();
        if let Some(language) = self.language {
            files.push(NewFile::new(language.path, language.program));
        }
        match kind {
            Kind::Text => files.push(NewFile::new("SKILL.md", self.document())),
            kind => {
                files.push(NewFile::new(
                    "skill.json",
                    function::manifest(self.name, self.description, kind, callee),
                ));
                if kind == Kind::Llm {
                    files.push(NewFile::new("prompt.md", self.prompt()));
                }
                if self.language.is_some() {
                    files.push(NewFile::new("SKILL.md", self.companion()));
                }
            }
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    }

    /// Returns the `SKILL.md` of a skill without a `skill.json`, with the complete frontmatter.
    fn document(&self) -> String {
        let body = match self.program {
            Some(program) => program::explain(program),
            None => "Say here, step by step, how an agent does it.\n\n1. Look at what the user gave, and ask for what is \
                     missing.\n2. Do the work.\n3. Check the result, and say what was done.\n"
                .to_owned(),
        };
        let (name, description) = (self.name, yaml_text(self.description));
        format!("---\nname: {name}\ndescription: {description}\n---\n\n# {}\n\n{body}", self.title())
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

const SH: &str = r#"#!/bin/sh
# Reads JSON on standard input, and writes JSON on standard output.
set -eu

input=$(cat)
printf '{"received": %s}\n' "$input"
"#;

const PYTHON: &str = r#"#!/usr/bin/env python3
"""Reads JSON on standard input, and writes JSON on standard output."""

import json
import sys

request = json.load(sys.stdin.buffer)
print(json.dumps({"received": request}))
"#;

const NODE: &str = r#"#!/usr/bin/env node
// Reads JSON on standard input, and writes JSON on standard output.
import { readFileSync } from "node:fs";

const request = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify({ received: request }));
"#;

/// The language of a new program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Language {
    /// The path of the program below the skill.
    pub(super) path: &'static str,
    pub(super) program: &'static str,
    /// The program that must be installed. A shell is always installed.
    pub(super) requires: Option<&'static str>,
}

pub(super) const LANGUAGES: [Row<Language>; 3] = [
    ("sh", "The shell", Language { path: "scripts/run.sh", program: SH, requires: None }),
    ("python", "Python 3", Language { path: "scripts/run.py", program: PYTHON, requires: Some("python3") }),
    (
        "node",
        "JavaScript for Node",
        Language { path: "scripts/run.mjs", program: NODE, requires: Some("node") },
    ),
];
