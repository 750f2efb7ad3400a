import { describe, expect, it, test } from 'vitest';
import { listSnapshots } from '../../../../schemas/contracts/stateDirectory/history.ts';
import { checkReferences } from '../../../../schemas/contracts/stateDirectory/references.ts';
import {
  configuredRuns,
  newestFirst,
  snapshotName,
  snapshotsToPrune,
} from '../../../../schemas/contracts/stateDirectory/ring.ts';
import { givenState, NOW } from './given.ts';

const at = (second: number) => NOW + second * 1000;
const cleanups = [1, 2, 3, 4, 5].map((second) => snapshotName('cleanup', at(second)));

test('SD-17: the name of a snapshot is its kind and time', () => {
  expect(snapshotName('cleanup', NOW)).toBe('cleanup-2026-06-09T12-30-00-123Z');
  expect(snapshotName('reset', NOW)).toBe('2026-06-09T12-30-00-123Z');
});

describe('SD-22: the ring', () => {
  it('goes by the time in the name, whatever the kind', () => {
    const names = [snapshotName('evict', at(2)), snapshotName('reset', at(3)), snapshotName('cleanup', at(1))];
    expect(newestFirst([...names, 'mine', 'cleanup-soon', '2026-06-09'])).toEqual([names[1], names[0], names[2]]);
  });
  it('drops the oldest, and no foreign name', () => {
    const made = snapshotName('evict', at(6));
    expect(snapshotsToPrune([...cleanups, made, 'mine'], 5, [made])).toEqual([cleanups[0]]);
    expect(snapshotsToPrune([...cleanups, made], 2, [made])).toEqual(cleanups.slice(0, 4));
  });
  it('SD-23: never drops what was just made', () => {
    const reset = snapshotName('reset', at(6));
    expect(snapshotsToPrune([...cleanups, reset], 5, [reset])).toEqual([cleanups[0]]);
    for (const most of [0, 1]) expect(snapshotsToPrune([...cleanups, reset], most, [reset])).toEqual(cleanups);
    const early = snapshotName('reset', at(-100));
    expect(snapshotsToPrune([...cleanups, early], 0, [early])).toEqual(cleanups);
  });
  it.each([
    [undefined, 5],
    ['{"state":{"archive_runs":2}}', 2],
    ['{"state":{"archive_runs":0}}', 0],
    ['{"state":{"archive_runs":"2"}}', 5],
    ['{"state":{"archive_runs":-1}}', 5],
    ['{"state":null}', 5],
    ['{', 5],
    ['[]', 5],
  ])('keeps as many as the configuration %j says: %d', (text, runs) => {
    const { now, entries } = givenState();
    const path = '.devt/config.json';
    const all = new Map(entries);
    if (text !== undefined) all.set(path, { path, kind: 'file', size: 1, mtime: 0, text });
    expect(configuredRuns({ now, entries: all })).toBe(runs);
  });
});

test('SD-54: the history lists snapshots, newest first', () => {
  const [cleanup, reset] = [snapshotName('cleanup', at(1)), snapshotName('reset', at(0))];
  const tree = givenState({
    '.archive': { kind: 'dir' },
    '.archive/mine': { kind: 'dir' },
    [`.archive/${snapshotName('evict', at(9))}`]: { kind: 'link' },
    [`.archive/${cleanup}`]: { kind: 'dir' },
    [`.archive/${cleanup}/foo.txt`]: 'x',
    [`.archive/${reset}`]: { kind: 'dir' },
    [`.archive/${reset}/workflow.yaml`]: 'workflow_type: dev\ntask: "a: b"\n',
    [`.archive/${reset}/plan.md`]: 'x',
  });
  expect(listSnapshots(tree)).toEqual([
    { name: cleanup, kind: 'cleanup', workflowType: null, task: null, files: 1 },
    { name: reset, kind: 'reset', workflowType: 'dev', task: 'a: b', files: 2 },
  ]);
});

describe('SD-53: references', () => {
  const check = (text: string) => checkReferences([{ file: 'agents/a.md', text }]);
  it('are found with line, name and bucket', () => {
    const { parsed, errors } = check('Write .devt/state/plan.md.\n`.devt/state/foo.txt`, see\n- .devt/state/a.tmp\n');
    expect(parsed.references).toEqual([
      { file: 'agents/a.md', line: 1, name: 'plan.md', bucket: 'canonical' },
      { file: 'agents/a.md', line: 2, name: 'foo.txt', bucket: 'ad_hoc' },
      { file: 'agents/a.md', line: 3, name: 'a.tmp', bucket: 'ephemeral' },
    ]);
    expect(errors.map(({ code, line }) => [code, line])).toEqual([
      ['STATE_REFERENCE_UNKNOWN', 2],
      ['STATE_REFERENCE_EPHEMERAL', 3],
    ]);
  });
  it.each([
    '.devt/state/review-<slug>.md',
    '.devt/state/review-<a slug>.md',
    '.devt/state/review-{x}.md',
    '.devt/state/review-*.md',
    '.devt/state/$NAME',
    '.devt/state/review-[a].md',
    '.devt/state/',
    '.devt/state/.',
    '.devt/state/...',
    'x.devt/state/foo.txt',
  ])('%s stands for no name', (text) => {
    expect(check(text).parsed.references).toEqual([]);
  });
  it.each([
    '**.devt/state/plan.md**',
    '[.devt/state/plan.md](x)',
    '<.devt/state/plan.md>',
    '(.devt/state/plan.md)',
    '/repo/.devt/state/plan.md!',
    '| .devt/state/plan.md|',
    '"$ROOT/.devt/state/plan.md"',
  ])('%s names plan.md', (text) => {
    expect(check(text).parsed.references.map(({ name }) => name)).toEqual(['plan.md']);
  });
  it('know the archive, and no other directory', () => {
    expect(
      check('.devt/state/.archive/x .devt/state/threads/a.md').parsed.references.map(({ bucket }) => bucket),
    ).toEqual(['canonical', 'ad_hoc']);
  });
  it('are found at once in hostile text', () => {
    expect(check('.devt/state/'.repeat(100_000)).parsed.references.length).toBeLessThan(2);
    expect(check(`.devt/state/${'a.'.repeat(500_000)}`).parsed.references).toHaveLength(1);
  });
});
