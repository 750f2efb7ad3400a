import { describe, expect, test } from 'vitest';
import { codesOf, created, ID } from './givenCycle.ts';

/** The examples of the specification, which show parts of a state. */
const FIRST = {
  status: 'running',
  current_iteration: 1,
  current_phase: 'ra',
  agents: {
    ra: { status: 'running', started_at: '2026-01-22T10:05:00+08:00' },
    ep: { status: 'idle' },
    cd: { status: 'idle' },
    vas: { status: 'idle' },
  },
  requirements: {
    version: '1.0.0',
    specification: '...',
    edge_cases: ['OAuth timeout handling', 'PKCE validation'],
    last_updated: '2026-01-22T10:15:00+08:00',
  },
  iterations: [
    {
      number: 1,
      started_at: '2026-01-22T10:00:00+08:00',
      agent_results: {
        ra: { status: 'completed', files_modified: 3 },
        ep: { status: 'completed', files_modified: 2 },
        cd: { status: 'partial', files_modified: 5 },
        vas: { status: 'pending', files_modified: 0 },
      },
    },
  ],
};

const AFTER_PHASES = {
  current_phase: 'aggregation',
  completed_phases: ['ra', 'ep', 'cd', 'vas'],
  plan: {
    version: '1.0.0',
    tasks: [
      {
        id: 'TASK-001',
        description: 'Setup OAuth application credentials',
        effort: 'small',
        status: 'completed',
        files: ['src/config/oauth.ts'],
      },
    ],
  },
  changes: { total_files: 12, iteration_markers: { '1': '2026-01-22T10:30:00+08:00' } },
  test_results: {
    version: '1.0.0',
    pass_rate: 85,
    coverage: 78,
    failed_tests: ['test: OAuth timeout retry'],
    total_tests: 20,
  },
};

const EXTENDED = {
  status: 'running',
  current_iteration: 2,
  task_history: ['Implement OAuth authentication', 'Also add multi-factor authentication'],
  description:
    'Add OAuth2 login support with Google and GitHub providers\n\n--- ITERATION 2 ---\nAlso add multi-factor authentication',
  agents: {
    ra: { status: 'running', iterations_completed: 1 },
    ep: { status: 'idle', iterations_completed: 1 },
    cd: { status: 'idle', iterations_completed: 1 },
    vas: { status: 'idle', iterations_completed: 1 },
  },
  requirements: { version: '1.1.0', specification: '...', last_updated: '2026-01-22T11:00:00+08:00' },
  iterations: [
    { number: 1, completed_at: '...' },
    {
      number: 2,
      extension: 'Also add multi-factor authentication',
      started_at: '2026-01-22T10:45:00+08:00',
      agent_results: {},
    },
  ],
  coordination: {
    feedback_log: [
      {
        timestamp: '2026-01-22T10:45:00+08:00',
        source: 'user',
        target: 'ra',
        content: 'Add multi-factor authentication to requirements',
        type: 'requirement_update',
      },
    ],
  },
};

describe('CS-21: the examples of the specification', () => {
  test.each([
    ['the first iteration', FIRST],
    ['the end of the phases', AFTER_PHASES],
    ['an extension', EXTENDED],
  ])('%s is readable and not complete', (_, example) => {
    const soft = codesOf(example, 'soft');
    expect([soft.errors, new Set(soft.warnings)]).toEqual([[], new Set(['CYCLE_MISSING_FIELD'])]);
    expect(new Set(codesOf(example).errors)).toEqual(new Set(['CYCLE_MISSING_FIELD']));
  });

  test('a wrong value is wrong in both modes', () => {
    for (const mode of ['strict', 'soft'] as const) {
      expect(codesOf({ ...FIRST, status: 'busy' }, mode).errors).toContain('CYCLE_INVALID_STATUS');
      expect(codesOf({ ...FIRST, changes: [] }, mode).errors).toContain('CYCLE_INVALID_FIELD');
    }
  });

  test('a state as another program begins it is readable, but for its list of changes', () => {
    const { task_history, coordination, ...rest } = created();
    const theirs = {
      ...rest,
      status: 'running',
      agents: Object.fromEntries(Object.keys(rest.agents).map((name) => [name, { status: 'idle', output_files: [] }])),
      requirements: null,
      exploration: null,
      plan: null,
      test_results: null,
      completed_at: null,
    };
    expect(codesOf(theirs, 'soft').errors).toEqual([]);
    expect(codesOf(theirs).errors).toContain('CYCLE_MISSING_FIELD');
    expect(codesOf({ ...theirs, changes: [] }, 'soft').errors).toEqual(['CYCLE_INVALID_FIELD']);
    expect(theirs.cycle_id).toBe(ID);
  });
});
