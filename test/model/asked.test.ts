import { describe, expect, test } from 'vitest';
import { type PromptEnvelope, renderEnvelope } from '../../schemas/envelope.ts';
import { derivedId } from '../../schemas/ids.ts';
import { readMessages } from '../fixtures/model/anthropic.ts';
import { newestTurn, promptsSaid, readPrompt } from '../fixtures/model/asked.ts';
import { readChat } from '../fixtures/model/chat.ts';
import { readGenerate } from '../fixtures/model/generate.ts';
import { readResponses } from '../fixtures/model/responses.ts';
import { tortureEnvelope, torturePrompts } from '../fixtures/scripted/torture.ts';

const envelope = (about: Partial<PromptEnvelope> = {}) =>
  tortureEnvelope({ nth: 1, text: 'Write it.' }, { expectedArtifact: '/w/.devflow/artifacts/spec/1/a.json', ...about });

describe('a prompt in a message', () => {
  test('is read as it was sent', () => {
    const sent = envelope();
    expect(readPrompt(renderEnvelope(sent))).toMatchObject({
      uuid: sent.uuid,
      phase: 'spec',
      attempt: 1,
      artifact: sent.expectedArtifact,
      schema: 'dev/spec@1',
      instructions: 'Write it.',
      merged: false,
      text: renderEnvelope(sent),
    });
  });

  test('is the same in what a program wraps around it', () => {
    const sent = envelope();
    const wrapped = `\n\n<pasted_content id="a57f">\n${renderEnvelope(sent)}</pasted_content id="a57f">\n`;
    expect(readPrompt(wrapped)).toMatchObject({ uuid: sent.uuid, text: renderEnvelope(sent), merged: false });
  });

  test('is none where an envelope is not whole', () => {
    expect(readPrompt('DEVFLOW_PROMPT_BEGIN')).toBeUndefined();
    expect(readPrompt(renderEnvelope(envelope()).split('\n').slice(0, 5).join('\n'))).toBeUndefined();
  });

  test('its own is the outermost, whatever its instructions quote', () => {
    const shapes = torturePrompts('model');
    for (let nth = 0; nth < 30; nth++) {
      const sent = tortureEnvelope(shapes.next().value, { expectedArtifact: '/w/a.json' });
      expect(readPrompt(renderEnvelope(sent))).toMatchObject({ uuid: sent.uuid, instructions: sent.instructions });
      expect(readPrompt(renderEnvelope(sent))?.merged).toBe(false);
    }
  });

  test('two that became one are told', () => {
    const other = envelope({ uuid: derivedId('other') });
    expect(readPrompt(`${renderEnvelope(envelope())}\n${renderEnvelope(other)}`)?.merged).toBe(true);
  });
});

describe('a conversation', () => {
  const text = renderEnvelope(envelope());
  const { uuid } = envelope();

  test('in Anthropic Messages: the newest prompt, and how many tools have answered since', () => {
    const call = { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Write', input: {} }] };
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'Wrote it' }] };
    const reminder = { type: 'text', text: '<system-reminder>Be kind</system-reminder>' };
    const asked = readMessages({
      model: 'm',
      stream: true,
      system: [{ type: 'text', text: 'You are…' }],
      tools: [{ name: 'Write' }],
      messages: [{ role: 'user', content: [reminder, { type: 'text', text }] }, call, result],
    });
    expect(asked).toMatchObject({ model: 'm', stream: true, system: 'You are…', tools: [{ name: 'Write' }] });
    expect(newestTurn(asked.said)).toMatchObject({ prompt: { uuid }, results: [expect.stringContaining('Wrote it')] });
  });

  test('in OpenAI Responses: tools may stand in the conversation, in groups', () => {
    const tools = [{ type: 'namespace', name: 'functions', tools: [{ type: 'custom', name: 'exec' }] }];
    const asked = readResponses({
      model: 'm',
      stream: true,
      instructions: 'You are…',
      tools: [{ type: 'function', name: 'exec_command' }],
      input: [
        { type: 'additional_tools', role: 'developer', tools },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
        { type: 'custom_tool_call', name: 'exec', call_id: 'c', input: '' },
        { type: 'custom_tool_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'ok' }] },
      ],
    });
    expect(asked.tools).toEqual([
      { name: 'exec_command', kind: 'function' },
      { name: 'functions', kind: 'function' },
      { name: 'exec', kind: 'custom' },
    ]);
    expect(promptsSaid(asked.said).map((each) => each.uuid)).toEqual([uuid]);
    expect(newestTurn(asked.said)?.results).toHaveLength(1);
  });

  test('in Chat Completions: what the tools answered stands in messages of their own', () => {
    const call = { id: 'c', type: 'function', function: { name: 'write', arguments: '{}' } };
    const asked = readChat({
      model: 'm',
      stream: true,
      tools: [{ type: 'function', function: { name: 'write', parameters: {} } }],
      messages: [
        { role: 'system', content: 'You are…' },
        { role: 'user', content: [{ type: 'text', text }] },
        { role: 'assistant', content: '', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: 'Wrote it' },
      ],
    });
    const tools = [{ name: 'write', kind: 'function' }];
    expect(asked).toMatchObject({ model: 'm', stream: true, system: 'You are…', tools });
    expect(newestTurn(asked.said)).toMatchObject({ prompt: { uuid }, results: [expect.stringContaining('Wrote it')] });
  });

  test("in Gemini's API: model and stream stand in the path, what the tools answered in a user's word", () => {
    const path = '/v1beta/models/gemini-3.1-pro-preview:streamGenerateContent';
    const response = { name: 'write_file', response: { output: 'Wrote it' } };
    const asked = readGenerate(
      {
        systemInstruction: { role: 'user', parts: [{ text: 'You are…' }] },
        tools: [{ functionDeclarations: [{ name: 'write_file' }, { name: 'glob' }] }],
        contents: [
          { role: 'user', parts: [{ text: '<session_context>' }, { text }] },
          { role: 'model', parts: [{ functionCall: { name: 'write_file', args: {} } }] },
          { role: 'user', parts: [{ functionResponse: response }] },
        ],
      },
      path,
    );
    expect(asked).toMatchObject({ model: 'gemini-3.1-pro-preview', stream: true, system: 'You are…' });
    expect(asked.tools.map(({ name }) => name)).toEqual(['write_file', 'glob']);
    expect(newestTurn(asked.said)).toMatchObject({ prompt: { uuid }, results: [expect.stringContaining('Wrote it')] });
    const shape = { type: 'object' };
    const side = readGenerate({ generationConfig: { responseJsonSchema: shape } }, '/v1beta/models/m:generateContent');
    expect(side).toMatchObject({ stream: false, shape, said: [] });
  });
});
