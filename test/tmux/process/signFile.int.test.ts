import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openPipe, readSign } from '../../../tmux/process/signFile.ts';

function given() {
  const directory = mkdtempSync(join(tmpdir(), 'devflow-sign-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const at = (name: string) => join(directory, name);
  writeFileSync(at('status'), '137\n');
  execFileSync('mkfifo', [at('pipe')]);
  mkdirSync(at('directory'));
  symlinkSync('status', at('link'));
  symlinkSync('/dev/zero', at('device'));
  return at;
}

it('reads a sign only from a regular file', () => {
  const at = given();
  expect(readSign(at('status'))).toBe('137');
  for (const name of ['pipe', 'directory', 'link', 'device', 'missing']) expect(readSign(at(name))).toBeUndefined();
});

it('opens only a pipe as a pipe', () => {
  const at = given();
  const fd = openPipe(at('pipe'));
  expect(fd).toBeTypeOf('number');
  closeSync(fd as number);
  for (const name of ['status', 'directory', 'link', 'device', 'missing']) expect(openPipe(at(name))).toBeUndefined();
});
