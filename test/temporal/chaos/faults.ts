import { signalIfThere } from '../../../schemas/process/processes.ts';
import { until } from '../../helpers/until.ts';
import type { RunRecord } from './driver.ts';
import type { Machine } from './machine.ts';
import { lasts, type World } from './world.ts';

/** Does it, ends it if it lasts, and says what it did. Undefined: there was nothing to break. */
export type Fault = (world: World, runs: readonly RunRecord[]) => Promise<string | undefined>;

const anyMachine = ({ machines, dice }: World): Machine => dice.pick(machines);
/** Shorter and longer than what hosts, leases and heartbeats put up with. */
const lastsSome = ({ dice }: World) => dice.pick([1_500, 6_000, 12_000, 25_000]);

function kill(pid: number | undefined, what: string): string | undefined {
  if (pid === undefined) return undefined;
  signalIfThere(pid, 'SIGKILL');
  return what;
}

async function disturbLink(world: World, how: 'freeze' | 'cut'): Promise<string> {
  const { name, uplink } = anyMachine(world);
  const ms = lastsSome(world);
  uplink[how]();
  await lasts(ms);
  uplink.thaw();
  return `${name} (${uplink.kind}) for ${ms} ms`;
}

/** Waits until so many events more are written, or a while. */
async function moreEvents({ postgres }: World, count: number): Promise<void> {
  const events = async () => Number((await postgres.query('SELECT count(*) AS n FROM run_events'))[0]?.n);
  const from = await events();
  await until('more events are written', async () => (await events()) >= from + count, 30_000).catch(() => {});
}

/** Each run's last event. Nobody writes another one until `then` is over. */
const lastSeqs = ({ postgres }: World, then: () => unknown) =>
  postgres.alone(async (query) => {
    const rows = await query('SELECT run_id, max(seq)::int AS seq FROM run_events GROUP BY run_id');
    await then();
    return new Map(rows.map(({ run_id, seq }) => [String(run_id), Number(seq)]));
  });

export const FAULTS = {
  daemon: async (world) => {
    const machine = anyMachine(world);
    return kill(machine.daemonPid(), `daemon of ${machine.name}`);
  },
  // Only a service starts a keeper again.
  keeper: async ({ machines, dice }) => {
    const machine = dice.pick(machines.filter(({ hasService }) => hasService));
    return kill(machine.keeperPid(), `keeper of ${machine.name}`);
  },
  tmux: async (world) => {
    const machine = anyMachine(world);
    return kill(machine.tmuxPid(), `tmux of ${machine.name}`);
  },
  backend: async ({ postgres, dice }) => `backend of: ${await postgres.endBackend(dice.pick)}`,
  async postgresRestarts({ postgres, dice }) {
    await postgres.stop();
    const ms = dice.pick([0, 1_000, 8_000]);
    await lasts(ms);
    await postgres.start();
    return `away for ${ms} ms`;
  },
  async postgresKilled({ postgres, dice }) {
    await postgres.kill();
    const ms = dice.pick([0, 3_000]);
    await lasts(ms);
    await postgres.start();
    return `away for ${ms} ms`;
  },
  async temporalKilled({ temporal, dice }) {
    await temporal.kill();
    const ms = dice.pick([0, 5_000, 15_000]);
    await lasts(ms);
    await temporal.start();
    return `away for ${ms} ms`;
  },
  async temporalForgets({ temporal }) {
    await temporal.kill();
    temporal.forget();
    await temporal.start();
    return 'without its data';
  },
  linkFrozen: (world) => disturbLink(world, 'freeze'),
  linkCut: (world) => disturbLink(world, 'cut'),
  async powerOff(world) {
    const machine = anyMachine(world);
    const ms = lastsSome(world);
    await machine.powerOff();
    await lasts(ms);
    machine.boot();
    return `${machine.name} (${machine.uplink.kind}) for ${ms} ms`;
  },
  async restored(world, runs) {
    const { postgres, dice } = world;
    const then = await lastSeqs(world, postgres.copy);
    await moreEvents(world, dice.int(5, 40));
    const now = await lastSeqs(world, postgres.kill);
    postgres.restore();
    await postgres.start();
    const behind = [...now].filter(([runId, seq]) => seq > (then.get(runId) ?? 0));
    const runIds = behind.map(([runId]) => runId);
    for (const run of runs) {
      if (run.state !== 'starting' && !runIds.includes(run.runId)) continue;
      run.setBack += 1;
      if (run.state === 'ended') run.state = 'open';
    }
    return behind.map(([runId, seq]) => `${runId.slice(-6)}: ${seq} -> ${then.get(runId) ?? 0}`).join(', ');
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;
