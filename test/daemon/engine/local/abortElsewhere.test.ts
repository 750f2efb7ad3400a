import { expect, test } from 'vitest';
import { replay } from '../../../../daemon/core/replay.ts';
import { createAgentSlots } from '../../../../daemon/engine/local/agentSlots.ts';
import { createEngine } from '../../../../daemon/engine/local/engine.ts';
import { createBus } from '../../../../daemon/events/bus.ts';
import { systemClock } from '../../../../daemon/system/clock.ts';
import { noFaults } from '../../../../daemon/system/faults.ts';
import type { RunEvent } from '../../../../schemas/events/index.ts';
import { bound, given, sent, started } from '../../core/support/given.ts';
import { quiet, silent } from './support/performing.ts';
import { givenPlaces } from './support/places.ts';

/** The engine of a daemon that works alone, and a run of another host with an agent at work. */
function givenEngine() {
  const { run, events } = given({}, bound, started, sent);
  const log: RunEvent[] = [...events];
  const bus = createBus();
  const engine = createEngine({
    bus,
    isHere: () => false,
    agentSlots: createAgentSlots(4, bus),
    runPlaces: givenPlaces(64, bus),
    clock: systemClock,
    faults: noFaults,
    log: silent,
    sessions: {
      onLost: () => () => {},
      onStall: () => () => {},
      endAgents: () => expect.fail('its agents are on another host'),
      typedOf: () => 'nothing',
    } as never,
    observe: () => expect.fail('its files are on another host'),
    perform: () => expect.fail('its effects are performed on another host'),
    runLog: {
      readRun: async () => replay(log),
      listUnfinished: async () => [run.id],
      append: async (_before: unknown, _after: unknown, added: readonly RunEvent[]) => void log.push(...added),
    } as never,
  });
  return { engine, run, log };
}

test('a daemon that works alone aborts a run of another host, and performs nothing of it', async () => {
  const { engine, run, log } = givenEngine();
  expect(await engine.abortRun(run.id, 'its host is gone')).toEqual({ state: 'aborted', changed: true });
  await quiet();
  expect(log.at(-1)?.type).toBe('run.aborted');
  await engine.stop();
});
