import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Patch, parsePatch } from '../../../schemas/diff/parsePatch.ts';

const PATHS = [
  'a',
  'b c',
  'ü',
  'e\u0301',
  'tab\there',
  'quote"d',
  'new\nline',
  'dir/x',
  '--- a',
  'back\\slash',
  'a b/a',
];
const LINES = [
  '--- a/x',
  '+++ b/x',
  '-- ',
  '@@ -1,3 +1,3 @@',
  'diff --git a/x b/x',
  '\\ No newline at end of file',
  'rename from x',
  'carriage return\r',
  'between\rlines',
  '',
  ' ',
  'ünï',
  'Binary files a/x and b/x differ',
];

type Tree = Map<string, string>;

const text = fc
  .tuple(fc.array(fc.oneof(fc.constantFrom(...LINES), fc.string({ unit: 'binary-ascii' }))), fc.boolean())
  .map(([lines, ends]) => lines.map((line) => line.replaceAll(/[\n\0]/g, '')).join('\n') + (ends ? '\n' : ''));
const content = fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: fc.constant('\0binary') });
const tree = fc
  .array(fc.tuple(fc.constantFrom(...PATHS), content), { maxLength: 5 })
  .map((entries): Tree => new Map(entries));

/** A tree, and another one that has some of its files, changed or under other names. */
const trees = fc
  .tuple(tree, tree, fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }))
  .map(([before, other, keep]) => {
    const after: Tree = new Map(other);
    [...before].forEach(([path, body], nth) => {
      if (keep[nth]) after.set(nth === 0 ? 'moved name' : path, nth === 1 ? `first\n${body}` : body);
    });
    return { before, after };
  });

const CASES = fc.sample(trees, 200);
const NO_LINES = 'no lines';
const FLAGS = ['--no-color', '--find-renames', '--src-prefix=a/', '--dst-prefix=b/'];

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'patch-'));
  execFileSync('git', ['init', '-q', '--bare', directory]);
  execFileSync('git', ['-C', directory, 'fast-import', '--quiet'], {
    input: CASES.map(({ before, after }, nth) => commit(`before${nth}`, before) + commit(`after${nth}`, after)).join(
      '',
    ),
  });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('each row of a patch is the line of the file that it says', () => {
  CASES.forEach(({ before, after }, nth) => {
    const { files, rows } = patchOf(nth);
    const linesOf = (of: Tree, path: string) => (of.get(path) ?? '').split('\n');
    for (const { kind, file, text: shown, oldLine, newLine } of rows) {
      const { path, from } = files[file] ?? { path: '', from: null };
      if (oldLine !== null) expect(linesOf(before, from ?? path)[oldLine - 1]).toBe(shown.slice(1));
      if (newLine !== null) expect(linesOf(after, path)[newLine - 1]).toBe(shown.slice(1));
      expect(oldLine !== null).toBe(kind === 'context' || kind === 'removed');
      expect(newLine !== null).toBe(kind === 'context' || kind === 'added');
    }
  });
});

test('the files of a patch are those that git names, with their lines', () => {
  CASES.forEach((_, nth) => {
    const { files, rows } = patchOf(nth);
    expect(files.map(({ path, from }) => ({ path, from }))).toEqual(namesOf(nth));
    const sums = files.map(({ noLines }, file) => {
      const count = (kind: string) => rows.filter((row) => row.file === file && row.kind === kind).length;
      return noLines === null ? `${count('added')}\t${count('removed')}` : NO_LINES;
    });
    expect(sums).toEqual(numbersOf(nth));
  });
});

test('a patch that is cut off anywhere has the same rows up to there', () => {
  CASES.slice(0, 20).forEach((_, nth) => {
    const patch = textOf(nth);
    const whole = patchOf(nth).rows;
    for (let end = 0; end < patch.length; end += 7) {
      const { rows } = parsePatch(patch.slice(0, patch.lastIndexOf('\n', end) + 1));
      expect(rows).toEqual(whole.slice(0, rows.length));
    }
  });
});

function commit(branch: string, of: Tree): string {
  const files = [...of].map(([path, body]) => `M 100644 inline ${quoted(path)}\n${data(body)}`);
  return `commit refs/heads/${branch}\ncommitter A <a@b> 0 +0000\n${data('')}${files.join('')}\n`;
}

const data = (body: string) => `data ${Buffer.byteLength(body)}\n${body}\n`;
const quoted = (path: string) => `"${path.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;

function git(nth: number, ...flags: string[]): string {
  return execFileSync('git', ['-C', directory, 'diff', ...FLAGS, ...flags, `before${nth}`, `after${nth}`], {
    encoding: 'utf8',
  });
}

const patches = new Map<number, string>();

function textOf(nth: number): string {
  const patch = patches.get(nth) ?? git(nth);
  patches.set(nth, patch);
  return patch;
}

const patchOf = (nth: number): Patch => parsePatch(textOf(nth));

function namesOf(nth: number) {
  const parts = git(nth, '--name-status', '-z').split('\0');
  const names: { path: string; from: string | null }[] = [];
  while (parts.length > 1) {
    const isRenamed = parts.shift()?.startsWith('R');
    const from = isRenamed ? (parts.shift() ?? '') : null;
    names.push({ path: parts.shift() ?? '', from });
  }
  return names;
}

const numbersOf = (nth: number): string[] =>
  git(nth, '--numstat')
    .split('\n')
    .filter((each) => each !== '')
    .map((each) => each.split('\t').slice(0, 2).join('\t'))
    .map((each) => (each === '0\t0' || each === '-\t-' ? NO_LINES : each));
