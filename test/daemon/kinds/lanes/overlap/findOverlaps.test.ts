import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globsIntersect } from '../../../../../daemon/core/glob/globsIntersect.ts';
import { findOverlaps, type OverlapFacts } from '../../../../../daemon/kinds/lanes/overlap/findOverlaps.ts';
import { glob } from '../../../core/glob/arbitrary.ts';
import { widePlan } from './widePlan.ts';

const NOTHING: OverlapFacts = { ignoreCase: false, shared: [] };
const task = (id: string, writeSet: string[], dependsOn: string[] = []) => ({ id, writeSet, dependsOn });
const kindsOf = (a: string[], b: string[], facts = NOTHING) =>
  findOverlaps([task('A', a), task('B', b)], facts).flatMap(({ reasons }) => reasons.map(({ kind }) => kind));

describe('two tasks overlap', () => {
  it('names the globs that share a path, in the order of the plan', () => {
    expect(findOverlaps([task('A', ['docs/**', 'src/new/**']), task('B', ['src/new/api.ts'])], NOTHING)).toEqual([
      { a: 'A', b: 'B', reasons: [{ kind: 'pattern', globs: ['src/new/**', 'src/new/api.ts'] }] },
    ]);
    expect(findOverlaps([task('B', ['src/new/api.ts']), task('A', ['src/new/**'])], NOTHING)).toEqual([
      { a: 'B', b: 'A', reasons: [{ kind: 'pattern', globs: ['src/new/api.ts', 'src/new/**'] }] },
    ]);
  });

  it.each([
    ['src/auth', 'src/auth/x.ts'],
    ['app/[id]/page.tsx', 'app/*id*/page.tsx'],
    ['**/*.test.ts', 'src/**'],
  ])('%s and %s', (a, b) => {
    expect(kindsOf([a], [b])).toEqual(['pattern']);
  });

  it('with existing files that both match, whichever is named first', () => {
    const shared = [{ a: 'B', b: 'A', files: ['x', 'y'], count: 7 }];
    expect(findOverlaps([task('A', ['a/*']), task('B', ['b/*'])], { ignoreCase: false, shared })).toEqual([
      { a: 'A', b: 'B', reasons: [{ kind: 'file', files: ['x', 'y'], count: 7 }] },
    ]);
  });

  it('where devflow cannot tell', () => {
    expect(kindsOf(['src/@(a|b).ts'], ['src/c.ts'])).toEqual(['undecided']);
    expect(kindsOf(['src/@(a|b).ts', 'src/*'], ['src/c.ts'])).toEqual(['pattern']);
  });

  it('only where the case does not matter', () => {
    expect(kindsOf(['README.md'], ['readme.md'])).toEqual([]);
    expect(kindsOf(['README.md'], ['readme.md'], { ignoreCase: true, shared: [] })).toEqual(['pattern']);
  });
});

describe('tasks stay side by side', () => {
  it.each([
    ['src/*.ts', 'src/*.tsx'],
    ['src/auth/**', 'src/users/**'],
    ['README.md', '**/*.test.ts'],
    ['app/(auth)/**', 'app/(shop)/**'],
  ])('%s and %s', (a, b) => {
    expect(kindsOf([a], [b])).toEqual([]);
  });

  it('where a dependency puts them in order, also through other tasks', () => {
    const tasks = [task('A', ['**']), task('B', ['b'], ['A']), task('C', ['**'], ['B'])];
    expect(findOverlaps(tasks, NOTHING)).toEqual([]);
  });

  it('a hundred of them with nothing in common', () => {
    expect(findOverlaps(widePlan(100), NOTHING)).toEqual([]);
  });
});

describe('files of the forbidden list', () => {
  it('belong to one task at a time, though the paths differ', () => {
    expect(findOverlaps([task('A', ['db/migrations/001.sql']), task('B', ['db/migrations/002.sql'])], NOTHING)).toEqual(
      [{ a: 'A', b: 'B', reasons: [{ kind: 'forbidden', glob: '**/migrations/**' }] }],
    );
    expect(kindsOf(['a/x.generated.ts'], ['b/y.generated.ts'])).toEqual(['forbidden']);
    expect(kindsOf(['tsconfig.a.json'], ['tsconfig.b.json'])).toEqual(['forbidden']);
    expect(kindsOf(['.github/workflows/**'], ['.github/CODEOWNERS'])).toEqual(['forbidden']);
    expect(kindsOf(['packages/a/tsconfig.json'], ['tsconfig.json'])).toEqual([]);
  });

  it('count for a wide glob only where they exist', () => {
    expect(kindsOf(['a/**'], ['b/**'])).toEqual([]);
    const forbidden = [
      { task: 'A', files: ['a/migrations/1.sql'] },
      { task: 'B', files: ['b/migrations/1.sql', 'b/x.ts'] },
    ];
    expect(kindsOf(['a/**'], ['b/**'], { ...NOTHING, forbidden })).toEqual(['forbidden']);
  });
});

it('answers for hostile globs too, and leaves none of their pairs out', () => {
  const tasks = Array.from({ length: 40 }, (_, n) =>
    task(`T${n}`, [`**/${'*a'.repeat(200)}x?`, `${'*b'.repeat(200)}y${n}?`]),
  );
  expect(findOverlaps(tasks, NOTHING)).toHaveLength((40 * 39) / 2);
});

it('says of each pair of tasks what a comparison of their globs says', () => {
  const name = fc.constantFrom(
    'src/a.ts',
    'src/a.ts/**',
    'src/a.ts/b',
    'src/*.ts',
    'src',
    '**/a.*',
    'Makefile',
    '*file/x',
  );
  const tasks = fc.array(fc.array(fc.oneof(name, glob('common')), { minLength: 1, maxLength: 3 }), { maxLength: 5 });
  fc.assert(
    fc.property(tasks, fc.boolean(), (writeSets, ignoreCase) => {
      const plan = writeSets.map((writeSet, nth) => ({ id: `T${nth}`, dependsOn: [], writeSet }));
      const found = findOverlaps(plan, { ignoreCase, shared: [] })
        .filter(({ reasons }) => reasons.some(({ kind }) => kind === 'pattern' || kind === 'undecided'))
        .map(({ a, b }) => [a, b]);
      const share = (one: string, other: string) => globsIntersect(one, other, { ignoreCase }) !== 'no';
      const expected = plan.flatMap((a, nth) =>
        plan
          .slice(nth + 1)
          .filter((b) => a.writeSet.some((one) => b.writeSet.some((other) => share(one, other))))
          .map((b) => [a.id, b.id]),
      );
      expect(found).toEqual(expected);
    }),
    { numRuns: 300, seed: Number(process.env.DEVFLOW_TEST_SEED ?? 20_261_122) },
  );
});
