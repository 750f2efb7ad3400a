import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readSettings } from '../../../cli/commands/run/start.ts';
import type { OwnOf } from '../../../cli/define/command.ts';
import { RUN } from '../../../cli/define/run.ts';
import { MAX_INPUT_BYTES, readInput } from '../../../cli/input/readInput.ts';
import { readRequirements } from '../../../cli/input/requirements.ts';
import { fakeIo } from '../fakeIo.ts';
import { givenTo } from '../givenTo.ts';

const directory = mkdtempSync(join(tmpdir(), 'devflow-input-'));
afterAll(() => rmSync(directory, { recursive: true }));
const file = (name: string, text: string) => {
  writeFileSync(join(directory, name), text);
  return name;
};
const io = (input = '') => fakeIo({ cwd: directory, input });
const request = async (options: OwnOf<typeof RUN.start>, input = '', words: string[] = []) => {
  const { params, own } = await givenTo(RUN.start, '--template', 't', ...words);
  const all = { ...own, repo: 'repo', requirements: file('req.md', 'do it'), ...options };
  return { ...(await readSettings(io(input), params, all)), requirements: await readRequirements(io(input), all) };
};

describe('readInput', () => {
  test('reads files relative to the current directory, and standard input', async () => {
    expect(await readInput(io(), file('a', '\ufeffhi'), 'the file')).toBe('hi');
    expect(await readInput(io('piped'), '-', 'the file')).toBe('piped');
  });
  test.each([
    ['absent', /does not exist/],
    ['.', /is a directory/],
  ])('%s', async (name, sentence) => {
    await expect(readInput(io(), name, 'the file')).rejects.toThrow(sentence);
  });
  test('refuses too large files and files without text', async () => {
    await expect(readInput(io(), file('big', 'x'.repeat(MAX_INPUT_BYTES + 1)), 'the file')).rejects.toThrow(
      /larger than/,
    );
    await expect(readInput(io(), file('bin', 'a\0b'), 'the file')).rejects.toThrow(/not a text file/);
  });
});

describe('run start', () => {
  test('makes one request from the options', async () => {
    const extra = file('extra.json', '{"a":1}');
    const words = ['--bind', 'planner=p', '--backend', 'planner=fake', '--verify', 'npm test'];
    const made = await request({ extra }, '', words);
    expect(made).toMatchObject({
      repo: join(directory, 'repo'),
      requirements: 'do it',
      bind: { planner: 'p' },
      backend: { planner: 'fake' },
      extra: { a: 1, verify: [['npm', 'test']] },
    });
  });
  test.each([
    [{ requirements: 'absent' }, 'requirements_missing'],
    [{ requirements: '-' }, 'requirements_missing'],
    [{ objective: 'req.md' }, 'usage'],
    [{ extra: 'list.json' }, 'usage'],
    [{ requirements: '-', objective: '-' }, 'usage'],
  ])('%j is %s', async (options, code) => {
    file('list.json', '[]');
    await expect(request(options, ' \n')).rejects.toMatchObject({ code });
  });
  test('takes the paragraphs of -m, and the current directory', async () => {
    const made = await request({ repo: undefined, requirements: undefined, message: ['Add a flag.', 'And its test.'] });
    expect(made).toMatchObject({ repo: directory, requirements: 'Add a flag.\n\nAnd its test.' });
  });
  test.each([
    [{ message: ['x'] }, 'usage', /together/],
    [{ requirements: undefined, message: [' '] }, 'requirements_missing', /are empty$/],
    [{ requirements: undefined }, 'requirements_missing', /there are no requirements/],
  ])('%j is %s', async (options, code, message) => {
    await expect(request(options)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });
  test('takes the text above the line in the editor, with headings', async () => {
    const editor = file(
      'editor',
      '#!/bin/sh\n{ printf "# Title\\n\\nDo it.\\n"; cat "$1"; } > "$1.made" && cp "$1.made" "$1"\n',
    );
    chmodSync(join(directory, editor), 0o755);
    const terminal = (EDITOR: string) =>
      fakeIo({ cwd: directory, inIsTty: true, outIsTty: true, env: { EDITOR, VISUAL: '' } });
    expect(await readRequirements(terminal(join(directory, editor)), {}, 'quick in /r')).toBe('# Title\n\nDo it.');
    await expect(readRequirements(terminal('true'), {})).rejects.toMatchObject({
      code: 'requirements_missing',
      message: expect.stringContaining('no run was started'),
    });
    await expect(readRequirements(terminal('false'), {})).rejects.toMatchObject({ code: 'usage' });
  });
});

test('refuses an unknown backend and names the known ones', async () => {
  await expect(request({}, '', ['--backend', 'planner=nosuch'])).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('--backend planner=nosuch: there is no backend nosuch'),
    recoveryHint: 'Choose one of codex, claude, gemini, opencode, fake.',
  });
});
