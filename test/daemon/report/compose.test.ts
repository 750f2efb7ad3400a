import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import type { Artifact } from '../../../daemon/core/run/state.ts';
import { composeReport } from '../../../daemon/report/compose.ts';
import { REPORT_TAIL } from '../../../daemon/report/document.ts';
import type { ReportSubject } from '../../../daemon/report/subject.ts';
import { createRegistry } from '../../../schemas/definitions/registry.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import { packageRoot } from '../../../schemas/files/paths.ts';
import { FINDINGS, givenFinding, reporter } from '../../helpers/givenFinding.ts';
import { givenRun, RUN_ID } from './givenRun.ts';

const registry = createRegistry({ builtinDir: join(packageRoot(), 'schemas/artifacts') });
const validation = (json: unknown) =>
  registry.validateArtifact('common/final-report@1', JSON.parse(JSON.stringify(json)));

function event(seq: number): RunEvent {
  const facts = { runId: RUN_ID, seq, phaseId: null, idempotencyKey: `k:${seq}`, ts: '2026-01-02T03:04:05.000Z' };
  return { ...facts, type: 'run.completed', payload: {} };
}

const compose = (over: Partial<ReportSubject> = {}) =>
  composeReport({ run: givenRun(), events: [event(29), event(30)], findings: [], ...over });
