// Serves a model file with OpenAI's Chat Completions API; `cargo xtask real-model` starts it.
//
// Usage: node server.mjs DIRECTORY MODEL.gguf
// DIRECTORY holds `node_modules`. The first line printed is the base URL.

import http from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [directory, file] = process.argv.slice(2);
const library = path.resolve(directory, "node_modules/node-llama-cpp/dist/index.js");
const { getLlama, LlamaChatSession, LlamaLogLevel } = await import(pathToFileURL(library).href);

const llama = await getLlama({ gpu: false, build: "never", logLevel: LlamaLogLevel.error });
const model = await llama.loadModel({ modelPath: path.resolve(file) });
// More threads wait for each other in a busy loop, which is many times slower on a machine with other load.
const context = await model.createContext({ contextSize: 8192, sequences: 1, threads: 1 });
const sequence = context.getSequence();

const MOST_TOKENS = 900;

// A small model fills open lists and texts without end, so the grammar bounds what the schema leaves open: every
// answer still fits the schema.
function bound(schema) {
  if (Array.isArray(schema)) return schema.map(bound);
  if (schema === null || typeof schema !== "object") return schema;
  const bounded = {};
  for (const [key, value] of Object.entries(schema)) {
    bounded[key] =
      key === "properties" ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, bound(v)]))
      : key === "items" || key === "anyOf" || key === "oneOf" ? bound(value)
      : value;
  }
  if (schema.type === "array") bounded.maxItems ??= 2;
  if (schema.type === "string" && !schema.enum) bounded.maxLength ??= 160;
  return bounded;
}

function history(messages) {
  return messages.map(({ role, content, tool_calls: calls }) => {
    if (role === "system") return { type: "system", text: content };
    if (role === "assistant") return { type: "model", response: [content || JSON.stringify(calls)] };
    return { type: "user", text: role === "tool" ? `The tool answered: ${content}\nSay what follows.` : content };
  });
}

// A model this small cannot use tools by itself: a question must be answered with a tool call, and a tool result with text.
function calling(request) {
  if (!request.tools?.length || request.messages.at(-1).role === "tool") return null;
  const one = ({ function: { name, parameters } }) => ({
    type: "object",
    properties: { tool: { const: name }, arguments: bound(parameters) },
  });
  return { oneOf: request.tools.map(one) };
}

async function answer(request, signal, onText) {
  const format = request.response_format?.json_schema;
  const calls = calling(request);
  const schema = calls ?? (format && bound(format.schema));
  const grammar = schema && (await llama.createGrammarForJsonSchema(schema));
  await sequence.clearHistory();
  const before = sequence.tokenMeter.getState();
  const session = new LlamaChatSession({ contextSequence: sequence });
  const messages = history(request.messages);
  const last = messages.pop();
  const tools = calls && request.tools.map(({ function: tool }) => `- ${tool.name}: ${tool.description.split("\n")[0]}`);
  if (tools) last.text += `\nAnswer with a call of one of these tools, as JSON:\n${tools.join("\n")}`;
  session.setChatHistory(messages);
  const { responseText, stopReason } = await session.promptWithMeta(last.text, {
    grammar,
    maxTokens: Math.min(request.max_tokens ?? MOST_TOKENS, MOST_TOKENS),
    temperature: request.temperature ?? 0,
    seed: 1,
    repeatPenalty: { penalty: 1.1 },
    signal,
    onTextChunk: onText,
  });
  const used = sequence.tokenMeter.diff(before);
  session.dispose({ disposeSequence: false });
  return {
    text: calls ? null : responseText,
    call: calls && grammar.parse(responseText),
    finish: calls ? "tool_calls" : stopReason === "maxTokens" ? "length" : "stop",
    usage: {
      prompt_tokens: used.usedInputTokens,
      completion_tokens: used.usedOutputTokens,
      total_tokens: used.usedInputTokens + used.usedOutputTokens,
    },
  };
}

const common = (kind) => ({
  id: "chatcmpl-local",
  object: kind,
  created: Math.floor(Date.now() / 1000),
  model: path.basename(file),
});

async function complete(request, response, signal) {
  const { text, call, finish, usage } = await answer(request, signal);
  const message = { role: "assistant", content: text };
  if (call) {
    const made = { name: call.tool, arguments: JSON.stringify(call.arguments) };
    message.tool_calls = [{ id: `call_${turns++}`, type: "function", function: made }];
  }
  response.writeHead(200, { "content-type": "application/json" });
  const choices = [{ index: 0, message, finish_reason: finish }];
  response.end(JSON.stringify({ ...common("chat.completion"), choices, usage }));
}

async function stream(request, response, signal) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (event) => response.write(`data: ${JSON.stringify(event)}\n\n`);
  const chunk = (delta, finish) => ({
    ...common("chat.completion.chunk"),
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const { call, finish, usage } = await answer(request, signal, (content) => send(chunk({ content }, null)));
  if (call) {
    const made = { name: call.tool, arguments: JSON.stringify(call.arguments) };
    send(chunk({ tool_calls: [{ index: 0, id: `call_${turns++}`, type: "function", function: made }] }, null));
  }
  send(chunk({}, finish));
  send({ ...common("chat.completion.chunk"), choices: [], usage });
  response.end("data: [DONE]\n\n");
}

let turns = 0;

// A single sequence, so requests wait for each other.
let turn = Promise.resolve();

const server = http.createServer(async (asked, response) => {
  const fail = (status, message) => {
    if (!response.headersSent) response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message, type: "server_error" } }));
  };
  if (asked.method !== "POST" || asked.url !== "/v1/chat/completions") return fail(404, "no such path");
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const chunks = [];
  for await (const part of asked) chunks.push(part);
  let request;
  try {
    request = JSON.parse(Buffer.concat(chunks).toString());
  } catch (error) {
    return fail(400, String(error));
  }
  turn = turn
    .then(() => (request.stream ? stream : complete)(request, response, gone.signal))
    .catch((error) => fail(500, String(error)));
});

server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/v1`));
