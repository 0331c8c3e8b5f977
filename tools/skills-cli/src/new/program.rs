//! The languages of a new skill's program, with a program in each that returns its input.

use skills_commands::choice::Row;

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
