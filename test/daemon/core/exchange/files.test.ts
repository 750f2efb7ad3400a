import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import { replay } from '../../../../daemon/core/replay.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { autodevPart } from '../../../../schemas/contracts/autodev/autodevPart.ts';
import { readPointer } from '../../../../schemas/contracts/autodev/readPointer.ts';
import { validateCycle } from '../../../../schemas/contracts/cycle/check/checkCycle.ts';
import { syncReport } from '../../../../schemas/contracts/cycle/rebuild/sync.ts';
import { type CycleState, controlSignal } from '../../../../schemas/contracts/cycle/state/cycleState.ts';
import { checkProgress } from '../../../../schemas/contracts/handover/progress/progress.ts';
import { checkSessionPrompt } from '../../../../schemas/contracts/handover/session/sessionPrompt.ts';
import { checkSessionState } from '../../../../schemas/contracts/handover/session/sessionState.ts';
import type { Report } from '../../../../schemas/contracts/report/report.ts';
import type { Entry, FileText, TreeSnapshot } from '../../../../schemas/contracts/report/tree.ts';
import {
  approve,
  bound,
  committed,
  decision,
  done,
  given,
  type Input,
  invalid,
  now,
  pause,
  resume,
  type Story,
  sent,
  started,
} from '../support/given.ts';
import { dueOutcomes, stepOf } from '../support/inputs.ts';
import { inputOf, moves } from '../support/moves.ts';
import { newRun } from '../support/run.ts';
import type { TemplateName } from '../support/templates.ts';

const valid = done('awaitArtifact');
const made: Input[] = [sent, valid, committed];
const filesOf = ({ exchange }: Run) => exchange?.files ?? {};
const fileOf = ({ run }: Story, end: string) =>
  Object.entries(filesOf(run)).find(([path]) => path.endsWith(end))?.[1] ?? '';
const jsonOf = (story: Story, end: string) => JSON.parse(fileOf(story, end)) as Record<string, unknown>;

/** The worktree as far as devflow wrote it. */
function treeOf(files: Readonly<Record<string, string>>): TreeSnapshot {
  const entries = new Map<string, Entry>();
  for (const [path, text] of Object.entries(files)) {
    const parts = path.split('/');
    for (let end = 1; end < parts.length; end += 1) {
      const directory = parts.slice(0, end).join('/');
      entries.set(directory, { path: directory, kind: 'dir', size: 0, mtime: 0 });
    }
    entries.set(path, { path, kind: 'file', size: text.length, mtime: 0, text });
  }
  return { now: 0, entries };
}

describe('the pointer of a flow', () => {
  const AUTODEV = { template: 'autodev' } as const;
  const pointer = (story: Story) => {
    const { read } = readPointer({ ok: true, text: fileOf(story, '_autodev_state.md') });
    return read;
  };

  test('AD-34 the pointer follows the phases', () => {
    const begun = given(AUTODEV, bound);
    expect(pointer(begun)).toMatchObject({ flow: 'meta-repo', step: 1, status: 'in_progress', cycle: 1 });
    const said = begun.on(started, sent, { type: 'progress', number: 1, name: 'read-repo', detail: 'src' });
    expect(pointer(said)).toMatchObject({ sub_step: { phase: 1, name: 'read-repo', detail: 'src' } });
    const second = said.on(valid, committed);
    expect(pointer(second)).toMatchObject({ step: 2, status: 'in_progress', retry_count: 0 });
    const atBoundary = second.on(...made);
    expect(pointer(atBoundary)).toMatchObject({ step: 3, status: 'not_started', sub_step: { phase: 0 } });
    expect(pointer(atBoundary.on(approve))).toMatchObject({ step: 3, status: 'in_progress' });
  });

  test('AD-34 a failed attempt counts, and at a recovery gate nobody tries again alone', () => {
    const once = given(AUTODEV, bound, started, sent, invalid);
    expect(pointer(once)).toMatchObject({ step: 1, status: 'in_progress', retry_count: 1 });
    const asked = once.on(sent, invalid);
    expect(pointer(asked)).toMatchObject({ status: 'failed', retry_count: 2 });
    expect(pointer(asked.on(approve))).toMatchObject({ status: 'in_progress', retry_count: 0 });
  });

  test('AD-34 older runs keep the pointer that they wrote', () => {
    const older = given({ ...AUTODEV, behaviour: 5 }, bound, started);
    expect(pointer(older.on(sent, invalid, sent, invalid))).toMatchObject({ status: 'failed', retry_count: 3 });
    expect(pointer(older.on(...made, ...made))).toMatchObject({ step: 2, status: 'in_progress' });
  });

  test('AD-34 a skipped phase moves the pointer', () => {
    const story = given(AUTODEV, bound, { type: 'skip', phaseKey: 'review', reason: 'Nothing.' }, started, ...made);
    expect(pointer(story)).toMatchObject({ step: 3, status: 'in_progress' });
  });
});

