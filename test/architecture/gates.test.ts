import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GateKind, PhaseKind } from '../../schemas/enums.ts';
import { packageRoot } from '../../schemas/files/paths.ts';
import { scan } from './scan.ts';

const sources = scan(packageRoot(), ['schemas', 'daemon', 'cli', 'tui']);

test.each(GateKind.options)('the core opens gates of kind %s', (kind) => {
  const isOpener = ({ path, text }: (typeof sources)[number]) =>
    path.startsWith('daemon/core/') && text.includes('requestApproval(') && text.includes(`kind: '${kind}',`);
  expect(sources.some(isOpener)).toBe(true);
});

test('only the files that open a kind of gate compare it', () => {
  // The same words are kinds of other things, too.
  const own = GateKind.options.filter((kind) => kind !== 'gate' && !PhaseKind.options.some((each) => each === kind));
  const compares = new RegExp(`\\bkind [!=]== '(${own.join('|')})'`);
  const found = sources.filter(({ path, text }) => compares.test(text) && !path.startsWith('daemon/core/gates/'));
  expect(found.map(({ path }) => path)).toEqual([]);
  expect(`if (gate.kind === '${own[0]}')`).toMatch(compares);
});

test('ARCHITECTURE.md has a row for each kind of gate', () => {
  const page = readFileSync(join(packageRoot(), 'ARCHITECTURE.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \|.*\| `daemon\/core\/gates/gm)].map(([, kind]) => kind);
  expect(rows).toEqual(GateKind.options);
});
