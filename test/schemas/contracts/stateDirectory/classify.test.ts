import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  BUCKETS,
  classifyEntry,
  classifyName,
  isResetExempt,
  laneFile,
  laneSlug,
} from '../../../../schemas/contracts/stateDirectory/classify.ts';
import { STATE_CONTRACT, STATE_CONTRACTS } from '../../../../schemas/contracts/stateDirectory/contract.ts';

const { canonical, canonicalFromUpstream, resetExempt } = STATE_CONTRACT;
const KINDS = ['file', 'dir', 'link', 'other'] as const;

test('SD-2: every name is in exactly one bucket, whatever it is', () => {
  const name = fc.oneof(
    fc.string(),
    fc.constantFrom(...canonical),
    fc.stringMatching(/^review-[a-z.~]{0,9}(md|tmp)?$/),
  );
  fc.assert(
    fc.property(name, fc.constantFrom(...KINDS), (each, kind) => {
      expect(BUCKETS.filter((bucket) => bucket === classifyEntry({ name: each, kind }))).toHaveLength(1);
      expect(BUCKETS).toContain(classifyName(each));
    }),
  );
});

test('SD-3: all names of the inventory are canonical', () => {
  const all = [...canonical, ...canonicalFromUpstream];
  expect(all).toHaveLength(new Set(all).size);
  expect(all.filter((name) => classifyName(name) !== 'canonical')).toEqual([]);
});

test.each(['Plan.md', 'plan.md ', 'workflow.yml', 'handoff.md', 'PLAN.MD', 'plan.md\n', ''])(
  'SD-4: %j is ad hoc',
  (name) => {
    expect(classifyName(name)).toBe('ad_hoc');
  },
);

test.each([
  'review-pr367-slice-A.md',
  'impl-summary-cr3.json',
  'impl-summary-cr3.md',
  'test-summary-integration.json',
  'verification-rerun.json',
  'slice-A.md',
  'topic-summary.md',
  'review-lane-api.md',
])('SD-5: %s is pattern_allowed', (name) => {
  expect(classifyName(name)).toBe('pattern_allowed');
});

test('SD-6: the example of the seed is pattern_allowed', () => {
  expect(classifyName('module-md-update-summary.md')).toBe('pattern_allowed');
});

test('SD-7: a lane in capitals or with 40 letters is legal as a review', () => {
  expect(classifyName('review-lane-API.md')).toBe('pattern_allowed');
  expect(classifyName(`review-lane-${'a'.repeat(40)}.md`)).toBe('pattern_allowed');
  expect(classifyName('review-lane-api.json')).toBe('ad_hoc');
});

test.each([
  'plan-x.md',
  'research-x.md',
  'spec-x.md',
  'review-.md',
  'review-a b.md',
  'impl-summary-.json',
  'slice-a.json',
  'review-a.md\n',
  'a/review-a.md',
])('SD-8: %j is ad hoc', (name) => {
  expect(classifyName(name)).toBe('ad_hoc');
});

test.each(['.foo.tmp', 'bar.tmp', 'baz~', 'review-x.md~', 'plan.md.tmp'])('SD-9: %s is ephemeral', (name) => {
  expect(classifyName(name)).toBe('ephemeral');
});

test('SD-10: only the archive is a legal directory', () => {
  expect(classifyEntry({ name: '.archive', kind: 'dir' })).toBe('canonical');
  for (const name of ['plan.md', 'threads', 'a.tmp', 'review-x.md']) {
    expect(classifyEntry({ name, kind: 'dir' })).toBe('ad_hoc');
  }
  expect(classifyEntry({ name: '.archive', kind: 'file' })).toBe('ad_hoc');
});

test.each(['link', 'other'] as const)('SD-11: a %s is ad hoc, whatever its name', (kind) => {
  for (const name of ['plan.md', '.archive', 'a.tmp', 'review-x.md'])
    expect(classifyEntry({ name, kind })).toBe('ad_hoc');
});

test('SD-25: ten names survive a reset', () => {
  expect(resetExempt).toHaveLength(10);
  expect(resetExempt.filter((name) => !isResetExempt(name) || classifyName(name) !== 'canonical')).toEqual([]);
  expect(['workflow.yaml', 'plan.md', 'scratchpad.md', '__proto__'].filter((name) => isResetExempt(name))).toEqual([]);
});

describe('SD-56: the slug of a lane', () => {
  it.each([
    ['API', 'api'],
    ['  Front-End / UI  ', 'front_end_ui'],
    ['a__b', 'a_b'],
    ['', 'ungrouped'],
    ['---', 'ungrouped'],
    ['2fa', '2fa'],
    [`${'a'.repeat(31)}-b`, `${'a'.repeat(31)}_`],
    [`${'a'.repeat(32)}-b`, 'a'.repeat(32)],
    [`_${'a'.repeat(33)}_`, 'a'.repeat(32)],
  ])('of %j is %s, as upstream has it', (text, slug) => {
    expect(laneSlug(text)).toBe(slug);
  });
  it('is short and legal, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const slug = laneSlug(text);
        expect(slug).toMatch(/^[a-z0-9](?:[a-z0-9_]{0,30}[a-z0-9]|[a-z0-9_]{30}_)?$/);
        expect(classifyName(laneFile(slug))).toBe('pattern_allowed');
      }),
    );
  });
});

describe.each(STATE_CONTRACTS.map((each) => [each.id, each] as const))('SD-58: %s is data', (_, contract) => {
  const { sidecars, statusGated, inputs, evict, marks } = contract;
  it('knows all names of its other lists', () => {
    const pairs = Object.keys(sidecars).flatMap((base) => [`${base}.md`, `${base}.json`]);
    const lists = [contract.resetExempt, evict.always, evict.beforeAnchor, marks.files, marks.directories];
    const named = [...lists.flat(), ...pairs, ...Object.keys(statusGated), ...Object.keys(inputs)];
    expect(named.filter((name) => classifyName(name, contract) !== 'canonical')).toEqual([]);
  });
  it('has no markdown with a status of its own and a sidecar', () => {
    expect(Object.keys(sidecars).filter((base) => Object.hasOwn(statusGated, `${base}.md`))).toEqual([]);
  });
  it('has anchored patterns without nested repetition', () => {
    const patterns = [...contract.allowedPatterns, ...contract.ephemeralPatterns];
    expect(patterns.filter((pattern) => !/^\^.*\$$/.test(pattern))).toEqual([]);
    for (const sign of ['a', '-', 'a-', '~.', '.tmp', '1.archive-'])
      expect(classifyName(`a-${sign.repeat(100_000)}!`, contract)).toBe('ad_hoc');
  });
});

test('SD-58: a newer version knows every name of the older ones', () => {
  for (const [nth, newer] of STATE_CONTRACTS.entries()) {
    for (const { canonical, canonicalFromUpstream, canonicalDirectories, resetExempt } of STATE_CONTRACTS.slice(
      0,
      nth,
    )) {
      const all = [...canonical, ...canonicalFromUpstream, ...canonicalDirectories];
      expect(all.filter((name) => classifyName(name, newer) !== 'canonical')).toEqual([]);
      expect(resetExempt.filter((name) => !isResetExempt(name, newer))).toEqual([]);
    }
  }
});
