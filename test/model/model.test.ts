import { afterEach, beforeEach, expect, test } from 'vitest';
import { renderEnvelope } from '../../schemas/envelope.ts';
import { type Model, startModel } from '../fixtures/model/model.ts';
import { tortureEnvelope } from '../fixtures/scripted/torture.ts';
import { until } from '../helpers/until.ts';

let model: Model;
beforeEach(async () => {
  model = await startModel();
});
afterEach(() => model.close());

const prompt = tortureEnvelope({ nth: 1, text: 'Write it.' }, { expectedArtifact: '/w/.devflow/a.json' });
const post = (path: string, body: unknown) =>
  fetch(`${model.url}${path}`, { method: 'POST', body: JSON.stringify(body), headers: { connection: 'close' } });
const messages = (more = {}) => ({
  model: 'm',
  stream: true,
  tools: [{ name: 'Write' }],
  messages: [{ role: 'user', content: renderEnvelope(prompt) }],
  ...more,
});

/** What each `data:` line of a stream holds. */
const eventsOf = (text: string): { type: string; [key: string]: unknown }[] =>
  text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));

test('Anthropic Messages: a stream with the call of a tool, and what was asked is on record', async () => {
  const events = eventsOf(await (await post('/v1/messages?beta=true', messages())).text());
  expect(events.map(({ type }) => type)).toEqual([
    ...['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop'],
    ...['message_delta', 'message_stop'],
  ]);
  expect(events[1]).toMatchObject({ content_block: { type: 'tool_use', name: 'Write', input: {} } });
  expect(events[4]).toMatchObject({ delta: { stop_reason: 'tool_use' } });
  expect(model.heard).toMatchObject([{ kind: 'turn', newest: prompt.uuid, answered: 'Write' }]);
  expect([model.deliveries(prompt.uuid), model.textOf(prompt.uuid)]).toEqual([1, renderEnvelope(prompt)]);
});

test('OpenAI Responses: a stream with the call of a tool', async () => {
  const body = {
    model: 'm',
    stream: true,
    tools: [{ type: 'function', name: 'exec_command' }],
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: renderEnvelope(prompt) }] }],
  };
  const events = eventsOf(await (await post('/v1/responses', body)).text());
  expect(events.map(({ type }) => type)).toEqual([
    ...['response.created', 'response.output_item.added', 'response.output_item.done', 'response.completed'],
  ]);
  expect(events[2]).toMatchObject({ item: { type: 'function_call', name: 'exec_command' } });
});

test('Chat Completions: a stream with the call of a tool, its usage, and the end', async () => {
  const body = {
    model: 'm',
    stream: true,
    tools: [{ type: 'function', function: { name: 'write' } }],
    messages: [{ role: 'user', content: renderEnvelope(prompt) }],
  };
  const text = await (await post('/v1/chat/completions', body)).text();
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  const chunks = eventsOf(text.replace('data: [DONE]', ''));
  const called = { name: 'write', arguments: expect.stringContaining('"filePath":"/w/.devflow/a.json"') };
  expect(chunks).toMatchObject([
    { choices: [{ delta: { role: 'assistant' } }] },
    { choices: [{ delta: { tool_calls: [{ index: 0, type: 'function', function: called }] } }] },
    { choices: [{ finish_reason: 'tool_calls' }] },
    { choices: [], usage: { total_tokens: 110 } },
  ]);
});

test("Gemini's API: a stream with the call of a tool", async () => {
  const body = {
    tools: [{ functionDeclarations: [{ name: 'write_file' }] }],
    contents: [{ role: 'user', parts: [{ text: renderEnvelope(prompt) }] }],
  };
  const answer = await post('/v1beta/models/m:streamGenerateContent?alt=sse', body);
  const functionCall = { name: 'write_file', args: { file_path: '/w/.devflow/a.json' } };
  expect(eventsOf(await answer.text())).toMatchObject([
    { candidates: [{ content: { role: 'model', parts: [{ functionCall }] }, finishReason: 'STOP' }] },
  ]);
  expect(model.heard).toMatchObject([{ kind: 'turn', newest: prompt.uuid, answered: 'write_file' }]);
});

test('a side thread that wants an object is given one', async () => {
  const responseJsonSchema = {
    type: 'OBJECT',
    required: ['why', 'choice', 'score', 'sure', 'all'],
    properties: {
      why: { type: 'STRING' },
      choice: { type: 'string', enum: ['flash', 'pro'] },
      score: { type: 'INTEGER' },
      sure: { type: 'boolean' },
      all: { type: 'array' },
      more: { type: 'string' },
    },
  };
  const answer = await post('/v1beta/models/m:generateContent', { generationConfig: { responseJsonSchema } });
  const { candidates } = (await answer.json()) as { candidates: { content: { parts: { text: string }[] } }[] };
  expect(JSON.parse(candidates[0]?.content.parts[0]?.text ?? '')).toEqual({
    why: 'A title',
    choice: 'flash',
    score: 0,
    sure: false,
    all: [],
  });
});

test('without a stream, one object', async () => {
  const body = await (await post('/v1/messages', messages({ stream: false, tools: [] }))).json();
  expect(body).toMatchObject({ role: 'assistant', content: [{ type: 'text', text: 'A title' }] });
});

test('failures are those of the vendor', async () => {
  model.play('http-429-reset');
  model.resets = 1234;
  const response = await post('/v1/messages', messages());
  expect([response.status, response.headers.get('anthropic-ratelimit-unified-reset')]).toEqual([429, '1234']);
  expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });

  const tools = [{ functionDeclarations: [{ name: 'write_file' }] }];
  const gemini = await post('/v1beta/models/m:streamGenerateContent', { tools });
  expect(await gemini.json()).toMatchObject({ error: { code: 429, status: 'RESOURCE_EXHAUSTED' } });
  const chat = await post('/v1/chat/completions', { tools: [{ function: { name: 'write' } }] });
  expect([chat.status, chat.headers.get('retry-after')]).toEqual([429, '0']);
  expect(await chat.json()).toMatchObject({ error: { type: 'rate_limit_exceeded' } });
});

test('slow holds the answer until the test lets go; one that hangs up is on record', async () => {
  model.play('slow');
  const gone = new AbortController();
  const broken = await fetch(`${model.url}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify(messages()),
    signal: gone.signal,
  });
  gone.abort();
  await broken.text().catch(() => {});
  const held = await post('/v1/messages', messages());
  model.release();
  const events = eventsOf(await held.text());
  expect(events.filter(({ type }) => type === 'content_block_start')).toHaveLength(2);
  await until('it hung up', () => model.heard[0]?.broken);
  expect(model.heard[1]?.broken).toBe(false);
});

test('tokens are counted, models listed, and all else is refused', async () => {
  expect(await (await post('/v1/messages/count_tokens', {})).json()).toEqual({ input_tokens: 1000 });
  expect(await (await post('/v1beta/models/m:countTokens', {})).json()).toEqual({ totalTokens: 1000 });
  expect((await fetch(`${model.url}/v1/models`)).status).toBe(200);
  expect((await post('/v2/else', {})).status).toBe(404);
});
