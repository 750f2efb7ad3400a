import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auditState } from '../../../../schemas/contracts/stateDirectory/audit.ts';
import { classifyEntry, isResetExempt } from '../../../../schemas/contracts/stateDirectory/classify.ts';
import { STATE_CONTRACT, STATE_DIR } from '../../../../schemas/contracts/stateDirectory/contract.ts';
import { planEvict, planInit } from '../../../../schemas/contracts/stateDirectory/evict.ts';
import { planCleanup, planReset } from '../../../../schemas/contracts/stateDirectory/plans.ts';
import { validateState } from '../../../../schemas/contracts/stateDirectory/validate.ts';
import { codes, DAY, givenState, NOTHING, NOW, names } from './given.ts';

const WORKFLOW = (at: number, created = at) =>
  `first_created_at: "${new Date(at).toISOString()}"\ncreated_at: "${new Date(created).toISOString()}"\n`;

const anyState = fc
  .dictionary(
    fc.oneof(
      fc.string({ minLength: 1 }).filter((name) => !name.includes('/') && name !== '__proto__'),
      fc.constantFrom(...STATE_CONTRACT.canonical, ...STATE_CONTRACT.resetExempt, 'review-x.md', 'a.tmp', 'foo.txt'),
    ),
    fc.record({ kind: fc.constantFrom('file', 'dir', 'link', 'other'), age: fc.integer({ min: -5, max: 60 }) }),
  )
  .map(givenState);

describe('SD-1: without a state directory', () => {
  it('the reports are valid, with a warning', () => {
    expect(auditState(NOTHING)).toMatchObject({
      valid: true,
      warnings: [{ code: 'STATE_DIR_MISSING' }],
      parsed: { stateDir: null, counts: { total: 0, canonical: 0 }, totalBytes: 0 },
    });
    expect(codes(validateState(NOTHING))).toEqual(['STATE_DIR_MISSING']);
  });
  it('nothing is planned', () => {
    for (const plan of [planCleanup(NOTHING), planReset(NOTHING), planEvict(NOTHING)]) expect(plan.actions).toEqual([]);
  });
  it('SD-11: a link in its place is not followed', () => {
    const link = { path: STATE_DIR, kind: 'link' as const, size: 1, mtime: NOW };
    const tree = { now: NOW, entries: new Map([[STATE_DIR, link]]) };
    expect(auditState(tree)).toMatchObject({ valid: true, parsed: { stateDir: null } });
    expect(auditState(tree).warnings[0]?.message).toContain('symbolic link');
  });
});

describe('SD-12: the audit', () => {
  it('lists the entries by bucket, sorted by name', () => {
    const { parsed } = auditState(
      givenState({ 'plan.md': 'abc', 'b.txt': 'x', 'a.txt': 'xy', '.archive': { kind: 'dir' }, 'c.tmp': '' }),
    );
    expect(parsed.counts).toEqual({ canonical: 2, pattern_allowed: 0, ephemeral: 1, ad_hoc: 2, total: 5 });
    expect(parsed.totalBytes).toBe(6);
    expect(parsed.buckets.ad_hoc).toEqual([
      { name: 'a.txt', size: 2, mtime: '2026-06-09T12:30:00.123Z', isDir: false },
      { name: 'b.txt', size: 1, mtime: '2026-06-09T12:30:00.123Z', isDir: false },
    ]);
    expect(parsed.buckets.canonical[0]).toMatchObject({ name: '.archive', isDir: true });
  });
  it('SD-13: a foreign name is an error, and a warning with --soft', () => {
    const tree = givenState({ 'foo.txt': 'x' });
    expect(auditState(tree)).toMatchObject({
      valid: false,
      errors: [{ code: 'STATE_AD_HOC', path: `${STATE_DIR}/foo.txt` }],
    });
    expect(auditState(tree, { mode: 'soft' })).toMatchObject({ valid: true, warnings: [{ code: 'STATE_AD_HOC' }] });
  });
  it('SD-11, SD-14: a link, what is left over, and a stale variant have codes', () => {
    const tree = givenState({
      'plan.md': { kind: 'link' },
      'a~': 'x',
      'review-a.md': { age: 22 },
      'review-b.md': { age: 20 },
    });
    expect(codes(auditState(tree)).sort()).toEqual(['STATE_AD_HOC', 'STATE_EPHEMERAL', 'STATE_STALE', 'STATE_SYMLINK']);
    expect(auditState(tree).parsed.buckets.pattern_allowed.map(({ stale }) => stale)).toEqual([true, undefined]);
  });
  it('SD-15: stale is older than the days, not as old', () => {
    const stale = (age: number, staleDays?: number) =>
      codes(auditState(givenState({ 'review-a.md': { age } }), { staleDays })).includes('STATE_STALE');
    expect([stale(21), stale(21.01), stale(7.5, 7), stale(6.5, 7), stale(0, 0), stale(0.001, 0)]).toEqual([
      false,
      true,
      true,
      false,
      false,
      true,
    ]);
  });
  it('takes times that no date has', () => {
    expect(auditState(givenState({ 'plan.md': { age: -1e18 } })).valid).toBe(true);
  });
});

