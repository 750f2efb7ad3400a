import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRegistry } from '../../../schemas/definitions/registry.ts';
import { packageRoot } from '../../../schemas/files/paths.ts';
import { repositoryPathFault } from '../../../schemas/files/repositoryPath.ts';

const registry = createRegistry({ builtinDir: join(packageRoot(), 'schemas/artifacts') });
const ok = (id: string) => JSON.parse(readFileSync(registry.fixturePath(id, 'ok') as string, 'utf8'));

/** `path message` of each fault that the registry finds, as a repair prompt would tell them. */
function faults(id: string, data: unknown): string[] {
  const verdict = registry.validateArtifact(id, data);
  return verdict.ok ? [] : verdict.errors.map(({ path, message }) => `${path} ${message}`);
}

type Task = [id: string, dependsOn?: string[], files?: string[]];

function plan(...tasks: Task[]) {
  const facts = { title: 't', description: 'd', risk: 'low' };
  return { summary: 's', tasks: tasks.map(([id, dependsOn = [], files = []]) => ({ id, dependsOn, files, ...facts })) };
}

describe('a phase plan', () => {
  test.each<[string, Task[], string[]]>([
    ['in order', [['A'], ['B', ['A']], ['C', ['A', 'B']]], []],
    ['in another order', [['B', ['A']], ['A']], []],
    ['with an id twice', [['A'], ['B'], ['A']], ['/tasks/2/id "A" is already at /tasks/0/id']],
    ['that needs an unknown task', [['A', ['Z', 'A1']], ['A1']], ['/tasks/0/dependsOn/0 there is no task "Z"']],
    [
      'with a task that needs itself',
      [['A', ['A']]],
      ['/tasks/0/dependsOn tasks must not wait for each other: "A" needs "A"'],
    ],
    [
      'with a circle behind a sound task',
      [['A'], ['D', ['B']], ['B', ['A', 'C']], ['C', ['B']]],
      ['/tasks/2/dependsOn tasks must not wait for each other: "B" needs "C" needs "B"'],
    ],
    [
      'with files outside',
      [['A', [], ['src/a.ts', '../../etc/passwd', 'a/../../b']]],
      [
        '/tasks/0/files/1 "../../etc/passwd" must not lead out of a directory with ..',
        '/tasks/0/files/2 "a/../../b" must not lead out of a directory with ..',
      ],
    ],
  ])('%s', (_, tasks, expected) => {
    expect(faults('dev/phase-plan@1', plan(...tasks))).toEqual(expected);
  });

  test('is checked also with a very long chain or circle', () => {
    const chain = Array.from({ length: 15_000 }, (_, n): Task => [`T${n}`, n === 0 ? [] : [`T${n - 1}`]]);
    expect(faults('dev/phase-plan@1', plan(...chain))).toEqual([]);
    expect(faults('dev/phase-plan@1', plan(['T0', ['T14999']], ...chain.slice(1)))).toHaveLength(1);
    const star = Array.from({ length: 15_000 }, (_, n): Task => [`T${n}`, n === 0 ? [] : ['T0']]);
    expect(faults('dev/phase-plan@1', plan(...star))).toEqual([]);
  });

  test('has at most as many faults as a prompt can hold', () => {
    const many = Array.from({ length: 200 }, (): Task => ['A', [], ['/x\n'.slice(1)]]);
    expect(faults('dev/phase-plan@1', plan(...many))).toHaveLength(30);
  });

  test('shows hostile text escaped and short', () => {
    const [fault = ''] = faults('dev/phase-plan@1', plan(['A', [`\u001b[2J${'x'.repeat(500)}`]]));
    expect(fault).not.toMatch(/\p{Cc}/u);
    expect(fault.length).toBeLessThan(200);
  });
});

test('names only some tasks of a long circle', () => {
  const ring = Array.from({ length: 100 }, (_, n): Task => [`T${n}`, [`T${(n + 1) % 100}`]]);
  const [fault = ''] = faults('dev/phase-plan@1', plan(...ring));
  expect(fault).toMatch(/^\/tasks\/0\/dependsOn tasks must not wait for each other: "T0" needs "T1".* and 93 more$/);
});

