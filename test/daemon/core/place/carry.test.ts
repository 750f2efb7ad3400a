import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carryLine, carryPlace, isInFix } from '../../../../daemon/core/place/carry.ts';
import { type ChangedFile, MOST_CHANGED_FILES } from '../../../../schemas/place/place.ts';

type Hunks = ChangedFile['hunks'];

function changed(path: string, hunks: Hunks, more: Partial<ChangedFile> = {}): ChangedFile {
  return { path, from: null, isDeleted: false, hunks, ...more };
}
const carried = (hunks: Hunks, ...lines: number[]) => lines.map((line) => carryLine(hunks, line));

describe('a line of the older commit', () => {
  it('moves behind an insertion, and the line before it does not', () => {
    expect(carried([[10, 0, 11, 3]], 9, 10, 11)).toEqual([9, 10, 14]);
    expect(carried([[0, 0, 1, 3]], 1)).toEqual([4]);
  });

  it('becomes the line before it if it was removed', () => {
    expect(carried([[10, 2, 9, 0]], 9, 10, 11, 12)).toEqual([9, 9, 9, 10]);
    expect(carried([[1, 2, 0, 0]], 1, 2, 3)).toEqual([1, 1, 1]);
  });

  it('keeps its place in what replaced it', () => {
    expect(carried([[10, 3, 10, 2]], 10, 11, 12, 13)).toEqual([10, 11, 11, 12]);
    expect(carried([[10, 1, 10, 5]], 10, 11)).toEqual([10, 15]);
  });
});

/** So many lines that stay, and then so many removed and inserted ones. */
const edits = fc.array(fc.record({ keep: fc.integer({ min: 1, max: 5 }), remove: fc.nat(4), insert: fc.nat(4) }), {
  maxLength: 12,
});

it('carries lines as a map of all lines does', () => {
  fc.assert(
    fc.property(edits, fc.boolean(), (all, changesFirst) => {
      const before: string[] = [];
      const after: string[] = [];
      const hunks: Hunks = [];
      const ranges = new Map<string, [number, number]>();
      for (const [at, { keep, remove, insert }] of all.entries()) {
        for (let nth = 0; nth < (at === 0 && changesFirst ? 0 : keep); nth += 1) {
          before.push(`${at}:${nth}`);
          after.push(`${at}:${nth}`);
        }
        if (remove + insert === 0) continue;
        const oldStart = before.length + (remove > 0 ? 1 : 0);
        const newStart = after.length + (insert > 0 ? 1 : 0);
        hunks.push([oldStart, remove, newStart, insert]);
        for (let nth = 0; nth < remove; nth += 1) {
          ranges.set(`${at}-${nth}`, [Math.max(1, newStart), Math.max(1, newStart, newStart + insert - 1)]);
          before.push(`${at}-${nth}`);
        }
        for (let nth = 0; nth < insert; nth += 1) after.push(`${at}+${nth}`);
      }
      const lines = before.map((_, at) => carryLine(hunks, at + 1));
      for (const [at, name] of before.entries()) {
        const line = lines[at] as number;
        const [low, high] = ranges.get(name) ?? [after.indexOf(name) + 1, after.indexOf(name) + 1];
        expect(line).toBeGreaterThanOrEqual(low);
        expect(line).toBeLessThanOrEqual(high);
        expect(line).toBeLessThanOrEqual(Math.max(1, after.length));
        const { isChanged } = carryPlace([changed('a.ts', hunks)], { path: 'a.ts', line: at + 1 });
        expect(isChanged).toBe(ranges.has(name));
        if (!isChanged) continue;
        expect(isInFix([changed('a.ts', hunks)], 'a.ts', line)).toBe(true);
      }
      expect(lines).toEqual(lines.toSorted((a, b) => a - b));
      for (const [at, name] of after.entries()) {
        if (name.includes('+')) expect(isInFix([changed('a.ts', hunks)], 'a.ts', at + 1)).toBe(true);
      }
    }),
    { numRuns: 200, seed: Number(process.env.DEVFLOW_TEST_SEED ?? 20_260_101) },
  );
});

describe('a place of the older commit', () => {
  it('stays in a file that did not change', () => {
    expect(carryPlace([], { path: 'a.ts', line: 7 })).toEqual({ path: 'a.ts', line: 7, isChanged: false });
  });

  it('follows its file to its new name', () => {
    const files = [changed('b.ts', [[2, 0, 3, 40]], { from: 'a.ts' }), changed('a.ts', [[0, 0, 1, 9]])];
    expect(carryPlace(files, { path: 'a.ts', line: 7 })).toEqual({ path: 'b.ts', line: 47, isChanged: false });
  });

  it('is not that of another file that now has its name', () => {
    const files = [changed('a.ts', [], { from: 'x.ts' }), changed('a.ts', [[1, 9, 0, 0]], { isDeleted: true })];
    expect(carryPlace(files, { path: 'a.ts', line: 7 })).toEqual({ path: 'a.ts', line: 7, isChanged: true });
    expect(carryPlace(files, { path: 'x.ts', line: 7 })).toEqual({ path: 'a.ts', line: 7, isChanged: false });
  });
});

describe('lines of the newer commit', () => {
  const files = [
    changed('a.ts', [
      [10, 2, 10, 3],
      [30, 4, 30, 0],
    ]),
    changed('gone.ts', [], { isDeleted: true }),
  ];
  const inFix = (...lines: number[]) => lines.filter((line) => isInFix(files, 'a.ts', line));

  it('are in the fix if the list of its files has no room for more', () => {
    const full = Array.from({ length: MOST_CHANGED_FILES }, (_, nth) => changed(`${nth}.ts`, [[1, 1, 1, 1]]));
    expect([isInFix(full, 'a.ts', 9), isInFix(full, '1.ts', 9), isInFix(full.slice(1), 'a.ts', 9)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('are in the fix if it wrote them', () => {
    expect(inFix(9, 10, 12, 13)).toEqual([10, 12]);
  });

  it('are in the fix if it removed what was beside them', () => {
    expect(inFix(29, 30, 31, 32)).toEqual([30, 31]);
  });

  it('are in the fix if one of them is', () => {
    expect(isInFix(files, 'a.ts', 5, 10)).toBe(true);
    expect(isInFix(files, 'a.ts', 5, 9)).toBe(false);
    expect(isInFix(files, 'a.ts', 12, 1)).toBe(true);
  });

  it('are in the fix if it deleted the file, and not in another file', () => {
    expect(isInFix(files, 'gone.ts', 1)).toBe(true);
    expect(isInFix(files, 'b.ts', 10)).toBe(false);
  });
});
