import { describe, expect, test } from 'vitest';
import { placeInDocument } from '../../../../daemon/core/comments/placeInDocument.ts';
import { placeLines } from '../../../../daemon/core/comments/placeLines.ts';
import { valueAt } from '../../../../daemon/core/comments/pointer.ts';

const FILE = ['one();', 'two();', '', 'four();', 'two();', ''];
const at = (line: number, quote = '', endLine: number | null = null) => placeLines(FILE, { line, endLine, quote });

describe('a comment on lines', () => {
  test('gets the lines as they are', () => {
    expect(at(1, '', 2)).toMatchObject({ place: 'same', quote: 'one();\ntwo();', anchor: { line: 1 } });
  });

  test('keeps its own quote, whatever the spaces in it', () => {
    expect(at(1, ' one();\r\n two(); ', 2)).toMatchObject({ place: 'same', quote: ' one();\r\n two(); ' });
  });

  test('stands at its line, though the text is elsewhere, too', () => {
    expect(at(5, 'two();')).toMatchObject({ place: 'same', anchor: { line: 5 } });
  });

  test('may begin or end with a blank line', () => {
    expect(at(3, '', 4)).toMatchObject({ place: 'same', quote: '\nfour();', anchor: { line: 4 } });
    for (const quote of ['\nfour();', 'four();', '\r\nfour();']) expect(at(3, quote, 4).place, quote).toBe('same');
    expect(at(2, 'two();\n', 3)).toMatchObject({ place: 'same', anchor: { line: 2 } });
    expect(at(1, '\nfour();', 2)).toMatchObject({ place: 'moved', line: 3 });
  });

  test('says where its quote stands instead', () => {
    expect(at(1, 'four();')).toMatchObject({ place: 'moved', line: 4 });
  });

  test('is refused behind the end of the file, and for text that is not there', () => {
    expect(at(6)).toEqual({ place: 'outdated', reason: 'The file has 5 lines.' });
    expect(at(4, '', 9)).toEqual({ place: 'outdated', reason: 'The file has 5 lines.' });
    expect(at(2, 'seven();')).toMatchObject({ place: 'outdated' });
  });

  test('may be about a blank line', () => {
    expect(at(3)).toEqual({ place: 'same', quote: '', anchor: null });
    expect(at(3, ' ')).toMatchObject({ place: 'same' });
    expect(at(2, ' ')).toMatchObject({ place: 'outdated' });
  });

  test('keeps 2,000 characters of a long line, and finds it again by them', () => {
    const long = ['x'.repeat(5_000_000)];
    const found = placeLines(long, { line: 1, endLine: null, quote: '' });
    expect(found.place === 'same' && found.quote.length).toBe(2000);
    const quote = found.place === 'same' ? found.quote : '';
    expect(placeLines(long, { line: 1, endLine: null, quote }).place).toBe('same');
  });
});

describe('a comment on a document', () => {
  const text = JSON.stringify({ title: 'Greet', requirements: [{ text: 'It greets.' }], 'a/b': 1 });
  const where = (pointer: string | null, quote = '') => placeInDocument(text, { pointer, quote });

  test('gets the text at its pointer', () => {
    expect(where('/requirements/0/text')).toEqual({ place: 'same', quote: 'It greets.', anchor: null });
    expect(where('/a~1b')).toMatchObject({ place: 'same', quote: '1' });
    expect(where(null)).toMatchObject({ place: 'same' });
  });

  test('is refused where the document has nothing', () => {
    for (const pointer of ['/requirements/1', '/__proto__', '/title/length', 'title', '/constructor']) {
      expect(where(pointer), pointer).toMatchObject({ place: 'outdated' });
    }
  });

  test('counts the lines of Markdown', () => {
    const found = placeInDocument('# Brief\n\nIt greets.\n', { pointer: '/3', quote: '' });
    expect(found).toMatchObject({ place: 'same', quote: 'It greets.' });
    expect(placeInDocument('# Brief\n', { pointer: '/goal', quote: '' })).toMatchObject({ place: 'outdated' });
  });
});

test('a pointer finds own properties alone', () => {
  expect(valueAt(JSON.parse('{"__proto__": {"a": 1}}'), '/__proto__/a')).toBe(1);
  expect(valueAt({}, '/toString')).toBeUndefined();
  expect(valueAt([1], '/length')).toBe(1);
});