describe('the files of a project', () => {
  const PLANNED = { template: 'planned' } as const;
  const published = done('publishArtifact');
  const planned: Input[] = [bound, started, sent, valid, published, committed, sent, valid, published, committed];

  test('HC-8.5 progress follows the plan and the phase that carries it out', () => {
    const atGate = given(PLANNED, ...planned);
    expect(jsonOf(atGate, 'progress.json')).toMatchObject({ status: 'pending', total_steps: 3, current_step: 0 });
    const executing = atGate.on(approve, started, sent, { type: 'progress', number: 2, name: 'second', detail: '' });
    expect(jsonOf(executing, 'progress.json')).toMatchObject({
      status: 'in_progress',
      current_step: 1,
      steps: { 1: { status: 'completed' }, 2: { status: 'in_progress' }, 3: { status: 'pending' } },
    });
    const executed = executing.on(valid, committed, approve);
    expect(jsonOf(executed, 'progress.json')).toMatchObject({
      status: 'completed',
      current_step: 3,
      session_end_sha: 'commit-execute-1',
      steps: { 3: { status: 'completed', commit: 'commit-execute-1', manifest_audit: 'n/a' } },
    });
  });

  test("HC-8.5 a manifest's audit is devflow's own, from the commit", () => {
    const executing = given(PLANNED, ...planned, approve, started, sent, valid);
    const outcome = now(executing, committed);
    if (outcome.type !== 'workCommitted') throw new TypeError(outcome.type);
    const audits = [
      { step: 1, result: 'pass' as const, faults: [] },
      { step: 2, result: 'fail' as const, faults: ['b.txt is missing'] },
    ];
    const executed = executing.on({ ...outcome, work: { ...outcome.work, audits } }, approve);
    expect(jsonOf(executed, 'progress.json').steps).toMatchObject({
      1: { manifest_audit: 'pass' },
      2: { manifest_audit: 'fail', note: 'b.txt is missing' },
      3: { manifest_audit: 'n/a' },
    });
  });

  test('HC-8.5 each step has the newest commit up to it', () => {
    const executing = given(PLANNED, ...planned, approve, started, sent, valid);
    const outcome = now(executing, committed);
    if (outcome.type !== 'workCommitted') throw new TypeError(outcome.type);
    const steps = [{ step: 2, commit: 'second' }];
    const executed = executing.on({ ...outcome, work: { ...outcome.work, steps } }, approve);
    const { commit } = outcome.work;
    expect(jsonOf(executed, 'progress.json').steps).toMatchObject({
      1: { commit },
      2: { commit: 'second' },
      3: { commit: 'second' },
    });
  });

  test('HC-8.5 a step keeps its commit when another attempt changes a later one', () => {
    const committing =
      (...steps: { step: number; commit: string }[]): Input =>
      (run) => {
        const outcome = committed instanceof Function ? committed(run) : committed;
        if (outcome.type !== 'workCommitted') throw new TypeError(outcome.type);
        return { ...outcome, work: { ...outcome.work, steps } };
      };
    const first = given(PLANNED, ...planned, approve, started, sent, valid).on(
      committing({ step: 1, commit: 'first' }, { step: 2, commit: 'second' }, { step: 3, commit: 'third' }),
    );
    const again = [decision('request_changes', 'Otherwise.'), sent, valid, committing({ step: 3, commit: 'other' })];
    expect(jsonOf(first.on(...again, approve), 'progress.json').steps).toMatchObject({
      1: { commit: 'first' },
      2: { commit: 'second' },
      3: { commit: 'other' },
    });
  });

  test('HC-8.5 the session state says what is next, and its prompt is never older', () => {
    const story = given(PLANNED, bound, started, sent, valid, published);
    expect(jsonOf(story, 'session-state.local.json')).toMatchObject({
      status: 'in_progress',
      next_session_label: 'Title of brief',
    });
    const ended = story.on(committed, sent, valid, published, committed, approve, started, ...made, approve);
    expect(jsonOf(ended, 'session-state.local.json')).toMatchObject({ status: 'completed' });
    expect(Object.keys(filesOf(ended.run)).map((path) => path.split('/').at(-1))).toEqual([
      '.session-state.local.json',
      'NEXT-SESSION-PROMPT.local.md',
      'progress.json',
    ]);
  });
});