describe('the plan of a cleanup', () => {
  it('SD-18, SD-19: takes what is left over, foreign or stale, and says why', () => {
    const tree = givenState({
      'a.tmp': 'x',
      'foo.txt': 'x',
      'review-old.md': { age: 30 },
      'review-new.md': { age: 3 },
      'plan.md': { age: 999 },
      threads: { kind: 'dir' },
    });
    const { actions, applied, archivePath } = planCleanup(tree);
    expect(actions.map(({ path, reason }) => [path.slice(STATE_DIR.length + 1), reason])).toEqual([
      ['a.tmp', 'ephemeral'],
      ['foo.txt', 'ad_hoc'],
      ['review-old.md', 'stale_pattern_allowed'],
      ['threads', 'ad_hoc'],
    ]);
    expect({ applied, archivePath }).toEqual({ applied: false, archivePath: null });
  });
  it('SD-18: never names a canonical entry', () => {
    const days = fc.option(fc.nat(60), { nil: undefined });
    fc.assert(
      fc.property(
        anyState,
        days,
        days,
        fc.option(fc.integer(), { nil: undefined }),
        (tree, staleDays, adHocStaleDays, cutoff) => {
          for (const { path } of planCleanup(tree, { staleDays, adHocStaleDays, cutoff }).actions) {
            const kind = tree.entries.get(path)?.kind as 'file';
            expect(classifyEntry({ name: path.slice(STATE_DIR.length + 1), kind })).not.toBe('canonical');
          }
        },
      ),
    );
  });
  it('SD-21: spares young foreign files, but nothing ephemeral', () => {
    const tree = givenState({ 'old.txt': { age: 3 }, 'new.txt': { age: 1 }, 'a.tmp': { age: 0 } });
    expect(names(planCleanup(tree, { adHocStaleDays: 2 }).actions)).toEqual(['a.tmp', 'old.txt']);
  });
});

describe('the plan of a reset', () => {
  it('SD-25, SD-26: spares the exempt names and takes everything else', () => {
    const exempt = Object.fromEntries(STATE_CONTRACT.resetExempt.map((name) => [name, 'x']));
    const tree = givenState({
      ...exempt,
      'workflow.yaml': 'x',
      'scratchpad.md': 'x',
      'review-a.md': 'x',
      a: { kind: 'dir' },
      b: { kind: 'link' },
      'c~': 'x',
    });
    const plan = planReset(tree);
    expect(names(plan.actions)).toEqual(['a', 'b', 'c~', 'review-a.md', 'scratchpad.md', 'workflow.yaml']);
    expect(plan.kept).toEqual([...STATE_CONTRACT.resetExempt].sort());
  });
  it('SD-24: is only a plan, and never names an exempt entry', () => {
    fc.assert(
      fc.property(anyState, (tree) => {
        const { actions, kept = [], applied } = planReset(tree);
        expect(applied).toBe(false);
        expect(names(actions).filter((name) => isResetExempt(name))).toEqual([]);
        expect([...names(actions), ...kept]).toHaveLength(tree.entries.size - 1);
      }),
    );
  });
});