describe('a task graph', () => {
  const dag = (...tasks: [id: string, dependsOn?: string[], writeSet?: string[]][]) => {
    const facts = { title: 't', description: 'd', requirements: [], checks: [], risk: 'low', size: 's' };
    return {
      summary: 's',
      tasks: tasks.map(([id, dependsOn = [], writeSet = ['a']]) => ({ id, dependsOn, writeSet, ...facts })),
    };
  };

  test.each<[string, Parameters<typeof dag>, string[]]>([
    ['in any order', [['B', ['A']], ['A']], []],
    ['with an id twice', [['A'], ['B'], ['A']], ['/tasks/2/id "A" is already at /tasks/0/id']],
    ['with ids that differ in case', [['T1'], ['t1']], ['/tasks/1/id "t1" is already at /tasks/0/id']],
    ['that needs an unknown task', [['A', ['Z']]], ['/tasks/0/dependsOn/0 there is no task "Z"']],
    [
      'with a circle behind a sound task',
      [['A'], ['D', ['B']], ['B', ['A', 'C']], ['C', ['B']]],
      ['/tasks/2/dependsOn tasks must not wait for each other: "B" needs "C" needs "B"'],
    ],
    [
      'with files outside',
      [['A', [], ['src/**', '/etc/passwd', 'a/../../b', '!src/x', 'x\0']]],
      [
        '/tasks/0/writeSet/1 "/etc/passwd" must be relative to the root of the repository',
        '/tasks/0/writeSet/2 "a/../../b" must not lead out of a directory with ..',
        '/tasks/0/writeSet/3 "!src/x" must not be a negation: name the files that the task writes',
        '/tasks/0/writeSet/4 "x\\u0000" has control characters',
      ],
    ],
    ['that writes nothing', [['A', [], []]], ['/tasks/0/writeSet must NOT have fewer than 1 items']],
  ])('%s', (_, tasks, expected) => {
    expect(faults('dev/dag@1', dag(...tasks))).toEqual(expected);
  });

  test.each(['1', 'T.1', 'T/1', '', 'T1\n', 'ü', `T${'1'.repeat(32)}`])('has no task with the id %j', (id) => {
    expect(faults('dev/dag@1', dag([id]))).toEqual(['/tasks/0/id must match pattern "^[A-Za-z][A-Za-z0-9_-]{0,31}$"']);
  });
});

test('the second phase plan takes globs and refuses what the task graph refuses', () => {
  expect(faults('dev/phase-plan@2', plan(['A', [], ['src/', 'test/*.ts']]))).toEqual([]);
  expect(faults('dev/phase-plan@2', plan(['A', ['A'], ['../x']], ['a', [], ['y']]))).toEqual([
    '/tasks/1/id "a" is already at /tasks/0/id',
    '/tasks/0/files/0 "../x" must not lead out of a directory with ..',
    '/tasks/0/dependsOn tasks must not wait for each other: "A" needs "A"',
  ]);
});

test('a conflict resolution names files of the repository', () => {
  const [hunk] = ok('dev/conflict-resolution@1').hunks;
  expect(faults('dev/conflict-resolution@1', { hunks: [hunk, { ...hunk, path: '../x' }] })).toEqual([
    '/hunks/1/path "../x" must not lead out of a directory with ..',
  ]);
});

test('findings stay inside the repository, in order and each named once', () => {
  const batch = ok('dev/review-finding-batch@1');
  const [finding] = batch.findings;
  const wrong = { ...finding, path: '../x', line: 9, endLine: 3 };
  expect(faults('dev/review-finding-batch@1', { ...batch, findings: [finding, wrong] })).toEqual([
    '/findings/1/ref "F1" is already at /findings/0/ref',
    '/findings/1/path "../x" must not lead out of a directory with ..',
    '/findings/1/endLine must not be before line',
  ]);
});

