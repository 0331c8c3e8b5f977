// The official client of MCP against `skills mcp`, over standard input and output and over HTTP (SPEC 11.4).
// Arguments: the directory that has the client installed, the command, the directory of skills, a directory to work in.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const [installed, command, skills, workspace] = process.argv.slice(2);
const require = createRequire(`${installed}/package.json`);
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');
const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
const {
  PromptListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ResultSchema,
  ToolListChangedNotificationSchema,
} = require('@modelcontextprotocol/sdk/types.js');

const until = async (what, holds) => {
  for (let tries = 0; tries < 1200; tries += 1) {
    if (holds()) return;
    await sleep(50);
  }
  assert.fail(what);
};

const isAlive = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`).length > 0;
  } catch {
    return false;
  }
};

const connect = async (transport) => {
  const client = new Client({ name: 'official', version: '1.0.0' });
  await client.connect(transport);
  return client;
};

// What holds of any transport.
const judge = async (client) => {
  assert.equal(client.getServerVersion().name, 'skills');
  assert.deepEqual(client.getServerCapabilities().extensions, {
    'io.modelcontextprotocol/skills': { directoryRead: true },
  });

  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), ['chain', 'echo', 'load_skill', 'slow']);
  // The client checks structured content by the schema of the output.
  const good = await client.callTool({ name: 'echo', arguments: { n: 7 } });
  assert.deepEqual(good.structuredContent, { n: 7 });
  const wrong = await client.callTool({ name: 'echo', arguments: { n: 'seven' } });
  assert.equal(wrong.isError, true);
  assert.match(wrong.content[0].text, /\/n: type: expected an integer/);
  await assert.rejects(client.callTool({ name: 'secret', arguments: {} }), { code: -32602 });

  const heard = [];
  const told = await client.callTool({ name: 'chain', arguments: { n: 1 } }, undefined, {
    onprogress: (progress) => heard.push(progress),
  });
  assert.deepEqual(told.structuredContent, { n: 1 });
  // The SDK forgets who listens when the result comes, and may drop a report that came right before it.
  const reports = heard.map(({ progress, total }) => [progress, total]);
  assert.deepEqual(reports, [[1, 2], [2, 2]].slice(0, Math.max(1, reports.length)));

  const { prompts } = await client.listPrompts();
  assert.deepEqual(prompts.find((prompt) => prompt.name === 'move').arguments.map(({ name }) => name), [
    'source',
    'target',
  ]);
  const prompt = await client.getPrompt({ name: 'move', arguments: { source: 'a b', target: 'c' } });
  assert.match(prompt.messages[0].content.text, /Move a b to c\./);

  const { skills: listed } = await client.request({ method: 'skills/list', params: {} }, ResultSchema);
  assert.deepEqual(listed.map((skill) => skill.frontmatter.name), ['echo', 'move', 'slow']);
  const { skill } = await client.request(
    { method: 'skills/get', params: { uri: listed[1].uri } },
    ResultSchema,
  );
  assert.deepEqual(skill, listed[1]);
  assert.equal(skill.resources.length, 2);
  const files = listed.flatMap(({ resources }) => resources);
  for (const { uri, digest, size } of files) {
    const { contents } = await client.readResource({ uri });
    const bytes = 'blob' in contents[0] ? Buffer.from(contents[0].blob, 'base64') : Buffer.from(contents[0].text);
    assert.equal(`sha256:${createHash('sha256').update(bytes).digest('hex')}`, digest);
    assert.equal(bytes.length, size);
    const file = readFileSync(uri.replace('skill:/', skills));
    if (!uri.endsWith('/SKILL.md') || file.includes('\nname: ')) {
      assert.deepEqual(bytes, file);
    } else {
      // SPEC 11.18: a frontmatter that lacks what the entry says is written anew; the body stays.
      const body = (text) => text.toString().split('---\n').slice(2).join('---\n');
      assert.match(bytes.toString(), /^---\nname: /);
      assert.equal(body(bytes), body(file));
    }
  }
  const { resources } = await client.listResources();
  assert.deepEqual(resources.map(({ uri }) => uri).sort(), files.map(({ uri }) => uri).sort());
  const below = await client.request(
    { method: 'resources/directory/read', params: { uri: 'skill://move' } },
    ResultSchema,
  );
  assert.equal(below.resources.length, 2);
  await assert.rejects(client.readResource({ uri: 'skill://move/..%2f..%2fetc/passwd' }));

  rmSync(`${workspace}/pid`, { force: true });
  const abort = new AbortController();
  const slow = client.callTool({ name: 'slow', arguments: {} }, undefined, { signal: abort.signal });
  const refused = assert.rejects(slow);
  await until('the program runs', () => existsSync(`${workspace}/pid`));
  const pid = readFileSync(`${workspace}/pid`, 'utf8').trim();
  abort.abort('enough');
  await refused;
  await until('the program is gone', () => !isAlive(pid));
  assert.deepEqual((await client.callTool({ name: 'echo', arguments: { n: 1 } })).structuredContent, { n: 1 });
};

// Skills come and go, and the client hears of it.
const change = async (client) => {
  const heard = { tools: 0, prompts: 0, files: [] };
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => { heard.tools += 1; });
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => { heard.prompts += 1; });
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => { heard.files.push(params.uri); });
  assert.equal(client.getServerCapabilities().tools.listChanged, true);
  const notes = 'skill://move/notes.md';
  await client.subscribeResource({ uri: notes });
  await assert.rejects(client.subscribeResource({ uri: 'skill://move/none.md' }));
  const text = readFileSync(`${skills}/move/notes.md`);
  // Over HTTP the stream of such news may be opened a little later.
  for (let tries = 0; !heard.files.includes(notes); tries += 1) {
    assert.ok(tries < 60, 'the file is told of');
    writeFileSync(`${skills}/move/notes.md`, `${tries}\n`);
    await sleep(1000);
  }
  await client.unsubscribeResource({ uri: notes });
  writeFileSync(`${skills}/move/notes.md`, text);
  mkdirSync(`${skills}/new`);
  writeFileSync(`${skills}/new/SKILL.md`, '---\nname: new\ndescription: New.\n---\nNew.\n');
  await until('a prompt is told of', () => heard.prompts === 1);
  assert.deepEqual((await client.listPrompts()).prompts.map(({ name }) => name), ['move', 'new']);
  rmSync(`${skills}/new`, { recursive: true });
  await until('its end is told of', () => heard.prompts === 2);
  // The tool that loads skills lists them, so it changes with each.
  assert.equal(heard.tools, 2);
};

// A call that goes on when the client closes ends with it.
const leave = async (client) => {
  rmSync(`${workspace}/pid`, { force: true });
  const refused = assert.rejects(client.callTool({ name: 'slow', arguments: {} }));
  await until('the program runs', () => existsSync(`${workspace}/pid`));
  const pid = readFileSync(`${workspace}/pid`, 'utf8').trim();
  await client.close();
  await refused;
  await until('the program is gone', () => !isAlive(pid));
};

const stdio = await connect(
  new StdioClientTransport({ command, args: ['mcp', skills], cwd: workspace, stderr: 'inherit' }),
);
await judge(stdio);
await change(stdio);
await leave(stdio);
console.log('stdio: ok');

const server = spawn(command, ['mcp', skills, '--bind', '127.0.0.1:0', '--token-env', 'MCP_TOKEN'], {
  cwd: workspace,
  env: { ...process.env, MCP_TOKEN: 's3cret' },
  stdio: ['ignore', 'inherit', 'pipe'],
});
try {
  const url = await new Promise((found, failed) => {
    let said = '';
    server.stderr.on('data', (part) => {
      said += part;
      const match = /listening at (\S+)/.exec(said);
      if (match) found(new URL(match[1]));
    });
    server.on('exit', () => failed(new Error(said)));
  });
  await assert.rejects(connect(new StreamableHTTPClientTransport(url)));
  const headers = { authorization: 'Bearer s3cret' };
  const http = await connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  await judge(http);
  await change(http);
  await leave(http);
  console.log('http: ok');
} finally {
  server.kill('SIGTERM');
}
