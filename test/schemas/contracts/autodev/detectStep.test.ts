import { describe, expect, it, test } from 'vitest';
import { detectStep } from '../../../../schemas/contracts/autodev/detectStep.ts';
import { resolveFlow, type Workspace } from '../../../../schemas/contracts/autodev/resolveFlow.ts';
import { files, givenTree, givenWorkspace, PROBLEM } from './given.ts';

const ARCHITECTURE = files('_docs/02_document/architecture.md');
const SOLUTION = files('_docs/01_solution/solution.md');
const DRAFT = files('_docs/01_solution/solution_draft01.md');
const REPORTS = '_docs/03_implementation/implementation_report';

function stepOf(workspace: Workspace, given?: Parameters<typeof detectStep>[1]) {
  const { step, rule, gate } = detectStep(workspace, given);
  return [step, rule, gate];
}

describe('AD-14: the cycle', () => {
  it('is the highest one with a report', () => {
    const reports = files(`${REPORTS}_login_cycle2.md`, `${REPORTS}_a_b_cycle11.md`, `${REPORTS}_c_cycle3.md`);
    const workspace = givenWorkspace(reports);
    expect(detectStep(workspace, { flow: 'existing-code' }).cycle).toBe(11);
    expect(detectStep(workspace, { flow: 'existing-code', cycle: 4 }).cycle).toBe(4);
  });
  it('is read of a report that calls it a loop', () => {
    const reports = files(`${REPORTS}_a_loop13.md`, `${REPORTS}_b_cycle12.md`, `${REPORTS}_c_loop0.md`);
    expect(detectStep(givenWorkspace(reports), { flow: 'existing-code' }).cycle).toBe(13);
  });
  it('is at least 1, and 1 for a flow that counts none', () => {
    expect(detectStep(givenWorkspace({}), { flow: 'existing-code' }).cycle).toBe(1);
    const others = files(
      `${REPORTS}_x_cycle0.md`,
      `${REPORTS}_x_cycle.md`,
      `${REPORTS}_x_cycle2.txt`,
      `${REPORTS}_tests.md`,
    );
    expect(detectStep(givenWorkspace(others), { flow: 'existing-code' }).cycle).toBe(1);
    expect(detectStep(givenWorkspace(files(`${REPORTS}_x_cycle4.md`)), { flow: 'greenfield', cycle: 4 }).cycle).toBe(1);
  });
});

describe('AD-16: the flow', () => {
  const submodules = (...paths: string[]) => ({
    '.gitmodules': paths.map((path) => `[submodule "${path}"]\n\tpath = ${path}\n\turl = u\n`).join(''),
  });
  const source = 'src/main.ts';
  it.each<[string, Record<string, string>, string | null, string, string]>([
    [
      'a configuration of repositories',
      { ...PROBLEM, ...files('_docs/_repo-config.yaml') },
      source,
      'meta-repo',
      'repo-config',
    ],
    ['two submodules', submodules('a', 'b'), source, 'meta-repo', 'submodules'],
    ['one submodule', submodules('a'), source, 'existing-code', 'source-code'],
    ['one submodule twice', submodules('a', 'a'), source, 'existing-code', 'source-code'],
    [
      'npm workspaces',
      { 'package.json': '{"workspaces":["packages/*"]}' },
      'packages/a/b.ts',
      'meta-repo',
      'workspace',
    ],
    ['pnpm workspaces', files('pnpm-workspace.yaml'), 'a/b.ts', 'meta-repo', 'workspace'],
    ['a workspace of Go', files('go.work'), 'a/b.go', 'meta-repo', 'workspace'],
    [
      'a workspace of Cargo',
      { 'Cargo.toml': '# all\n[workspace]\nmembers = []\n' },
      'a/b.rs',
      'meta-repo',
      'workspace',
    ],
    ['a package of Cargo', { 'Cargo.toml': '[package]\n' }, 'a/b.rs', 'existing-code', 'source-code'],
    [
      'npm workspaces beside src',
      { 'package.json': '{"workspaces":["a"]}', 'src/a.ts': 'x' },
      source,
      'existing-code',
      'source-code',
    ],
    ['a package.json that is no JSON', { 'package.json': '{' }, null, 'greenfield', 'nothing-yet'],
    ['a package.json with null', { 'package.json': 'null' }, null, 'greenfield', 'nothing-yet'],
    ['a problem without source', PROBLEM, null, 'greenfield', 'problem-statement'],
    ['a problem with solution and source', { ...PROBLEM, ...SOLUTION }, source, 'greenfield', 'problem-statement'],
    ['a problem with source', PROBLEM, source, 'existing-code', 'source-code'],
    ['source', {}, source, 'existing-code', 'source-code'],
    ['nothing', {}, null, 'greenfield', 'nothing-yet'],
  ])('with %s', (_, given, found, flow, flowRule) => {
    expect(resolveFlow(givenWorkspace(given, { source: found }))).toEqual({ flow, flowRule });
  });
  it('is the one that is given', () => {
    expect(detectStep(givenWorkspace({}), { flow: 'meta-repo' })).toEqual({
      flow: 'meta-repo',
      flowRule: 'given',
      step: 1,
      name: 'Discover',
      rule: 'no-config',
      gate: null,
      allows: [1, 1],
      cycle: 1,
    });
  });
});

