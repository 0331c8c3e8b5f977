// Asks a model 20 questions about the skills of `mytool`: installed as copies, installed as stubs, and only named.
// `cargo xtask real-model` runs it.
//
// Usage: node served.mjs BASE_URL MYTOOL
// For each form, counts the questions for which the model chose the right skill, had read its text, and gave an answer that
// follows the text.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [baseUrl, mytool] = process.argv.slice(2);

const EXPORT = ["export-data", /mytool db export \S/];
const QUERY = ["write-query", /mytool db query '?"?SELECT/i];
const BUG = ["report-bug", /mytool 0\.1\.0/];
const QUESTIONS = [
  ["I need the table users in a file.", ...EXPORT],
  ["Save the table orders as JSON.", ...EXPORT],
  ["Give me a parquet file of the table events.", ...EXPORT],
  ["Our partner wants all invoices as a CSV file.", ...EXPORT],
  ["Dump the customers to disk.", ...EXPORT],
  ["Write the table logs to a file for a spreadsheet.", ...EXPORT],
  ["Export products.", ...EXPORT],
  ["How many users do we have?", ...QUERY],
  ["Which customer paid most?", ...QUERY],
  ["List ten names of users.", ...QUERY],
  ["When was the last order?", ...QUERY],
  ["Is there a user called Ada?", ...QUERY],
  ["Show the five newest invoices.", ...QUERY],
  ["What is the average price of our products?", ...QUERY],
  ["mytool printed `error: no such table`. Report it.", ...BUG],
  ["The command crashed. Tell the developers.", ...BUG],
  ["mytool db query fails with a syntax error that I did not make. Write to its authors.", ...BUG],
  ["File an issue: mytool hangs.", ...BUG],
  ["The program ended with code 2. What do we send to support?", ...BUG],
  ["Write up this failure: `error: disk full`.", ...BUG],
];

const NAMES = ["export-data", "report-bug", "write-query"];
const place = mkdtempSync(join(tmpdir(), "served-"));
const run = (...args) => execFileSync(mytool, args, { cwd: place, encoding: "utf8" });

/** Installs the skills, and returns what an agent reads: the list of skills, and the file of each. */
function install(...options) {
  rmSync(join(place, ".claude"), { recursive: true, force: true });
  run("skill", "install", "--agent", "claude", ...options);
  const files = Object.fromEntries(NAMES.map((name) => [name, readFileSync(join(place, ".claude/skills", name, "SKILL.md"), "utf8")]));
  const list = NAMES.map((name) => `- ${name}: ${files[name].match(/^description: (.*)$/m)[1]}`).join("\n");
  return { list, files };
}

/** Asks the model, and returns its answer in the form of a schema. */
async function ask(system, question, properties) {
  const schema = { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "local",
      messages: [{ role: "system", content: system }, { role: "user", content: question }],
      response_format: { type: "json_schema", json_schema: { name: "answer", schema } },
      max_tokens: 120,
    }),
  });
  const body = await response.text();
  if (!response.ok) throw new Error(body);
  const text = JSON.parse(body).choices[0].message.content;
  try {
    return JSON.parse(text);
  } catch {
    return Object.fromEntries(Object.keys(properties).map((key) => [key, text])); // cut off at the maximum length
  }
}

const ANSWER = { command_or_text: { type: "string", maxLength: 120 } };

/** Asks one question, and returns which of the three steps succeeded. */
async function question({ list, files }, asked, right, expected) {
  const system = `You work for a user of the program mytool. These are your skills:\n${list}`;
  const { skill } = await ask(system, `${asked}\nWhich skill do you use?`, { skill: { enum: NAMES } });
  let text = files?.[skill] ?? "";
  let isRead = Boolean(files) && !text.includes("This file is a stub");
  if (!isRead) {
    const before = `${system}\n\nYou have opened the skill ${skill}:\n${text || "mytool skill NAME prints a skill."}`;
    const { command_or_text: command } = await ask(before, `${asked}\nWhich command do you run now?`, ANSWER);
    const named = command.match(/mytool skill ([a-z-]+)/)?.[1];
    isRead = NAMES.includes(named);
    text = isRead ? run("skill", named) : text;
  }
  const after = `${system}\n\nThe text of the skill ${skill}:\n${text}`;
  const { command_or_text: answer } = await ask(after, `${asked}\nAnswer with the command or the report.`, ANSWER);
  return [skill === right, isRead, expected.test(answer)];
}

const forms = {
  copies: install("--stub=false"),
  stubs: install(),
  names: { list: `${NAMES.map((name) => `- ${name}`).join("\n")}\nThe command \`mytool skill NAME\` prints a skill.` },
};
for (const [form, skills] of Object.entries(forms)) {
  const counts = [0, 0, 0];
  for (const [asked, right, expected] of QUESTIONS) {
    (await question(skills, asked, right, expected)).forEach((is, at) => (counts[at] += is ? 1 : 0));
  }
  const [chosen, read, followed] = counts;
  console.log(`${form}: of ${QUESTIONS.length}, ${chosen} with the right skill, ${read} read, ${followed} answered as the text says`);
}
rmSync(place, { recursive: true, force: true });
