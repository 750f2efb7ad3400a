import { describe, expect, test } from 'vitest';
import { inline } from '../../../daemon/report/markdownText.ts';
import { lineWidth, textOf } from '../../../tui/text/line.ts';
import { markdownLines } from '../../../tui/widgets/markdown.ts';

const shown = (text: string, columns = 40) =>
  markdownLines(text, columns)
    .map((line) => textOf(line).trimEnd())
    .join('\n');

describe('blocks', () => {
  test('headings, paragraphs and rules', () => {
    expect(shown('# One *two*\n\nA paragraph of\ntwo lines that is too wide for one.\n\n## Three ##\n---\nend')).toBe(
      [
        ...['One two', '═══════', '', 'A paragraph of two lines that is too', 'wide for one.', ''],
        ...['Three', '─────', '─'.repeat(40), 'end'],
      ].join('\n'),
    );
  });

  test('lists keep their indents, depth and boxes', () => {
    const text = '- a point that is so long that it goes on below\n  with more\n  1. inner\n- [x] done\n- [ ] not done';
    expect(shown(text, 30)).toBe(
      [
        '• a point that is so long that',
        '  it goes on below with more',
        '  1. inner',
        '• [x] done',
        '• [ ] not done',
      ].join('\n'),
    );
  });

  test('a fenced block has no markup, and a longer fence holds a shorter one', () => {
    expect(shown('````text\n# not a heading\n```\n**so**\n````\nafter')).toBe(
      ['▏ # not a heading', '▏ ```', '▏ **so**', 'after'].join('\n'),
    );
    expect(shown('```\nnever closed')).toBe('▏ never closed');
  });

  test('quotes nest to a limit', () => {
    expect(shown('> one\n> > two')).toBe('│ one\n│ │ two');
    expect(() => markdownLines('>'.repeat(1500), 80)).not.toThrow();
  });

  test('an empty text has no lines', () => {
    expect(markdownLines('\n\n', 80)).toEqual([]);
  });
});

describe('tables', () => {
  test('align by cells, not by letters', () => {
    expect(shown('| name | n |\n|:--|--:|\n| 日本 | 1 |\n| 🙂 ok | 22 |\n| a\\|b | 333 |')).toBe(
      ['name  │   n', '──────┼────', '日本  │   1', '🙂 ok │  22', 'a|b   │ 333'].join('\n'),
    );
  });

  test('the widest column shrinks, and its text wraps', () => {
    const lines = markdownLines('| a | b |\n|---|---|\n| short | a sentence that needs more room than there is |', 30);
    expect(lines.map(textOf)).toEqual([
      'a     │ b                     ',
      '──────┼───────────────────────',
      'short │ a sentence that needs ',
      '      │ more room than there  ',
      '      │ is                    ',
    ]);
  });

  test('more columns than cells are cut at the edge', () => {
    const row = `|${' x |'.repeat(40)}`;
    const lines = markdownLines(`${row}\n|${'---|'.repeat(40)}\n${row}`, 40);
    expect(lines.every((line) => lineWidth(line) <= 40)).toBe(true);
  });
});

describe('within a line', () => {
  test('strong, emphasis, code, links, escapes and entities', () => {
    const text = '**bold** _soft_ `co**de` [here](http://x.test) \\*as is\\* &lt;b&gt; snake_case_name 2 * 3 * 4';
    expect(shown(text, 200)).toBe('bold soft co**de here (http://x.test) *as is* <b> snake_case_name 2 * 3 * 4');
    const [line = []] = markdownLines('**bold** and `code`', 80);
    expect(line.find(({ text: part }) => part === 'bold')?.style).toEqual({ bold: true });
    expect(line.find(({ text: part }) => part === 'code')?.style).toBeDefined();
  });

  test('what the report escapes of a text is shown as it was', () => {
    for (const text of ['1. Do (fake) #1', '9) *x*', 'a $HOME & <b>', "it's"]) {
      expect(shown(`- ${inline(text)}`, 200)).toContain(text);
    }
    expect(shown('it&#39;s', 200)).toBe("it's");
  });

  test('text of an agent never moves the cursor', () => {
    const text = '# \u001b[2Jgone\n\n`\u001b]0;title\u0007`\n\n| a |\n|---|\n| \u202eback |\n\n```\n\u001bc\n```';
    expect(markdownLines(text, 60).map(textOf).join('')).not.toMatch(/[\p{Cc}\u202e]/u);
  });
});

test('no line is wider than asked', () => {
  const text = `# ${'x'.repeat(50)}\n- ${'日本語'.repeat(20)}\n> ${'a b '.repeat(30)}\n\n| ${'w'.repeat(60)} | y |\n|---|---|\n| 1 | 2 |\n\n\`\`\`\n${'z'.repeat(90)}\n\`\`\``;
  for (const columns of [20, 33, 79]) {
    expect(Math.max(...markdownLines(text, columns).map(lineWidth))).toBeLessThanOrEqual(columns);
  }
});

test('a text made to be slow is still shown', () => {
  for (const piece of ['`', '**a', '[', '_a ', '# ', '| ', ' \\']) {
    expect(markdownLines(`x${piece.repeat(1_900 / piece.length)}`, 80).length).toBeGreaterThan(0);
    expect(markdownLines(piece.repeat(30_000 / piece.length), 80).length).toBeGreaterThan(0);
  }
});
