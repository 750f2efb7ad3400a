import { describe, expect, it } from 'vitest';
import { anchorQuote } from '../../../../../daemon/core/place/anchor.ts';
import { carryPlace } from '../../../../../daemon/core/place/carry.ts';
import { likelyPairs } from '../../../../../daemon/kinds/review/finding/likelyPairs.ts';
import {
  createIdentities,
  type Described,
  isSamePlace,
  type Known,
  matchBatch,
  newFindingId,
} from '../../../../../daemon/kinds/review/finding/sameFinding.ts';
import { described, known } from './support/described.ts';

const match = (old: readonly Known[], batch: readonly Described[]) => matchBatch(old, batch, { claims: true });
const unanchored = (more: Partial<Described> = {}) => described({ anchor: null, ...more });

describe('a finding of a batch', () => {
  it('is a known one that points at the same text and claims the same, with other words', () => {
    const other = described({ summary: 'Does not check results.', quote: 'load()', symbol: null });
    expect(match([known('a')], [other])).toEqual(['a']);
  });

  it('is new if it claims something else at the same text', () => {
    const other = described({ summary: 'A path with spaces breaks', category: 'security' });
    expect(match([known('a')], [other])).toEqual([null]);
    expect(match([known('a')], [{ ...other, category: 'correctness' }])).toEqual([null]);
  });

  it('has its claim read only a few times, however many others are at the same text', () => {
    let reads = 0;
    const counting = <T extends Described>(finding: T, summary: string): T => {
      const get = () => {
        reads += 1;
        return summary;
      };
      return Object.defineProperty({ ...finding }, 'summary', { get });
    };
    const old = Array.from({ length: 50 }, (_, nth) => counting(known(`k${nth}`), `Known defect ${nth}`));
    const batch = Array.from({ length: 50 }, (_, nth) => counting(described(), `Another problem ${nth}`));
    expect(match(old, batch)).toEqual(batch.map(() => null));
    expect(reads).toBeLessThan(5 * 100);
  });

  it('of an older run is a known one that points at the same text, in whatever words', () => {
    const other = described({ summary: 'Errors are swallowed', quote: 'load()', symbol: null, category: 'other' });
    expect(matchBatch([known('a')], [other], { claims: false })).toEqual(['a']);
  });

  it('is a known one up to three lines away', () => {
    const at = (line: number) => match([known('a', { line: 10 })], [described({ line })]);
    expect([at(7), at(13), at(6), at(14)]).toEqual([['a'], ['a'], [null], [null]]);
  });

  it('is new in another file or at another text', () => {
    expect(match([known('a')], [described({ path: 'src/b.ts' })])).toEqual([null]);
    const anchor = { line: 10, text: 'other', occurrence: 1 };
    expect(match([known('a')], [described({ anchor, quote: 'other();' })])).toEqual([null]);
  });

  it('is known by its quote after a fix of the lines below', () => {
    const anchor = { line: 10, text: 'other', occurrence: 1 };
    expect(match([known('a')], [described({ anchor })])).toEqual(['a']);
  });

  it('stands where its anchor is, not at the line that the reviewer claims', () => {
    const anchor = { line: 10, text: 'constresult=load();', occurrence: 1 };
    expect(match([known('a')], [described({ line: 99, anchor })])).toEqual(['a']);
  });

  it('is a known one by its quote if its text is not in the file', () => {
    const found = (more: Partial<Described>) => match([known('a', unanchored())], [unanchored(more)])[0];
    expect(found({ quote: ' const result\n= load();' })).toBe('a');
    expect(found({ quote: 'other' })).toBeNull();
    expect(found({ line: 14 })).toBeNull();
    expect(found({ path: 'src/b.ts' })).toBeNull();
    expect(match([known('a', unanchored())], [described()])).toEqual(['a']);
    expect(match([known('a')], [unanchored()])).toEqual(['a']);
    expect(match([known('a', unanchored({ quote: ' ' }))], [unanchored({ quote: '' })])).toEqual([null]);
  });
});

describe('two findings of one batch', () => {
  it('are two, and the nearer is the known one', () => {
    const batch = [described({ line: 12 }), described({ line: 11 })];
    expect(match([known('a')], batch)).toEqual([null, 'a']);
  });

  it('are two on one line, and the likelier is the known one', () => {
    const at = (other: Partial<Described>) => match([known('a')], [described(other), described()]);
    expect(at({ category: 'security' })).toEqual([null, 'a']);
    expect(at({ symbol: 'store' })).toEqual([null, 'a']);
    expect(at({ summary: 'Wrong encoding' })).toEqual([null, 'a']);
    expect(at({ severity: 'critical' })).toEqual([null, 'a']);
    expect(at({})).toEqual(['a', null]);
  });

  it('of an older run go to the likelier of two known findings on one line', () => {
    const match = (old: readonly Known[], batch: readonly Described[]) => matchBatch(old, batch, { claims: false });
    const old = [
      known('check', { summary: 'The result is never checked for errors' }),
      known('path', { summary: 'A path with spaces breaks the command' }),
      known('key', { summary: 'A path is logged', category: 'security' }),
    ];
    const path = described({ summary: 'Spaces inside of a path are not quoted' });
    const check = described({ summary: 'Errors of this result are lost' });
    const key = described({ summary: 'The result with its errors is printed', category: 'security' });
    expect(match(old, [path, check, key])).toEqual(['path', 'check', 'key']);
    expect(match(old, [key])).toEqual(['key']);
    expect(match(old, [path])).toEqual(['path']);
  });
});

