import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readAnswers } from '../../../../daemon/engine/performers/readAnswers.ts';
import { createRegistry } from '../../../../schemas/definitions/registry.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';

const registry = createRegistry({ builtinDir: join(packageRoot(), 'schemas', 'artifacts') });

/** Reads the answers of an agent that was asked `c1` and `c2`. */
async function reading(write: (path: string) => void) {
  const root = mkdtempSync(join(tmpdir(), 'devflow-answers-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const path = join(root, 'answers.json');
  write(path);
  return readAnswers(registry, { path, comments: ['c1', 'c2'] }, root);
}

const fixed = (id: string, more: object = {}) => ({ id, action: 'fixed', note: 'Done.', ...more });
const answers = (...given: object[]) => JSON.stringify({ answers: given });
const faultsOf = async (text: string) => {
  const read = await reading((path) => writeFileSync(path, text));
  return 'errors' in read ? read.errors.map(({ path, message }) => `${path} ${message}`) : [];
};

test('takes an answer to each comment, and nothing else that an agent writes', async () => {
  const text = answers(fixed('c2', { action: 'answered' }), fixed('c1', { confidence: 1 }));
  expect(await reading((path) => writeFileSync(path, text))).toEqual({
    answers: [
      { id: 'c2', action: 'answered', note: 'Done.' },
      { id: 'c1', action: 'fixed', note: 'Done.' },
    ],
  });
});

test('says which answer is missing, which one nobody asked for, and which one is doubled', async () => {
  expect(await faultsOf(answers(fixed('c1')))).toEqual([
    expect.stringMatching(/^\/answers The list needs c2 exactly once/),
  ]);
  expect(await faultsOf(answers())).toEqual([expect.stringMatching(/^\/answers The list needs c1, c2 exactly once/)]);
  const strange = await faultsOf(answers(fixed('c1'), fixed('c2'), fixed('c3')));
  expect(strange).toEqual([expect.stringMatching(/^\/answers\/2\/id Nobody asked about this id/)]);
  expect(await faultsOf(answers(fixed('c1'), fixed('c2'), fixed('c2')))).not.toEqual([]);
});

test('says that the file is missing, half written, or of another form', async () => {
  const missing = await reading(() => {});
  expect(missing).toMatchObject({ errors: [{ path: '/answers', message: expect.stringContaining('c1, c2') }] });
  expect(await faultsOf('{"answers": [')).toEqual([expect.stringMatching(/^\/answers the file is not JSON/)]);
  expect(await faultsOf('[]')).toEqual([expect.stringMatching(/^\/answers/)]);
  expect(await faultsOf(answers(fixed('c1', { action: 'done' }), fixed('c2')))).not.toEqual([]);
  expect(await faultsOf(answers(fixed('c1', { note: 'x'.repeat(1001) }), fixed('c2')))).not.toEqual([]);
});

test('reads no link and no pipe, and nothing that the log cannot keep', async () => {
  const link = await reading((path) => symlinkSync('/etc/hostname', path));
  const pipe = await reading((path) => execFileSync('mkfifo', [path]));
  const huge = await reading((path) => writeFileSync(path, 'x'.repeat(17 * 1024 * 1024)));
  for (const read of [link, pipe, huge]) expect(read).toMatchObject({ errors: [{ path: '/answers' }] });
  expect(await faultsOf(answers(fixed('c1', { note: 'a\0b' }), fixed('c2')))).not.toEqual([]);
});
