import { chmodSync, cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { resolvePaths } from '../../../schemas/files/paths.ts';
import type { TestTemporal } from '../../helpers/globalTemporal.ts';
import { openNetwork } from '../../helpers/network.ts';
import { until } from '../../helpers/until.ts';
import { createDice } from './dice.ts';
import { Driver } from './driver.ts';
import { FAULTS, type Fault, type FaultName } from './faults.ts';
import { KINDS, type KindName } from './kinds.ts';
import { proveNothingIsLeft } from './leftovers.ts';
import { type Machine, makeMachine } from './machine.ts';
import { judge, type Verdict } from './proofs.ts';
import { startPostgres, startTemporal } from './servers.ts';
import { networkUplink, proxyUplink, type Uplink } from './uplink.ts';
import { codeOf, lasts, type Story, type World } from './world.ts';

type Place = Pick<TestTemporal, 'program' | 'namespace' | 'packages'>;

export interface Round {
  seed: number;
  runs: number;
  faults: readonly FaultName[];
  /** How many runs are open at a time. */
  atOnce: number;
  /** How often the next fault does not wait for the hosts. */
  overlap: number;
}

const NAMES = ['red', 'green', 'blue'] as const;
/** Agents that differ from host to host. */
const SCRIPTED = ['busy-ms=150', 'busy-ms=400,ignore-hup', 'busy-ms=60,hooks-late=300'] as const;
/** A host that comes back by itself does so in this time, on a busy machine. */
const NOTICE_MS = 1_500;
const BACK_MS = 150_000;

/** Three hosts on one Postgres and one Temporal, all ended after the test. The last host is never in a namespace. */
async function buildWorld(seed: number, program: string, story: Story): Promise<World> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'devflow-chaos-')));
  // As root, the database server runs as another user, who must be able to enter.
  chmodSync(root, 0o711);
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const network = openNetwork();
  onTestFinished(() => network?.close());
  const postgres = await startPostgres(join(root, 'postgres'), network);
  onTestFinished(() => postgres.stop());
  const temporal = await startTemporal(program, join(root, 'temporal'));
  onTestFinished(() => temporal.kill());
  const uplinkOf = async (nth: number): Promise<Uplink> =>
    network && nth < NAMES.length - 1
      ? networkUplink(network, { postgresPort: postgres.port, temporal })
      : proxyUplink({ postgres: { path: join(postgres.socketDir, `.s.PGSQL.${postgres.port}`) }, temporal });
  const machines: Machine[] = [];
  for (const [nth, name] of NAMES.entries())
    machines.push(await makeMachine(name, await uplinkOf(nth), SCRIPTED[nth] as string));
  return { machines, postgres, temporal, dice: createDice(String(seed)), story };
}

/** Plays one round, and finds what must not be. */
export async function playRound({ seed, runs, faults, atOnce, overlap }: Round, place: Place, story: Story) {
  const began = Date.now();
  const world = await buildWorld(seed, place.program, story);
  story.say('round', { seed, runs, faults, root: world.machines.map(({ panes }) => panes.daemon.root) });
  await startAll(world);
  let left = faults.length;
  const driver = new Driver(world, {
    kinds: world.dice.deal(Object.keys(KINDS) as KindName[], Math.max(runs, 12)),
    atOnce,
    isMoreWanted: (begun) => begun < runs || (left > 0 && begun < 3 * runs),
    isOver: () => left === 0,
  });
  const driving = driver.drive();
  driving.catch(() => {});
  const typed: string[] = [];
  for (const name of faults) {
    await strike(world, driver, name);
    left -= 1;
    // The next one then meets hosts that are coming back.
    if (left > 0 && world.dice.chance(overlap)) continue;
    await comeBack(world, name, typed);
    driver.isDisturbed = false;
  }
  await driving;
  const verdicts: Verdict[] = [];
  for (const run of driver.runs) verdicts.push(await judge(world, run));
  await proveNothingIsLeft(world, place, driver.runs);
  const summary = {
    ...summaryOf(world, verdicts),
    ...{ seed, seconds: Math.round((Date.now() - began) / 1000), faults: faults.length, typed },
  };
  story.say('summary', summary);
  if (story.findings.length > 0) keepLogs(world, seed);
  return summary;
}