describe('AD-17: greenfield', () => {
  const flow = 'greenfield' as const;
  it.each(Object.keys(PROBLEM))('is at step 1 without %s', (path) => {
    const { [path]: _, ...rest } = { ...PROBLEM, ...SOLUTION };
    expect(stepOf(givenWorkspace(rest), { flow })).toEqual([1, 'problem-incomplete', null]);
    expect(stepOf(givenWorkspace({ ...rest, [path]: '' }), { flow })).toEqual([1, 'problem-incomplete', null]);
  });
  it.each<[string, Record<string, string>, [number, string, string | null]]>([
    ['a problem', {}, [2, 'no-solution-draft', null]],
    ['a draft', DRAFT, [2, 'research-decision', 'research-decision']],
    ['a solution', { ...DRAFT, ...SOLUTION }, [3, 'no-architecture', null]],
    ['an architecture', { ...SOLUTION, ...ARCHITECTURE }, [5, 'no-tasks', null]],
    ['an architecture alone', ARCHITECTURE, [5, 'no-tasks', null]],
    ['a task to do', { ...ARCHITECTURE, ...files('_docs/02_tasks/todo/01.md') }, [6, 'not-implemented', null]],
    ['a task that is done', { ...ARCHITECTURE, ...files('_docs/02_tasks/done/01.md') }, [6, 'not-implemented', null]],
    [
      'a report',
      { ...ARCHITECTURE, ...files('_docs/02_tasks/done/01.md', `${REPORTS}_x.md`) },
      [7, 'implemented', null],
    ],
  ])('with %s', (_, given, expected) => {
    expect(stepOf(givenWorkspace({ ...PROBLEM, ...given }), { flow })).toEqual(expected);
  });
  it('counts data at any depth, and none that is hidden', () => {
    const { '_docs/00_problem/input_data/a.csv': _, ...rest } = PROBLEM;
    const at = (path: string) =>
      stepOf(givenWorkspace({ ...rest, ...files(`_docs/00_problem/input_data/${path}`) }), { flow });
    expect([at('2026/june/a.csv'), at('.git/config'), at('2026/.keep')]).toEqual([
      [2, 'no-solution-draft', null],
      [1, 'problem-incomplete', null],
      [1, 'problem-incomplete', null],
    ]);
  });
  it('counts no hidden file, directory or link', () => {
    const { '_docs/00_problem/input_data/a.csv': _, ...rest } = PROBLEM;
    const path = '_docs/00_problem/input_data';
    const others = (['dir', 'link', 'other'] as const).map((kind) => ({
      path: `${path}/${kind}`,
      kind,
      size: 9,
      mtime: 0,
    }));
    const tree = givenTree({ ...rest, [`${path}/.gitkeep`]: 'x' }, others);
    expect(stepOf({ tree, source: null }, { flow })).toEqual([1, 'problem-incomplete', null]);
  });
});