describe('the id of a finding', () => {
  const idOf = (more: Partial<Described> = {}, nth = 0) => newFindingId('run', 'review', described(more), nth);

  it('depends on what it points at, and not on its prose', () => {
    expect(idOf({ summary: 'Other words', severity: 'low', quote: 'load()', category: 'style' })).toBe(idOf());
    const anchor = { line: 10, text: 'constresult=load();', occurrence: 2 };
    const others = [
      idOf({ path: 'src/b.ts' }),
      idOf({ anchor }),
      idOf({ symbol: null }),
      idOf({ anchor: null }),
      idOf({ anchor: null, quote: 'load()' }),
      idOf({}, 1),
      newFindingId('other', 'review', described(), 0),
    ];
    expect(new Set([idOf(), ...others]).size).toBe(others.length + 1);
  });

  it('is the same wherever the text stands', () => {
    expect(idOf({ anchor: { line: 50, text: 'constresult=load();', occurrence: 1 } })).toBe(idOf());
  });
});

describe('a defect that three reviewers see', () => {
  const file = Array.from({ length: 90 }, (_, at) => `  statement(${at});`);
  file[9] = 'function parse(text: string): Value {';
  file[69] = '  const value = parse(input);';
  const report = (line: number, quote: string, summary: string) =>
    described({ line, quote, summary, symbol: 'parse', anchor: anchorQuote(file, { line, quote }) });

  it('with words of their own is as many findings, which the verifier compares', () => {
    const first = report(10, 'function parse(text: string): Value {', 'Throws for an empty text');
    const second = report(11, 'parse(text: string)', 'No guard against blank input');
    const third = report(70, 'const value = parse(input);', 'The caller does not expect an exception');
    const old = [{ ...first, id: 'declaration' }];
    expect(match(old, [second])).toEqual([null]);
    expect(match(old, [third])).toEqual([null]);
    expect(isSamePlace({ ...first, id: 'declaration' }, { ...second, id: 'again' })).toBe(true);
    const all = [...old, { ...second, id: 'again' }, { ...third, id: 'use' }];
    expect(likelyPairs(all, { samePlace: true })).toEqual([
      ['declaration', 'again'],
      ['declaration', 'use'],
      ['again', 'use'],
    ]);
  });

  it('stays the same when a fix moves it by forty lines and renames the file', () => {
    const quote = '  const value = parse(input);';
    const first = known('use', report(70, quote, 'The caller does not expect an exception'));
    const fixed = [...file.slice(0, 20), ...Array.from({ length: 40 }, (_, at) => `added(${at});`), ...file.slice(20)];
    const renamed = [
      {
        path: 'src/b.ts',
        from: 'src/a.ts',
        isDeleted: false,
        hunks: [[20, 0, 21, 40] as [number, number, number, number]],
      },
    ];
    const { path, line, isChanged } = carryPlace(renamed, { path: first.path, line: 70 });
    expect({ path, line, isChanged }).toEqual({ path: 'src/b.ts', line: 110, isChanged: false });
    const { summary } = first;
    const again = described({ path, line: 109, quote, summary, anchor: anchorQuote(fixed, { line: 109, quote }) });
    expect(match([{ ...first, path, line }], [again])).toEqual(['use']);
    expect(match([first], [again])).toEqual([null]);
  });
});

describe('the identity of a new defect', () => {
  const first = { path: 'a.ts', anchor: null, quote: 'save(name)', symbol: null };

  it('is the same in each run, and differs from those of other defects at its place', () => {
    const both = () => {
      const identify = createIdentities(new Set());
      return [identify(first), identify(first)];
    };
    const [one, other] = both();
    expect(one).not.toBe(other);
    expect(both()).toEqual([one, other]);
    expect(createIdentities(new Set([String(one)]))(first)).toBe(other);
  });

  it('is searched for once, however many defects are at its place', () => {
    let asked = 0;
    class Counting extends Set<string> {
      override has(id: string): boolean {
        asked += 1;
        return super.has(id);
      }
    }
    const identify = createIdentities(new Counting());
    const ids = Array.from({ length: 1_200 }, () => identify(first));
    expect(new Set(ids).size).toBe(1_200);
    expect(asked).toBe(1_200);
  });
});
