import { describe, expect, test } from 'vitest';
import { renderEnvelope } from '../../schemas/envelope.ts';
import type { Asked, Said, Tool } from '../fixtures/model/asked.ts';
import { nextMove } from '../fixtures/model/scenario.ts';
import { callFor, isSideThread } from '../fixtures/model/tools.ts';
import { tortureEnvelope } from '../fixtures/scripted/torture.ts';

const ARTIFACT = "/w/it's/.devflow/artifacts/spec/1/a.json";
const asked = (instructions: string, results = 0, about: Partial<Asked> = {}): Asked => {
  const text = renderEnvelope(tortureEnvelope({ nth: 1, text: instructions }, { expectedArtifact: ARTIFACT }));
  const answers = Array.from({ length: results }, (): Said => ({ by: 'tool', text: 'ok' }));
  const said: Said[] = [{ by: 'user', texts: [text] }, ...answers];
  return { model: 'm', stream: true, system: '', tools: [], said, ...about };
};
const move = (scenario: string, of: Asked) =>
  nextMove(of, { scenario: () => scenario, artifact: (schema, which) => `${schema} ${which}` });
const REPAIR = `Write it.\n\nThe artifact you wrote to ${ARTIFACT} is not valid:\n- /: no`;

describe('what the model does next', () => {
  test('it writes, and closes the turn once the tool has answered', () => {
    const step = { do: 'write', path: ARTIFACT, text: 'dev/spec@1 ok' };
    expect(move('ok', asked('Write it.'))).toEqual({ do: 'step', step });
    expect(move('ok', asked('Write it.', 1))).toMatchObject({ do: 'say' });
  });

  test('the repair prompt makes it better', () => {
    expect(move('invalid-then-ok', asked('Write it.'))).toMatchObject({ step: { text: 'dev/spec@1 invalid' } });
    expect(move('invalid-then-ok', asked(REPAIR))).toMatchObject({ step: { text: 'dev/spec@1 ok' } });
  });

  test('a line of the prompt goes before what the test said', () => {
    expect(move('ok', asked('Write it.\nScenario: claims-done'))).toMatchObject({ do: 'say' });
  });

  test('in a lane it changes the first file that the task may change', () => {
    const artifact = '/w/.devflow/artifacts/implement/1/lane-1.T1/implementation.json';
    const about = { expectedArtifact: artifact, expectedSchema: 'dev/implementation@1', phaseKey: 'implement' };
    const task = 'T1: Greet\nFiles that you may change: src/a.js, test/a.js\nBuilds on the tasks: none';
    const text = renderEnvelope(tortureEnvelope({ nth: 1, text: task }, about));
    const prompt = asked('', 0, { said: [{ by: 'user', texts: [text] }] });
    const written = { path: '/w/src/a.js', text: 'Changed in implement, attempt 1.\n' };
    expect(move('ok', prompt)).toEqual({ do: 'step', step: { do: 'write', ...written } });
  });

  test('held only before the first tool', () => {
    expect(move('slow', asked('Write it.'))).toMatchObject({ do: 'step', hold: true });
    expect(move('slow', asked('Write it.', 1))).not.toHaveProperty('hold');
  });

  test('it fails whatever it is asked', () => expect(move('http-429', asked(''))).toEqual({ do: 'fail', with: '429' }));

  test('a scenario that does not exist is named', () => {
    expect(() => move('nonesuch', asked('Write it.'))).toThrow('There is no scenario nonesuch.');
  });
});

describe('a step in the words of a program', () => {
  const step = { do: 'write', path: ARTIFACT, text: '{}' } as const;
  const tool = (name: string, kind: Tool['kind'] = 'function'): Tool => ({ name, kind });

  test('Claude Code', () => {
    const call = callFor(step, asked('', 0, { tools: [tool('Read'), tool('Write')] }));
    expect(call).toEqual({
      do: 'call',
      tool: 'Write',
      kind: 'function',
      input: { file_path: ARTIFACT, content: '{}' },
    });
  });

  test('Codex: a shell command, or code around it; quotes are safe', () => {
    const cmd = expect.stringContaining(
      "cat > '/w/it'\\''s/.devflow/artifacts/spec/1/a.json' <<'STUB_END'\n{}\nSTUB_END",
    );
    expect(callFor(step, asked('', 0, { tools: [tool('exec_command')] }))).toMatchObject({ input: { cmd } });
    const code = callFor(step, asked('', 0, { tools: [tool('exec', 'custom')] }));
    expect(code).toMatchObject({
      kind: 'custom',
      input: expect.stringContaining('tools.exec_command({"cmd":"mkdir -p'),
    });
  });

  test.each([
    ['write_file', { file_path: ARTIFACT, content: '{}' }],
    ['write', { filePath: ARTIFACT, content: '{}' }],
  ])('Gemini CLI and opencode: %s', (name, input) => {
    const call = callFor(step, asked('', 0, { tools: [tool('glob'), tool(name)] }));
    expect(call).toEqual({ do: 'call', tool: name, kind: 'function', input });
  });

  test('none in a thread beside the conversation', () => {
    const title: Said[] = [{ by: 'user', texts: ['Generate a concise, single-line task title of at most 36'] }];
    const side = asked('', 0, { tools: [tool('exec', 'custom')], said: title });
    expect([isSideThread(side), callFor(step, side)]).toEqual([true, undefined]);
    expect(isSideThread(asked('', 0, { tools: [tool('WebSearch')] }))).toBe(true);
  });
});
