import { setTimeout as sleep } from 'node:timers/promises';
import { installTemporal } from '../temporal/install.ts';
import { type Engine, type EnginePlace, withEngine } from './enginePlace.ts';
import { type Bench, createSheet, type Figure, type Sheet } from './figure.ts';
import { writeTemplates } from './phases.ts';
import { playRun, timeOf } from './playRun.ts';
import { cpuMs, pssMegabytes, send } from './processes.ts';
import { makeRepository } from './repository.ts';

const WAITING = 50;
const SETTLE_MS = 10_000;
const WATCH_MS = 20_000;
const HOUR_MS = 3_600_000;
const QUICK = { DEVFLOW_ARTIFACT_DEBOUNCE_MS: '0', DEVFLOW_FAKE_DELAY_MS: '0', DEVFLOW_LOG_LEVEL: 'info' };

/** What a second engine costs, and how soon each goes on after a kill. */
export const engines: Bench = {
  name: 'engines',
  title: 'Both engines',
  reading:
    'The run of ten phases above on `engine: local` and on `engine: temporal`, with a development server that the tests bring ' +
    '(none of its figures without one). Both have the same external Postgres, and take turns. An effect is the time of the ' +
    'whole run divided by its effects, which the history of its workflow counts. After `kill -9` in the middle of a run: until ' +
    `its next event; \`devflow up\` or the start of the server follows at once. Waiting: ${WAITING} runs whose agent works, CPU ` +
    `over ${WATCH_MS / 1000} s in percent of one core, ${SETTLE_MS / 1000} s after the last start; memory is the proportional share (PSS).`,
  async run({ rounds = 3 }) {
    const sheet = createSheet();
    const tools = await installTemporal().catch((error: Error) => error);
    if (tools instanceof Error) console.error(`engines: engine: temporal is not measured, ${tools.message}`);
    const place = tools instanceof Error ? '' : tools;
    const kinds: Engine[] = tools instanceof Error ? ['local'] : ['local', 'temporal'];
    for (let round = 0; round < rounds; round += 1)
      for (const kind of kinds) await withEngine(kind, place, QUICK, (lent) => measureRuns(lent, sheet, kind));
    for (const kind of kinds) await withEngine(kind, place, QUICK, (lent) => measureWaiting(lent, sheet, kind));
    return kinds.flatMap((kind) => figuresOf(sheet, kind));
  },
};

const REQUEST = { template: 'bench-read', backend: { worker: 'fake' } } as const;

async function measureRuns(place: EnginePlace, sheet: Sheet, kind: Engine): Promise<void> {
  writeTemplates(place);
  const repo = makeRepository(place, 'repo');
  const up = async () => Number(JSON.parse((await place.devflow('up', '--json')).stdout).daemon.pid);
  let daemon = await up();
  const client = await place.connect();
  await playRun(place, client, { repo, ...REQUEST });
  const events = await playRun(place, client, { repo, ...REQUEST });
  client.close();
  sheet.add(`${kind} run`, timeOf(events.at(-1)) - timeOf(events[0]));
  if (place.server) {
    const { events: count, bytes, effects } = await place.server.historyOf(events[0]?.runId ?? '');
    sheet.add('history', count);
    sheet.add('bytes', bytes / 1024);
    sheet.add('effects', effects);
  }
  const killed = await inMidRun(place, repo);
  const at = Date.now();
  send(daemon, 'SIGKILL');
  daemon = await up();
  sheet.add(`${kind} daemon ready`, Date.now() - at);
  sheet.add(`${kind} daemon`, (await nextEvent(place, killed, at)) - at);
  await end(place, killed);
  if (!place.server) return;
  const interrupted = await inMidRun(place, repo);
  await place.server.kill();
  await place.server.start();
  const back = Date.now();
  sheet.add('server', (await nextEvent(place, interrupted, back)) - back);
  await end(place, interrupted);
}

/** Starts a run and returns once its second phase has begun. */
async function inMidRun(place: EnginePlace, repo: string): Promise<string> {
  const client = await place.connect();
  const started = await client.call('run.start', { repo, requirements: 'Nothing.', ...REQUEST });
  client.close();
  if (!('runId' in started)) throw new Error('not started');
  await poll(place, started.runId, `type = 'phase.started' AND payload->>'attempt' = '1' OFFSET 1`);
  return started.runId;
}

