import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { keepOldFrame } from '../../../tui/effects/keepOldFrame.ts';

function givenDirectory(): string {
  const root = mkdtempSync(join(tmpdir(), 'devflow-frames-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return join(root, 'old-frames');
}

it('writes for this user alone, over a link and not through it', () => {
  const directory = givenDirectory();
  mkdirSync(directory, { mode: 0o777 });
  const other = join(directory, '..', 'other');
  writeFileSync(other, 'of somebody');
  symlinkSync(other, join(directory, 'runs'));
  symlinkSync(other, join(directory, `.${process.pid}`));
  keepOldFrame(directory, 'runs', 'painted');
  expect(readFileSync(join(directory, 'runs'), 'utf8')).toBe('painted');
  expect(readFileSync(other, 'utf8')).toBe('of somebody');
  expect(statSync(join(directory, 'runs')).mode & 0o777).toBe(0o600);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(readdirSync(directory)).toEqual(['runs']);
});

it('keeps the newest few', () => {
  const directory = givenDirectory();
  for (let nth = 0; nth < 14; nth += 1) {
    keepOldFrame(directory, `runs-${nth}`, 'x');
    utimesSync(join(directory, `runs-${nth}`), nth, nth);
  }
  keepOldFrame(directory, 'last', 'x');
  expect(readdirSync(directory)).toHaveLength(12);
  expect(readdirSync(directory)).not.toContain('runs-2');
  expect(readdirSync(directory)).toContain('last');
});

it.each([
  ['more than the launcher reads', 'x'.repeat(70_000)],
  ['other letters than the launcher knows', '\u001b[1;1HΑθήνα 🚀'],
])('keeps nothing with %s, and drops the older list', (_what, painting) => {
  const directory = givenDirectory();
  keepOldFrame(directory, 'runs', '\u001b[1;1Hpainted é ●…');
  expect(readdirSync(directory)).toEqual(['runs']);
  keepOldFrame(directory, 'runs', painting);
  expect(readdirSync(directory)).toEqual([]);
});

it('does nothing where it cannot write', () => {
  const directory = givenDirectory();
  writeFileSync(directory, 'a file');
  keepOldFrame(directory, 'runs', 'painted');
  expect(readFileSync(directory, 'utf8')).toBe('a file');
});
