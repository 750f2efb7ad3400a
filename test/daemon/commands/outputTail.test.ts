import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { outputTail } from '../../../daemon/commands/outputTail.ts';
import { tailOf } from '../../../daemon/engine/performers/tailOf.ts';

/** The paths of outputs with these texts; undefined: there is no such file. */
function givenOutput(out?: string, err?: string) {
  const dir = mkdtempSync(join(tmpdir(), 'devflow-tail-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const files = { stdoutPath: join(dir, 'out'), stderrPath: join(dir, 'err') };
  if (out !== undefined) writeFileSync(files.stdoutPath, out);
  if (err !== undefined) writeFileSync(files.stderrPath, err);
  return files;
}

const rows = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name} ${n + 1}`);
const lines = (name: string, count: number) => `${rows(name, count).join('\n')}\n`;
const tail = (out?: string, err?: string) => outputTail(givenOutput(out, err)).split('\n');

test('has the last lines of both outputs, forty in all', () => {
  expect(tail(lines('out', 100), lines('err', 100))).toEqual([
    ...rows('out', 100).slice(-20),
    ...rows('err', 100).slice(-20),
  ]);
});

test.each([
  [3, 100, 3, 37],
  [100, 5, 35, 5],
  [100, 0, 40, 0],
  [10, 10, 10, 10],
])('of %i and %i lines takes %i and %i', (out, err, ofOut, ofErr) => {
  expect(tail(out ? lines('out', out) : '', err ? lines('err', err) : '')).toEqual([
    ...rows('out', out).slice(out - ofOut),
    ...rows('err', err).slice(err - ofErr),
  ]);
});

test('is empty without an output, or if that is no regular file', () => {
  expect(outputTail(givenOutput())).toBe('');
  expect(outputTail(givenOutput('\n\n', ''))).toBe('');
  const files = givenOutput();
  symlinkSync('/etc/passwd', files.stdoutPath);
  expect(outputTail(files)).toBe('');
});

test('shows a line as the terminal shows it at last, without colours, titles and other signs', () => {
  const out = '\u001b[31mred\u001b[0m\r\n 10%\r 100%\n\u001b]0;title\u0007a\u0000b\u202ec\n';
  expect(tail(out)).toEqual(['red', ' 100%', 'a␀b<U+202E>c']);
});

test('cuts long lines, and keeps the end of long outputs', () => {
  expect(tail('x'.repeat(1_000))[0]).toBe(`${'x'.repeat(299)}…`);
  const all = outputTail(givenOutput(`${`${'y'.repeat(299)}\n`.repeat(5_000)}end\n`));
  expect(all.length).toBe(6_000);
  expect(all.endsWith('\nend')).toBe(true);
});

test('goes into events without secrets, and only if the command failed', () => {
  const files = givenOutput(`token: ghp_${'a'.repeat(36)}\n`);
  expect(tailOf(1, files).tail).toMatch(/^token: \[masked: github token\]\**$/);
  expect(tailOf(null, givenOutput())).toEqual({ tail: '' });
  expect(tailOf(0, files)).toEqual({});
});
