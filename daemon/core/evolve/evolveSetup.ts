import type { RunEvent } from '../../../schemas/events/index.ts';
import type { CommandRun } from '../run/commandRun.ts';
import type { LaneSetup } from '../run/laneSetup.ts';
import { patchLane } from '../run/patch.ts';
import { setupCommands } from '../run/setupOf.ts';
import type { Run } from '../run/state.ts';

type SetupEvent = Extract<RunEvent, { type: `worktree.${string}` }>;

export function evolveSetup(run: Run, event: SetupEvent): Run {
  const { laneId, nth } = event.payload;
  return patchLane(run, laneId, (lane) => {
    const setup = lane.setup ?? begun(event.ts);
    const commands = lane.setup ? setupCommands(run, laneId, lane.setup.nth) : [];
    return { setup: { ...next(setup, commands, event), nth } };
  });
}

function next(setup: LaneSetup, ran: readonly CommandRun[], event: SetupEvent): LaneSetup {
  switch (event.type) {
    case 'worktree.placed': {
      const { laneId: _, ...facts } = event.payload;
      return { ...begun(event.ts), ...facts, state: 'placed', inRow: setup.inRow + 1 };
    }
    case 'worktree.set_up':
      return ended(setup, ran, event);
    case 'worktree.outdated':
      return { ...setup, state: 'due', reason: event.payload.reason };
    default:
      return event satisfies never;
  }
}

function ended(
  before: LaneSetup,
  ran: readonly CommandRun[],
  { ts, payload }: Extract<SetupEvent, { type: 'worktree.set_up' }>,
): LaneSetup {
  const { nth, ok, reason = null, inputs, changed, excluded, ms, withoutSetup } = payload;
  if (withoutSetup) return { ...before, state: 'without', reason, endedAt: ts };
  // It can fail before anything was placed.
  const isNew = before.nth !== nth;
  const setup = isNew ? { ...begun(ts), ports: before.ports, env: before.env, inRow: before.inRow + 1 } : before;
  const took = isNew ? 0 : ran.reduce((sum, command) => sum + durationOf(command), setup.ms ?? 0);
  const how = { inputs: inputs ?? setup.inputs, reason, changed, excluded };
  const where = isNew && !ok ? { isUnplaced: true as const } : {};
  return { ...setup, ...how, ...where, state: ok ? 'done' : 'failed', endedAt: ts, ms: took + ms };
}

function durationOf({ startedAt, endedAt }: CommandRun): number {
  return endedAt === null ? 0 : Math.max(0, Date.parse(endedAt) - Date.parse(startedAt));
}

function begun(ts: string): LaneSetup {
  return {
    nth: 0,
    state: 'due',
    inputs: null,
    placed: [],
    refused: [],
    ports: {},
    env: {},
    commands: [],
    changed: [],
    excluded: [],
    reason: null,
    startedAt: ts,
    endedAt: null,
    ms: null,
    inRow: 0,
  };
}

/** A person wants it set up again. */
export function setUpAgain(run: Run, laneId: string, nth: unknown): Run {
  return patchLane(run, laneId, ({ setup }) =>
    setup && setup.nth === nth ? { setup: { ...setup, state: 'due' } } : {},
  );
}

/** An agent or a command did something in the lane, so its set-up may be out of date. */
export function usedLane(run: Run, laneId: string): Run {
  const lane = run.lanes.find(({ id }) => id === laneId);
  if (!lane?.setup || lane.setup.inRow === 0) return run;
  return patchLane(run, laneId, ({ setup }) => ({ setup: setup && { ...setup, inRow: 0 } }));
}
