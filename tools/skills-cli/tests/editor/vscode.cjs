// An editor that has what the extension for VS Code asks of the module `vscode`: it activates the packed extension, opens a
// faulty file, and is asked what a person asks. Arguments: the extension, the command, a folder. Prints one line of JSON.
const Module = require('module');
const path = require('path');
const { readFileSync } = require('fs');
const { fileURLToPath, pathToFileURL } = require('url');

const [, , extension, command, folder] = process.argv;
const disposable = () => ({ dispose() {} });

class EventEmitter {
  listeners = new Set();
  event = (listener) => (this.listeners.add(listener), disposable());
  fire(value) { for (const listener of this.listeners) listener(value); }
  dispose() {}
}
class Uri {
  constructor(url) { this.url = new URL(url); this.scheme = this.url.protocol.slice(0, -1); }
  static parse(url) { return new Uri(url); }
  static file(file) { return new Uri(pathToFileURL(file)); }
  get fsPath() { return fileURLToPath(this.url); }
  get path() { return decodeURIComponent(this.url.pathname); }
  with() { return this; }
  toString() { return this.url.href; }
}
class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
class Range {
  constructor(a, b, c, d) {
    const [start, end] = c === undefined ? [a, b] : [new Position(a, b), new Position(c, d)];
    Object.assign(this, { start, end });
  }
}
class Diagnostic { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } }
class Hover { constructor(contents, range) { Object.assign(this, { contents, range }); } }
class MarkdownString { constructor(value) { this.value = value ?? ''; } appendMarkdown(text) { this.value += text; return this; } }
class CodeAction { constructor(title, kind) { Object.assign(this, { title, kind }); } }
class WorkspaceEdit { edits = []; replace(uri, range, newText) { this.edits.push(newText); } }
class CodeActionKind {
  constructor(value) { this.value = value; }
  append(part) { return new CodeActionKind(this.value === '' ? part : `${this.value}.${part}`); }
}
CodeActionKind.Empty = new CodeActionKind('');
for (const [name, value] of Object.entries({
  QuickFix: 'quickfix', Refactor: 'refactor', RefactorExtract: 'refactor.extract', RefactorInline: 'refactor.inline',
  RefactorRewrite: 'refactor.rewrite', Source: 'source', SourceOrganizeImports: 'source.organizeImports',
})) CodeActionKind[name] = new CodeActionKind(value);
class CancellationTokenSource {
  token = { isCancellationRequested: false, onCancellationRequested: disposable };
  cancel() {}
  dispose() {}
}

/** Whatever the client only names: a class to derive from, an event that never comes, a number of a list. */
const anything = (known) => new Proxy(known, {
  get: (target, name) => {
    if (name in target || typeof name === 'symbol') return target[name];
    if (/^on[A-Z]/.test(name)) return (target[name] = disposable);
    if (/^register/.test(name)) return (target[name] = (selector, provider) => ((providers[name] = provider), disposable()));
    return (target[name] = anything(class {}));
  },
});
const [providers, handlers, problems, errors, ran] = [{}, {}, new Map(), [], []];
const [opened, published, configured] = [new EventEmitter(), new EventEmitter(), new EventEmitter()];
const channel = () => anything({ append() {}, appendLine() {}, dispose() {}, show() {} });
let program = command;
const vscode = anything({
  version: '1.91.0', EventEmitter, Uri, Position, Range, Diagnostic, Hover, MarkdownString, CodeAction, WorkspaceEdit,
  CodeActionKind, CancellationTokenSource,
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  Disposable: Object.assign(class { dispose() {} }, { from: disposable }),
  env: anything({ appName: 'test', language: 'en' }),
  commands: anything({ registerCommand: (name, handler) => ((handlers[name] = handler), disposable()), executeCommand: async () => {} }),
  window: anything({
    createOutputChannel: channel,
    createTerminal: () => ({ show() {}, sendText: (text, isRun) => ran.push(text, isRun) }), tabGroups: anything({ all: [] }), visibleTextEditors: [], activeTextEditor: undefined,
    showErrorMessage: async (text) => { errors.push(text); },
  }),
  workspace: anything({
    textDocuments: [], notebookDocuments: [], onDidOpenTextDocument: opened.event, onDidChangeConfiguration: configured.event,
    workspaceFolders: [{ uri: Uri.file(folder), name: 'w', index: 0 }],
    getConfiguration: () => ({ get: (name, fallback) => (name === 'path' ? program : fallback), inspect: () => undefined }),
    createFileSystemWatcher: () => anything({ dispose() {} }),
    getWorkspaceFolder: () => vscode.workspace.workspaceFolders[0],
  }),
  languages: anything({
    // The patterns are `**/` and a name.
    match: (selector, { uri }) => Number([selector].flat().some(({ pattern }) => uri.path.endsWith(pattern.replace('**', '')))),
    createDiagnosticCollection: () => ({
      set: (uri, found) => { problems.set(uri.toString(), found ?? []); published.fire(); },
      delete() {}, clear: () => problems.clear(), dispose() {}, has: () => false,
    }),
  }),
});
const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));
const { activate, deactivate } = require(path.join(extension, 'dist/extension.js'));

const document = (file) => ({
  uri: Uri.file(path.join(folder, file)), languageId: 'markdown', version: 1, isClosed: false,
  getText: () => readFileSync(path.join(folder, file), 'utf8').replace('PDF.', 'PDF'),
});

async function main() {
  await activate({ extensionPath: extension, subscriptions: [], extensionMode: 1 });
  const out = { commands: Object.keys(handlers).sort(), errors };
  const file = document('skills/pdf/SKILL.md');
  const told = new Promise((resolve) => published.event(() => {
    const found = problems.get(file.uri.toString()) ?? [];
    if (found.length > 0) resolve(found);
  }));
  vscode.workspace.textDocuments.push(file);
  opened.fire(file);
  const found = await told;
  out.codes = found.map((one) => one.code?.value ?? one.code);
  out.line = found[0].range.start.line;
  const token = new CancellationTokenSource().token;
  const actions = await providers.registerCodeActionsProvider.provideCodeActions(
    file, found[0].range, { diagnostics: found, triggerKind: 1 }, token,
  );
  out.fix = actions[0].edit.edits[0];
  const hover = await providers.registerHoverProvider.provideHover(file, new Position(2, 3), token);
  out.hover = [hover.contents].flat()[0].value.includes('**description**');
  // A command of the server is run in a terminal.
  await handlers['skills.run']({ name: 'run-me', directory: path.join(folder, 'skills') });
  out.ran = [ran[0].replace(command, 'skills').slice(0, 25), ran[1]];
  // Started again by a person, then with a program that is not there, and without one on the PATH.
  problems.clear();
  const again = new Promise((resolve) => published.event(resolve));
  await handlers['skills.restart']();
  await again;
  out.again = problems.get(file.uri.toString()).length;
  program = path.join(folder, 'nothing');
  configured.fire({ affectsConfiguration: (name) => name === 'skills.path' });
  while (errors.length === 0) await new Promise((wake) => setTimeout(wake, 20));
  program = '';
  process.env.PATH = folder;
  configured.fire({ affectsConfiguration: (name) => name === 'skills.path' });
  while (errors.length === 1) await new Promise((wake) => setTimeout(wake, 20));
  await deactivate();
  console.log(JSON.stringify(out));
}
main().then(() => process.exit(0), (error) => { console.error(error); process.exit(1); });
