import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { doWork } from '../../../../daemon/sessions/fake/fakeWork.ts';

function given() {
  const root = mkdtempSync(join(tmpdir(), 'devflow-fake-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [cwd, fixturesDir] = [join(root, 'cwd'), join(root, 'fixtures')];
  mkdirSync(cwd);
  mkdirSync(join(fixturesDir, 'dev/spec@1'), { recursive: true });
  writeFileSync(join(fixturesDir, 'dev/spec@1/ok.json'), '{}');
  const work = (name: string) => ({
    type: 'received' as const,
    dedupKey: name,
    promptId: name,
    phaseKey: 'write',
    attempt: 1,
    delayMs: 0,
    schema: 'dev/spec@1',
    scenario: 'ok',
    path: join(cwd, '.devflow/artifacts/write', `${name}.json`),
    code: { path: 'fake/write-1.md', content: `${name}\n` },
  });
  return { root, cwd, act: (name: string) => doWork(cwd, fixturesDir, work(name)) };
}

it('gives two roles that write at once different drafts', async () => {
  const { cwd, act } = given();
  await Promise.all(['a', 'b', 'c', 'd'].map(act));
  expect(readdirSync(join(cwd, 'fake'))).toEqual(['write-1.md']);
  expect(readdirSync(join(cwd, '.devflow/artifacts/write'))).toHaveLength(4);
  expect(readFileSync(join(cwd, 'fake/write-1.md'), 'utf8')).toMatch(/^[abcd]\n$/);
});

it('writes through no link out of the worktree', async () => {
  const { root, cwd, act } = given();
  mkdirSync(join(root, 'outside'));
  symlinkSync('../outside', join(cwd, 'fake'));
  await expect(act('a')).rejects.toThrow('the directory fake is a link');
  expect(readdirSync(join(root, 'outside'))).toEqual([]);
});
