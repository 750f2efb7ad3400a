import { expect, test } from 'vitest';
import { fileFor, lineFor, withLine, withoutLines } from '../../../../../daemon/sessions/fake/lane/taskFiles.ts';

test.each([
  ['src/a.ts', 'src/a.ts'],
  ['src/**', 'src/T1.txt'],
  ['**', 'T1.txt'],
  ['src/*.ts', 'src/T1.ts'],
  ['src/*/x.ts', 'src/T1/x.ts'],
  ['test/**/x.test.ts', 'test/x.test.ts'],
  ['src/{a,b}/[cd]?.ts', 'src/a/cx.ts'],
  ['app/\\[id\\]/page.tsx', 'app/[id]/page.tsx'],
])('%s is %s', (glob, path) => expect(fileFor(glob, 'T1')).toBe(path));

test('a line is added once, at the end', () => {
  expect(withLine('', 'T1')).toBe('T1\n');
  expect(withLine('a', 'T1')).toBe('a\nT1\n');
  expect(withLine('a\nT1\nb\n', 'T1')).toBe('a\nT1\nb\n');
  expect(withoutLines('a\nBROKEN by T1\nb\n', (line) => line.startsWith('BROKEN'))).toBe('a\nb\n');
});

test('in a test it is a test', () => {
  expect(lineFor('test/a.ts', 'T1')).toBe("test('T1', () => {});");
  expect(lineFor('src/a.ts', 'T1')).toBe('T1');
});
