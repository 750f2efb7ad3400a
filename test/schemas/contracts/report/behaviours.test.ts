import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../../schemas/files/paths.ts';

/** How many behaviours a part has, by the beginning of their numbers: from `SD-1` to `SD-58`. Handovers begin at `HC-0.1`. */
const COUNTS: Readonly<Record<string, number>> = {
  'CC-': 6,
  'SD-': 58,
  'AD-': 36,
  'CS-': 55,
  'HC-0.': 10,
  'HC-1.': 15,
  'HC-2.': 7,
  'HC-3.': 6,
  'HC-4.': 11,
  'HC-5.': 10,
  'HC-6.': 12,
  'HC-7.': 13,
  'HC-8.': 5,
};

test('CC-5: docs/contracts.md has a test for every behaviour, and for no other', () => {
  const text = readFileSync(join(packageRoot(), 'docs/contracts.md'), 'utf8');
  const shown = new Set(Array.from(text.matchAll(/^\| ([A-Z]{2}-[\d.]+) \|/gm), ([, number]) => number));
  const all = Object.entries(COUNTS).flatMap(([part, count]) =>
    Array.from({ length: count }, (_, index) => `${part}${index + 1}`),
  );
  expect(all.filter((number) => !shown.has(number))).toEqual([]);
  expect([...shown].filter((number) => number !== undefined && !all.includes(number))).toEqual([]);
});
