import { defined } from '../../../schemas/defined.ts';
import { isTerminal } from '../../../schemas/enums.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { editWith } from '../../core/edits/editDocument.ts';
import type { Effect } from '../../core/effect/effect.ts';
import type { Outcome } from '../../core/effect/outcome.ts';
import { cleanupGates } from '../../core/gates/cleanupGate.ts';
import { openHostGate } from '../../core/gates/hostGate.ts';
import { gateAfter } from '../../core/gates/tooLate.ts';
import type { Signal } from '../../core/handleSignal.ts';
import type { Run } from '../../core/run/state.ts';
import type { EventBus } from '../../events/bus.ts';
import { removeDetachedWorktree } from '../../repository/worktree/detachedWorktree.ts';
import type { SessionManager } from '../../sessions/manager.ts';
import type { RunLog } from '../../store/runLog.ts';
import type { Moved, RunEngine } from '../runEngine.ts';
import { type ActorPorts, createActor, type RunActor } from './actor.ts';
import { createPassingAdvance } from './advance.ts';
import { createAgentAdoption } from './agentAdoption.ts';
import { createAgentEvents } from './agentEvents.ts';
import type { AgentSlots } from './agentSlots.ts';
import { commitOf } from './commitOf.ts';
import { createLaneAgents } from './laneAgents.ts';
import { rankAt } from './moveInQueue.ts';
import { refuseTyped } from './refuseTyped.ts';
import { retrySuspendedRuns } from './retrySuspended.ts';
import type { RunPlaces } from './runPlaces.ts';

export interface EngineOptions
  extends Omit<ActorPorts, 'runLog' | 'runPlaces' | 'onCommitted' | 'onFinished' | 'onSuspended'> {
  runLog: RunLog;
  bus: EventBus;
  agentSlots: AgentSlots;
  runPlaces: RunPlaces;
  sessions: Pick<SessionManager, 'onLost' | 'onStall' | 'stallOf' | 'probe' | 'ensure' | 'endAgents' | 'typedOf'>;
  /** True if the run is on this host. Absent: every run is. */
  isHere?(run: Run): boolean;
  /** Called at the start of the daemon with the runs that it drives, before their agents are read again. Must not throw. */
  beforeAdoption?(runs: readonly Run[]): Promise<void>;
  /** Called when the run has ended and this process no longer drives it. */
  onReleased?(runId: string): void;
}

/** The part of the engine that other hosts use. */
export interface SharedRuns {
  /** Takes in what other hosts wrote to a run of this one, unless its events up to `seq` are known. Returns the run. */
  catchUp(runId: string, seq?: number): Promise<Run | undefined>;
  /** True if this process drives the run. */
  drives(runId: string): boolean;
  /** Withdraws the gates of this host's runs which say that it takes no work. */
  hostReturned(): void;
  /** Records an outcome that no effect of this process brought, in a run of any host. Returns the run. */
  record(runId: string, outcome: Outcome): Promise<Run>;
}