test('a duplicate names another finding, and nothing else does', () => {
  const { verdicts } = ok('dev/review-verdict@1');
  const [rejected, duplicate] = verdicts;
  const wrong = [
    { ...rejected, duplicateOf: 'x' },
    { ...duplicate, duplicateOf: null },
    { ...duplicate, id: 'y', duplicateOf: 'y' },
  ];
  expect(faults('dev/review-verdict@1', { verdicts: wrong })).toEqual([
    '/verdicts/0/duplicateOf is only for a duplicate',
    '/verdicts/1/duplicateOf must name the finding that stays',
    '/verdicts/2/duplicateOf must name another finding',
  ]);
});

test('a specification names each requirement once', () => {
  const spec = ok('dev/spec@1');
  const again = { ...spec, requirements: [...spec.requirements, spec.requirements[0]] };
  const at = spec.requirements.length;
  const id = spec.requirements[0].id;
  expect(faults('dev/spec@1', again)).toEqual([`/requirements/${at}/id "${id}" is already at /requirements/0/id`]);
});

test('an implementation names files of the repository, each once', () => {
  const files = ['src/a.ts', '../b.ts', '.git/config', 'src/a.ts'].map((path) => ({ path, change: 'modified' }));
  expect(faults('dev/implementation@1', { ...ok('dev/implementation@1'), files })).toEqual([
    '/files/1/path "../b.ts" must not lead out of a directory with ..',
    '/files/2/path ".git/config" lies in git\'s own directory',
    '/files/3/path "src/a.ts" is already at /files/0/path',
  ]);
});

test.each([
  ['src/a.ts', undefined],
  ['./src/a b.ts', undefined],
  ['docs/', undefined],
  ['a..b/..c', undefined],
  ['ü/日本.ts', undefined],
  ['.gitignore', undefined],
  ['/etc/passwd', 'must be relative to the root of the repository'],
  ['..', 'must not lead out of a directory with ..'],
  ['a/..', 'must not lead out of a directory with ..'],
  ['a\0b', 'has control characters'],
  ['a\nb', 'has control characters'],
  ['a\u2028b', 'has control characters'],
  ['sub/.GIT/hooks/x', "lies in git's own directory"],
  ['./', 'names no file'],
])('%j: %s', (path, fault) => {
  expect(repositoryPathFault(path)).toBe(fault);
});

describe('an objective', () => {
  const target = (metric: string, op: string) => ({ metric, op, value: 1, weight: 1 });

  test.each(['bt/objective@1', 'bt/objective@2'])('%s compares a metric in one way once', (id) => {
    const targets = [target('sharpe', 'gte'), target('sharpe', 'lte'), target('mdd', 'gte'), target('sharpe', 'gte')];
    expect(faults(id, { ...ok(id), targets })).toEqual(['/targets/3 "sharpe" gte is already at /targets/0']);
  });

  test('has legal globs', () => {
    const id = 'bt/objective@2';
    const objective = { ...ok(id), editable: ['src/**', '/etc/**'], protected: ['data/*.csv', '../other'] };
    expect(faults(id, objective).map((fault) => fault.split(' ')[0])).toEqual(['/editable/1', '/protected/1']);
  });

  test('has a holdout only beside a validation part, and reads a file of the measurement', () => {
    const id = 'bt/objective@2';
    const part = { from: '2022', to: '2023' };
    const measure = { argv: ['measure'], file: '../secret.json' };
    const objective = { ...ok(id), splits: { train: part, holdout: part }, measure };
    expect(faults(id, objective)).toEqual([
      '/splits must have validation beside holdout',
      '/measure/file "../secret.json" must not lead out of a directory with ..',
    ]);
    const splits = { validation: part, holdout: part };
    expect(faults(id, { ...ok(id), splits, measure: { ...measure, file: '-' } })).toEqual([]);
  });

  test('may guard, and aim at, a metric that is no target', () => {
    const id = 'bt/objective@2';
    const objective = {
      ...ok(id),
      primary: { metric: 'a' },
      guards: [target('b', 'eq')].map(({ weight: _, ...each }) => each),
    };
    expect(faults(id, objective)).toEqual([]);
  });
});

test('a hypothesis names files of the repository', () => {
  const id = 'bt/hypothesis@1';
  expect(
    faults(id, { ...ok(id), paths: ['src/a.ts', 'a/../../b', '.git/config'] }).map((each) => each.split(' ')[0]),
  ).toEqual(['/paths/1', '/paths/2']);
});
