import { setTimeout as sleep } from 'node:timers/promises';
import { installTemporal } from '../temporal/install.ts';
import { type Engine, type EnginePlace, withEngine } from './enginePlace.ts';
import { type Bench, createSheet, type Figure, type Sheet } from './figure.ts';
import { writeOnePhase } from './onePhase.ts';
import { ownMemoryOf } from './ownMemory.ts';
import { playRuns } from './playRuns.ts';
import { makeRepository } from './repository.ts';

const RUNS = 1_000;
/** So many runs fill the caches that every daemon keeps. */
const FIRST = 500;
const AT_ONCE = 8;
/** The daemon collects garbage after five quiet seconds. */
const SETTLE_MS = 15_000;

/** What a daemon keeps of runs that have ended, on each engine. */
export const ended: Bench = {
  name: 'ended',
  title: 'Memory of ended runs on both engines',
  reading:
    `The memory of the daemon that is in no file (heaps and stacks), 15 s after its start and after ${FIRST} and ${RUNS} runs of one ` +
    `phase with the fake agent, ${AT_ONCE} at a time, on \`engine: local\` and on \`engine: temporal\` with a development server that ` +
    'the tests bring (none of its figures without one). What a run leaves is the difference of the last two, divided by the runs ' +
    'between them.',
  async run({ rounds = 1 }) {
    const sheet = createSheet();
    const tools = await installTemporal().catch((error: Error) => error);
    if (tools instanceof Error) console.error(`ended: engine: temporal is not measured, ${tools.message}`);
    const kinds: Engine[] = tools instanceof Error ? ['local'] : ['local', 'temporal'];
    const place = tools instanceof Error ? '' : tools;
    for (let round = 0; round < rounds; round += 1)
      for (const kind of kinds) await withEngine(kind, place, VARIABLES, (lent) => measure(lent, sheet, kind));
    return kinds.flatMap((kind) => figuresOf(sheet, kind));
  },
};

const VARIABLES = {
  DEVFLOW_ARTIFACT_DEBOUNCE_MS: '0',
  DEVFLOW_FAKE_DELAY_MS: '0',
  DEVFLOW_LOG_LEVEL: 'info',
  DEVFLOW_MAX_CONCURRENT_RUNS: String(2 * AT_ONCE),
  DEVFLOW_MAX_CONCURRENT_AGENTS: String(AT_ONCE),
};

async function measure(place: EnginePlace, sheet: Sheet, kind: Engine): Promise<void> {
  writeOnePhase(place, { name: 'bench-one', backend: 'fake' });
  const repos = Array.from({ length: AT_ONCE }, (_, nth) => makeRepository(place, `repo-${nth}`));
  const { daemon } = JSON.parse((await place.devflow('up', '--json')).stdout);
  const note = async (name: string) => {
    await sleep(SETTLE_MS);
    const { anonymous } = ownMemoryOf([daemon.pid]);
    sheet.add(`${kind} ${name}`, anonymous);
    return anonymous;
  };
  await note('start');
  await playRuns(place, repos, FIRST);
  const before = await note('first');
  await playRuns(place, repos, RUNS - FIRST);
  const after = await note('all');
  sheet.add(`${kind} run`, ((after - before) * 1024) / (RUNS - FIRST));
}

function figuresOf(sheet: Sheet, kind: Engine): Figure[] {
  const of = (name: string, key: string, unit: Figure['unit'] = 'MB'): Figure => ({
    name: `${kind}: ${name}`,
    unit,
    rounds: sheet.of(`${kind} ${key}`),
  });
  return [
    of('after the start', 'start'),
    of(`after ${FIRST} runs`, 'first'),
    of(`after ${RUNS} runs`, 'all'),
    { ...of('what a run leaves, kB', 'run', ''), aim: { below: 8 } },
  ];
}
