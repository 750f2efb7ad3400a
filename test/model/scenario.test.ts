import { describe, expect, test } from 'vitest';
import { renderEnvelope } from '../../schemas/envelope.ts';
import type { Asked, Said, Tool } from '../fixtures/model/asked.ts';
import { nextMove } from '../fixtures/model/scenario.ts';
import { callFor, isSideThread } from '../fixtures/model/tools.ts';
import { tortureEnvelope } from '../fixtures/scripted/torture.ts';

const ARTIFACT = "/w/it's/.devflow/artifacts/spec/1/a.json";
const answers = (count: number) => Array.from({ length: count }, (): Said => ({ by: 'tool', text: 'ok' }));
const asked = (instructions: string, results = 0, about: Partial<Asked> = {}): Asked => {
  const text = renderEnvelope(tortureEnvelope({ nth: 1, text: instructions }, { expectedArtifact: ARTIFACT }));
  const said: Said[] = [{ by: 'user', texts: [text] }, ...answers(results)];
  return { model: 'm', stream: true, system: '', tools: [], said, ...about };
};
const move = (scenario: string, of: Asked, files: Record<string, string> = {}) =>
  nextMove(of, {
    scenario: () => scenario,
    artifact: (schema, which) => `${schema} ${which}`,
    read: (_prompt, path) => files[path],
  });
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

  test('of comments it first forgets the last, and answers all once its artifact is refused', () => {
    const comments =
      'Make it.\n\nComments: c1, c2\nAnswers: /w/.devflow/artifacts/spec/1/answers.json\nc2: a question about it';
    const written = (instructions: string) =>
      Array.from({ length: 5 }, (_, results) => move('commented', asked(instructions, results))).flatMap((each) =>
        each.do === 'step' && each.step.do === 'write' ? [each.step] : [],
      );
    const answered = (instructions: string) => {
      const answers = written(instructions).find(({ path }) => path.endsWith('/answers.json'));
      return answers && JSON.parse(answers.text).answers.map(({ id }: { id: string }) => id);
    };
    expect(answered('Make it.')).toBeUndefined();
    expect(written('Make it.').at(-1)?.path).toBe(ARTIFACT);
    expect(answered(comments)).toEqual(['c1']);
    expect(answered(`${comments}\n${REPAIR}`)).toEqual(['c1', 'c2']);
    expect(written(`${comments}\n${REPAIR}`)).toHaveLength(2);
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

  test('a fixer reads a file before it changes it', () => {
    const artifact = '/w/.devflow/artifacts/review/1/response.json';
    const about = { expectedArtifact: artifact, expectedSchema: 'dev/review-response@1', phaseKey: 'review' };
    const text = renderEnvelope(tortureEnvelope({ nth: 1, text: 'Finding: f1 a.txt:1 high Wrong' }, about));
    const next = (results: number) =>
      move('ok', asked('', 0, { said: [{ by: 'user', texts: [text] }, ...answers(results)] }), { 'a.txt': 'one\n' });
    expect(next(0)).toMatchObject({ step: { do: 'read', path: '/w/a.txt' } });
    expect(next(1)).toMatchObject({ step: { do: 'write', path: '/w/a.txt', text: 'one\nfixed f1\n' } });
    expect(next(2)).toMatchObject({ step: { path: artifact, text: expect.stringContaining('"fixed"') } });
    expect(next(3)).toMatchObject({ do: 'say' });
  });

  test('comments of a person are answered before the artifact is written', () => {
    const text = 'Write it.\nComments: c1, c2\nAnswers: /w/.devflow/artifacts/spec/1/answers.json';
    expect(move('ok', asked(text))).toMatchObject({
      step: { do: 'write', path: '/w/.devflow/artifacts/spec/1/answers.json', text: expect.stringContaining('"c2"') },
    });
    expect(move('ok', asked(text, 1))).toMatchObject({ step: { path: ARTIFACT } });
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

  test('each program reads a file', () => {
    const reads = (...tools: Tool[]) => callFor({ do: 'read', path: '/w/a b' }, asked('', 0, { tools }));
    expect(reads(tool('Read'), tool('Write'))).toMatchObject({ input: { file_path: '/w/a b' } });
    expect(reads(tool('exec_command'))).toMatchObject({ input: { cmd: "cat '/w/a b'" } });
    expect(reads(tool('read_file'), tool('write_file'))).toMatchObject({ input: { file_path: '/w/a b' } });
    expect(reads(tool('read'), tool('write'))).toMatchObject({ input: { filePath: '/w/a b' } });
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