async function nextEvent(place: EnginePlace, runId: string, after: number): Promise<number> {
  return poll(place, runId, `ts > to_timestamp(${after / 1000})`);
}

const end = (place: EnginePlace, runId: string) => poll(place, runId, `type = 'run.completed'`);

/** Waits for an event and returns its time. */
async function poll({ pool }: EnginePlace, runId: string, which: string): Promise<number> {
  const [condition, offset = ''] = which.split(' OFFSET ');
  const text = `SELECT ts FROM run_events WHERE run_id = $1 AND ${condition} ORDER BY seq LIMIT 1 OFFSET ${offset || 0}`;
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; ) {
    const { rows } = await pool.query(text, [runId]);
    if (rows[0]) return rows[0].ts.getTime();
    await sleep(3);
  }
  throw new Error(`run ${runId} has no event with ${condition}`);
}

async function measureWaiting(place: EnginePlace, sheet: Sheet, kind: Engine): Promise<void> {
  const { env, server } = place;
  Object.assign(env, {
    DEVFLOW_FAKE_DELAY_MS: String(HOUR_MS),
    DEVFLOW_MAX_CONCURRENT_AGENTS: String(WAITING),
    DEVFLOW_MAX_CONCURRENT_RUNS: String(WAITING),
  });
  writeTemplates(place);
  const repo = makeRepository(place, 'repo', WAITING);
  const { daemon } = JSON.parse((await place.devflow('up', '--json')).stdout);
  const groups: Record<string, number[]> = { daemon: [daemon.pid], ...(server && { server: [server.pid()] }) };
  await watch(sheet, `${kind} rest`, groups);
  const client = await place.connect();
  for (let nth = 0; nth < WAITING; nth += 1) {
    const request = { repo, requirements: 'Nothing.', base: `base-${nth}`, ...REQUEST };
    const started = await client.call('run.start', request);
    if ('runId' in started) await poll(place, started.runId, `type = 'artifact.expected'`);
  }
  client.close();
  await watch(sheet, `${kind} waiting`, groups);
}

async function watch(sheet: Sheet, what: string, groups: Record<string, number[]>): Promise<void> {
  await sleep(SETTLE_MS);
  const before = Object.values(groups).map(cpuMs);
  await sleep(WATCH_MS);
  for (const [nth, [name, pids]] of Object.entries(groups).entries()) {
    sheet.add(`${what} ${name} %`, ((cpuMs(pids) - (before[nth] ?? 0)) / WATCH_MS) * 100);
    sheet.add(`${what} ${name} MB`, pssMegabytes(pids));
  }
}

function figuresOf(sheet: Sheet, kind: Engine): Figure[] {
  const of = (name: string, unit: Figure['unit'], key: string): Figure => ({
    name: `${kind}: ${name}`,
    unit,
    rounds: sheet.of(key),
  });
  const effects = sheet.of('effects')[0];
  const usage = (when: string, key: string) =>
    (kind === 'temporal' ? ['daemon', 'server'] : ['daemon']).flatMap((name) => [
      of(`${when}, ${name}, CPU`, '%', `${kind} ${key} ${name} %`),
      of(`${when}, ${name}, memory`, 'MB', `${kind} ${key} ${name} MB`),
    ]);
  return [
    of('a run of ten phases', 'ms', `${kind} run`),
    ...(effects === undefined
      ? []
      : [{ ...of('an effect', 'ms', ''), rounds: sheet.of(`${kind} run`).map((ms) => ms / effects) }]),
    ...(kind === 'temporal'
      ? [
          of('events in the history of a run', '', 'history'),
          of('its size, kB', '', 'bytes'),
          of('kill -9 of the server, back to the next event', 'ms', 'server'),
        ]
      : []),
    of('kill -9 of the daemon to the next event', 'ms', `${kind} daemon`),
    of('  of it until devflow up returns', 'ms', `${kind} daemon ready`),
    ...usage('at rest', 'rest'),
    ...usage(`${WAITING} waiting runs`, 'waiting'),
  ];
}
