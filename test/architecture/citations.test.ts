import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../schemas/files/paths.ts';

/** References that a reader of this repository cannot follow: sections of a plan, its amendments, issue numbers. */
const CITATION =
  /\b[Pp]lan (?:section )?\d|\bamendments? A?\d|\bproduct\.md\b|\bhouse\.md\b|(?<!docs\/)\bdesign\/\w+\.md|\bissue \d|\bmilestone M?\d|\(A\d{1,2}\)/;

const FILES = [
  '{cli,daemon,schemas,tui,tmux,test,docs}/**/*.{ts,sh,md,json,yaml}',
  '*.{ts,md,json,yml}',
  'devflow.tmux',
  '{bin,.ci}/*',
];

it('no file cites a document that is not in the repository', () => {
  const root = packageRoot();
  const own = 'test/architecture/citations.test.ts';
  const listed = globSync(FILES, { cwd: root }).filter((file) => file !== own && !file.startsWith('test/fixtures/'));
  const cited = listed.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (CITATION.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(listed.length).toBeGreaterThan(500);
  expect(cited).toEqual([]);
});

it.each([
  '(plan 14.2)',
  'Plan section 6',
  'amendment A15',
  'product.md',
  'design/house.md',
  'issue 3',
  'command phases (A14)',
])('finds %s', (text) => expect(text).toMatch(CITATION));

it.each(['the plan', 'docs/design.md', 'a plan of 3 tasks', 'A4 paper'])('lets %s pass', (text) =>
  expect(text).not.toMatch(CITATION),
);
