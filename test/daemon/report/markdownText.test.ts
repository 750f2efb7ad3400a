import { describe, expect, it } from 'vitest';
import { code, fenced, inline } from '../../../daemon/report/markdownText.ts';

describe('text of an agent in Markdown', () => {
  it.each([
    ['a heading', '# Approved', String.raw`\# Approved`],
    ['a heading under a line', '=== ', String.raw`\===`],
    ['a list', '1. rm', '&#49;. rm'],
    ['a link', '[ok](http://evil)', String.raw`\[ok\]\(http\://evil\)`],
    [
      'an address that becomes a link by itself',
      'see https://evil, www.evil.com',
      String.raw`see https\://evil, www\.evil.com`,
    ],
    ['a mail address', 'ada@evil.com', String.raw`ada\@evil.com`],
    ['a tag and a comment', '<b><!-- x', String.raw`\<b\>\<\!-- x`],
    ['an entity', '&#8238;', String.raw`\&\#8238;`],
    ['lines of its own', 'a\n\n# b', String.raw`a␊␊\# b`],
    ['what is not seen', '\u202eb\u001b[2J', String.raw`\<U+202E\>b␛\[2J`],
    ['a persona, as it is', 'coder-fake@1', 'coder-fake@1'],
  ])('opens no %s', (_, text, expected) => {
    expect(inline(text)).toBe(expected);
  });

  it('shows invisible characters in code and in blocks', () => {
    expect(code('a\u200bb\r')).toBe('`a<U+200B>b`');
    expect(code('a\rb')).toBe('`a␍b`');
    expect(fenced('a\u001b[8mb\u2066\n')).toBe('```text\na␛[8mb<U+2066>\n```');
  });
});
