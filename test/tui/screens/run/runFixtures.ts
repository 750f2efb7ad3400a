import type { ArtifactContent } from '../../../../schemas/rpc/views/artifact.ts';
import type { EventView, RunDetail, RunSummary } from '../../../../schemas/rpc/views/run.ts';
import type { TuiEvent } from '../../../../tui/model/event.ts';
import { initialModel, type Model, type Place, type Size, type Step } from '../../../../tui/model/model.ts';
import { query } from '../../../../tui/model/query.ts';
import { screenOf } from '../../../../tui/screens/index.ts';
import { textOf } from '../../../../tui/text/line.ts';
import { update } from '../../../../tui/update/update.ts';

export const SMALL: Size = { columns: 80, rows: 24 };
export const LARGE: Size = { columns: 200, rows: 60 };
/** Noon in local time, so that clocks show the same in every time zone. */
const NOON = new Date(2026, 4, 4, 12, 0, 0).getTime();
export const at = (seconds: number) => new Date(NOON + seconds * 1000).toISOString();
export const NOW = NOON + 600_000;

export function summary(given: Partial<RunSummary> & { runId: string }): RunSummary {
  return {
    title: 'Greet 世界 by name.',
    state: 'executing',
    template: 'development@1',
    repoPath: '/home/ada/greeting',
    baseBranch: 'main',
    currentPhase: 'implement',
    waitingFor: null,
    waitsForPerson: false,
    alsoWaitsFor: [],
    progress: { done: 2, total: 4 },
    createdAt: at(0),
    endedAt: null,
    ...given,
  };
}

const phase = (key: string, given: Partial<RunDetail['phases'][number]>): RunDetail['phases'][number] => ({
  phaseId: `phase-${key}`,
  key,
  title: `The ${key}`,
  kind: 'agent',
  state: 'pending',
  attempts: 0,
  roles: ['planner'],
  gates: [],
  work: null,
  startedAt: null,
  endedAt: null,
  ...given,
});

export const GATE = 'aaaa0000-0000-4000-8000-000000000001';
export const SESSION = 'bbbb0000-0000-4000-8000-000000000001';
export const ARTIFACT = 'cccc0000-0000-4000-8000-000000000001';
export const RUN = '11110000-0000-4000-8000-000000000001';

export function detail(given: Partial<RunDetail> = {}): RunDetail {
  return {
    ...summary({ runId: RUN, state: 'awaiting_approval', currentPhase: 'plan', progress: { done: 1, total: 2 } }),
    waitingFor: 'a decision at plan_approved (plan)',
    waitsForPerson: true,
    alsoWaitsFor: [],
    worktreeFiles: null,
    templateHash: 'f'.repeat(64),
    pausedFrom: null,
    baseCommit: '0123456789abcdef',
    branch: 'devflow/1111/main',
    worktreeRoot: '/home/ada/.devflow/worktrees/1111',
    finalReportPath: null,
    requirements: '# Requirements\n\nGreet 世界 by name.',
    objective: null,
    extra: null,
    reason: null,
    startedAt: at(0),
    lastSeq: 3,
    phases: [
      phase('spec', { state: 'completed', attempts: 1, gates: ['spec_approved'], startedAt: at(0), endedAt: at(90) }),
      phase('plan', { state: 'awaiting_approval', attempts: 2, gates: ['plan_approved'], startedAt: at(90) }),
    ],
    bindings: [
      {
        roleId: 'planner',
        role: 'planner',
        persona: 'planner-claude@1',
        personaHash: 'a',
        backend: 'claude',
        bindingHash: 'b',
        permissionMode: 'read',
        override: null,
        reason: 'the first that fits',
      },
    ],
    assignments: [],
    lanes: [],
    findings: 0,
    approvals: [
      gate({ id: 'dddd', gateKey: 'spec_approved', phaseKey: 'spec', state: 'approved', resolvedAt: at(90) }),
      gate({ id: GATE, gateKey: 'plan_approved', phaseKey: 'plan', attempt: 2 }),
    ],
    sessions: [
      {
        sessionId: SESSION,
        runId: RUN,
        runTitle: 'Greet 世界 by name.',
        roleId: 'planner',
        laneId: 'main',
        backend: 'claude',
        state: 'READY',
        paneId: '%1',
        cwd: '/home/ada/.devflow/worktrees/1111',
        recoveryAttempts: 0,
        lastPromptAt: at(100),
        stall: null,
      },
    ],
    commands: [
      {
        commandId: 'eeee',
        phaseKey: 'spec',
        attempt: 1,
        index: 0,
        kind: 'test',
        argv: ['npm', 'test'],
        cwd: '/home/ada/greeting',
        exitCode: 1,
        reason: 'exit 1',
        stdoutPath: '/out',
        stderrPath: '/err',
        startedAt: at(10),
        endedAt: at(12),
      },
    ],
    artifacts: [artifact()],
    ...given,
  };
}

function gate(given: Partial<RunDetail['approvals'][number]> & { id: string }): RunDetail['approvals'][number] {
  return {
    runId: RUN,
    runTitle: 'Greet 世界 by name.',
    gateKey: 'gate',
    kind: 'gate',
    phaseKey: null,
    assignment: null,
    laneId: null,
    attempt: 1,
    state: 'pending',
    createdAt: at(60),
    resolvedAt: null,
    ...given,
  };
}

function artifact(): RunDetail['artifacts'][number] {
  return {
    artifactId: ARTIFACT,
    runId: RUN,
    phaseKey: 'plan',
    roleId: 'planner',
    attempt: 2,
    path: '/w/plan.json',
    storedPath: null,
    schema: 'dev/phase-plan@1',
    hash: 'abc',
    valid: false,
    createdAt: at(120),
    errors: [{ path: '/steps', message: 'must be array' }],
  };
}

export const CONTENT: ArtifactContent = {
  ...artifact(),
  content: JSON.stringify({ title: 'The \u001b[31mplan' }),
  truncated: false,
};

export function event(
  seq: number,
  type = 'session.busy',
  payload: EventView['payload'] = { sessionId: SESSION },
): EventView {
  return { runId: RUN, seq, type, phaseId: 'phase-plan', payload, idempotencyKey: `key ${seq}`, ts: at(seq % 500) };
}

/** A dashboard with these answers of the daemon. */
export function shows(place: Place, size: Size, answers: readonly (readonly [string, unknown])[]): Model {
  const start = initialModel({ size, now: NOW, version: '1', cwd: '/home/ada', place });
  const entries = answers.map(([key, value]) => [key, { value }] as const);
  const up = afterEvents(start, { type: 'link', link: { state: 'up' } });
  return afterEvents(up, { type: 'data', answers: entries });
}

export function afterEvents(model: Model, ...events: readonly TuiEvent[]): Model {
  return events.reduce((now, each) => update(now, each, NOW).model, model);
}

export function press(model: Model, ...keys: readonly string[]): Model {
  return afterEvents(model, ...keys.map((key) => ({ type: 'key' as const, key })));
}

/** The step that a key makes, with its commands. */
export function pressed(model: Model, key: string): Step {
  return update(model, { type: 'key', key }, NOW);
}

export function text(model: Model): string[] {
  const size = { columns: model.size.columns, rows: model.size.rows - 2 };
  return screenOf(model)
    .view(model, size)
    .map((line) => textOf(line).trimEnd());
}

export const runKey = query('run.get', { runId: RUN }).key;
export const runsKey = query('run.list', { limit: 1000 }).key;
export const artifactKey = query('artifact.get', { artifactId: ARTIFACT }).key;
export const reportKey = query('run.report', { runId: RUN }).key;