/** One host by a person, the others by their services. From then on nobody starts anything. */
async function startAll({ machines: [first, ...others] }: World): Promise<void> {
  const { code, stderr } = (await first?.cli(['up'])) ?? {};
  if (code !== 0) throw new Error(`devflow up: ${code} ${stderr}`);
  for (const machine of others) machine.boot();
  const all = [first, ...others] as Machine[];
  await until('all hosts are there', async () => (await faultsOf(all)).size === 0);
}

function summaryOf({ machines, story }: World, verdicts: readonly Verdict[]) {
  const sum = (of: (verdict: Verdict) => number) => verdicts.reduce((all, each) => all + of(each), 0);
  return {
    load: readFileSync('/proc/loadavg', 'utf8').split(' ')[0],
    hosts: machines.map(({ uplink }) => uplink.kind),
    runs: verdicts.length,
    right: verdicts.filter(({ findings, as }) => findings.length === 0 && as !== 'lost').length,
    lost: verdicts.filter(({ as }) => as === 'lost').length,
    setBack: verdicts.filter(({ setBack }) => setBack > 0).length,
    events: sum(({ events }) => events),
    prompts: sum(({ prompts }) => prompts),
    repeated: sum(({ repeated }) => repeated),
    gates: sum(({ gates }) => gates),
    recoveries: verdicts.flatMap(({ recoveries }) => recoveries),
    notes: Object.fromEntries(story.notes),
    findings: story.findings,
  };
}

/** Lets the runs move, then breaks something. */
async function strike(world: World, driver: Driver, name: FaultName): Promise<void> {
  const { story, dice } = world;
  await lasts(dice.int(500, 5_000));
  driver.isDisturbed = true;
  const began = Date.now();
  try {
    const did = await (FAULTS as Record<FaultName, Fault>)[name](world, driver.runs);
    const [open, ms] = [driver.open.length, Date.now() - began];
    story.say('fault', { name, did: did ?? 'nothing was there', ms, open });
  } catch (error) {
    story.find(`fault ${name} failed: ${codeOf(error)} ${(error as Error).stack}`);
  }
}

/** If a host does not come back by itself, that is found, somebody types `up`, and the round goes on. */
async function comeBack(world: World, name: FaultName, typed: string[]): Promise<void> {
  const { machines, story } = world;
  const isBack = () =>
    until('all hosts are back', async () => (await faultsOf(machines)).size === 0, BACK_MS).then(
      () => true,
      () => false,
    );
  // A daemon may still have to notice.
  await lasts(NOTICE_MS);
  const since = Date.now();
  const didComeBack = await isBack();
  story.say('back', { after: name, ms: Date.now() - since, alone: didComeBack });
  if (didComeBack) return;
  for (const [machine, fault] of await faultsOf(machines)) {
    story.find(`after ${name}, ${machine.name}: ${fault.says}`);
    if (fault.answers) continue;
    const { code, stderr } = await machine.cli(['up']);
    typed.push(`${machine.name} after ${name}: ${code} ${stderr.slice(0, 200)}`);
  }
  if (!(await isBack())) story.find(`after ${name}, a host does not even come back after devflow up`);
}

/** Of the hosts that do not answer, or that do not see all hosts ready. */
async function faultsOf(machines: readonly Machine[]): Promise<Map<Machine, { answers: boolean; says: string }>> {
  const faults = new Map<Machine, { answers: boolean; says: string }>();
  const look = async (machine: Machine) => {
    try {
      const hosts = await machine.call('host.list', {});
      const away = hosts.filter(({ state }) => state !== 'ready').map(({ id, state }) => `${id} is ${state}`);
      if (hosts.length < machines.length) away.push(`it knows ${hosts.length} hosts`);
      if (away.length > 0) faults.set(machine, { answers: true, says: away.join(', ') });
    } catch (error) {
      faults.set(machine, { answers: false, says: `${codeOf(error)} ${(error as Error).message}` });
    }
  };
  await Promise.all(machines.map(look));
  return faults;
}

/** For whoever looks for the reason. */
function keepLogs({ machines, story }: World, seed: number): void {
  for (const { name, panes } of machines)
    cpSync(resolvePaths(panes.daemon.env).logFile, join(story.directory, `${seed}-${name}.log`));
}
