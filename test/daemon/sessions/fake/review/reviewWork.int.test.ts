import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { FixPrompt } from '../../../../../daemon/sessions/fake/review/reviewPrompt.ts';
import { doReviewWork } from '../../../../../daemon/sessions/fake/review/reviewWork.ts';

const ID = '0123456789abcdef';

/** A worktree with one file, and a fixer in it. */
function given(text = 'one\ntwo\n') {
  const root = mkdtempSync(join(tmpdir(), 'devflow-review-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const cwd = join(root, 'main');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'a.txt'), text);
  const finding = (path: string, line = 1) => ({ id: ID, path, line });
  return {
    root,
    cwd,
    finding,
    fix: (about: Partial<FixPrompt> = {}, dedupKey = 'key-1') =>
      JSON.parse(
        doReviewWork(cwd, { kind: 'fix', findings: [finding('a.txt')], changes: [], ...about }, dedupKey),
      ) as unknown,
    read: (path: string) => readFileSync(join(cwd, path), 'utf8'),
  };
}

it('adds a line for each finding to its file', () => {
  const { fix, read } = given();
  expect(fix()).toEqual({
    summary: 'Fixed 1 findings.',
    answers: [{ id: ID, action: 'fixed', note: 'Fixed line 1 of a.txt.' }],
  });
  expect(read('a.txt')).toBe('one\ntwo\nfixed 01234567\n');
});

it('removes a line that is marked as a defect', () => {
  const { fix, read, finding } = given('defect-1 x\ndefect-2 x\n');
  fix({ findings: [finding('a.txt', 2)] });
  expect(read('a.txt')).toBe('defect-1 x\nfixed 01234567\n');
});

it('writes no file that is not in the worktree', () => {
  const { fix, finding, root, cwd } = given();
  writeFileSync(join(root, 'outside.txt'), '');
  symlinkSync('../outside.txt', join(cwd, 'link.txt'));
  const paths = ['gone.txt', '../outside.txt', 'link.txt'];
  expect(fix({ findings: paths.map((path) => finding(path)) })).toMatchObject({ answers: paths.map(() => ({})) });
  expect(existsSync(join(cwd, 'gone.txt'))).toBe(false);
  expect(readFileSync(join(root, 'outside.txt'), 'utf8')).toBe('');
});

it('changes nothing and disputes', () => {
  const { fix, read } = given();
  expect(fix({ changes: [{ what: 'nothing' }] })).toMatchObject({ answers: [{ id: ID, action: 'disputed' }] });
  expect(read('a.txt')).toBe('one\ntwo\n');
});

it('adds other defects at each attempt', () => {
  const { fix, read } = given('one\n');
  const changes = [{ what: 'adds' as const, path: 'a.txt', lines: 2 }];
  fix({ changes, findings: [] }, 'key-1');
  fix({ changes, findings: [] }, 'key-2');
  expect(read('a.txt')).toBe('one\ndefect-1 key-1\ndefect-2 key-1\ndefect-1 key-2\ndefect-2 key-2\n');
});

it('moves a file once, with lines before its text', () => {
  const { fix, read, cwd } = given('one\n');
  const changes = [{ what: 'moves' as const, path: 'a.txt', to: 'lib/b.txt', lines: 2 }];
  for (const dedupKey of ['key-1', 'key-2']) fix({ changes }, dedupKey);
  expect(read('lib/b.txt')).toBe('moved 1\nmoved 2\none\nfixed 01234567\n');
  expect(existsSync(join(cwd, 'a.txt'))).toBe(false);
});

it('quotes what the worktree has', () => {
  const { cwd } = given();
  const findings = [{ id: ID, path: 'a.txt', line: 2 }];
  const made = doReviewWork(cwd, { kind: 'verdict', findings, verdict: 'rejected', duplicates: [] }, 'key');
  expect(JSON.parse(made)).toMatchObject({ verdicts: [{ quote: { path: 'a.txt', line: 2, text: 'two' } }] });
});