describe('the files of a cycle', () => {
  const CYCLE = { template: 'devCycle' } as const;
  const stateOf = ({ run }: Story) => run.exchange?.cycle as CycleState;
  const upToTests: Input[] = [bound, started, ...made, ...made, started];
  /** The coder's commit, with what git says it changed. */
  const changed: Input = (run) => {
    const outcome = committed instanceof Function ? committed(run) : committed;
    if (outcome.type !== 'workCommitted') throw new TypeError(outcome.type);
    const changes = [
      { path: 'add.ts', action: 'create' as const },
      { path: 'sub.ts', action: 'modify' as const },
    ];
    return { ...outcome, work: { ...outcome.work, files: 2, changes } };
  };
  const tested = (result: Input): Input[] => [...upToTests, sent, valid, changed, sent, result, committed];

  test('CS-53 each artifact is an event of the cycle, and changes are what git says', () => {
    const state = stateOf(given(CYCLE, ...tested(valid)));
    expect(state).toMatchObject({
      status: 'completed',
      requirements: { version: '1.0.0', specification: 'Add numbers.' },
      plan: { version: '1.0.0', tasks: [{ id: 'TASK-001', status: 'completed' }] },
      test_results: { pass_rate: 100 },
      iterations: [{ number: 1, resolved: true, agent_results: { cd: { status: 'completed', files_modified: 2 } } }],
    });
    expect(state.changes?.changes).toMatchObject([
      { file: 'add.ts', action: 'create', description: 'Adds.', agent: 'cd' },
      { file: 'sub.ts', action: 'modify', description: '' },
    ]);
  });

  test('CS-53 a plan that was taken stays, also with the empty id of a task, which no new plan may have', () => {
    const unnamed: Input = (run) => {
      const found = valid instanceof Function ? valid(run) : valid;
      if (found.type !== 'artifactFound' || !found.verdict.valid) throw new TypeError(found.type);
      const task = { id: '', description: 'Add.', effort: 'small' };
      return { ...found, verdict: { ...found.verdict, data: { tasks: [task], total_estimated_effort: 'small' } } };
    };
    const story = given({ ...CYCLE, behaviour: 5 }, bound, started, ...made, sent, unnamed, committed);
    expect(stateOf(story).plan?.tasks).toMatchObject([{ id: '' }]);
    expect(replay(story.events)).toEqual(story.run);
  });

  test('CS-51 the documents of an earlier iteration are kept', () => {
    const again: Input[] = [...made, ...made, sent, valid, changed, sent, valid, committed];
    const story = given(CYCLE, ...tested(done('awaitArtifact', 1)), ...again);
    expect(stateOf(story)).toMatchObject({
      current_iteration: 2,
      iterations: [{ resolved: false }, { resolved: true }],
    });
    const names = Object.keys(filesOf(story.run)).map((path) => path.split('.progress/')[1] ?? 'state');
    expect(names).toContain('ra/history/requirements-v1.0.0.md');
    expect(fileOf(story, 'timeline.md')).toMatch(/Iteration 1 completed: 2 issues, not resolved\n.*Iteration 2 /);
    expect(fileOf(story, 'changes.log').trim().split('\n')).toHaveLength(6);
  });

  test('CS-36 the plan keeps its version when its tasks are done, and no copy of it is kept', () => {
    const story = given(CYCLE, ...tested(valid));
    expect(jsonOf(story, 'ep/plan.json')).toMatchObject({ version: '1.0.0', tasks: [{ status: 'completed' }] });
    expect(Object.keys(filesOf(story.run)).filter((path) => path.includes('/history/'))).toEqual([]);
  });

  test('CS-18 what the tests leave open is feedback to the agents that are told of it', () => {
    const story = given(CYCLE, ...tested(done('awaitArtifact', 1)));
    expect(stateOf(story).coordination.feedback_log).toMatchObject([
      { source: 'vas', target: 'cd', type: 'bug_report', content: 'adds\nsubtracts' },
    ]);
  });

  test('CS-25 a failure that devflow recovers from stays in the log of errors', () => {
    const story = given(CYCLE, bound, started, sent, invalid);
    expect(stateOf(story)).toMatchObject({
      agents: { ra: { status: 'running' } },
      phase_errors: [{ phase: 'ra', error: expect.stringMatching(/^its artifact was not valid: /) }],
    });
    const asked = story.on(sent, invalid);
    expect(stateOf(asked).agents.ra).toMatchObject({ status: 'failed' });
    expect(stateOf(asked).phase_errors).toHaveLength(3);
  });

  test('CS-54 a pause is visible as the signal of the cycle', () => {
    const story = given(CYCLE, bound, started);
    expect(controlSignal(stateOf(story))).toMatchObject({ continue: true });
    const paused = story.on(pause);
    expect(controlSignal(stateOf(paused))).toMatchObject({ continue: false, action: 'pause' });
    expect(controlSignal(stateOf(paused.on(resume)))).toMatchObject({ continue: true });
    const aborted = story.on({ type: 'abort', reason: 'No.' });
    expect(controlSignal(stateOf(aborted))).toMatchObject({ continue: false, action: 'stop' });
  });

  test('CS-52 a raised limit is the limit of the cycle', () => {
    const again: Input[] = [...made, ...made, sent, valid, changed, sent, done('awaitArtifact', 1), committed];
    const story = given(CYCLE, ...tested(done('awaitArtifact', 1)), ...again, decision('request_changes', 'Subtract.'));
    expect(stateOf(story)).toMatchObject({
      max_iterations: 3,
      task_history: ['Make it so.', 'Subtract.'],
      coordination: {
        feedback_log: [
          { type: 'bug_report' },
          { content: 'Subtract.', type: 'requirement_update' },
          { type: 'bug_report' },
        ],
      },
    });
  });

  test('CS-55 the same events give the same files', () => {
    const story = given(CYCLE, ...tested(done('awaitArtifact', 1)), ...made);
    expect(replay(story.events)?.exchange).toEqual(story.run.exchange);
  });

  test('CS-55 the order of keys, which the database changes, is not seen in the files', () => {
    const { events, run } = given(CYCLE, ...tested(valid));
    const reordered = events.map((event) =>
      event.type === 'artifact.validated'
        ? { ...event, payload: { ...event.payload, data: backwards(event.payload.data) } }
        : event,
    );
    expect(JSON.stringify(replay(reordered)?.exchange?.files)).toBe(JSON.stringify(run.exchange?.files));
  });
});