describe('the plan of an eviction', () => {
  it('SD-29: always takes the gate markers', () => {
    const { always } = STATE_CONTRACT.evict;
    const tree = givenState(Object.fromEntries(always.map((name) => [name, 'x'])));
    expect(names(planEvict(tree).actions)).toEqual([...always].sort());
  });
  it('SD-30, SD-31: takes results from before the session', () => {
    const results = [
      'debug-summary.md',
      'impl-summary-a.json',
      'review-lane-a.json',
      'review-x.md',
      'review.md',
      'slice-a.md',
    ];
    const at = (age: number) => Object.fromEntries(results.map((name) => [name, { age }]));
    const workflow = { 'workflow.yaml': WORKFLOW(NOW - 2 * DAY) };
    expect(names(planEvict(givenState({ ...at(3), ...workflow })).actions)).toEqual(results);
    expect(planEvict(givenState({ ...at(1), ...workflow }))).toMatchObject({ actions: [], warnings: [] });
  });
  it('SD-32: takes no other file, no directory and no link', () => {
    const others = [
      'spec.md',
      'plan.md',
      'decisions.md',
      'scratchpad.md',
      'research.md',
      'deferred.md',
      'handoff.json',
      'foo.txt',
    ];
    const tree = givenState({
      ...Object.fromEntries(others.map((name) => [name, { age: 99 }])),
      '.archive': { kind: 'dir', age: 99 },
      'verification.md': { kind: 'dir' },
      'review.md': { kind: 'link', age: 99 },
      'workflow.yaml': WORKFLOW(NOW),
    });
    expect(planEvict(tree).actions).toEqual([]);
  });
  it.each([undefined, 'active: true\n', 'first_created_at: soon\n', ': : :\n'])(
    'SD-33: without an anchor (%j) takes only the markers, and warns',
    (text) => {
      const tree = givenState({
        'review-a.md': { age: 99 },
        'verification.md': 'x',
        ...(text === undefined ? {} : { 'workflow.yaml': text }),
      });
      const plan = planEvict(tree);
      expect(names(plan.actions)).toEqual(['verification.md']);
      expect(plan.warnings).toMatchObject([{ code: 'STATE_NO_ANCHOR' }]);
    },
  );
});

describe('the plans of an init', () => {
  it('SD-35: name each file once', () => {
    const tree = givenState({ 'review-a.md': { age: 9 }, 'foo.txt': { age: 9 }, 'workflow.yaml': WORKFLOW(NOW) });
    const { evict, cleanup } = planInit(tree);
    expect([names(evict.actions), names(cleanup.actions)]).toEqual([['review-a.md'], ['foo.txt']]);
  });
  it('SD-36: the start of the last workflow decides for both buckets, whatever the days', () => {
    const workflow = WORKFLOW(NOW - 50 * DAY, NOW - 0.25 * DAY);
    const at = (age: number) => ({ 'topic-summary.md': { age }, 'foo.txt': { age }, 'workflow.yaml': workflow });
    expect(names(planInit(givenState(at(0.5))).cleanup.actions)).toEqual(['foo.txt', 'topic-summary.md']);
    expect(names(planInit(givenState(at(0.1))).cleanup.actions)).toEqual([]);
  });
  it('SD-37: without it, one day does', () => {
    const at = (age: number) => givenState({ 'topic-summary.md': { age }, 'foo.txt': { age } });
    expect(names(planInit(at(1.5)).cleanup.actions)).toEqual(['foo.txt', 'topic-summary.md']);
    expect(names(planInit(at(0.5)).cleanup.actions)).toEqual([]);
  });
});