describe('AD-18: existing-code', () => {
  const flow = 'existing-code' as const;
  const documented = { ...ARCHITECTURE, ...files('_docs/02_document/architecture_compliance_baseline.md') };
  const specified = { ...documented, ...files('_docs/02_document/tests/a.md') };
  const decomposed = { ...specified, ...files('_docs/02_tasks/done/01.md') };
  const tested = { ...decomposed, ...files(`${REPORTS}_tests.md`) };
  const waiting = files('_docs/02_tasks/todo/02.md');
  it.each<[string, Record<string, string>, number | undefined, number, string]>([
    ['nothing', {}, undefined, 1, 'not-documented'],
    ['an architecture', ARCHITECTURE, undefined, 2, 'no-baseline'],
    ['a baseline', documented, undefined, 3, 'no-test-spec'],
    ['a test specification', specified, undefined, 5, 'no-test-tasks'],
    ['tasks', decomposed, undefined, 6, 'tests-not-implemented'],
    ['a report of the tests', tested, undefined, 7, 'tests-implemented'],
    ['a task to do', { ...tested, ...waiting }, undefined, 10, 'task-waits'],
    [
      'a report of this cycle',
      { ...tested, ...waiting, ...files(`${REPORTS}_a_cycle2.md`) },
      undefined,
      11,
      'cycle-implemented',
    ],
    ['a report of an older cycle', { ...tested, ...files(`${REPORTS}_a_cycle2.md`) }, 3, 9, 'later-cycle'],
    ['a report of this loop', { ...tested, ...files(`${REPORTS}_a_loop3.md`) }, 3, 11, 'cycle-implemented'],
    ['a report of an older loop', { ...tested, ...files(`${REPORTS}_a_loop2.md`) }, 3, 9, 'later-cycle'],
    ['an older cycle and a task', { ...tested, ...waiting, ...files(`${REPORTS}_a_cycle2.md`) }, 3, 10, 'task-waits'],
  ])('with %s', (_, given, cycle, step, rule) => {
    expect(stepOf(givenWorkspace(given), { flow, cycle })).toEqual([step, rule, null]);
  });
});

test.each([
  ['', 1, 'no-config'],
  ['confirmed_by_user: false\n', 2, 'config-unconfirmed'],
  ['components: []\n', 2, 'config-unconfirmed'],
  ['confirmed_by_user: "true"\n', 2, 'config-unconfirmed'],
  ['nested:\n  confirmed_by_user: true\n', 2, 'config-unconfirmed'],
  ['confirmed_by_user: true\n  bad: [\n', 2, 'config-unconfirmed'],
  [`${'['.repeat(20_000)}`, 2, 'config-unconfirmed'],
  [`confirmed_by_user: true\n${'# '.repeat(100_000)}`, 2, 'config-unconfirmed'],
  ['- a\n', 2, 'config-unconfirmed'],
  ['confirmed_by_user: true # yes\n', 3, 'config-confirmed'],
])('AD-19: meta-repo with the configuration %.40j is at step %i', (text, step, rule) => {
  const workspace = givenWorkspace({ '_docs/_repo-config.yaml': text });
  expect(stepOf(workspace, { flow: 'meta-repo' })).toEqual([step, rule, null]);
});

test('AD-19: a configuration that cannot be read is not confirmed', () => {
  const tree = givenTree({ '_docs/_repo-config.yaml': 'x' });
  const entry = tree.entries.get('_docs/_repo-config.yaml');
  const unread = givenTree({}, [{ ...(entry as NonNullable<typeof entry>), text: undefined, fault: 'too large' }]);
  expect(stepOf({ tree: unread, source: null })).toEqual([2, 'config-unconfirmed', null]);
});
