import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { onOutcome } from '../../../../daemon/core/transition.ts';
import { createSilentHosts } from '../../../../daemon/engine/hosts/silentHosts.ts';
import { bound, firstPhaseDone, given, type Input, pause, sent, started } from '../../core/support/given.ts';
import { second } from '../../core/support/run.ts';
import { TEMPLATES } from '../../core/support/templates.ts';
import { untilDue } from '../../core/support/unattended.ts';

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
  let records = 0;
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
      records += 1;
      const { run } = onOutcome(open.get(runId) as Run, outcome, second(99));
      open.set(runId, run);
      return run;
    },
    log: { warn: vi.fn() },
  });
  await silentHosts.look();
  return {
    looks: () => looks,
    records: () => records,
    gates: (run: Run) => (open.get(run.id)?.approvals ?? []).map(({ gateKey, state }) => `${gateKey} ${state}`),
    dies(at = Date.now()) {
      diedAt = at;
    },
    add: (run: Run) => open.set(run.id, run),
    look: silentHosts.look,
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

test('does not count the silence from before this daemon started', async () => {
  const run = working();
  const { gates, dies, end, look } = await givenHosts(run);
  // Postgres was away for an hour, or is a backup of an hour ago.
  dies(Date.now() - 3_600_000);
  await look();
  await vi.advanceTimersByTimeAsync(SILENT_MS - BEAT_MS);
  expect(gates(run)).toEqual([]);
  await vi.advanceTimersByTimeAsync(BEAT_MS * 2);
  expect(gates(run)).toEqual(['host_unreachable pending']);
  end();
});

test('reads nothing of a run that a person has paused, or that asks already', async () => {
  const testing = untilDue('runCommand', given({ template: TEMPLATES.lanes })).on(pause).run;
  expect(decide(testing).map(({ type }) => type)).toContain('runCommand');
  const asking = { ...working(), id: 'asking' };
  const { gates, dies, records, end } = await givenHosts(testing, asking);
  dies();
  await vi.advanceTimersByTimeAsync(SILENT_MS * 5);
  expect(gates(asking)).toEqual(['host_unreachable pending']);
  expect(records()).toBe(1);
  end();
});
