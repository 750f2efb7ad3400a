import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commitSubject } from '../../../../daemon/engine/performers/commitSubject.ts';
import { sha256hex } from '../../../../schemas/hash.ts';

/** The subject of a commit whose artifact has these bytes. */
function subjectOf(text: string, more: Partial<Parameters<typeof commitSubject>[0]> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'devflow-subject-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const storedPath = join(root, 'artifacts', 'a.json');
  mkdirSync(dirname(storedPath));
  writeFileSync(storedPath, text);
  const path = join(root, 'main', 'a.json');
  const about = { path, storedPath, hash: sha256hex(Buffer.from(text)) };
  const lane = { repoPath: root, path: join(root, 'main'), branch: 'b' };
  return commitSubject({ about, lane: lane as never, title: 'Implement the plan', ...more });
}

const saying = (summary: unknown) => JSON.stringify({ summary });

test.each([
  ['its first sentence', saying('Greet takes a name. More.'), 'Greet takes a name'],
  ['escapes in sight', saying('a\u001b[2J`$(rm)`\u202e'), 'a␛[2J`$(rm)`<U+202E>'],
  ['one line', saying('Greet\nDevflow-Run: other'), 'Greet Devflow-Run: other'],
  ['no trailer', saying('Devflow-Run: other'), 'devflow: Implement the plan'],
  ['no summary', '{}', 'devflow: Implement the plan'],
  ['a summary that is no text', saying({}), 'devflow: Implement the plan'],
  ['a document that is no JSON', '# Plan\n', 'devflow: Implement the plan'],
  ['a list', '[]', 'devflow: Implement the plan'],
])('an artifact with %s names the commit', async (_, text, subject) => expect(await subjectOf(text)).toBe(subject));

test('without an artifact, and with one that somebody changed, the phase or task names it', async () => {
  expect(await subjectOf('', { about: undefined })).toBe('devflow: Implement the plan');
  const part = { assignment: 'A', writeSet: [], base: '' };
  expect(await subjectOf('', { about: undefined, part })).toBe('devflow: A: Implement the plan');
  const lost = { path: '/gone', storedPath: '/gone', hash: sha256hex(Buffer.from('x')) };
  expect(await subjectOf('', { about: lost })).toBe('devflow: Implement the plan');
});
