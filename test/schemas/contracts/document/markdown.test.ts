import { expect, test } from 'vitest';
import { hasSection, outline } from '../../../../schemas/contracts/document/markdown.ts';

test('HC-0.9: a heading inside a fenced block is none, and sections are named letter by letter', () => {
  const read = outline(
    ['# Title', '```md', '## In a fence', '```', '## Intent', '### Step 1: x ##', '    ## code'].join('\n'),
  );
  expect(read.headings).toEqual([
    { level: 1, text: 'Title', line: 1 },
    { level: 2, text: 'Intent', line: 5 },
    { level: 3, text: 'Step 1: x', line: 6 },
  ]);
  expect([hasSection(read, 'Intent'), hasSection(read, 'intent'), hasSection(read, 'In a fence')]).toEqual([
    true,
    false,
    false,
  ]);
});

test('a fence ends with the mark that opened it, and keeps its own indentation', () => {
  const { fences } = outline(['  ````yaml', '  manifest:', '    a: 1', '```', '  ````', '~~~', 'open'].join('\n'), 10);
  expect(fences).toEqual([
    { info: 'yaml', text: 'manifest:\n  a: 1\n```', line: 10, isClosed: true },
    { info: '', text: 'open', line: 15, isClosed: false },
  ]);
});

test('a million headings and long lines are read at once', () => {
  expect(outline('## a\n'.repeat(1_000_000)).headings).toHaveLength(1_000_000);
  expect(outline(`## ${' '.repeat(1_000_000)}x`).headings).toHaveLength(1);
  expect(outline(`\`\`\`${' '.repeat(1_000_000)}\``).fences).toEqual([]);
});
