import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { compileBundle, runBundle } from '../../tui/bundle.ts';

function givenBundle(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'devflow-bundle-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'bundle.cjs');
  writeFileSync(file, text);
  return file;
}

it('runs as a module of Node does, also from compiled code', () => {
  const file = givenBundle(
    "exports.knows = (sign) => /^[●…]$/.test(sign); exports.here = [__filename, require('node:path').basename(__dirname)];",
  );
  const script = compileBundle(file);
  const first = runBundle<{ knows(sign: string): boolean; here: string[] }>(script, file);
  expect([first.knows('●'), first.knows('x'), first.here[0]]).toEqual([true, false, file]);
  const compiled = compileBundle(file, script.createCachedData());
  expect(compiled.cachedDataRejected).toBe(false);
  expect(runBundle<typeof first>(compiled, file).knows('…')).toBe(true);
});

it('says that V8 refuses other code', () => {
  const file = givenBundle('exports.one = 1;');
  expect(compileBundle(file, Buffer.from('of another Node')).cachedDataRejected).toBe(true);
  // Not the text from above, which V8 knows now.
  const [longer, other] = [givenBundle('exports.one = 1; exports.two = 2;'), givenBundle('exports.three = 3;')];
  expect(compileBundle(other, compileBundle(longer).createCachedData()).cachedDataRejected).toBe(true);
});
