import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPublished, readShipped, shippedWith } from '../../../cli/input/readShipped.ts';
import { writeFiles } from '../../helpers/writeFiles.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'devflow-shipped-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const given = () => shippedWith(undefined, '/', directory, '');

function write(files: Record<string, string>): void {
  writeFiles(directory, files);
}

test('reads each schema under its id, and nothing else', () => {
  write({ 'me/note@1.json': '{"type":"string"}', 'me/readme.md': 'x', 'me/note.json': '{}', 'top@1.json': '{}' });
  expect(readShipped(given())).toEqual([{ schema: 'me/note@1', definition: { type: 'string' } }]);
  expect(readShipped(shippedWith(undefined, directory, 'missing', ''))).toEqual([]);
});

test('reads the examples of each', () => {
  write({
    'me/note@1.json': '{"type":"string"}',
    'fixtures/me/note@1/ok.json': '"a"',
    'fixtures/me/note@1/invalid.json': '1',
  });
  const note = { schema: 'me/note@1', definition: { type: 'string' }, ok: 'a' };
  expect([readShipped(given()), readPublished(given())]).toEqual([[note], [{ ...note, invalid: 1 }]]);
});

test.each([
  ['is no JSON', { 'me/note@1.json': '{' }, /note@1\.json cannot be used: it is no JSON at line 1, column 2\.$/],
  ['has no example', { 'me/note@1.json': '{}' }, /fixtures.*ok\.json cannot be read/],
])('refuses a schema that %s', (_, files, message) => {
  write(files);
  expect(() => readPublished(given())).toThrowError(message);
});

test('a link to a device is no schema to wait for', () => {
  mkdirSync(join(directory, 'me'));
  symlinkSync('/dev/zero', join(directory, 'me/note@1.json'));
  expect(() => readShipped(given())).toThrowError(/note@1\.json cannot be read/);
});

test('finds beside a template file what its text names', () => {
  write({ 'artifacts/me/note@1.json': '{"type":"string"}', 'artifacts/me/other@1.json': '{}' });
  const beside = (file: string | undefined) => readShipped(shippedWith(file, directory, undefined, 'me/note@1'));
  expect(beside('mine.yaml')).toEqual([{ schema: 'me/note@1', definition: { type: 'string' } }]);
  expect(beside('-')).toEqual([]);
  expect(beside(undefined)).toEqual([]);
});

test('takes no name for another that it begins', () => {
  write({ 'artifacts/me/note@1.json': '{}', 'artifacts/me/note@10.json': '{}', 'artifacts/e/note@1.json': '{}' });
  const shipped = readShipped(shippedWith('mine.yaml', directory, undefined, 'schema: me/note@10 }'));
  expect(shipped.map(({ schema }) => schema)).toEqual(['me/note@10']);
});
