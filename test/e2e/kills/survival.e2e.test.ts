import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolvePaths } from '../../../schemas/files/paths.ts';
import { isAlive } from '../../../schemas/process/processes.ts';
import { countDelivery, readEvents, readJournal } from '../../fixtures/scripted/journal.ts';
import { drive, readLog, startRun } from '../../helpers/drive.ts';
import { keeperOf } from '../../helpers/keeper.ts';
import { makePanes, type Panes, ROLES } from '../../helpers/paneDaemon.ts';
import { until } from '../../helpers/until.ts';
import { payloads, proveEnd, scenario } from '../support.ts';

const NONE = { adopted: 0, resumed: 0, waiting: 0, resting: 0, pending: 0 };

const begin = ({ daemon }: Panes, ...lines: string[]) =>
  startRun(daemon, { repo: daemon.repo().dir, backend: ROLES, requirements: scenario(...lines) });

/** Approves gates until the agent works at the run's n-th prompt: 1 spec, 2 plan, 3 implement. */
async function untilBusy({ daemon, configDir }: Panes, runId: string, nth: number): Promise<void> {
  let prompts = 0;
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'session.busy' && ++prompts === nth });
  await until(`prompt ${nth} is under way`, async () => (await promptsOf(configDir, runId)).length === nth);
}

/** Leaves its first gate undecided. */
const untilGate = ({ daemon }: Panes, runId: string) =>
  drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });

const promptsOf = async (configDir: string, runId: string) =>
  (await readJournal(configDir)).filter(({ text }) => text?.includes(`\nRun: ${runId}\n`));

/** Proves that every prompt of the log arrived once and alone, and no other did. */
async function proveDelivery({ daemon, configDir }: Panes, runId: string): Promise<void> {
  const events = await readLog(daemon, runId);
  const arrived = await promptsOf(configDir, runId);
  const texts = new Map(arrived.map(({ uuids: [uuid], text }) => [uuid, text]));
  const sent = payloads(events, 'prompt.sent').map(({ promptId }) => String(promptId));
  const count = countDelivery(
    sent.map((uuid) => ({ uuid, text: texts.get(uuid) ?? '', acknowledged: true })),
    arrived,
  );
  expect(count).toMatchObject({ whole: sent.length, lost: [], doubled: [], merged: [], whileBusy: [], strangers: [] });
}

/** The agents that were started, with their conversations. */
async function livesOf(configDir: string): Promise<{ pid: number; sessionId: string; resumed: boolean }[]> {
  const started = (await readEvents(configDir)).filter(({ what }) => what === 'started');
  return started.map(({ pid, sessionId = '', argv }) => {
    return { pid, sessionId, resumed: (argv as string[]).includes('--resume') };
  });
}

async function artifactsOf({ daemon }: Panes, runId: string) {
  const { artifacts } = await daemon.call('run.get', { runId });
  return artifacts.map(({ phaseKey, hash }) => ({ phaseKey, hash }));
}

async function killAtOnce(pids: readonly number[]): Promise<void> {
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await until('they are gone', () => !pids.some(isAlive));
}

test('adopts both agents after the daemon is killed in a turn and at a gate', async () => {
  const panes = await makePanes('busy-ms=150');
  const { daemon, configDir, tmux } = panes;
  await daemon.upByCommand();
  const [works, waits] = [await begin(panes, 'ok\nDelay-Ms: spec=2000'), await begin(panes)];
  await untilGate(panes, waits);
  await untilBusy(panes, works, 1);

  const { daemon: before } = await daemon.call('daemon.status', {});
  await killAtOnce([keeperOf(daemon), before.pid]);
  const up = await daemon.upByCommand();
  expect(up.stdout).toMatch(/^devflow is up: .*\nAgents: 2 adopted\.\n$/);
  expect((await daemon.call('daemon.status', {})).agents).toEqual({ ...NONE, adopted: 2 });
  expect((await daemon.cli(['status'])).stdout).toMatch(/^agents +2 adopted$/m);

  const { sessionId, tmux: pane } = await daemon.call('session.attachTarget', { target: `${waits}/planner` });
  tmux('kill-pane', '-t', pane.paneId);
  await until('its end was noticed', async () => (await daemon.call('session.get', { sessionId })).state === 'CRASHED');
  for (const runId of [works, waits]) {
    await drive(daemon, runId);
    await proveEnd(daemon, runId, 'completed');
    await proveDelivery(panes, runId);
  }
  const lives = await livesOf(configDir);
  expect(lives.filter(({ resumed }) => resumed)).toHaveLength(1);
});

