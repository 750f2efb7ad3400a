import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CODES } from '../../../../schemas/contracts/report/codes.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';

function wordsOf(...patterns: string[]): Set<string> {
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: packageRoot() }));
  const texts = files.map((file) => readFileSync(join(packageRoot(), file), 'utf8'));
  return new Set(texts.flatMap((text) => text.match(/[A-Z][A-Z_]*[A-Z]/g) ?? []));
}

test('CC-5: each code is expected by a test', () => {
  const expected = wordsOf('test/{schemas,daemon,cli}/contracts/**/*.ts');
  expect(Object.keys(CODES).filter((code) => !expected.has(code))).toEqual([]);
});

test('CC-5: each code is made by a source, whole or from the prefix of a document', () => {
  const made = wordsOf('schemas/contracts/**/*.ts', 'daemon/contracts/**/*.ts');
  const prefixes = ['BRIEF', 'RESEARCH', 'REVIEW', 'PLAN', 'PROGRESS', 'SESSION_STATE', 'NEXT_SESSION_PROMPT'];
  const ends = ['NOT_FOUND', 'READ_ERROR', 'WRONG_TYPE', 'MISSING_FIELD', 'INVALID_FIELD', 'MISSING_SECTION'];
  const composed = new Set(prefixes.flatMap((prefix) => ends.map((end) => `${prefix}_${end}`)));
  expect(Object.keys(CODES).filter((code) => !made.has(code) && !composed.has(code))).toEqual([]);
});
