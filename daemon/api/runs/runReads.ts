import type { RunState } from '../../../schemas/enums.ts';
import type { RunDetail, RunSummary } from '../../../schemas/rpc/views/run.ts';
import type { Database } from '../../db/open.ts';
import type { Run } from '../../engine/core/run/state.ts';
import { type AgentSlots, slotSentence } from '../../engine/local/agentSlots.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import { progressSentence, type WorktreeProgress } from '../../events/worktreeProgress.ts';
import type { Lists } from '../../store/lists.ts';
import { listSessions } from '../../store/sessions.ts';
import { getRun } from '../lookup/getRun.ts';
import { runDetail, waiting } from './runDetail.ts';

/** Lists come from rows, details from the folded run; `run.verify` proves that they agree. */
export interface RunReads {
  /** A limit never hides open runs. Without a limit, the list is complete. */
  listRuns(filter: { state?: RunState; limit?: number }): Promise<RunSummary[]>;
  /** Throws `not_found`. */
  getRun(runId: string): Promise<RunDetail>;
}

export function createRunReads(parts: {
  database: Pick<Database, 'drizzle'>;
  lists: Pick<Lists, 'listRuns'>;
  engine: Pick<RunEngine, 'readRun' | 'openRuns'>;
  worktrees: Pick<WorktreeProgress, 'read'>;
  agentSlots: Pick<AgentSlots, 'listWaiting' | 'counts'>;
}): RunReads {
  const { database, lists, engine, worktrees, agentSlots } = parts;

  function waitingOf(run: Run): ReturnType<typeof waiting> {
    const files = worktrees.read(run.id);
    if (files) return { waitingFor: progressSentence(files), waitsForPerson: false, alsoWaitsFor: [] };
    const waitsForSlot = agentSlots.listWaiting(run.id).length > 0;
    return waiting(run, waitsForSlot ? slotSentence(agentSlots.counts()) : undefined);
  }

  return {
    async listRuns(filter) {
      const open = new Map(engine.openRuns().map((run) => [run.id, run]));
      const rows = await lists.listRuns(filter);
      return rows.map((row) => {
        const run = open.get(row.runId);
        return { ...row, ...(run ? waitingOf(run) : { waitingFor: null, waitsForPerson: false, alsoWaitsFor: [] }) };
      });
    },
    async getRun(runId) {
      const run = await getRun(engine, runId);
      const detail = { ...runDetail(run), ...waitingOf(run), worktreeFiles: worktrees.read(runId) ?? null };
      const panes = new Map(
        (await listSessions(database.drizzle, { runId })).map(({ id, tmuxPane }) => [id, tmuxPane]),
      );
      const sessions = detail.sessions.map((each) => ({ ...each, paneId: panes.get(each.sessionId) ?? null }));
      return { ...detail, sessions };
    },
  };
}
