// A client made of the npm package `vscode-languageserver-protocol`: it asks each request on real skills, as an editor does
// while a person types. Arguments: the command, its argument, a folder with `skills` and `projects`. Prints one line of JSON.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const rpc = createRequire(import.meta.url)('vscode-languageserver-protocol/node');
const [, , command, argument, folder] = process.argv;
const child = spawn(command, [argument], { stdio: ['pipe', 'pipe', 'inherit'] });
const connection = rpc.createProtocolConnection(
  new rpc.StreamMessageReader(child.stdout),
  new rpc.StreamMessageWriter(child.stdin),
);
const uri = (file) => pathToFileURL(path.join(folder, file)).href;
const disk = (file) => readFileSync(path.join(folder, file), 'utf8');
const told = new Map();
const waiting = [];
connection.onNotification(rpc.PublishDiagnosticsNotification.type, (params) => {
  told.set(params.uri, params);
  for (const wake of waiting.splice(0)) wake();
});
connection.onRequest(rpc.RegistrationRequest.type, () => null);

let version = 1;
const texts = new Map();
/** Shows a text in the editor. */
async function show(file, text) {
  version += 1;
  const known = texts.has(file);
  texts.set(file, text);
  await (known
    ? connection.sendNotification(rpc.DidChangeTextDocumentNotification.type, {
        textDocument: { uri: uri(file), version }, contentChanges: [{ text }],
      })
    : connection.sendNotification(rpc.DidOpenTextDocumentNotification.type, {
        textDocument: { uri: uri(file), languageId: 'x', version, text },
      }));
}
/** Waits until the problems of the last text of a file are these. */
async function problems(file, codes) {
  for (;;) {
    const found = told.get(uri(file));
    const now = (found?.diagnostics ?? []).map((one) => one.code);
    if (JSON.stringify(now) === JSON.stringify(codes)) return found?.diagnostics ?? [];
    await new Promise((wake, fail) => {
      waiting.push(wake);
      setTimeout(() => fail(new Error(`${file}: told ${now}, expected ${codes}`)), 20000).unref();
    });
  }
}
/** The place in a text that the mark § in a part of it shows. */
function place(file, marked) {
  const text = texts.get(file);
  const start = text.indexOf(marked.replace('§', ''));
  if (start < 0) throw new Error(`${file} has no ${marked}`);
  const before = text.slice(0, start + marked.indexOf('§'));
  const line = before.split('\n').length - 1;
  return { textDocument: { uri: uri(file) }, position: { line, character: before.length - before.lastIndexOf('\n') - 1 } };
}
const names = (items) => items.map((item) => item.label);
const at = (location) => {
  const file = path.relative(folder, decodeURIComponent(new URL(location.uri).pathname));
  return `${file}:${location.range.start.line + 1}`;
};