test('resumes the conversation and resends its prompt after the tmux server is killed in a turn', async () => {
  const panes = await makePanes('busy-ms=150,ignore-hup');
  const { daemon, configDir, tmux } = panes;
  await daemon.start();
  const runId = await begin(panes, 'spec=spin-then-ok');
  await untilBusy(panes, runId, 1);
  const [first] = await livesOf(configDir);

  await killAtOnce([Number(tmux('display-message', '-p', '#{pid}'))]);
  await drive(daemon, runId);
  const { events } = await proveEnd(daemon, runId, 'completed');
  expect(payloads(events, 'session.recovered').map(({ how }) => how)).toEqual(['resume']);
  const [before, after] = await livesOf(configDir);
  expect(after).toMatchObject({ sessionId: before?.sessionId, resumed: true });
  expect(isAlive(first?.pid ?? 0)).toBe(false);
  const specs = (await promptsOf(configDir, runId)).filter(({ text }) => text?.includes('\nPhase: spec\n'));
  expect(specs.map(({ text }) => /^Attempt: (\d+)$/m.exec(text ?? '')?.[1])).toEqual(['1', '2']);
  expect(specs[1]?.text).toContain('Go on and finish it.');
  await proveDelivery(panes, runId);
});

test('after a reboot each agent resumes, waits or stays down, and all three runs bring the same artifacts', async () => {
  const panes = await makePanes('busy-ms=150,ignore-hup', { database: 'embedded' });
  const { daemon, configDir, tmux, socketPath } = panes;
  const first = await daemon.upByCommand();
  expect(first.stdout).not.toContain('Agents');
  const calm = await begin(panes);
  await drive(daemon, calm);
  await proveEnd(daemon, calm, 'completed');

  const [early, late, atGate] = [
    await begin(panes, 'spec=spin-then-ok'),
    await begin(panes, 'implement=spin-then-ok'),
    await begin(panes),
  ];
  await untilGate(panes, atGate);
  await untilBusy(panes, late, 3);
  await untilBusy(panes, early, 1);
  const orphans = (await livesOf(configDir)).map(({ pid }) => pid).filter(isAlive);
  expect(orphans).toHaveLength(4);

  const status = await daemon.call('daemon.status', {});
  const paths = resolvePaths(daemon.env);
  await killAtOnce([
    keeperOf(daemon),
    status.daemon.pid,
    Number(tmux('display-message', '-p', '#{pid}')),
    postmaster(paths.postgresData),
  ]);
  for (const socket of [socketPath, paths.socketPath, paths.postgresSocketDir]) {
    rmSync(socket, { recursive: true, force: true });
  }
  expect(orphans.filter(isAlive)).toEqual(orphans);

  await daemon.startDatabase();
  const up = await daemon.upByCommand(['--json']);
  const fates = { ...NONE, resumed: 2, waiting: 1, resting: 1 };
  expect(JSON.parse(up.stdout)).toMatchObject({ started: true, agents: fates });
  expect((await daemon.cli(['status'])).stdout).toContain(
    '2 resumed, 1 suspended at a gate, 1 suspended until its run needs it',
  );
  expect(orphans.filter(isAlive)).toEqual([]);

  for (const runId of [early, late, atGate]) {
    await drive(daemon, runId);
    await proveEnd(daemon, runId, 'completed');
    await proveDelivery(panes, runId);
    expect(await artifactsOf(panes, runId)).toEqual(await artifactsOf(panes, calm));
  }
});

/** The pid of the database server; as root its data lies elsewhere. */
function postmaster(postgresData: string): number {
  const elsewhere = join(postgresData, 'LOCATION');
  const directory = existsSync(elsewhere) ? readFileSync(elsewhere, 'utf8').trim() : postgresData;
  return Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
}
