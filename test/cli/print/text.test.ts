import { expect, test } from 'vitest';
import { widthOf } from '../../../cli/client/textWidth.ts';
import { wrapText } from '../../../cli/print/text.ts';

test('wraps at spaces, and cuts a word that is wider than the line', () => {
  expect(wrapText('one two three four five six', 20)).toEqual(['one two three four', 'five six']);
  expect(wrapText(`see ${'x'.repeat(45)} there`, 20)).toEqual(['see', 'x'.repeat(20), 'x'.repeat(20), 'xxxxx there']);
  for (const text of wrapText('日本語'.repeat(20), 21)) expect(widthOf(text)).toBeLessThanOrEqual(21);
});

test('keeps one line in a file, and short or empty texts', () => {
  const long = 'word '.repeat(100).trim();
  expect(wrapText(long, Number.POSITIVE_INFINITY)).toEqual([long]);
  expect(wrapText('', 40)).toEqual(['']);
  expect(wrapText('short', 5)).toEqual(['short']);
});
