// Makes the pictures of the book from the real program; `cargo xtask pictures` runs it.
//
//   node pictures.mjs PROGRAM BROWSER SKILLS OUT
//
// PROGRAM is the command `skills`, beside which the two versions of the example `mytool` are built. SKILLS is a directory of
// skills, and OUT the directory for the pictures.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { lines, picture, screen, write } from './terminal.mjs';

const [program, executablePath, skills, out] = process.argv.slice(2);
const SCHEMES = ['light', 'dark'];
const LARGEST = 150_000;
// A line of a terminal is still readable on a phone.
const COLUMNS = 72;

const place = mkdtempSync(join(tmpdir(), 'pictures-'));
const at = (path) => join(place, path);
function file(path, text, mode = 0o644) {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
  chmodSync(at(path), mode);
}
const environment = { ...process.env, HOME: place, TERM: 'xterm', SHELL: '/bin/sh' };
/** Runs the command on a terminal, and returns everything that it prints; an exit code of 1 is a result, too. */
const run = (...args) => runOnTerminal(`exec '${program}' ${args.join(' ')}`);
function runOnTerminal(command, columns = COLUMNS) {
  const line = `stty cols ${columns} rows 30; ${command}`;
  try {
    const options = { cwd: place, env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
    return execFileSync('script', ['-q', '-e', '-c', line, '/dev/null'], options).replaceAll('\r\n', '\n');
  } catch (failure) {
    if (failure.status !== 1) throw failure;
    return failure.stdout.replaceAll('\r\n', '\n');
  }
}
function save(name, data) {
  writeFileSync(join(out, name), data);
  const { size } = statSync(join(out, name));
  console.log(`${name}: ${size} bytes`);
  if (size > LARGEST) throw new Error(`${name} has more than ${LARGEST} bytes`);
}
const until = async (what, ask) => {
  for (let tries = 0; tries < 1000; tries += 1) {
    if (ask()) return;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  throw new Error(`it did not happen: ${what}`);
};

const prompt = (scheme, line) => `\u001b[${scheme === 'light' ? '32' : '92'}m$\u001b[0m ${line}\n`;

// A terminal with an error and its fix.
async function error() {
  file('skills/house-style/SKILL.md', `---
name: house-style
description: How the shop writes: short, warm, exact.
---

# House style
`);
  const [found, fixed] = [run('check', 'skills'), run('check', 'skills', '--fix')];
  for (const scheme of SCHEMES) {
    const term = screen(COLUMNS, 30);
    await write(term, prompt(scheme, 'skills check skills') + found + prompt(scheme, 'skills check skills --fix') + fixed);
    save(`error-${scheme}.svg`, picture(term, scheme, 'skills check reports an error and fixes it'));
  }
}

// A build that fails because of a typing error in a prompt.
async function build() {
  run('init', 'shop', '--cargo', '--path', `'${process.cwd()}'`, '--yes');
  file('shop/skills/tell/skill.json', JSON.stringify({
    name: 'tell', description: 'Tells what notes say.', category: 'shop', mode: 'llm',
    input: { type: 'object', required: ['notes'], additionalProperties: false, properties: { notes: { type: 'array', items: {
      type: 'object', required: ['title', 'text'], additionalProperties: false, properties: { title: { type: 'string' }, text: { type: 'string' } },
    } } } },
    output: { type: 'object', required: ['text'], additionalProperties: false, properties: { text: { type: 'string' } } },
  }, null, 2));
  const text = 'Tell in two sentences what these notes say:\n\n{{#each input.notes}}\n- {{item.title}}: {{item.text}}\n{{/each}}\n';
  const target = process.env.CARGO_TARGET_DIR ?? at('target');
  const cargo = () => runOnTerminal(`cd shop; CARGO_TARGET_DIR='${target}' HOME='${process.env.HOME}' CARGO_TERM_PROGRESS_WHEN=never cargo build || exit 1`, 76);
  file('shop/skills/tell/prompt.md', text);
  cargo();
  file('shop/skills/tell/prompt.md', text.replace('item.title', 'item.titel'));
  const printed = cargo();
  for (const scheme of SCHEMES) {
    const term = screen(76, 30);
    await write(term, prompt(scheme, 'cargo build') + printed.replace(/\(.*?shop\)/g, '(shop)'));
    save(`build-${scheme}.svg`, picture(term, scheme, 'cargo build reports a typing error in a prompt'));
  }
}

// A program installs stubs. After its upgrade, the same stub leads to the new text.
async function stubs() {
  const version = (name) => `'${join(dirname(program), name)}'`;
  const steps = [
    ['mytool skill install --agent claude', `${version('mytool-1')} skill install --agent claude`],
    ['tail -n 9 .claude/skills/export-data/SKILL.md', null],
    ['# mytool is upgraded: version 2 renames the command `mytool db dump`', 'true'],
    ['mytool skill status --agent claude', `${version('mytool')} skill status --agent claude`],
    ['mytool skill export-data', `${version('mytool')} skill export-data`],
  ];
  const shown = steps.map(([line, command]) => [line, runOnTerminal(command ?? line, 96)]);
  for (const scheme of SCHEMES) {
    const term = screen(108, 60);
    for (const [line, printed] of shown) await write(term, prompt(scheme, line) + printed);
    save(`served-${scheme}.svg`, picture(term, scheme, 'A program installs a stub; after an upgrade, the stub leads to the new text'));
  }
}

// Neovim with the language server.
async function editor() {
  file('editor/skills/house-style/SKILL.md', `---
name: house-style
description: How the shop writes: short, warm, exact.
---

# House style

1. Answer the question in the first sentence.
2. Read [the plants](plants.md).
`);
  file('init.lua', `
vim.o.termguicolors, vim.o.number, vim.o.signcolumn, vim.o.laststatus = true, true, "yes", 0
vim.o.ruler, vim.o.shortmess = false, "atIF"
vim.o.background = vim.env.SCHEME
vim.diagnostic.config({ virtual_text = { prefix = "■", format = function(problem) return vim.split(problem.message, "\\n")[1] end } })
vim.cmd("syntax off")
local colours = vim.env.SCHEME == "light" and { "#cf222e", "#9a6700", "#ffffff", "#1f2328" } or { "#ff7b72", "#d29922", "#0d1117", "#e6edf3" }
vim.cmd("highlight Normal guifg=" .. colours[4] .. " guibg=" .. colours[3])
vim.cmd("highlight SignColumn guibg=" .. colours[3])
vim.cmd("highlight EndOfBuffer guifg=" .. colours[3])
vim.cmd("highlight LineNr guifg=#8c959f")
for kind, colour in pairs({ Error = colours[1], Warn = colours[2] }) do
  vim.cmd("highlight Diagnostic" .. kind .. " guifg=" .. colour)
  vim.cmd("highlight DiagnosticUnderline" .. kind .. " gui=underline guifg=" .. colour)
end
vim.api.nvim_create_autocmd("BufReadPost", { callback = function()
  local id = vim.lsp.start_client({ name = "skills", cmd = { vim.env.SKILLS, "lsp" }, root_dir = vim.fn.getcwd() })
  vim.lsp.buf_attach_client(0, id)
end })
`);
  for (const scheme of SCHEMES) {
    const term = screen(112, 12);
    const line = `stty cols ${term.cols} rows ${term.rows}; exec nvim --clean -u ../init.lua skills/house-style/SKILL.md`;
    const child = spawn('script', ['-qfc', line, '/dev/null'], {
      cwd: at('editor'),
      env: { ...environment, TERM: 'xterm-256color', SCHEME: scheme, SKILLS: program },
    });
    // The editor asks the terminal what it can do.
    term.onData((data) => child.stdin.write(data));
    child.stdout.on('data', (data) => term.write(data));
    const shows = (text) => lines(term).some((shown) => shown.includes(text));
    await until('the editor shows the problems', () => shows('■'));
    save(`editor-${scheme}.svg`, picture(term, scheme, 'Neovim shows the problems of a SKILL.md'));
    child.stdin.write('\u001b:qa!\n');
    await new Promise((resolve) => child.on('close', resolve));
  }
}

// A pipeline whose steps take long enough to be seen.
const anything = { type: 'object' };
const topic = { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] };
function slow(name, description, wait) {
  const skill = { name, description, category: 'notes', mode: 'code', pure: true, input: topic, output: anything };
  file(`run/${name}/skill.json`, JSON.stringify(skill));
  file(`run/${name}/SKILL.md`, '---\nexec: run.sh\n---\n');
  file(`run/${name}/run.sh`, `#!/bin/sh\n${wait}\necho '{"found": ["Roses want water twice a week."]}'\n`, 0o755);
}
function pipeline() {
  slow('find_notes', 'Finds notes of the shop about a topic.', 'true');
  slow('find_orders', 'Finds open orders for a plant.', 'true');
  slow('summarize', 'Sums up notes and orders.', `while [ ! -e ${at('go')} ]; do sleep 0.1; done`);
  slow('translate', 'Translates a text.', 'true');
  const step = (name, skill, more) => ({ step: name, skill, input: { topic: '{{input.topic}}' }, ...more });
  const brief = {
    name: 'brief', description: 'Sums up what the shop knows about a plant, in two languages.', category: 'notes',
    mode: 'composite', input: topic, output: anything,
    calls: ['find_notes', 'find_orders', 'summarize', 'translate'],
    pipeline: [
      step('notes', 'find_notes'),
      step('orders', 'find_orders'),
      step('summary', 'summarize', { input: { topic: '{{input.topic}} {{steps.notes.found}} {{steps.orders.found}}' } }),
      step('french', 'translate', { input: { topic: '{{steps.summary.found.0}}' }, condition: 'steps.summary.found.0' }),
    ],
  };
  file('run/brief/skill.json', JSON.stringify(brief));
}

/** Starts the command with a server, and calls `act` with its address. */
async function served(args, act) {
  const child = spawn(program, args, { cwd: place, env: environment });
  const [address] = await new Promise((resolve) => createInterface(child.stdout).once('line', (line) => resolve([line])));
  try {
    await act(address);
  } finally {
    child.kill();
  }
}

async function page(browser) {
  pipeline();
  cpSync(skills, at('shop'), { recursive: true });
  const both = ['shop', 'run'];
  await served(['serve', ...both, '--ui', '--enable-exec', '--bind', '127.0.0.1:0'], async (address) => {
    for (const colorScheme of SCHEMES) {
      rmSync(at('go'), { force: true });
      const context = await browser.newContext({ colorScheme, viewport: { width: 760, height: 620 }, deviceScaleFactor: 1.5 });
      const tab = await context.newPage();
      await tab.goto(address);
      await tab.locator('#skill-find_notes').click();
      await tab.locator('#form .go.first').waitFor();
      save(`page-${colorScheme}.png`, await tab.screenshot());
      await tab.locator('#skill-brief').click();
      await tab.locator('.picture svg').waitFor();
      await tab.fill('#form [name=topic], #form input, #form textarea', 'roses');
      await tab.click('#form .go.first');
      await tab.locator('.picture svg [data-node=summary][data-state=running]').waitFor();
      await tab.setViewportSize({ width: 800, height: 1300 });
      // Without the empty space at the sides of the picture.
      await tab.locator('.picture').evaluate((view) => { view.style.width = 'fit-content'; });
      save(`run-${colorScheme}.png`, await tab.locator('.picture').screenshot());
      writeFileSync(at('go'), '');
      await tab.locator('#status.good').waitFor();
      await context.close();
    }
  });
  save('graph.svg', run('graph', 'run', '--skill', 'brief', '--format', 'svg'));
}

/** Starts a model in the protocol of OpenAI; `answers` returns the answer to the text of a request. */
function model(answers) {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => { body += part; });
    request.on('end', () => {
      const delta = { role: 'assistant', ...answers(body) };
      const chunk = {
        id: '1', object: 'chat.completion.chunk', created: 1, model: 'any',
        choices: [{ index: 0, finish_reason: delta.tool_calls ? 'tool_calls' : 'stop', delta }],
        usage: { prompt_tokens: 412, completion_tokens: 36, total_tokens: 448 },
      };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function report(browser) {
  file('eval/garden/SKILL.md', '---\nname: garden\ndescription: Knows when plants want water. Use for questions about plants.\n---\n\nRoses want water twice a week.\n');
  const cases = [
    { id: 'roses', prompt: 'How often do I water roses?', condition: "text != ''", assertions: ['The answer says twice a week.'] },
    { id: 'tulips', prompt: 'How often do I water tulips?', assertions: ['The answer does not guess.'] },
  ];
  file('eval/garden/evals/cases.json', JSON.stringify({ evals: cases }));
  const queries = [{ query: 'My roses look dry.', should_trigger: true }, { query: 'Write a haiku.', should_trigger: false }];
  file('eval/garden/evals/triggers.json', JSON.stringify(queries));
  const server = await model((body) => {
    if (body.includes('evidence')) {
      const passed = !body.includes('Once a week');
      return { content: JSON.stringify({ 1: { evidence: passed ? 'It says so.' : 'It says "once a week".', passed } }) };
    }
    if (body.includes('look dry')) {
      const { name } = JSON.parse(body).tools[0].function;
      return { tool_calls: [{ index: 0, id: '1', type: 'function', function: { name, arguments: '{"name": "garden"}' } }] };
    }
    if (!body.includes('twice a week')) return { content: 'Once a week.' };
    return { content: body.includes('tulips') ? 'The notes say nothing about tulips.' : 'Twice a week.' };
  });
  const url = `http://127.0.0.1:${server.address().port}/v1`;
  const args = ['eval', 'eval', '--model', 'small-model', '--base-url', url, '--judge', 'large-model', '--judge-base-url', url, '--jobs', '1'];
  const child = spawn(program, [...args, '--threshold', '0', '--html', 'report.html'], { cwd: place, env: environment, stdio: 'ignore' });
  const code = await new Promise((resolve) => child.on('close', resolve));
  server.close();
  if (code !== 0) throw new Error(`eval ended with ${code}`);
  for (const colorScheme of SCHEMES) {
    const context = await browser.newContext({ colorScheme, viewport: { width: 760, height: 600 } });
    const tab = await context.newPage();
    await tab.goto(`file://${at('report.html')}`);
    save(`eval-${colorScheme}.png`, await tab.screenshot({ fullPage: true }));
    await context.close();
  }
}

mkdirSync(out, { recursive: true });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  await error();
  await build();
  await stubs();
  await editor();
  await page(browser);
  await report(browser);
} finally {
  await browser.close();
  rmSync(place, { recursive: true, force: true });
}
