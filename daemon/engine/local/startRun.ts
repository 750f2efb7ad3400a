import { randomUUID } from 'node:crypto';
import type { Config } from '../../../schemas/config/config.ts';
import { defined } from '../../../schemas/defined.ts';
import { isLedTemplate } from '../../../schemas/definitions/template.ts';
import { DevflowError, type ErrorCode } from '../../../schemas/errors.ts';
import type { RunCreated } from '../../../schemas/events/run.ts';
import { worktreePath } from '../../../schemas/files/paths.ts';
import type { StartNotes } from '../../../schemas/rpc/views/start.ts';
import { evolve, stamp } from '../../core/evolve/evolve.ts';
import { NEWEST_BEHAVIOUR } from '../../core/run/behaviour.ts';
import { phaseId } from '../../core/run/keys.ts';
import type { Here } from '../../core/run/place.ts';
import type { Run } from '../../core/run/state.ts';
import { readStartNotes } from '../../repository/checkout/startNotes.ts';
import type { RunLog } from '../../store/runLog.ts';
import type { Clock } from '../../system/clock.ts';
import type { RunEngine } from '../runEngine.ts';
import { createPrepare, type Prepared, type PrepareParts } from './prepareStart.ts';
import { chooseSlot, conflict, findRivals, type Start } from './rivals.ts';
import { checkoutTaken } from './startHere.ts';
import type { StartRequest } from './startRequest.ts';
import { refuseUndecidedWall } from './startSettings.ts';

export type Started = StartNotes & { runId: string };

export interface Starter {
  /** Throws before anything is written if the request is invalid or a role cannot be bound. */
  startRun(request: StartRequest): Promise<Started>;
  /** Describes the start. Writes nothing; throws the errors that a start throws, but for a missing consent. */
  preview(request: StartRequest): Promise<Prepared>;
}

const NO_NOTES: StartNotes = { uncommitted: null, submodules: [], warnings: [] };

interface StarterParts extends PrepareParts {
  clock: Clock;
  runLog: RunLog;
  engine: RunEngine;
  here: Here;
  /** Announces the first commit, as the engine announces the others. */
  onCreated(run: ReturnType<typeof evolve>, event: ReturnType<typeof stamp>): void;
}