/** The local interpreter: an actor for every open run of this host. */
export function createEngine(options: EngineOptions): RunEngine & SharedRuns {
  const { runLog, bus, agentSlots, runPlaces, sessions, log, isHere = () => true, onReleased } = options;
  const actors = new Map<string, RunActor>();
  const readings = new Map<string, Promise<Run | undefined>>();
  const agentEvents = createAgentEvents({
    sessions,
    actorOf: (id) => [...actors.values()].find(({ run }) => run().sessions.some((session) => session.id === id)),
  });
  const agentAdoption = createAgentAdoption({ sessions, agentSlots, log });
  const laneAgents = createLaneAgents({ sessions, removeWorktree: removeDetachedWorktree, log });
  const suspendedRuns = retrySuspendedRuns({
    readRun: runLog.readRun,
    resume(run) {
      // The write whose answer was lost may have ended a lane.
      laneAgents.clearEndedLanes(undefined, run);
      startActor(run).advance();
    },
    log,
  });

  function startActor(run: Run): RunActor {
    const actor = createActor(run, {
      ...options,
      onCommitted(before, after) {
        suspendedRuns.wrote(after.run.id);
        agentAdoption.record(after.run, after.events);
        laneAgents.clearEndedLanes(before, after.run);
        agentEvents.reprobeStalled(after.events, actor.report);
        bus.publish(commitOf(before, after));
      },
      onFinished({ id }) {
        actors.delete(id);
        onReleased?.(id);
      },
      onSuspended: (_, error) => suspendedRuns.suspended(run.id, error),
    });
    actors.set(run.id, actor);
    return actor;
  }

  async function readRun(runId: string): Promise<Run | undefined> {
    return actors.get(runId)?.run() ?? runLog.readRun(runId);
  }

  /**
   * Gives an ended run an actor for as long as the answer takes. Concurrent signals share one read, so none of them acts on
   * a run older than another one's write. `anyHost`: a daemon that works alone may handle it for a run of another host.
   */
  async function actorOf(runId: string, { anyHost = false } = {}): Promise<RunActor> {
    const open = actors.get(runId);
    if (open) return open;
    const reading = readings.get(runId) ?? runLog.readRun(runId).finally(() => readings.delete(runId));
    readings.set(runId, reading);
    const run = await reading;
    if (!run) throw new DevflowError('not_found', `There is no run ${runId}.`);
    if (!isHere(run) && !options.createAdvance && !anyHost) throw elsewhere(run);
    return actors.get(runId) ?? (isHere(run) ? startActor(run) : passingActor(run));
  }

  /** For one input to a run of another host, whose effects are performed there. */
  function passingActor(run: Run): RunActor {
    return createActor(run, {
      ...options,
      createAdvance: options.createAdvance ?? ((initial) => createPassingAdvance(initial)),
      isElsewhere: true,
      onCommitted: (before, after) => bus.publish(commitOf(before, after)),
      onFinished: () => {},
      onSuspended: () => {},
    });
  }

  async function signal(runId: string, input: Signal) {
    // No other daemon can end the run while this one leads alone. Its host cleans up once it has a daemon again.
    return (await actorOf(runId, { anyHost: input.type === 'abort' })).signal(input);
  }

  async function move(runId: string, input: Signal): Promise<Moved> {
    const { run, changed } = await signal(runId, input);
    return { state: run.state, changed };
  }

  /** One at a time, so that no two runs get the same rank. */
  let ranking: Promise<unknown> = Promise.resolve();
  function inOrder<T>(rank: () => Promise<T>): Promise<T> {
    const mine = ranking.then(rank);
    ranking = mine.catch(() => {});
    return mine;
  }

  /** Resolves if the run waits for a place; otherwise never. */
  async function untilQueued(actor: RunActor): Promise<void> {
    await actor.settled();
    const { id } = actor.run();
    if (!runPlaces.queue().some(({ runId }) => runId === id)) await new Promise(() => {});
  }

  function hostReturned(): void {
    for (const actor of actors.values()) if (openHostGate(actor.run())) actor.report({ type: 'hostReturned' });
  }

  return {
    readRun,
    server: () => undefined,
    hostReturned,
    async catchUp(runId, seq) {
      await actors.get(runId)?.catchUp(seq);
      return readRun(runId);
    },
    drives: (runId) => actors.has(runId),
    async record(runId, outcome) {
      const actor = await actorOf(runId);
      await actor.record(outcome);
      return actor.run();
    },
    settled: async (runId) => actors.get(runId)?.settled(),
    adoptionCounts: () => agentAdoption.counts((runId) => actors.get(runId)?.run()),
    openRuns: () => [...actors.values()].map((actor) => actor.run()).filter((run) => !isTerminal(run.state)),
    async reconcile() {
      const ids = await runLog.listUnfinished();
      for (const runId of ids) {
        try {
          const run = await runLog.readRun(runId);
          if (run && isHere(run)) startActor(run);
        } catch (error) {
          // One unreadable log must not stop the other runs.
          log.error({ runId, err: error }, 'the run cannot be resumed');
        }
      }
      await options.beforeAdoption?.([...actors.values()].map((actor) => actor.run()));
      for (const actor of actors.values()) {
        laneAgents.clearEndedLanes(undefined, actor.run());
        agentAdoption.adopt(actor.run(), (lost) => actor.report(lost));
      }
      const runs = [...actors.values()].map((actor) => actor.run());
      runPlaces.grantAfter(runs, () =>
        agentSlots.grantAfter(() => {
          for (const actor of actors.values()) actor.advance();
        }),
      );
      if (!options.createAdvance) hostReturned();
      return { runs: actors.size };
    },
    async adopt(run) {
      const actor = startActor(run);
      let unlisten = () => {};
      const bound = new Promise<void>((resolve) => {
        unlisten = bus.listen(run.id, () => {
          if (actor.run().state !== 'created') resolve();
        });
      });
      const suspended = actor.suspended.then((error) => {
        throw error;
      });
      actor.advance();
      // A suspended run may never bind, and a queued one begins later. Its starter waits here.
      await Promise.race([bound, suspended, untilQueued(actor)]).finally(unlisten);
    },
    async signalApproval(runId, approvalRequestId, action, clientToken, comment, more = {}) {
      const input: Signal = {
        type: 'decide',
        approvalRequestId,
        action,
        clientToken,
        comment: comment ?? null,
        ...more,
      };
      const { run, decision, changed } = await signal(runId, input);
      const approval = run.approvals.find((candidate) => candidate.id === approvalRequestId);
      if (!decision || !approval)
        throw new DevflowError('internal', `The decision at approval ${approvalRequestId} was not recorded.`);
      return { decisionId: decision.id, created: changed, state: approval.state };
    },
    async editDocument(runId, edit) {
      const { run, changed } = await signal(runId, { type: 'edit', ...edit });
      const artifact = editWith(run, edit);
      const gate = gateAfter(run, edit.approvalRequestId);
      if (!artifact || !gate)
        throw new DevflowError('internal', `The edit at ${edit.approvalRequestId} was not recorded.`);
      return { approvalId: gate.id, artifactId: artifact.id, hash: artifact.hash, created: changed };
    },
    pauseRun: (runId, reason) => move(runId, { type: 'pause', reason: reason ?? 'paused by a person' }),
    resumeRun: (runId, reason) => move(runId, { type: 'resume', reason }),
    abortRun: (runId, reason) => move(runId, { type: 'abort', reason }),
    moveRun: (runId, { to, release }) =>
      inOrder(() => {
        const rank = to && rankAt(runPlaces.queue(), runId, to);
        return move(runId, { type: 'rank', ...defined({ rank }), release });
      }),
    skipPhase: (runId, phaseKey, reason) => move(runId, { type: 'skip', phaseKey, reason }),
    finishWork: (runId, now) => move(runId, { type: 'finish', now }),
    reopenLane: (runId, laneId, comment) => move(runId, { type: 'reopenLane', laneId, comment }),
    recordProgress: (runId, progress) => move(runId, { type: 'progress', ...progress }),
    recordApplied: (runId, applied) => move(runId, { type: 'applied', ...applied }),
    continueRun: async (runId, input) => (await signal(runId, { type: 'continue', ...input })).run,
    queueMessage: async (runId, message) => (await signal(runId, { type: 'queueMessage', ...message })).run,
    async withdrawMessage(runId, messageId) {
      const actor = await actorOf(runId);
      const isDelivery = (effect: Effect) => effect.type === 'sendMessage' && effect.message.messageId === messageId;
      const refuse = (run: Run) => refuseTyped(run, messageId, sessions);
      // Nobody waits for a delivery under way, which may wait for a dialog.
      refuse(actor.run());
      return (await actor.signalWithout(isDelivery, { type: 'withdrawMessage', messageId }, refuse)).run;
    },
    settleMessage: async (runId, answer) => (await signal(runId, { type: 'settleMessage', ...answer })).run,
    async askCleanup(runId, request) {
      const { run } = await signal(runId, { type: 'askCleanup', ...request });
      return cleanupGates(run, request.lane).at(-1)?.id ?? '';
    },
    async stop() {
      agentEvents.stop();
      suspendedRuns.stop();
      await Promise.all([...actors.values()].map((actor) => actor.stop()));
    },
  };
}

/** Its worktree and its agents are on the disk of another host. */
function elsewhere({ id, host }: Run): DevflowError {
  return new DevflowError(
    'run_elsewhere',
    `Run ${id} is on host ${host}, and this daemon works alone (engine: local).`,
    {
      runId: id,
      recoveryHint: 'Set engine: temporal on this host, or use devflow on that host.',
    },
  );
}