/** The same value with the keys of its objects in the other order. */
function backwards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(backwards);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, each]) => [key, backwards(each)]),
  );
}

/** What is wrong with the files of a run, by the contracts' own checks. */
function faultsOf(run: Run): string[] {
  const files = filesOf(run);
  const tree = treeOf(files);
  const file = (path: string): FileText => ({ ok: true, text: files[path] ?? '' });
  const reports = Object.keys(files).flatMap((path): Report[] => {
    if (path.endsWith('_autodev_state.md')) return autodevPart.check(tree, path);
    if (path.endsWith('/progress.json')) return [checkProgress(file(path), path)];
    if (path.endsWith('.session-state.local.json')) return [checkSessionState(file(path), path)];
    if (!path.endsWith('NEXT-SESSION-PROMPT.local.md')) return [];
    const state = file(path.replace('NEXT-SESSION-PROMPT.local.md', '.session-state.local.json'));
    const report = checkSessionPrompt(file(path), path, { state });
    return [{ ...report, errors: [...report.errors, ...report.warnings] }];
  });
  const cycle = run.exchange?.cycle;
  const ofCycle = cycle ? [validateCycle(tree, cycle.cycle_id), syncReport(tree, cycle)] : [];
  return [...reports, ...ofCycle].flatMap(({ errors }) => errors.map(({ code, message }) => `${code} ${message}`));
}

const move = moves({ hoped: 14, approve: 4, change: 1, due: 4, late: 1, session: 1, signal: 2, resume: 2 });

test.each(['autodev', 'planned', 'pipeline', 'devCycle', 'cycle'] satisfies TemplateName[])(
  'AD-34 HC-8.5 CS-53 the files of %s keep to their contracts after any history',
  { timeout: 300_000 },
  (template) => {
    fc.assert(
      fc.property(fc.array(move, { minLength: 5, maxLength: 60, size: 'max' }), (wanted) => {
        let { run } = newRun({ template });
        const past: Outcome[] = [];
        for (const each of wanted) {
          past.push(...dueOutcomes(run));
          const input = inputOf(run, each, past);
          if (!input) continue;
          run = stepOf(run, input).run;
          expect(faultsOf(run)).toEqual([]);
        }
      }),
      { numRuns: 100, seed: Number(process.env.DEVFLOW_TEST_SEED ?? 20_260_101) },
    );
  },
);
