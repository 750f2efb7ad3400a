import { expect, test, vi } from 'vitest';
import { replay } from '../../../../daemon/core/replay.ts';
import { isHere } from '../../../../daemon/core/run/place.ts';
import { createAgentSlots } from '../../../../daemon/engine/local/agentSlots.ts';
import { createEngine } from '../../../../daemon/engine/local/engine.ts';
import type { RunEngine } from '../../../../daemon/engine/runEngine.ts';
import { createBus } from '../../../../daemon/events/bus.ts';
import { systemClock } from '../../../../daemon/system/clock.ts';
import { noFaults } from '../../../../daemon/system/faults.ts';
import { DevflowError } from '../../../../schemas/errors.ts';
import type { RunEvent } from '../../../../schemas/events/index.ts';
import { bindingsFor, newRun } from '../../core/support/run.ts';
import { givenPlaces } from './support/places.ts';

const ALONE = { id: 'here', shared: false, unpinned: 'here' };
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** An engine on a log in memory, whose next appends fail with `failures`. */
function givenEngine(failures: DevflowError[]) {
  const { run, events } = newRun({ template: 'withoutGate' });
  const log: RunEvent[] = [...events];
  const bus = createBus();
  const readRun = async (runId: string) => (runId === run.id ? replay(log) : undefined);
  const engine: RunEngine = createEngine({
    bus,
    isHere: (run) => isHere(run, ALONE),
    agentSlots: createAgentSlots(4, bus),
    runPlaces: givenPlaces(64, bus),
    clock: systemClock,
    faults: noFaults,
    log: silent,
    sessions: {
      onLost: () => () => {},
      onStall: () => () => {},
      stallOf: () => undefined,
      probe: async () => ({ alive: true, paneActive: false }),
      ensure: async ({ sessionId }) => ({ sessionId }),
      endAgents: async () => {},
      typedOf: () => 'nothing',
    },
    observe: async () => ({ commits: [], lostArtifacts: [] }),
    perform: async (effect) =>
      effect.type === 'lockBindings'
        ? { type: 'bindingsLocked', bindings: bindingsFor(run.template), branch: 'devflow/x' }
        : undefined,
    runLog: {
      readRun,
      listUnfinished: async () => [run.id],
      async append(_before: unknown, _after: unknown, added: readonly RunEvent[]) {
        const failure = failures.shift();
        if (failure) throw failure;
        log.push(...added);
      },
    } as never,
  });
  return { engine, run, log };
}

test('rejects the start of a run that cannot write its log, and resumes the run once it can', async () => {
  vi.useFakeTimers();
  try {
    const { engine, run, log } = givenEngine([new DevflowError('disk_full', 'The database has no space left.')]);
    await expect(engine.adopt(run)).rejects.toMatchObject({ code: 'disk_full' });
    await expect(engine.pauseRun(run.id)).rejects.toMatchObject({ code: 'disk_full' });
    await vi.advanceTimersByTimeAsync(1_500);
    expect(log.map(({ type }) => type)).toContain('run.started');
    expect(await engine.pauseRun(run.id)).toEqual({ state: 'paused', changed: true });
    await engine.stop();
  } finally {
    vi.useRealTimers();
  }
});

test('does not retry a run whose log disagrees with the code', async () => {
  vi.useFakeTimers();
  try {
    const { engine, run, log } = givenEngine([new DevflowError('internal_state_corruption', 'another payload')]);
    await expect(engine.adopt(run)).rejects.toMatchObject({ code: 'internal_state_corruption' });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(log).toHaveLength(1);
    await engine.stop();
  } finally {
    vi.useRealTimers();
  }
});

test('two requests for the same gate of an ended run get one gate', async () => {
  const { engine, run } = givenEngine([]);
  await engine.adopt(run);
  await engine.abortRun(run.id, 'over');
  const request = { lane: 'main', path: '/ws', files: ['a'], filesHash: 'h' };
  const [first, second] = await Promise.all([engine.askCleanup(run.id, request), engine.askCleanup(run.id, request)]);
  expect(first).not.toBe('');
  expect(second).toBe(first);
  await engine.stop();
});

test('an engine that works alone touches no run of another host', async () => {
  const { engine, run, log } = givenEngine([]);
  log[0] = { ...log[0], payload: { ...log[0]?.payload, host: 'other' } } as RunEvent;
  expect(await engine.reconcile()).toEqual({ runs: 0 });
  await expect(engine.pauseRun(run.id, 'lunch')).rejects.toMatchObject({ code: 'run_elsewhere' });
  expect(log).toHaveLength(1);
  await engine.stop();
});