export function createStarter(parts: StarterParts): Starter {
  const { config, clock, runLog, definitions, engine, here, onCreated } = parts;
  const prepare = createPrepare(parts);
  /** First events are written one at a time: each run gets a slot of its own, and a place in order. */
  let turn: Promise<unknown> = Promise.resolve();
  /** In milliseconds. */
  let lastStart = 0;
  /** Runs that wait for their bindings. A request with the same token waits too. */
  const starting = new Map<string, Promise<void>>();

  const rivalsOf = (start: Start) => findRivals(start, { runLog, openRuns: engine.openRuns(), here });

  async function findSlot(prepared: Prepared, request: StartRequest): Promise<number> {
    const { change, after, here: inCheckout, parallel = false } = request;
    const taken = inCheckout && checkoutTaken(prepared.repoPath, engine.openRuns());
    if (taken) throw taken;
    const isBeside = parallel || change !== undefined || after !== undefined || isLedTemplate(prepared.template);
    return chooseSlot(prepared, await rivalsOf(prepared), isBeside);
  }

  /** Later than the last start, so that runs of one millisecond are queued as they came. */
  function startTime(): string {
    const now = clock.now().getTime();
    // A clock that was set back by more is not followed for so long.
    lastStart = now <= lastStart && lastStart - now < 1_000 ? lastStart + 1 : now;
    return new Date(lastStart).toISOString();
  }

  /** Writes the first event and adopts the run, unless the token's run exists. */
  async function create(runId: string, prepared: Prepared): Promise<void> {
    const { request } = prepared;
    if (request.clientToken && (await engine.readRun(runId))) return;
    const slot = await findSlot(prepared, request);
    if (request.draft !== undefined || prepared.brought) await keepDrafts(prepared, request);
    const event = stamp(runId, 0, created(runId, prepared, { slot, here, config }), startTime());
    const run = evolve(undefined, event);
    try {
      await runLog.append(undefined, run, [event]);
    } catch (error) {
      // The partial unique index has the last word on which runs are open.
      const { constraint } = error as { constraint?: string };
      if (constraint === 'ux_open_run_worktree') throw checkoutTaken(prepared.repoPath, engine.openRuns(), error);
      if (constraint !== 'ux_active_run_repo_base') throw error;
      throw conflict(prepared, await rivalsOf(prepared), error);
    }
    onCreated(run, event);
    // The run counts as open now, so the next start need not wait for its worktree.
    const bound = engine.adopt(run);
    bound.catch(() => {});
    starting.set(runId, bound);
  }

  async function keepDrafts(
    { templateId: id, templateHash: hash, template, brought }: Prepared,
    { draft }: StartRequest,
  ): Promise<void> {
    const { name, version } = template;
    const own = draft === undefined ? {} : { template: { id, name, version, hash, template } };
    await definitions.keepDrafts({ ...own, personas: brought?.personas ?? [] });
  }

  async function start(request: StartRequest): Promise<Started> {
    const runId = request.clientToken ?? randomUUID();
    // A repeated request gets the same answer, even if it could no longer start.
    const earlier = request.clientToken ? await engine.readRun(runId) : undefined;
    const notes = earlier ? await notesOf(earlier, request) : await record(runId, request);
    const bound = starting.get(runId);
    if (!bound) return { runId, ...notes };
    await bound.finally(() => starting.delete(runId));
    await refuseFailed(engine, runId);
    return { runId, ...notes };
  }

  async function record(runId: string, request: StartRequest): Promise<StartNotes> {
    const prepared = await prepare(request);
    refuseUndecidedWall(request, prepared);
    if (prepared.refusal) throw prepared.refusal;
    const mine = turn.then(() => create(runId, prepared));
    turn = mine.catch(() => {});
    await mine;
    return prepared.notes;
  }

  function notesOf({ repoPath, baseCommit, reviewHead, here }: Run, { change }: StartRequest): Promise<StartNotes> {
    return readStartNotes({ repoPath, commit: reviewHead ?? baseCommit, change, here }).catch(() => NO_NOTES);
  }

  return {
    startRun: start,
    async preview(request) {
      const prepared = await prepare(request);
      await findSlot(prepared, request);
      return prepared;
    },
  };
}

function created(
  runId: string,
  prepared: Prepared,
  { slot, here, config }: { slot: number; here: Here; config: Config },
) {
  const { bindings: _, notes: __, refusal: ___, request, reentry, ...start } = prepared;
  const { artifactTimeoutMs, idleTimeoutMs, approvalTimeoutMs, commandTimeoutMs } = config.recovery;
  return {
    type: 'run.created' as const,
    phaseId: null,
    payload: defined({
      behaviour: NEWEST_BEHAVIOUR,
      ...start,
      slot: slot === 0 ? undefined : slot,
      host: here.shared ? here.id : undefined,
      worktreeRoot: request.here ? prepared.repoPath : worktreePath(config.workspaceRoot, runId),
      workspaceRoot: config.workspaceRoot,
      requirementsMd: request.requirements,
      title: request.title,
      objective: request.objective ?? null,
      extra: request.extra ?? null,
      skips: reentry && reentry.skips.length > 0 ? reentry.skips : undefined,
      cycle: reentry && reentry.cycle > 1 ? reentry.cycle : undefined,
      phases: prepared.template.phases.map(({ key }, index) => ({ id: phaseId(runId, key), key, seq: index + 1 })),
      // A person set up their checkout themselves.
      setup: request.here ? undefined : request.setup,
      wrap: request.wrap?.length ? request.wrap : undefined,
      agentRights: request.agentRights,
      // No rule sees what is in a checkout.
      autoGates: request.here ? undefined : request.autoGates,
      here: request.here ? (true as const) : undefined,
      after: request.after,
      schedule: request.schedule,
      options: { artifactTimeoutMs, idleTimeoutMs, approvalTimeoutMs, commandTimeoutMs },
    } satisfies Record<keyof RunCreated, unknown>),
  };
}

/** Throws why the run failed, as for a request that was refused at once. */
async function refuseFailed(engine: RunEngine, runId: string): Promise<void> {
  const run = await engine.readRun(runId);
  if (run?.state !== 'failed' || !run.failure) return;
  const { code, reason, hint: recoveryHint } = run.failure;
  throw new DevflowError(code as ErrorCode, reason, { runId, recoveryHint, data: { runId } });
}