const kinds = (over: Partial<ReportSubject>) => compose(over).json.unresolved.map(({ kind }) => kind);
/** Lines of Markdown that are structure and not inside a fence. */
const headings = (markdown: string) => outsideFences(markdown).filter((line) => /^#{1,6} /.test(line));

/** Cells of each row of each table, escaped bars not counted; a code span has no escapes, and never a bar. */
function cellCounts(markdown: string): number[] {
  return (
    outsideFences(markdown)
      .filter((line) => line.startsWith('|'))
      // From left to right, because an escaped backtick opens no code span.
      .map((line) => line.replaceAll(/\\.|(`+) ?[^|]*? ?\1(?!`)/g, '').split('|').length)
  );
}

function outsideFences(markdown: string): string[] {
  let fence = '';
  return markdown.split('\n').filter((line) => {
    const ticks = /^(`{3,})/.exec(line)?.[1] ?? '';
    if (fence) {
      if (line.trim() === fence) fence = '';
      return false;
    }
    if (ticks) fence = ticks;
    return !ticks;
  });
}

describe('the JSON of a report', () => {
  it('is valid, and nothing needs attention after a good run', () => {
    const { json } = compose();
    expect(validation(json)).toEqual({ ok: true });
    expect(json.unresolved).toEqual([]);
    expect(json.events).toMatchObject({ total: 30, tail: [{ seq: 29 }, { seq: 30 }] });
  });

  it('is valid for a run that ended before it was bound', () => {
    const bare = { bindings: [], branch: null, sessions: [], artifacts: [], commands: [], approvals: [] };
    const phases = givenRun().phases.map((phase) => ({
      ...phase,
      state: 'pending' as const,
      attempts: 0,
      startedAt: null,
      endedAt: null,
      assignments: [],
      work: null,
    }));
    const failure = { code: 'no_eligible_persona', reason: 'nobody may be the coder' };
    const run = givenRun({ ...bare, phases, state: 'failed', failure });
    const { json, markdown } = compose({ run });
    expect(validation(json)).toEqual({ ok: true });
    expect(json.unresolved.map(({ sentence }) => sentence)).toEqual([
      'The run failed (no_eligible_persona): nobody may be the coder.',
      'Phase implement never started.',
      'Phase verify never started.',
    ]);
    expect(markdown.split('\n')[0]).toBe('# Failed after 0 of 2 phases: nobody may be the coder (no commit)');
    expect(markdown).toContain('The run made no commits.');
  });

  it('lists commits that devflow did not make, and no removed worktree', () => {
    const [own = ''] = givenRun().phases.flatMap(({ commits }) => commits.map(({ commit }) => commit ?? ''));
    const other = 'beef'.padEnd(40, '0');
    const { markdown } = compose({ branchCommits: [other, own], hasWorktree: false });
    expect(markdown.split('\n')[0]).toContain('2 commits on');
    expect(markdown).toContain('- `beef00000000`, not made by devflow');
    expect(markdown).not.toContain('checked out in');
    expect(compose().markdown).toContain('checked out in');
  });

  it('knows the commits of lanes, and merges of the queue', () => {
    const named = (name: string) => name.padEnd(40, '0');
    const work = { commit: named('a1'), files: 1, insertions: 1, deletions: 0 };
    const lanes = [
      { laneId: 'lane-1', head: named('a1') },
      { laneId: 'lane-2', head: named('b3') },
    ];
    const test = { base: named('ba5e'), tree: named('7'), checks: '', nth: 1, failed: [], results: [] };
    const onto = { base: named('a1'), head: named('b2') };
    const facts: [RunEvent['type'], unknown][] = [
      ['task.completed', { taskId: 'T1', laneId: 'lane-1', work, head: named('a1') }],
      ['task.started', { taskId: 'lane-2#fix-1', laneId: 'lane-2', roleId: 'coder', because: 'x', onto }],
      [
        'task.completed',
        { taskId: 'lane-2#fix-1', laneId: 'lane-2', work: { ...work, commit: named('b3') }, head: '' },
      ],
      ['merge.tested', { ...test, lanes, commits: [named('a1'), named('c1')], commit: named('c1') }],
    ];
    const events = facts.map(([type, payload], at) => ({ ...event(at + 1), type, payload }) as RunEvent);
    const branchCommits = ['a1', 'b2', 'b3', 'c1', 'a9e47'].map(named);
    const { json, markdown } = compose({ events, branchCommits });
    expect(validation(json)).toEqual({ ok: true });
    expect(json.laneCommits.map(({ commit, what }) => `${commit.slice(0, 2)} ${what}`)).toEqual([
      'a1 in lane lane-1, task T1',
      'b2 in lane lane-2, merge of main',
      'b3 in lane lane-2, repair',
      'c1 merge of lane-2',
    ]);
    expect(json.otherCommits).toEqual([named('a9e47')]);
    expect(markdown).toContain('- `a10000000000` in lane lane-1, task T1\n');
    expect(markdown.split('\n')[0]).toContain('6 commits on');
  });

  it('keeps the last events only', () => {
    const { json } = compose({ events: Array.from({ length: 100 }, (_, index) => event(index + 1)) });
    expect(json.events.tail.length).toBe(REPORT_TAIL);
    expect(json.events.tail.at(-1)?.seq).toBe(100);
  });

  it('shows an open run as it would be now', () => {
    const run = givenRun({ state: 'awaiting_approval', endedAt: null });
    const approvals = run.approvals.map((approval) => ({ ...approval, state: 'pending' as const, decision: null }));
    const { json, markdown } = compose({ run: { ...run, approvals } });
    expect(json).toMatchObject({ status: 'awaiting_approval', endedAt: null, unresolved: [{ kind: 'gate_open' }] });
    expect(markdown.split('\n')[0]).toContain('In progress (decision)');
  });
});

test('HC-8.2: the report has the warnings of valid artifacts, without their markup', () => {
  const warning = { path: 'plan_version', code: 'PLAN_VERSION_MISMATCH', line: 2, message: 'plan_version is <b>.' };
  const [artifact] = givenRun().artifacts;
  const artifacts = [{ ...(artifact as Artifact), schema: 'handover/plan@1', warnings: [warning] }];
  const { json, markdown } = compose({ run: givenRun({ artifacts }) });
  expect(validation(json)).toEqual({ ok: true });
  expect(json.artifacts).toMatchObject([{ warnings: [warning] }]);
  expect(json.unresolved).toEqual([]);
  expect(markdown).toContain(
    '## Artifact warnings\n\n- `handover/plan@1` of phase `implement`: plan\\_version:2: plan\\_version is \\<b\\>. \\[PLAN\\_VERSION\\_MISMATCH\\]\n',
  );
  expect(compose().markdown).not.toContain('warnings');
});

describe('the stalls of a run', () => {
  const at = (second: number) => `2026-01-02T03:04:${String(second).padStart(2, '0')}.000Z`;
  const told = (second: number, type: string, payload: object): RunEvent =>
    ({ ...event(second), ts: at(second), type, payload: { sessionId: 'session-1', ...payload } }) as RunEvent;
  const stalled = (second: number, cause: string | null, more = {}) =>
    told(second, 'run.stalled', { nth: second, stall: cause && { cause, detail: 'why', until: null }, ...more });
  const holdUps = (...events: RunEvent[]) => compose({ events, run: givenRun({ endedAt: at(59) }) });

  it('are counted by session, from the report to the next event of that session', () => {
    const { json, markdown } = holdUps(
      stalled(1, 'permission'),
      stalled(3, 'permission'),
      stalled(6, null),
      stalled(7, 'permission', { sessionId: 'another' }),
      stalled(10, 'permission'),
      told(11, 'prompt.sent', {}),
      stalled(12, 'quota'),
      told(20, 'session.busy', {}),
      told(21, 'session.ready', {}),
    );
    const counted = { times: 3, ms: 15_000, causes: { permission: 2, quota: 1 } };
    expect(json.holdUps).toEqual([{ sessionId: 'session-1', roleId: 'coder', ...counted }]);
    expect(validation(json)).toEqual({ ok: true });
    expect(markdown).toContain(
      '## Stalls\n\n- The session of coder stalled 3 times, 15s in total: 2 × asks for permission, 1 × has reached its usage limit.\n',
    );
  });

  it('last until the end of the run if nothing ends them earlier', () => {
    expect(holdUps(stalled(50, 'login')).markdown).toContain('stalled once, 9.0s in total: 1 × must be logged in.');
  });

  it('have no section if there are none', () => expect(compose().markdown).not.toContain('Stalls'));
});

describe('what needs attention', () => {
  it('names commits that only the branch of the run has, and the commands', () => {
    const left = (subject: object) => compose({ takenOver: [], ...subject });
    const { json, markdown } = left({});
    expect(json.unresolved).toMatchObject([{ kind: 'branch_unmerged', subject: json.branch }]);
    const [{ sentence } = { sentence: '' }] = json.unresolved;
    const id = json.runId.slice(0, 8);
    expect(sentence).toBe(
      `1 commit is only on the branch ${json.branch}. See the change with devflow run diff ${id}. Apply it with devflow run apply ${id}.`,
    );
    expect(markdown).toContain(`devflow run apply ${id}`);
    expect(left({ takenOver: ['main'] }).json.unresolved).toEqual([]);
    expect(left({ takenOver: ['main'] }).markdown).toContain('`main` also has them.');
    expect(left({ run: { ...givenRun(), state: 'executing' } }).json.unresolved.map(({ kind }) => kind)).not.toContain(
      'branch_unmerged',
    );
  });

  it('names a failed command that was approved anyway, with its output', () => {
    const run = givenRun();
    const commands = run.commands.map((one) => ({ ...one, state: 'failed' as const, exitCode: 3 }));
    expect(compose({ run: { ...run, commands } }).json.unresolved).toEqual([
      {
        kind: 'command_failed',
        sentence: 'npm test failed (exit code 3) and was approved anyway. Its output is in /work/run/commands/1.err.',
        subject: 'verify',
      },
    ]);
  });

  it('ignores a command that failed in an earlier attempt', () => {
    const run = givenRun();
    const [command] = run.commands;
    if (!command) throw new Error('the given run has a command');
    const commands = [
      { ...command, id: 'earlier', state: 'failed' as const, exitCode: 1 },
      { ...command, attempt: 2 },
    ];
    const phases = run.phases.map((phase) => (phase.key === 'verify' ? { ...phase, attempts: 2 } : phase));
    const { json } = compose({ run: { ...run, commands, phases } });
    expect(json.unresolved).toEqual([]);
    expect(json.recoveries).toEqual(['Phase verify took 2 attempts.']);
  });

  it('counts open questions and follow-ups of the newest artifacts', () => {
    const contents = { 'artifact-1': { openQuestions: ['a', 'b'], followUps: ['c'] } };
    expect(compose({ contents }).json.unresolved.map(({ sentence }) => sentence)).toEqual([
      'Phase implement left 2 open questions: see openQuestions in /work/run/artifacts/implement/1/a.json.',
      'Phase implement left 1 follow-up: see followUps in /work/run/artifacts/implement/1/a.json.',
    ]);
    expect(kinds({ contents: { 'artifact-1': null } })).toEqual([]);
  });

  it('names each repository in the worktree that no commit contains', () => {
    const run = givenRun();
    const work = { commit: null, files: 0, insertions: 0, deletions: 0, nestedRepositories: ['vendor/lib'] };
    const phases = run.phases.map((phase) => ({ ...phase, work }));
    const { json } = compose({ run: { ...run, phases } });
    expect(validation(json)).toEqual({ ok: true });
    expect(json.unresolved).toMatchObject([{ kind: 'nested_repository', subject: 'vendor/lib' }]);
  });

  it('says why the branch does not have the last files', () => {
    const delivered = { commit: null, ignored: [], reason: 'the disk is full' };
    const { json } = compose({ run: givenRun({ delivered }) });
    expect(validation(json)).toEqual({ ok: true });
    const sentence = "The run's branch does not have all its last files: the disk is full.";
    expect(json.unresolved).toMatchObject([{ kind: 'files_not_delivered', sentence }]);
  });

  it('names uncommitted files, lost sessions and invalid artifacts', () => {
    expect(kinds({ dirtyFiles: 2 })).toEqual(['uncommitted_files']);
    expect(kinds({ changedArtifacts: ['/work/inputs/plan.json'] })).toEqual(['artifact_changed']);
    const run = givenRun({ state: 'aborted', failure: { code: 'aborted', reason: 'changed my mind' } });
    const sessions = run.sessions.map((one) => ({ ...one, state: 'FAILED_NEEDS_HUMAN' as const }));
    const phases = run.phases.map((phase) => ({
      ...phase,
      state: 'failed' as const,
      assignments: phase.assignments.map((work) => ({ ...work, status: 'invalid' as const, artifact: null })),
    }));
    const errors = [{ path: '', message: 'must be object' }];
    const artifacts = run.artifacts.map((each) => ({ ...each, valid: false, errors }));
    expect(kinds({ run: { ...run, sessions, phases, artifacts } })).toEqual([
      'failure',
      'phase_not_done',
      'phase_not_done',
      'artifact_invalid',
      'session_failed',
    ]);
  });
});

describe('the findings of a report', () => {
  it('are valid in its JSON, the most important first', () => {
    const { json } = compose({ findings: FINDINGS });
    expect(validation(json)).toEqual({ ok: true });
    expect(json.findings.map(({ findingId }) => findingId).slice(0, 3)).toEqual(['blocker', 'disputed', 'medium']);
  });

  it('need attention if they block the change', () => {
    expect(compose({ findings: FINDINGS }).json.unresolved).toEqual([
      {
        kind: 'finding',
        sentence:
          'A finding at src/greet.ts:12 is confirmed (critical): An empty name gives a greeting without a name.',
        subject: 'blocker',
      },
      {
        kind: 'finding',
        sentence: 'A finding at src/shell.ts:40 is disputed (high): The name reaches a shell.',
        subject: 'disputed',
      },
      {
        kind: 'finding',
        sentence: 'A finding at src/late.ts:9 is confirmed (medium): It never ends.',
        subject: 'medium',
      },
    ]);
    expect(kinds({ findings: [givenFinding({ state: 'accepted', isBlocker: false })] })).toEqual([]);
  });

  it('have a section in the Markdown', () => {
    const { markdown } = compose({ findings: FINDINGS });
    expect(markdown.slice(markdown.indexOf('## Findings'), markdown.indexOf('## Last'))).toMatchSnapshot();
    expect(compose().markdown).not.toContain('## Findings');
  });

  it('say so if they come from one backend only', () => {
    const one = givenFinding({ reporters: [reporter('claude')] });
    expect(compose({ findings: [one] }).markdown).toContain(
      'All findings come from one backend: claude. Another one may find other defects.',
    );
    expect(compose({ findings: FINDINGS }).markdown).not.toContain('one backend');
  });
});

describe('the Markdown of a report', () => {
  beforeEach(() => {
    vi.stubEnv('TZ', 'Asia/Kolkata');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('shows a whole report', () => {
    expect(compose().markdown).toMatchSnapshot();
  });

  it('quotes paths for the shell', () => {
    expect(compose({ run: givenRun({ repoPath: "/a b/it's" }) }).markdown).toContain(
      String.raw`git -C '/a b/it'\''s' diff`,
    );
  });

  it('keeps its structure whatever text it contains', () => {
    const usual = compose({ findings: [givenFinding()] }).markdown;
    const plain = headings(usual);
    const cells = cellCounts(usual);
    const hostile = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({
        unit: fc.constantFrom('`', '\n', '#', '|', ' ', '<', '>', '*', '-', '\\', 'x', '~', '[', ']', '\r'),
      }),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        const run = givenRun({ requirementsMd: text, repoPath: `/${text}`, objective: { text }, extra: { text } });
        const approvals = run.approvals.map((one) => ({
          ...one,
          decision: one.decision && { ...one.decision, comment: text },
        }));
        const commands = run.commands.map((one) => ({ ...one, argv: ['sh', '-c', text] }));
        const { resolution } = givenFinding();
        const reason = resolution && { ...resolution, reason: text };
        const findings = [givenFinding({ summary: text, path: `a${text}`, resolution: reason })];
        const { markdown } = compose({ run: { ...run, approvals, commands }, findings });
        expect(headings(markdown)).toEqual(plain);
        expect(cellCounts(markdown)).toEqual(cells);
      }),
    );
  });

  it('contains no terminal escapes and no direction overrides', () => {
    const { markdown } = compose({ run: givenRun({ requirementsMd: 'a\u001b[31mb\u202ec' }) });
    expect(markdown).not.toMatch(/[\u202e]|\p{Cc}(?<![\n\t])/u);
  });
});
