import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { failureSigns } from '../../../daemon/commands/failureSigns.ts';

function signs(stdout: string, stderr = '', cwd = '/work/tree'): string[] | undefined {
  const dir = mkdtempSync(join(tmpdir(), 'signs-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const files = { stdoutPath: join(dir, 'out'), stderrPath: join(dir, 'err') };
  writeFileSync(files.stdoutPath, stdout);
  writeFileSync(files.stderrPath, stderr);
  return failureSigns(files, cwd);
}

test.each([
  ['vitest', '\x1b[31m × \x1b[0madds 3 numbers \x1b[2m12ms\x1b[22m\n ✓ subtracts\n', ['× adds # numbers #ms']],
  ['TAP', 'ok 1 - one\nnot ok 2 - two\n', ['not ok # - two']],
  ['Go', '--- FAIL: TestAdd (0.02s)\nok  \tpkg/b\t0.4s\n', ['--- FAIL: TestAdd (#.#s)']],
  ['TypeScript', "/work/tree/src/a.ts(4,2): error TS2322: Type 'x'.\n", ["./src/a.ts(#,#): error TS#: Type 'x'."]],
  ['a program that says nothing of a failure', 'It works.\n', []],
])('names what failed in the output of %s', (_, output, expected) => {
  expect(signs(output)).toEqual(expected);
});

test('two runs of the same tests have the same signs, in any order', () => {
  expect(signs('FAIL b 3ms\nFAIL a 20ms\n', 'error: 1')).toEqual(
    signs('FAIL a 7ms\n', 'error: 2\nFAIL b 11ms\nFAIL a 9ms'),
  );
});

test('reads the end of a long output, and gives up if too much failed', () => {
  expect(signs(`FAIL early\n${'x'.repeat(2_000_000)}\nFAIL late\n`)).toEqual(['FAIL late']);
  const letters = (n: number) => String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26));
  expect(signs(Array.from({ length: 101 }, (_, n) => `FAIL ${letters(n)}`).join('\n'))).toBeUndefined();
});

test('reads no file that the output does not name itself', () => {
  const dir = mkdtempSync(join(tmpdir(), 'signs-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, 'secret'), 'error: secret');
  symlinkSync(join(dir, 'secret'), join(dir, 'out'));
  expect(failureSigns({ stdoutPath: join(dir, 'out'), stderrPath: join(dir, 'gone') }, dir)).toEqual([]);
});
