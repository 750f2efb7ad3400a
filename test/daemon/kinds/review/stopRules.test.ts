import { describe, expect, it } from 'vitest';
import { type RoundFacts, whyAsk } from '../../../../daemon/kinds/review/stopRules.ts';
import type { FindingSeverity } from '../../../../schemas/enums.ts';

const blocking = (...severities: FindingSeverity[]) => severities;

function rounds(...all: Partial<RoundFacts>[]): RoundFacts[] {
  return all.map((each, at) => ({
    blockers: blocking('medium'),
    newOnFix: 0,
    newBlockers: 0,
    cameBack: [],
    fixChangedTree: at === 0 ? null : true,
    ...each,
  }));
}
const LIMIT = 9;

describe('a person is asked', () => {
  it('when a fixed finding comes back', () => {
    const places = ['src/a.ts:3', 'b.ts:1'];
    expect(whyAsk(rounds({}, { cameBack: ['src/a.ts:3'] }), LIMIT)).toBe('A fixed finding came back: src/a.ts:3.');
    expect(whyAsk(rounds({}, { cameBack: places }), LIMIT)).toBe('2 fixed findings came back: src/a.ts:3, b.ts:1.');
  });

  it('when a fix left the tree as it was', () => {
    expect(whyAsk(rounds({}, { fixChangedTree: false }), LIMIT)).toBe('The last fix changed no file.');
  });

  it('when fixes bring new findings in two successive rounds', () => {
    const found = (...counts: number[]) =>
      rounds(
        ...counts.map((count, at) => ({
          blockers: blocking(...Array.from({ length: count }, () => 'medium' as const)),
          newBlockers: count,
          newOnFix: at === 0 ? 0 : count,
        })),
      );
    expect(whyAsk(found(3), LIMIT)).toBeNull();
    expect(whyAsk(found(3, 2), LIMIT)).toBeNull();
    expect(whyAsk(found(3, 2, 3), LIMIT)).toContain('Two fixes in a row');
    expect(whyAsk(found(3, 2, 3, 2), LIMIT)).toContain('Two fixes in a row');
  });

  it('when the weight of the findings has not fallen in two successive rounds', () => {
    const weights = (...all: FindingSeverity[][]) => rounds(...all.map((each) => ({ blockers: blocking(...each) })));
    const four: FindingSeverity[] = ['medium', 'medium', 'medium', 'medium'];
    expect(whyAsk(weights(['high'], four), LIMIT)).toBeNull();
    expect(whyAsk(weights(['high'], four, ['high']), LIMIT)).toContain('neither fewer nor less severe');
    expect(whyAsk(weights(['critical'], four, ['high']), LIMIT)).toBeNull();
    expect(whyAsk(weights(['high'], four, ['medium', 'low']), LIMIT)).toBeNull();
  });

  it('when the rounds are used up', () => {
    const falling = rounds({ blockers: blocking('high', 'high') }, { blockers: blocking('high') }, {});
    expect(whyAsk(falling, 4)).toBeNull();
    expect(whyAsk(falling, 3)).toBe('All 3 rounds are used up, and something must still be fixed.');
    expect(whyAsk(rounds({}), 1)).toMatch(/^The only round is used up/);
  });
});

describe('no person is asked', () => {
  it('while nothing blocks', () => {
    const last = { blockers: [], cameBack: ['a'], fixChangedTree: false };
    expect(whyAsk(rounds({}, {}, last), 1)).toBeNull();
    expect(whyAsk([], 0)).toBeNull();
  });

  it('if half of the new findings are elsewhere', () => {
    const half = { newBlockers: 2, newOnFix: 1 };
    const falling = rounds({ blockers: blocking('critical') }, { ...half, blockers: blocking('high') }, half);
    expect(whyAsk(falling, LIMIT)).toBeNull();
  });

  it('if a round without new findings is in between', () => {
    const onFix = { newBlockers: 1, newOnFix: 1 };
    const falling = [
      { blockers: blocking('critical') },
      { ...onFix, blockers: blocking('high') },
      { blockers: blocking('medium') },
      { ...onFix, blockers: blocking('low') },
    ];
    expect(whyAsk(rounds(...falling), LIMIT)).toBeNull();
  });
});

it('names the first reason of several', () => {
  const all = { newBlockers: 1, newOnFix: 1 };
  expect(whyAsk(rounds({}, all, { ...all, cameBack: ['a'], fixChangedTree: false }), 3)).toContain('came back');
  expect(whyAsk(rounds({}, all, { ...all, fixChangedTree: false }), 3)).toContain('changed no file');
  expect(whyAsk(rounds({}, all, all), 3)).toContain('Two fixes in a row');
  expect(whyAsk(rounds({}, {}, {}), 3)).toContain('neither fewer');
});
