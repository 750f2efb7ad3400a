import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readLeftBehind } from '../../../daemon/harness/leftBehind.ts';
import { sha256hex } from '../../../schemas/hash.ts';
import { isolatedEnv, makeRepo } from '../../helpers/testRepo.ts';

function given() {
  const root = mkdtempSync(join(tmpdir(), 'devflow-left-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const store = (name: string, text: string) => {
    writeFileSync(join(root, name), text);
    return { storedPath: join(root, name), path: join(root, 'gone', name), hash: sha256hex(text) };
  };
  return { repo: makeRepo(join(root, 'repo'), isolatedEnv(join(root, 'home'))), store, root };
}

it('tells what the artifacts say and how many files are not committed', async () => {
  const { repo, store } = given();
  repo.write({ 'README.md': 'changed\n', 'new/a.txt': 'a', 'new/b.txt': 'b' });
  const artifacts = [
    { id: 'one', valid: true, ...store('one.json', '{"openQuestions":["why"]}') },
    { id: 'broken', valid: true, ...store('broken.json', '{') },
    { id: 'gone', valid: true, ...store('gone.json', '{}'), storedPath: '/nonexistent/gone.json' },
    { id: 'changed', valid: true, ...store('changed.json', '{"openQuestions":[]}'), hash: sha256hex('{}') },
    { id: 'invalid', valid: false, ...store('invalid.json', '{}'), storedPath: null },
  ];
  const { contents, dirtyFiles } = await readLeftBehind(artifacts, repo.dir);
  expect(contents).toEqual({ one: { openQuestions: ['why'] } });
  expect(dirtyFiles).toBe(3);
});

it('counts nothing where the worktree is gone or is none', async () => {
  const { root } = given();
  expect(await readLeftBehind([], join(root, 'none'))).toEqual({ contents: {}, dirtyFiles: 0 });
  expect(await readLeftBehind([], join(root, 'home'))).toEqual({ contents: {}, dirtyFiles: 0 });
});
