import { expect, test } from 'vitest';
import { dataAnswer, LONGEST_TEXT, tailAnswer, textAnswer } from '../../../cli/mcp/texts.ts';

const bytes = (text: string) => Buffer.byteLength(text);

test('data is given as it is, and as text', () => {
  expect(dataAnswer({ runId: 'x' }, 'runs', '')).toEqual({ data: { runId: 'x' }, text: '{"runId":"x"}' });
  expect(dataAnswer([1, 2], 'runs', '')).toEqual({ data: { runs: [1, 2] }, text: '{"runs":[1,2]}' });
});

test('an answer that is too long is cut, and says so', () => {
  const long = dataAnswer({ text: 'ä'.repeat(LONGEST_TEXT) }, 'runs', 'Ask for less.');
  expect(long.data).toBeUndefined();
  expect(bytes(long.text)).toBeLessThan(LONGEST_TEXT + 200);
  expect(long.text).toMatch(/\n\[cut: the whole text has 201 KB, only its beginning is here\.\] Ask for less\.$/);
  expect(long.text).not.toContain('\ufffd');
});

test('the end of a transcript stays, and the beginning of a report', () => {
  const text = `begin ${'…'.repeat(LONGEST_TEXT)} end`;
  expect(tailAnswer(text).text).toMatch(/^\[cut: .* only its end is here\.\]\n…+ end$/s);
  expect(textAnswer(text).text).toMatch(/^begin …+\n\[cut: .* only its beginning is here\.\]$/s);
  expect(textAnswer('short\nlines').text).toBe('short\nlines');
});

test('no text has an escape sequence or a hidden character', () => {
  const hidden = ['\u001b', '\u0007', '\u202e'];
  const nasty = `a${hidden.join('x')}b`;
  for (const { text } of [textAnswer(nasty), tailAnswer(nasty), dataAnswer({ nasty }, '', '')])
    expect(hidden.filter((each) => text.includes(each))).toEqual([]);
});
