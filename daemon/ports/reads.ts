import { isTerminal } from '../../schemas/enums.ts';
import { CATALOGUE, DevflowError, type ErrorCode } from '../../schemas/errors.ts';
import type { SessionDetail, SessionSummary, StallView } from '../../schemas/rpc/views/session.ts';
import type { Database } from '../db/open.ts';
import type { Run } from '../engine/core/state.ts';
import type { LocalEngine } from '../engine/local/engine.ts';
import type { ReadsPort } from '../rpc/ports.ts';
import type { Lists } from '../store/lists.ts';
import type { RunLog } from '../store/runLog.ts';
import { listSessions, readSession, type SessionRow } from '../store/sessions.ts';
import { readTranscript } from '../store/transcripts.ts';
import { approvalDetail } from '../views/approval.ts';
import { artifactContent, artifactView } from '../views/artifact.ts';
import { runDetail, waiting } from '../views/run.ts';
import { shownState } from '../views/sessionState.ts';
import { transcriptView } from '../views/transcript.ts';
import { progressSentence, type WorktreeProgress } from '../worktreeProgress.ts';

/** What the RPC handlers read. Lists come from rows; details from the folded run, which is the same thing (verify). */
export function createReads(options: {
  database: Database;
  lists: Lists;
  runLog: RunLog;
  engine: LocalEngine;
  worktrees: Pick<WorktreeProgress, 'read'>;
  /** Somebody reads along. */
  onTranscriptRead(sessionId: string): void;
}): ReadsPort {
  const { lists, runLog, engine, worktrees, onTranscriptRead } = options;
  const db = options.database.drizzle;

  async function getRun(runId: string): Promise<Run> {
    const run = await engine.readRun(runId);
    if (!run) throw new DevflowError('not_found', `There is no run ${runId}.`);
    return run;
  }

  /** Of the open runs: what their agents are kept from going on by, which no row tells. */
  function openStalls(): Map<string, StallView | null> {
    return new Map(engine.openRuns().flatMap(({ sessions }) => sessions.map(({ id, stall }) => [id, stall] as const)));
  }

  function waitingOf(run: Run): ReturnType<typeof waiting> {
    const files = worktrees.read(run.id);
    return files ? { waitingFor: progressSentence(files), waitsForPerson: false } : waiting(run);
  }

  return {
    resolveRun: (ref) => lists.resolve('run', ref),
    resolveSession: (ref) => lists.resolve('session', ref),
    resolveArtifact: (ref) => lists.resolve('artifact', ref),
    async resolveApproval(ref) {
      const approvalId = await lists.resolve('approval', ref);
      return { approvalId, runId: await lists.runOf('approval', approvalId) };
    },
    async listRuns(filter) {
      const open = new Map(engine.openRuns().map((run) => [run.id, run]));
      const rows = await lists.listRuns(filter);
      return rows.map((row) => {
        const run = open.get(row.runId);
        return { ...row, ...(run ? waitingOf(run) : { waitingFor: null, waitsForPerson: false }) };
      });
    },
    listApprovals: lists.listApprovals,
    countListed: lists.countListed,
    readEvents: runLog.readEvents,
    async getRun(runId) {
      const run = await getRun(runId);
      const detail = { ...runDetail(run), ...waitingOf(run), worktreeFiles: worktrees.read(runId) ?? null };
      const panes = new Map((await listSessions(db, { runId })).map(({ id, tmuxPane }) => [id, tmuxPane]));
      const sessions = detail.sessions.map((each) => ({ ...each, paneId: panes.get(each.sessionId) ?? null }));
      return { ...detail, sessions };
    },
    async getApproval(approvalId) {
      const run = await getRun(await lists.runOf('approval', approvalId));
      const approval = run.approvals.find((candidate) => candidate.id === approvalId);
      if (!approval) throw new DevflowError('not_found', `There is no approval ${approvalId}.`);
      return approvalDetail(run, approval);
    },
    async listSessions(filter) {
      const rows = await listSessions(db, filter);
      const stalls = openStalls();
      return rows.map((row) => sessionSummary(row, stalls.get(row.id) ?? null));
    },
    async getSession(sessionId) {
      const row = await readSession(db, sessionId);
      if (!row) throw new DevflowError('not_found', `There is no session ${sessionId}.`);
      return sessionDetail(row, await getRun(row.runId));
    },
    async readTranscript(sessionId, page) {
      onTranscriptRead(sessionId);
      const { chunks, lastSeq, more } = await readTranscript(db, sessionId, page);
      const views = chunks.map(transcriptView);
      return { sessionId, chunks: views, lastSeq, more };
    },
    async listArtifacts(runId) {
      const run = await getRun(runId);
      return run.artifacts.map((artifact) => artifactView(run, artifact));
    },
    async getArtifact(artifactId) {
      const run = await getRun(await lists.runOf('artifact', artifactId));
      const artifact = run.artifacts.find((candidate) => candidate.id === artifactId);
      if (!artifact) throw new DevflowError('not_found', `There is no artifact ${artifactId}.`);
      return artifactContent(run, artifact);
    },
  };
}

function sessionSummary(row: SessionRow, stall: StallView | null): SessionSummary {
  return {
    sessionId: row.id,
    runId: row.runId,
    roleId: row.roleId,
    backend: row.backend as SessionSummary['backend'],
    state: shownState(row.runState, row.state),
    paneId: row.tmuxPane,
    cwd: row.cwd,
    recoveryAttempts: row.recoveryAttempts,
    lastPromptAt: row.lastPromptAt?.toISOString() ?? null,
    stall,
  };
}

function sessionDetail(row: SessionRow, run: Run): SessionDetail {
  const { failure = null, stall = null } = run.sessions.find((session) => session.id === row.id) ?? {};
  const phase = run.phases.findLast((candidate) => candidate.works.some((work) => work.sessionId === row.id));
  return {
    ...sessionSummary(row, isTerminal(run.state) ? null : stall),
    phaseKey: phase?.key ?? null,
    expectedArtifactPath: row.expectedArtifactPath,
    expectedSchema: row.expectedSchema,
    panePid: row.lastKnownPanePid,
    tmuxSession: row.tmuxSession,
    tmuxWindow: row.tmuxWindow,
    lastTranscriptSeq: row.lastCaptureSeq,
    failure: failure && { code: failure.code, reason: failure.reason },
    recoveryHint: row.state === 'FAILED_NEEDS_HUMAN' && !isTerminal(run.state) ? hintOf(failure) : null,
  };
}

/** A session that fails a second time has no event with a hint. */
function hintOf(failure: Run['sessions'][number]['failure']): string | null {
  return failure?.hint ?? CATALOGUE[failure?.code as ErrorCode]?.hint ?? null;
}
