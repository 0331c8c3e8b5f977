//! The languages of a new skill's program, and the program in each: it answers with what it was given.

use clap::ValueEnum;

/// The schema of the input of a program without a `skill.json`.
pub(super) const SCHEMA: &str = r#"
{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "type": "object",
  "properties": {
    "text": {
      "type": "string",
      "description": "What the program works on"
    }
  },
  "required": ["text"]
}
"#;

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

/// What a new program is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Language {
    /// The shell
    Sh,
    /// Python 3
    Python,
    /// JavaScript for Node
    Node,
}

impl Language {
    /// Returns the path of the program below the skill.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Sh => "scripts/run.sh",
            Self::Python => "scripts/run.py",
            Self::Node => "scripts/run.mjs",
        }
    }

    /// Returns the text of the program.
    pub(super) fn program(self) -> &'static str {
        match self {
            Self::Sh => SH,
            Self::Python => PYTHON,
            Self::Node => NODE,
        }
    }

    /// Returns what must be installed; a shell always is.
    pub(super) fn requires(self) -> Option<&'static str> {
        match self {
            Self::Sh => None,
            Self::Python => Some("python3"),
            Self::Node => Some("node"),
        }
    }
}