async function main() {
  connection.listen();
  const init = await connection.sendRequest(rpc.InitializeRequest.type, {
    processId: process.pid, rootUri: null,
    capabilities: {
      workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ['create', 'rename', 'delete'] }, didChangeWatchedFiles: { dynamicRegistration: true } },
      textDocument: { codeAction: { resolveSupport: { properties: ['edit'] } } },
    },
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'w' }],
  });
  await connection.sendNotification(rpc.InitializedNotification.type, {});
  const ask = (type, file, marked, more = {}) => connection.sendRequest(type, { ...place(file, marked), ...more });
  const out = { encoding: init.capabilities.positionEncoding };

  // Problems while one types, quick fixes, and all fixes of a file when they are chosen.
  const md = 'skills/commit-message/SKILL.md';
  const good = disk(md);
  await show(md, good.replace(/^description: .*$/m, 'description: Use when: a commit is written 🎉'));
  const [found] = await problems(md, ['yaml-unquoted-colon']);
  const actions = await connection.sendRequest(rpc.CodeActionRequest.type, {
    textDocument: { uri: uri(md) }, range: found.range, context: { diagnostics: [found] },
  });
  out.fix = actions[0].edit.documentChanges[0].edits[0].newText;
  out.kinds = actions.map((action) => action.kind);
  const whole = await connection.sendRequest(rpc.CodeActionResolveRequest.type, actions.at(-1));
  out.all = whole.edit.documentChanges[0].edits[0].newText.includes('"Use when: a commit is written 🎉"');
  await show(md, good);
  await problems(md, []);

  // What is told of a place.
  const sum = 'skills/research_and_summarize/skill.json';
  const pipeline = disk(sum);
  await show(sum, pipeline);
  const hover = async (file, marked) => (await ask(rpc.HoverRequest.type, file, marked)).contents.value;
  out.hover = [
    (await hover(md, 'desc§ription:')).includes('**description**'),
    (await hover(sum, '"mo§de"')).includes('**mode**'),
    (await hover(sum, '{{input.top§ic')).includes('the input of `research_and_summarize`'),
    (await hover(sum, '{{steps.§'.replace('§', '') + pipeline.match(/\{\{steps\.([\w.]+)/)[1].replace(/.$/, (c) => `§${c}`))).includes('the output of'),
    (await hover(sum, '"skill": "§')).includes('input:'),
  ];
  const role = 'projects/desk/ROLE.md';
  await show(role, disk(role));
  out.hover.push((await hover(role, 'csv§')).includes('csv'));

  // What may be typed: in texts that are broken at that moment.
  const complete = async (file, text, marked) => {
    await show(file, text.replace('§', ''));
    return names(await ask(rpc.CompletionRequest.type, file, marked ?? text));
  };
  const cut = (text, piece, typed) => text.slice(0, text.indexOf(piece)) + typed;
  out.complete = {
    key: (await complete(md, '---\nname: commit-message\nlic§')).includes('license'),
    value: await complete(md, '---\nname: commit-message\nuser-invocable: §\n---\n'),
    calls: (await complete(sum, cut(pipeline, '"calls"', '"calls": ["§'))).includes('summarize'),
    mode: await complete(sum, cut(pipeline, '"mode"', '"mode": "§')),
    step: (await complete(sum, pipeline.replace(/"skill": "[^"]*"/, '"skill": "§'))).includes('summarize'),
    input: await complete(sum, '{ "pipeline": [{ "step": "a", "skill": "summarize", "input": { "§'),
    path: await complete(sum, cut(pipeline, '"pipeline"', '"pipeline": [{ "step": "a", "skill": "summarize", "input": { "text": "{{ input.§')),
    steps: await complete(sum, cut(pipeline, '"pipeline"', '"pipeline": [{ "step": "a", "skill": "summarize" }, { "step": "b", "input": { "x": "{{ steps.§')),
    filter: (await complete(sum, cut(pipeline, '"pipeline"', '"pipeline": [{ "input": { "x": "{{ input.topic | §'))).includes('upcase'),
    file: await complete('skills/csv-profile/SKILL.md', disk('skills/csv-profile/SKILL.md') + '\n[x](§'),
    prompt: await complete('skills/code_review/prompt.md', 'Look at {{ input.§'),
    role: (await complete(role, '---\nskills: [§')).includes('git-changelog'),
    schema: (await complete('skills/csv-profile/schema.json', '{ "properties": { "x": { "type": "§')).includes('string'),
  };

  // Where names lead, and what bears them.
  await show(sum, pipeline);
  await show(role, disk(role));
  await problems(sum, []);
  out.definition = [
    at(await ask(rpc.DefinitionRequest.type, sum, '"skill": "§')),
    at(await ask(rpc.DefinitionRequest.type, role, 'csv§')),
  ];
  const called = pipeline.match(/"skill": "([^"]*)"/)[1];
  out.references = (await ask(rpc.ReferencesRequest.type, sum, '"skill": "§', { context: { includeDeclaration: true } })).length;
  const renamed = await ask(rpc.RenameRequest.type, sum, '"skill": "§', { newName: 'another_name' });
  out.rename = renamed.documentChanges.map((change) => change.kind ?? 'text');
  out.called = called;
  out.refused = await ask(rpc.RenameRequest.type, sum, '"skill": "§', { newName: 'code_review' }).catch((error) => error.message);

  // Lenses with their commands, hints, tokens, links, signatures, and symbols of the workspace.
  const csv = 'skills/csv-profile/SKILL.md', of = (file) => ({ textDocument: { uri: uri(file) } });
  const lenses = await connection.sendRequest(rpc.CodeLensRequest.type, of(sum));
  out.lenses = lenses.map((lens) => lens.command.title);
  const run = await connection.sendRequest(rpc.ExecuteCommandRequest.type, { command: lenses[0].command.command, arguments: lenses[0].command.arguments });
  out.line = run.line.startsWith('skills call research_and_summarize --dir ') && run.arguments[0] === 'call';
  const whole_ = { start: { line: 0, character: 0 }, end: { line: 999, character: 0 } };
  const hints = await connection.sendRequest(rpc.InlayHintRequest.type, { ...of(sum), range: whole_ });
  out.hints = hints.some((hint) => hint.label.startsWith(': '));
  out.tokens = (await connection.sendRequest(rpc.SemanticTokensRequest.type, of(sum))).data.length >= 10;
  out.found = names((await connection.sendRequest(rpc.WorkspaceSymbolRequest.type, { query: 'csvprof' })).map(({ name }) => ({ label: name }))).includes('csv-profile');
  out.links = (await connection.sendRequest(rpc.DocumentLinkRequest.type, of(csv))).length > 0;
  const typing = '{ "pipeline": [{ "step": "a", "skill": "summarize", "input": { "';
  await show(sum, typing);
  out.signature = (await ask(rpc.SignatureHelpRequest.type, sum, `${typing}§`)).signatures[0].label.startsWith('summarize(');
  await show(sum, pipeline);

  // Outlines, foldings, and formatting.
  const document = { textDocument: { uri: uri(sum) } };
  const symbols = await connection.sendRequest(rpc.DocumentSymbolRequest.type, document);
  out.symbols = symbols.map((symbol) => symbol.name).includes('pipeline');
  out.folds = (await connection.sendRequest(rpc.FoldingRangeRequest.type, document)).length > 2;
  await show(sum, pipeline.replace(/^ {2}"mode": /m, '"mode":'));
  const edits = await connection.sendRequest(rpc.DocumentFormattingRequest.type, {
    ...document, options: { tabSize: 2, insertSpaces: true },
  });
  out.formatted = edits.length === 1 && edits[0].newText.includes('\n  "mode": ');

  await connection.sendRequest(rpc.ShutdownRequest.type);
  await connection.sendNotification(rpc.ExitNotification.type);
  child.on('exit', (code) => {
    console.log(JSON.stringify({ ...out, code }));
    process.exit(0);
  });
}
main().catch((error) => { console.error(error); process.exit(1); });
