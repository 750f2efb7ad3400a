import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { ApprovalDetail, ApprovalSummary } from '../../../schemas/rpc/views/approval.ts';
import type { ArtifactContent } from '../../../schemas/rpc/views/artifact.ts';
import type { RunSummary } from '../../../schemas/rpc/views/run.ts';
import type { SessionDetail, SessionSummary } from '../../../schemas/rpc/views/session.ts';
import { type Command, initialModel, type Model, type Place, type Transcript } from '../../../tui/model/model.ts';
import type { Query } from '../../../tui/model/query.ts';
import { screenOf } from '../../../tui/screens/index.ts';
import { lineWidth, textOf } from '../../../tui/text/line.ts';
import { update } from '../../../tui/update/update.ts';
import { bodySize } from '../../../tui/widgets/bodySize.ts';

export const NOW = Date.parse('2025-03-04T12:00:00.000Z');
export const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();
export const RUN = 'aaaaaaaa-0000-4000-8000-000000000001';
export const SESSION = 'eeeeeeee-0000-4000-8000-000000000001';

/** Answers of the daemon, by method, or by method and first parameter. */
export type Answers = Record<string, unknown>;

export function run(more: Partial<RunSummary> = {}): RunSummary {
  const base = {
    runId: RUN,
    state: 'awaiting_approval',
    template: 'development@1',
    repoPath: '/home/ada/greeter',
    title: 'Greet by name',
  };
  const rest = {
    progress: { done: 1, total: 4 },
    baseBranch: 'main',
    currentPhase: 'spec',
    waitingFor: null,
    createdAt: ago(600),
    endedAt: null,
  };
  return { ...base, ...rest, waitsForPerson: true, ...more } as RunSummary;
}

export function gate(id: string, more: Partial<ApprovalSummary> = {}): ApprovalSummary {
  const base = {
    id,
    runId: RUN,
    runTitle: 'Greet by name',
    gateKey: 'spec_approved',
    kind: 'gate',
    phaseKey: 'spec',
    attempt: 1,
  } as const;
  return { ...base, assignment: null, laneId: null, state: 'pending', createdAt: ago(60), resolvedAt: null, ...more };
}

export function detail(id: string, more: Partial<ApprovalDetail> = {}): ApprovalDetail {
  return {
    ...gate(id),
    question: 'Accept the result of "Write the specification" (spec), attempt 1?',
    artifactHash: 'ab'.repeat(32),
    timeoutMs: null,
    subject: {},
    artifacts: [],
    diff: null,
    uncommittedFiles: 0,
    actions: ['approve', 'reject', 'request_changes', 'abort'],
    commands: [],
    sessionIds: [],
    decisions: [],
    ...more,
  };
}

export function artifact(content: object | string, more: Partial<ArtifactContent> = {}): ArtifactContent {
  const attempt = more.attempt ?? 1;
  return {
    artifactId: `art-${attempt}`,
    runId: RUN,
    phaseKey: 'spec',
    roleId: 'planner',
    attempt,
    schema: 'dev/spec@1',
    hash: 'ab'.repeat(32),
    path: `/w/.devflow/artifacts/spec/${attempt}/spec.json`,
    storedPath: '/s',
    valid: true,
    errors: [],
    createdAt: ago(100),
    truncated: false,
    content: typeof content === 'string' ? content : JSON.stringify(content),
    ...more,
  };
}

export function session(more: Partial<SessionSummary> = {}): SessionSummary {
  return {
    sessionId: SESSION,
    runId: RUN,
    runTitle: 'Greet by name',
    roleId: 'planner',
    laneId: 'main',
    backend: 'claude',
    state: 'BUSY',
    paneId: '%7',
    cwd: '/w',
    recoveryAttempts: 0,
    lastPromptAt: ago(30),
    stall: null,
    ...more,
  };
}

export function sessionDetail(more: Partial<SessionDetail> = {}): SessionDetail {
  return {
    ...session(),
    phaseKey: 'spec',
    expectedArtifactPath: '/w/.devflow/spec.json',
    expectedSchema: 'dev/spec@1',
    panePid: 7,
    tmuxSession: 's',
    tmuxWindow: 'w',
    lastTranscriptSeq: 3,
    recoveryHint: null,
    ...more,
  };
}

export function lists(more: Answers = {}): Answers {
  return { 'run.list': [run()], 'session.list': [], 'approval.list pending': [], 'approval.list paused': [], ...more };
}

/** The dashboard on a screen, after all its queries were answered. */
export function given(place: Place, answers: Answers, size = { columns: 80, rows: 24 }): Model {
  const first = initialModel({ size, now: NOW, version: '0', cwd: '/', place });
  return read({ ...first, link: { state: 'up' } }, answers);
}

/** Answers queries until no known answer is missing. */
export function read(model: Model, answers: Answers): Model {
  const entries = screenOf(model)
    .queries(model)
    .filter(({ key }) => !model.data.has(key))
    .flatMap((query) => {
      const value = answerTo(query, answers);
      return value === undefined ? [] : [[query.key, { value }] as const];
    });
  if (entries.length === 0) return model;
  return read(update(model, { type: 'data', answers: entries }, model.now).model, answers);
}

function answerTo({ method, params }: Query, answers: Answers): unknown {
  const { search, state, approvalId, sessionId, artifactId, runId } = params as Record<string, string>;
  const about = search ?? state ?? approvalId ?? sessionId ?? artifactId ?? runId;
  return answers[`${method} ${about}`] ?? answers[method];
}

/** The model after the keys, and all commands they returned. */
export function press(model: Model, keys: string | string[], later = 0): { model: Model; commands: Command[] } {
  const commands: Command[] = [];
  let after = model;
  for (const key of typeof keys === 'string' ? [keys] : keys) {
    const next = update(after, { type: 'key', key }, after.now + later);
    after = next.model;
    commands.push(...next.commands);
  }
  return { model: after, commands };
}

/** The rows of the screen as text; throws if one does not fit. */
export function rows(model: Model): string[] {
  const size = bodySize(model);
  const lines = screenOf(model).view(model, size);
  if (lines.length > size.rows) throw new Error(`${lines.length} rows in ${size.rows}`);
  for (const each of lines) if (lineWidth(each) > size.columns) throw new Error(`too wide: ${textOf(each)}`);
  return lines.map((each) => textOf(each).trimEnd());
}

export const text = (model: Model): string => rows(model).join('\n');
export const toasts = (model: Model): string[] => model.toasts.map((each) => each.text);

export function transcript(lines: Transcript['lines']): Transcript {
  return { lines, count: lines.length, complete: true };
}

export function withTranscript(model: Model, lines: Transcript['lines']): Model {
  return update(model, { type: 'transcript', sessionId: SESSION, transcript: transcript(lines) }, model.now).model;
}

export type Decided = RpcResult<'approval.decide'>;
