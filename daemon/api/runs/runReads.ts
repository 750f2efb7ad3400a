import { isTerminal, type RunState } from '../../../schemas/enums.ts';
import type { RunDetail, RunSummary } from '../../../schemas/rpc/views/run.ts';
import { type Here, hostOf, shownHost } from '../../core/run/place.ts';
import type { Run } from '../../core/run/state.ts';
import type { Database } from '../../db/database.ts';
import { type AgentSlots, slotSentence } from '../../engine/local/agentSlots.ts';
import type { RunPlaces } from '../../engine/local/runPlaces.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import { copySentence, progressSentence, type WorktreeProgress } from '../../events/worktreeProgress.ts';
import type { ListFilter } from '../../store/listFilter.ts';
import type { Lists } from '../../store/lists.ts';
import { listSessions } from '../../store/sessions.ts';
import type { HostOverview } from '../hosts/hostSentence.ts';
import { getRun } from '../lookup/ids.ts';
import { type QueueFacts, queueFacts } from './queueFacts.ts';
import { runDetail, waiting } from './runDetail.ts';

/** Lists come from rows, details from the folded run; `run.verify` proves that they agree. */
export interface RunReads {
  /** A limit never hides open runs. Without a limit, the list is complete. */
  listRuns(filter: ListFilter & { state?: RunState; limit?: number }): Promise<RunSummary[]>;
  /** Throws `not_found`. */
  getRun(runId: string): Promise<RunDetail>;
}

/** What a list says about a run that waits. */
type Waits = ReturnType<typeof waiting> & Pick<RunSummary, 'queue'>;

const UNATTENDED = 'its runs wait, because this daemon drives only its own (engine: local)';

/** A run that this daemon does not have in memory. */
function waitsForHost(trouble: string | undefined): Waits {
  return { waitingFor: trouble ?? null, waitsForPerson: trouble !== undefined, alsoWaitsFor: [] };
}

export function createRunReads(parts: {
  database: Pick<Database, 'drizzle'>;
  lists: Pick<Lists, 'listRuns'>;
  engine: Pick<RunEngine, 'readRun' | 'openRuns' | 'server'>;
  worktrees: Pick<WorktreeProgress, 'read' | 'readCopies'>;
  agentSlots: Pick<AgentSlots, 'listWaiting' | 'counts'>;
  runPlaces: Pick<RunPlaces, 'queue' | 'counts'>;
  here: Here;
  readHostOverview(): Promise<HostOverview>;
}): RunReads {
  const { database, lists, engine, worktrees, agentSlots, runPlaces, here, readHostOverview } = parts;

  /** What is to say about each run that waits for its place. */
  function readQueue(): ReadonlyMap<string, QueueFacts> {
    const counts = runPlaces.counts();
    return new Map(runPlaces.queue().map((each) => [each.runId, queueFacts(each, counts)]));
  }

  function waitingOf(run: Run, queue: ReadonlyMap<string, QueueFacts>): Waits {
    const queued = queue.get(run.id);
    if (queued) return queued;
    const files = worktrees.read(run.id);
    if (files) return { waitingFor: progressSentence(files), waitsForPerson: false, alsoWaitsFor: [] };
    const waitsForSlot = agentSlots.listWaiting(run.id).length > 0;
    const slot = waitsForSlot ? [slotSentence(agentSlots.counts())] : [];
    return waiting(run, [...worktrees.readCopies(run.id).map(copySentence), ...slot]);
  }

  /** The fault of a run's host. With the local engine nobody drives the runs of other hosts. */
  function troubleOf(run: Pick<Run, 'host'>, troubles: ReadonlyMap<string, string>): string | undefined {
    const host = hostOf(run, here);
    const trouble = host === here.id || here.shared ? troubles.get(host) : UNATTENDED;
    return trouble && `host ${host}: ${trouble}`;
  }

  /** Says first what a person can do. At a gate, the missing files come second: any host can reject it. */
  function waitingWith(run: Run, troubles: ReadonlyMap<string, string>, queue: ReadonlyMap<string, QueueFacts>): Waits {
    const own = waitingOf(run, queue);
    if (isTerminal(run.state)) return own;
    const trouble = troubleOf(run, troubles);
    const away = engine.server()?.away;
    const sentences = [...(trouble === undefined ? [] : [trouble]), ...(away ? [`Temporal since ${away.since}`] : [])];
    const [first, ...more] = sentences;
    if (first === undefined) return own;
    const { waitingFor, alsoWaitsFor } = own;
    if (own.waitsForPerson) return { ...own, alsoWaitsFor: [...sentences, ...alsoWaitsFor] };
    const others = waitingFor === null ? alsoWaitsFor : [waitingFor, ...alsoWaitsFor];
    return { ...own, waitingFor: first, waitsForPerson: trouble !== undefined, alsoWaitsFor: [...more, ...others] };
  }

  return {
    async listRuns(filter) {
      const open = new Map(engine.openRuns().map((run) => [run.id, run]));
      const [rows, { troubles, hasOthers }] = await Promise.all([lists.listRuns(filter), readHostOverview()]);
      const queue = readQueue();
      return rows.map(({ host, ...row }) => {
        const run = open.get(row.runId);
        const trouble = isTerminal(row.state) ? undefined : troubleOf({ host }, troubles);
        const waits = run ? waitingWith(run, troubles, queue) : waitsForHost(trouble);
        return { ...row, ...shownHost({ host }, here, hasOthers), ...waits };
      });
    },
    async getRun(runId) {
      const [run, { troubles, hasOthers }] = await Promise.all([getRun(engine, runId), readHostOverview()]);
      const waits = waitingWith(run, troubles, readQueue());
      const detail = {
        ...runDetail(run),
        ...shownHost(run, here, hasOthers),
        ...waits,
        worktreeFiles: worktrees.read(runId) ?? null,
      };
      const panes = new Map(
        (await listSessions(database.drizzle, { runId })).map(({ id, tmuxPane }) => [id, tmuxPane]),
      );
      const sessions = detail.sessions.map((each) => ({ ...each, paneId: panes.get(each.sessionId) ?? null }));
      return { ...detail, sessions };
    },
  };
}
