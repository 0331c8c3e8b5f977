// Tests a server with the client of the AI SDK: prints the client's results as JSON (run by adapters/http/tests/all/ai_sdk.rs).
//
//   node chat.mjs stream URL          one message through DefaultChatTransport and readUIMessageStream
//   node chat.mjs turns URL TEXT…     a message for each TEXT through Chat, which useChat is made of
//   node chat.mjs approve URL         the user allows the first call of a tool, and refuses the second
//   node chat.mjs abort URL FILE      Chat is stopped as soon as FILE exists
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Chat } from '@ai-sdk/react';
import { DefaultChatTransport, isToolUIPart, lastAssistantMessageIsCompleteWithApprovalResponses, readUIMessageStream } from 'ai';

const [mode, api, ...rest] = process.argv.slice(2);
const transport = new DefaultChatTransport({ api, body: mode === 'approve' ? { askFirst: true } : {} });

async function stream() {
  const errors = [], states = [], texts = [];
  const user = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'go' }] };
  const chunks = await transport.sendMessages({ chatId: 'c', messages: [user], trigger: 'submit-message' });
  let message;
  const messages = readUIMessageStream({ stream: chunks, terminateOnError: false, onError: (error) => errors.push(String(error?.message ?? error)) });
  for await (message of messages) {
    for (const part of message.parts.filter(isToolUIPart)) {
      const state = `${part.toolCallId} ${part.state}${part.preliminary ? ' preliminary' : ''}`;
      if (states.at(-1) !== state && !states.includes(state)) states.push(state);
    }
    texts.push(message.parts.filter((part) => part.type === 'text').map((part) => part.text).join(''));
  }
  return { message, errors, states, texts: [...new Set(texts)] };
}

function chat() {
  const seen = { errors: [], finishes: [] };
  const chat = new Chat({
    id: 'c', transport, sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    onError: (error) => seen.errors.push(error.message),
    onFinish: ({ isAbort, isDisconnect, isError, finishReason }) => seen.finishes.push({ isAbort, isDisconnect, isError, finishReason }),
  });
  return [chat, () => ({ ...seen, status: chat.status, messages: chat.messages })];
}

async function turns() {
  const [talk, seen] = chat();
  for (const text of rest) await talk.sendMessage({ text });
  return seen();
}

async function approve() {
  const [talk, seen] = chat();
  const asked = [];
  await talk.sendMessage({ text: 'go' });
  for (const approved of [true, false]) {
    const part = talk.messages.at(-1).parts.find((part) => part.state === 'approval-requested');
    asked.push(part?.toolCallId ?? null);
    if (part) await talk.addToolApprovalResponse({ id: part.approval.id, approved });
    while (talk.status !== 'ready' && talk.status !== 'error') await sleep(20);
  }
  return { ...seen(), asked };
}

async function abort() {
  const [talk, seen] = chat();
  let isOver = false;
  const sent = talk.sendMessage({ text: 'go' }).finally(() => { isOver = true; });
  while (!existsSync(rest[0]) && !isOver) await sleep(20);
  await talk.stop();
  await sent;
  return seen();
}

const seen = await { stream, turns, approve, abort }[mode]().catch((error) => ({ thrown: error.message }));
console.log(JSON.stringify(seen));
