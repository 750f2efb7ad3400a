import type { ApprovalDecisionAction, ApprovalState, RunState } from '../../../schemas/enums.ts';
import { isTerminal } from '../../../schemas/enums.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { AgentFates } from '../../../schemas/rpc/views/agents.ts';
import type { EventBus } from '../../events/bus.ts';
import type { SessionManager } from '../../sessions/manager.ts';
import type { RunLog } from '../../store/runLog.ts';
import type { CleanupRequest } from '../core/gates/cleanupGate.ts';
import type { Signal } from '../core/signal.ts';
import type { Run } from '../core/state.ts';
import { type ActorPorts, createActor, type RunActor } from './actor.ts';
import { createAgentNews } from './agentNews.ts';
import { commitOf } from './changes.ts';
import { createRevival } from './revive.ts';
import { createSurvivors } from './survivors.ts';

export interface EngineOptions extends Omit<ActorPorts, 'runLog' | 'onCommitted' | 'onFinished' | 'onParked'> {
  runLog: RunLog;
  bus: EventBus;
  sessions: Pick<SessionManager, 'onLost' | 'onStall' | 'stallOf' | 'probe' | 'ensure'>;
}

export interface Moved {
  state: RunState;
  changed: boolean;
}

/** The local interpreter: an actor for every open run. Runs are started by `startRun.ts`. */
export interface LocalEngine {
  /** Takes up every run that has something left to do. Restart is the normal path; there is no other recovery. */
  reconcile(): Promise<{ runs: number }>;
  /** Takes up a run whose first event has been written; resolves when its roles are bound, or rejects with why not. */
  adopt(run: Run): Promise<void>;
  openRuns(): Run[];
  /** What became of the agents that the runs had when they were taken up. */
  survivors(): AgentFates;
  /** The run as it is in memory, or from its log; undefined when there is none. */
  readRun(runId: string): Promise<Run | undefined>;
  signalApproval(
    runId: string,
    approvalRequestId: string,
    action: ApprovalDecisionAction,
    clientToken: string,
    comment?: string,
  ): Promise<{ decisionId: string; created: boolean; state: ApprovalState }>;
  pauseRun(runId: string, reason?: string): Promise<Moved>;
  resumeRun(runId: string, reason?: string): Promise<Moved>;
  abortRun(runId: string, reason: string): Promise<Moved>;
  /** Opens the gate for a worktree with uncommitted work; returns its id. */
  askCleanup(runId: string, request: CleanupRequest): Promise<string>;
  stop(): Promise<void>;
}

export function createEngine(options: EngineOptions): LocalEngine {
  const { runLog, bus, sessions, log } = options;
  const actors = new Map<string, RunActor>();
  const readings = new Map<string, Promise<Run | undefined>>();
  const agentNews = createAgentNews({
    sessions,
    actorOf: (id) => [...actors.values()].find(({ run }) => run().sessions.some((session) => session.id === id)),
  });
  const survivors = createSurvivors({ sessions, log });
  const revival = createRevival({ readRun: runLog.readRun, takeUp: (run) => take(run).advance(), log });

  function take(run: Run): RunActor {
    const actor = createActor(run, {
      ...options,
      onCommitted(before, after) {
        revival.wrote(after.run.id);
        survivors.moved(after.run, after.events);
        agentNews.moved(after.events, actor.tell);
        bus.publish(commitOf(before, after));
      },
      onFinished: (ended) => actors.delete(ended.id),
      onParked: (parked, error) => revival.parked(parked.id, error),
    });
    actors.set(run.id, actor);
    return actor;
  }

  async function readRun(runId: string): Promise<Run | undefined> {
    return actors.get(runId)?.run() ?? runLog.readRun(runId);
  }

  /**
   * An ended run has no actor any more; it gets one for as long as the answer takes. Those who ask at once share one
   * reading, so that nobody holds a run that is older than what another has just written.
   */
  async function signal(runId: string, input: Signal) {
    const open = actors.get(runId);
    if (open) return open.signal(input);
    const reading = readings.get(runId) ?? runLog.readRun(runId).finally(() => readings.delete(runId));
    readings.set(runId, reading);
    const run = await reading;
    if (!run) throw new DevflowError('not_found', `There is no run ${runId}.`);
    return (actors.get(runId) ?? take(run)).signal(input);
  }

  async function move(runId: string, input: Signal): Promise<Moved> {
    const { run, changed } = await signal(runId, input);
    return { state: run.state, changed };
  }

  return {
    readRun,
    survivors: () => survivors.count((runId) => actors.get(runId)?.run()),
    openRuns: () => [...actors.values()].map((actor) => actor.run()).filter((run) => !isTerminal(run.state)),
    async reconcile() {
      const ids = await runLog.listUnfinished();
      for (const runId of ids) {
        try {
          const run = await runLog.readRun(runId);
          if (run) take(run);
        } catch (error) {
          // One run whose log cannot be read must not keep the others down.
          log.error({ runId, err: error }, 'the run cannot be taken up');
        }
      }
      for (const actor of actors.values()) survivors.takeOver(actor.run(), (lost) => actor.tell(lost));
      for (const actor of actors.values()) actor.advance();
      return { runs: actors.size };
    },
    async adopt(run) {
      const actor = take(run);
      let unlisten = () => {};
      const bound = new Promise<void>((resolve) => {
        unlisten = bus.listen(run.id, () => {
          if (actor.run().state !== 'created') resolve();
        });
      });
      const parked = actor.parked.then((error) => {
        throw error;
      });
      actor.advance();
      // Who started the run waits for this, and must not wait for one that rests.
      await Promise.race([bound, parked]).finally(unlisten);
    },
    async signalApproval(runId, approvalRequestId, action, clientToken, comment) {
      const input: Signal = { type: 'decide', approvalRequestId, action, clientToken, comment: comment ?? null };
      const { run, decision, changed } = await signal(runId, input);
      const approval = run.approvals.find((candidate) => candidate.id === approvalRequestId);
      if (!decision || !approval)
        throw new DevflowError('internal', `The decision at ${approvalRequestId} left no mark.`);
      return { decisionId: decision.id, created: changed, state: approval.state };
    },
    pauseRun: (runId, reason) => move(runId, { type: 'pause', reason: reason ?? 'paused by a person' }),
    resumeRun: (runId, reason) => move(runId, { type: 'resume', reason }),
    abortRun: (runId, reason) => move(runId, { type: 'abort', reason }),
    async askCleanup(runId, request) {
      const { run } = await signal(runId, { type: 'askCleanup', ...request });
      return run.approvals.findLast(({ kind }) => kind === 'cleanup')?.id ?? '';
    },
    async stop() {
      agentNews.stop();
      revival.stop();
      await Promise.all([...actors.values()].map((actor) => actor.stop()));
    },
  };
}
