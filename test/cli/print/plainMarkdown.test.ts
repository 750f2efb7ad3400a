import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainMarkdown } from '../../../cli/print/plainMarkdown.ts';
import { code, fenced, inline } from '../../../daemon/report/markdownText.ts';

test('shows text on a terminal without the signs that protect it in Markdown', () => {
  expect(plainMarkdown(`- Roles: ${inline('planner (fake)')}`)).toBe('- Roles: planner (fake)');
  expect(plainMarkdown(`- ${inline('1. #heading')}`)).toBe('- 1. #heading');
});

test('changes no code and no fenced block', () => {
  for (const text of [code('a\\(b'), fenced('a \\(b\\)\n``` &#49;'), `${'`'.repeat(4)}text\n\\*\n${'`'.repeat(4)}`]) {
    expect(plainMarkdown(text)).toBe(text);
  }
});

test('gives every line of text back as it was', () => {
  const line = fc
    .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 60 })
    .map((text) => text.trim())
    .filter((text) => text !== '');
  fc.assert(
    fc.property(line, (text) => {
      expect(plainMarkdown(`- ${inline(text)}`)).toBe(`- ${text}`);
    }),
  );
});
