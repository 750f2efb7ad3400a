import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { lineWidth, textOf } from '../../../tui/text/line.ts';
import { view } from '../../../tui/view.ts';
import { NAMES, screenModel } from './screens.ts';

// A clock on a screen shows the person's time zone.
beforeAll(() => void vi.stubEnv('TZ', 'UTC'));
afterAll(() => void vi.unstubAllEnvs());

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 200, rows: 60 },
];
/** The lists and gates that a person looks at most also have the sizes of a laptop and of half a large screen. */
const LISTS = ['runs', 'runs-marked', 'runs-approve', 'approvals'];
const GATES = ['approval-work', 'approval-comments', 'approval-answers'];
const MORE_SIZES = [
  { columns: 120, rows: 36 },
  { columns: 200, rows: 50 },
];
const sizesOf = (name: string) => ([...LISTS, ...GATES].includes(name) ? [...SIZES, ...MORE_SIZES] : SIZES);
const FIXTURES = join(import.meta.dirname, '../../fixtures/screens');

/** `DEVFLOW_WRITE_SCREENS=1` writes them; then review the difference. */
it.each(NAMES.flatMap((name) => sizesOf(name).map((size) => ({ name, size }))))(
  'the screen $name at $size.columns × $size.rows is as it was committed',
  ({ name, size }) => {
    const lines = view(screenModel(name, size));
    expect(lines).toHaveLength(size.rows);
    for (const each of lines) expect(lineWidth(each)).toBe(size.columns);
    const text = `${lines.map((each) => textOf(each).trimEnd()).join('\n')}\n`;
    const file = join(FIXTURES, `${name}-${size.columns}x${size.rows}.txt`);
    if (process.env.DEVFLOW_WRITE_SCREENS) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    expect(text).toBe(readFileSync(file, 'utf8'));
    expect(text).not.toContain('Loading…');
  },
);

it('docs/dashboard.md shows the runs as they are', () => {
  const page = join(import.meta.dirname, '../../../docs/dashboard.md');
  const runs = readFileSync(join(FIXTURES, 'runs-80x24.txt'), 'utf8');
  const text = readFileSync(page, 'utf8');
  const fresh = text.replace(/(?<=^```text\n devflow {2})[\s\S]*?(?=^```$)/m, () => runs.slice(' devflow  '.length));
  if (process.env.DEVFLOW_WRITE_SCREENS) writeFileSync(page, fresh);
  expect(readFileSync(page, 'utf8')).toBe(fresh);
  expect(fresh).toContain(runs);
});
