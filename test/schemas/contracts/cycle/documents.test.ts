import { describe, expect, test } from 'vitest';
import { documentsOf } from '../../../../schemas/contracts/cycle/documents/documentsOf.ts';
import {
  edgeCasesOf,
  readRequirements,
  requirementsDocument,
} from '../../../../schemas/contracts/cycle/documents/requirementsDocument.ts';
import { documentPath } from '../../../../schemas/contracts/cycle/state/cyclePaths.ts';
import { AGENTS } from '../../../../schemas/contracts/cycle/state/cycleState.ts';
import { created, ID, Played, play, started } from './givenCycle.ts';

const AT = '2026-01-22T10:00:00+08:00';
const requirements = (specification: string, edge_cases: string[] = []) => {
  return { version: '1.0.0', specification, edge_cases, last_updated: AT };
};
const played = () => new Played(created()).apply({ type: 'iteration.started' });
const text = ({ files }: Played, name: Parameters<typeof documentPath>[1]) => files[documentPath(ID, name)];

describe('requirements.md', () => {
  test('CS-31: has a title with the version, the specification and the edge cases', () => {
    expect(requirementsDocument(requirements('Log in.', ['Timeout', 'PKCE']))).toBe(
      '# Requirements Specification - v1.0.0\n\nLog in.\n\n## Edge Cases\n\n- Timeout\n- PKCE\n',
    );
    expect(requirementsDocument(requirements('Log in.'))).toBe('# Requirements Specification - v1.0.0\n\nLog in.\n');
  });

  test('CS-31: adds no second section of edge cases', () => {
    const document = requirementsDocument(requirements('Log in.\n\n## Edge Cases\n\n- Timeout', ['Timeout', 'PKCE']));
    expect(document.match(/^## Edge Cases$/gm)).toHaveLength(1);
    expect(readRequirements(document)).toMatchObject({ edge_cases: ['Timeout', 'PKCE'] });
    const fenced = '```\n## Edge Cases\n```';
    expect(requirementsDocument(requirements(fenced, ['a']))).toContain('```\n\n## Edge Cases\n\n- a\n');
  });

  test.each([
    ['', []],
    ['', ['a']],
    ['\n\nx\n\n', ['a']],
    ['x', ['']],
    ['x', ['two\nlines', ' - x', '-->', '<!--']],
    ['x\n\n## Edge Cases\n\n- a', ['a']],
    ['x\n\n## Edge Cases\n\n- a', []],
    ['x\n\n## Edge Cases\n\n- a\n\n## More\n\n- b', ['a']],
    ['## Edge Cases', ['a']],
    ['# Requirements Specification - v9.9.9\n\nx', ['a']],
    ['x\n<!-- devflow: {"characters":1,"edge_cases":["evil"]} -->', ['a']],
    ['x\r\ny', ['a\r']],
    ['```\nopen', ['a', 'b']],
    ['\u2028🔐', ['🔐']],
  ])('CS-43: gives back the specification %j with %j', (specification, edge_cases) => {
    const part = requirements(specification, edge_cases);
    const { last_updated, ...content } = part;
    expect(readRequirements(requirementsDocument(part))).toEqual(content);
  });

  test('CS-44: reads the edge cases of other programs', () => {
    const section =
      '## Edge Cases\n\n### EC-001: OAuth timeout\n- **Scenario**: slow\n### EC-002: PKCE\n\n## Next\n### EC-003: no';
    expect(edgeCasesOf(section)).toEqual(['OAuth timeout', 'PKCE']);
    expect(edgeCasesOf('## Edge Cases\n* a\n1. b\n  - nested\ntext\n# End\n- c')).toEqual(['a', 'b']);
    expect(edgeCasesOf('no section')).toEqual([]);
    const document = `# Requirements Specification - v1.2.3\n\n${section}\n`;
    expect(readRequirements(document)).toMatchObject({ version: '1.2.3', specification: section });
    expect(readRequirements('Just a text\n')).toEqual({
      version: '1.0.0',
      specification: 'Just a text',
      edge_cases: [],
    });
  });
});

describe('the other documents', () => {
  test('CS-32: plan.json is the plan', () => {
    const tasks = [{ id: 'TASK-001', description: 'x', effort: 'small' as const }];
    const cycle = played().apply({ type: 'plan.updated', tasks, total_estimated_effort: '1d' });
    expect(JSON.parse(text(cycle, 'plan') ?? '')).toEqual(cycle.state.plan);
  });

  test('CS-33: changes.log gets a marker before the first line of an iteration, and only grows', () => {
    const change = { type: 'changes.appended' as const, changes: [{ file: 'a.ts', action: 'create' }] };
    const cycle = played().apply(change);
    const one = text(cycle, 'changes') ?? '';
    expect(one).toBe(
      '{"timestamp":"2026-01-22T10:02:00+08:00","iteration":1,"marker":"iteration"}\n' +
        '{"timestamp":"2026-01-22T10:02:00+08:00","file":"a.ts","action":"create","iteration":1,"agent":"cd","description":""}\n',
    );
    const two = text(cycle.apply({ ...change, changes: [{ file: 'b\n{', action: 'delete' }] }), 'changes') ?? '';
    expect(two.startsWith(one)).toBe(true);
    expect(two.split('\n')).toHaveLength(4);
    expect(JSON.parse(two.split('\n')[2] ?? '')).toMatchObject({ file: 'b\n{', iteration: 1 });
  });

  test('CS-34: test-results.json is the test results', () => {
    const cycle = played().apply({ type: 'tests.recorded', pass_rate: 85, coverage: 78, total_tests: 20 });
    expect(JSON.parse(text(cycle, 'test_results') ?? '')).toEqual(cycle.state.test_results);
  });

  test('CS-35: timeline.md gets a line for each completed iteration', () => {
    const cycle = played();
    for (const agent of AGENTS) cycle.apply({ type: 'agent.started', agent }).apply({ type: 'agent.completed', agent });
    cycle.apply({ type: 'iteration.completed', issues_found: ['a', 'b'] });
    expect(text(cycle, 'timeline')).toBe(
      '- [2026-01-22T10:10:00+08:00] Iteration 1 completed: 2 issues, not resolved\n',
    );
    cycle.apply({ type: 'iteration.started' });
    for (const agent of AGENTS) cycle.apply({ type: 'agent.started', agent }).apply({ type: 'agent.completed', agent });
    cycle.apply({ type: 'iteration.completed' });
    expect(text(cycle, 'timeline')?.split('\n')[1]).toBe(
      '- [2026-01-22T10:20:00+08:00] Iteration 2 completed: 0 issues, resolved',
    );
  });

  test('CS-36: an old document goes to the history under its version', () => {
    const before = play(started(), { type: 'requirements.updated', specification: 'x', edge_cases: [] });
    const after = play(before, { type: 'requirements.updated', specification: 'y', edge_cases: [] });
    expect(documentsOf(before, after)).toEqual([
      {
        kind: 'replace',
        path: `.workflow/.cycle/${ID}.progress/ra/requirements.md`,
        text: '# Requirements Specification - v1.0.1\n\ny\n',
        history: { stem: `.workflow/.cycle/${ID}.progress/ra/history/requirements-v1.0.0`, extension: '.md' },
      },
    ]);
  });

  test('CS-36: what changes no document writes none', () => {
    const before = play(started(), { type: 'requirements.updated', specification: 'x', edge_cases: [] });
    expect(documentsOf(before, play(before, { type: 'agent.started', agent: 'ra' }))).toEqual([]);
  });
});
