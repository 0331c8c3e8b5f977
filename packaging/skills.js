#!/usr/bin/env node
// Runs the program in the package of this platform.
"use strict";

const { spawnSync } = require("node:child_process");
const { constants } = require("node:os");

const name = `skills-bundle-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "skills.exe" : "skills";

let program;
try {
  program = require.resolve(`${name}/bin/${file}`);
} catch {
  console.error(`error: the package ${name} is not installed: there is none for this platform, or optional packages were left out`);
  process.exit(1);
}

const ended = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (ended.error) {
  console.error(`error: ${program}: ${ended.error.message}`);
  process.exit(1);
}
process.exit(ended.signal ? 128 + constants.signals[ended.signal] : ended.status);
