import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Outcome } from '../../../../daemon/engine/core/run/outcome.ts';
import type { Run } from '../../../../daemon/engine/core/run/state.ts';
import { onOutcome } from '../../../../daemon/engine/core/transition.ts';
import { createSilentHosts } from '../../../../daemon/engine/hosts/silentHosts.ts';
import { bound, firstPhaseDone, given, type Input, sent, started } from '../core/support/given.ts';
import { second } from '../core/support/run.ts';

const SILENT_MS = 20_000;
const BEAT_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Hosts whose last renewal the test sets, and runs of `far`. */
async function givenHosts(...runs: Run[]) {
  /** Hosts renew their leases at full seconds. */
  const sinceBeat = (at: number) => at % BEAT_MS;
  let diedAt: number | undefined;
  const open = new Map(runs.map((run) => [run.id, run]));
  let looks = 0;
  const silentHosts = createSilentHosts({
    hostId: 'near',
    silentHostMs: SILENT_MS,
    async listHosts() {
      looks += 1;
      const far = diedAt === undefined ? 0 : Date.now() - diedAt + sinceBeat(diedAt);
      return [
        { id: 'near', silentMs: sinceBeat(Date.now()) },
        { id: 'far', silentMs: far || sinceBeat(Date.now()) },
      ];
    },
    openRuns: () => [...open.values()],
    hostOf: () => 'far',
    async record(runId: string, outcome: Outcome) {
      const { run } = onOutcome(open.get(runId) as Run, outcome, second(99));
      open.set(runId, run);
      return run;
    },
    log: { warn: vi.fn() },
  });
  await silentHosts.look();
  return {
    looks: () => looks,
    gates: (run: Run) => (open.get(run.id)?.approvals ?? []).map(({ gateKey, state }) => `${gateKey} ${state}`),
    dies() {
      diedAt = Date.now();
    },
    add: (run: Run) => open.set(run.id, run),
    end: silentHosts.stop,
  };
}

const working = (...inputs: Input[]) => given({}, bound, started, sent, ...inputs).run;

test('asks a person when the time of the host is over, whenever it fell silent', async () => {
  const run = working();
  const { gates, dies, end } = await givenHosts(run);
  // In the middle of the time between two looks.
  await vi.advanceTimersByTimeAsync(SILENT_MS * 1.5);
  dies();
  await vi.advanceTimersByTimeAsync(SILENT_MS - BEAT_MS);
  expect(gates(run)).toEqual([]);
  await vi.advanceTimersByTimeAsync(BEAT_MS * 2);
  expect(gates(run)).toEqual(['host_unreachable pending']);
  end();
});

test('looks about once in that time at hosts that are there', async () => {
  const { looks, end } = await givenHosts(working());
  const before = looks();
  await vi.advanceTimersByTimeAsync(SILENT_MS * 10);
  expect(looks() - before).toBeLessThanOrEqual(11);
  end();
});

test('asks once about each run, and nothing about one that waits for a person anyway', async () => {
  const run = working();
  const atGate = given({}, ...firstPhaseDone).run;
  const { gates, dies, end } = await givenHosts(run, { ...atGate, id: 'another' });
  dies();
  await vi.advanceTimersByTimeAsync(SILENT_MS * 4);
  expect(gates(run)).toEqual(['host_unreachable pending']);
  expect(gates({ ...atGate, id: 'another' })).toEqual(['spec_approved pending']);
  end();
});

test('asks about a run that gets work while its host is gone', async () => {
  const { gates, dies, add, end } = await givenHosts();
  dies();
  await vi.advanceTimersByTimeAsync(SILENT_MS * 3);
  const run = working();
  add(run);
  await vi.advanceTimersByTimeAsync(SILENT_MS);
  expect(gates(run)).toEqual(['host_unreachable pending']);
  end();
});
