// An editor's client, made of the npm package `vscode-languageserver-protocol`: opens a faulty file, takes its quick fix,
// asks what a person asks, and says goodbye. Prints one line of JSON.
const { spawn } = require('child_process');
const { pathToFileURL } = require('url');
const path = require('path');
const rpc = require('vscode-languageserver-protocol/node');

const [, , command, folder] = process.argv;
const child = spawn(command, ['lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
const connection = rpc.createProtocolConnection(
  new rpc.StreamMessageReader(child.stdout),
  new rpc.StreamMessageWriter(child.stdin),
);
const file = path.join(folder, 'skills', 'pdf', 'SKILL.md');
const uri = pathToFileURL(file).href;
const text = '---\nname: pdf\ndescription: Reads: PDF files.\n---\n# PDF\n';

async function main() {
  const published = new Promise((resolve) => {
    connection.onNotification(rpc.PublishDiagnosticsNotification.type, (params) => {
      if (params.uri === uri && params.diagnostics.length > 0) resolve(params.diagnostics);
    });
  });
  connection.listen();
  const init = await connection.sendRequest(rpc.InitializeRequest.type, {
    processId: process.pid, rootUri: null, capabilities: {},
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'w' }],
  });
  await connection.sendNotification(rpc.InitializedNotification.type, {});
  await connection.sendNotification(rpc.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: 'markdown', version: 1, text },
  });
  const diagnostics = await published;
  const textDocument = { uri };
  const actions = await connection.sendRequest(rpc.CodeActionRequest.type, {
    textDocument, range: diagnostics[0].range, context: { diagnostics },
  });
  const position = { line: 2, character: 3 };
  const hover = await connection.sendRequest(rpc.HoverRequest.type, { textDocument, position });
  const items = await connection.sendRequest(rpc.CompletionRequest.type, { textDocument, position });
  const symbols = await connection.sendRequest(rpc.DocumentSymbolRequest.type, { textDocument });
  const folds = await connection.sendRequest(rpc.FoldingRangeRequest.type, { textDocument });
  await connection.sendRequest(rpc.ShutdownRequest.type);
  await connection.sendNotification(rpc.ExitNotification.type);
  child.on('exit', (code) => {
    console.log(JSON.stringify({
      code,
      encoding: init.capabilities.positionEncoding,
      codes: diagnostics.map((found) => found.code),
      fix: actions[0].edit.documentChanges[0].edits[0].newText,
      hover: hover.contents.value.includes('**description**'),
      items: items.length,
      symbols: symbols.map((symbol) => symbol.name),
      folds: folds.length,
    }));
    process.exit(0);
  });
}
main().catch((error) => { console.error(error); process.exit(1); });
