import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../schemas/files/paths.ts';
import { startDaemon } from '../../helpers/daemon.ts';
import { drive, startRun } from '../../helpers/drive.ts';
import { until } from '../../helpers/until.ts';
import { requirementsFor } from '../plannedTasks.ts';
import { commitAll, installedRepo } from '../setUpRuns.ts';
import { payloads, proveEnd } from '../support.ts';

const TASKS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];

/** Listens at its port. In a lane it stays until all may go, so that all of them listen at once. */
const SERVER = `
const { appendFileSync, existsSync, watch } = require('node:fs');
const { DEVFLOW_LANE: lane, PORT, ROOM } = process.env;
const server = require('node:net').createServer();
server.on('error', ({ message }) => { console.error(message); process.exit(8); });
server.listen({ port: Number(PORT), host: '127.0.0.1', exclusive: true }, () => {
  appendFileSync(ROOM + '/' + lane, PORT + '\\n');
  const leave = () => { if (!lane.startsWith('lane-') || existsSync(ROOM + '/go')) process.exit(0); };
  watch(ROOM, leave);
  leave();
});
`;

test('eight lanes at once have eight servers at ports of their own, the same after a kill', async () => {
  const daemon = await startDaemon();
  const templates = join(daemon.env.DEVFLOW_HOME ?? '', 'templates');
  mkdirSync(templates);
  const text = readFileSync(join(packageRoot(), 'schemas', 'templates', 'parallel-development@1.yaml'), 'utf8');
  const wide = text.replace('name: parallel-development', 'name: wide').replace('max: 4', 'max: 8');
  writeFileSync(join(templates, 'wide@1.yaml'), wide);
  const isThere = async () => (await daemon.ask('template.list', {})).some(({ name }) => name === 'wide') || undefined;
  await until('devflow took up the template', isThere);
  const room = join(daemon.root, 'room');
  mkdirSync(room);
  const { repo } = installedRepo(daemon, { setup: [['node', 'serve.cjs']], env: { ROOM: room } });
  repo.write({ 'serve.cjs': SERVER });
  commitAll(repo);

  const tasks = TASKS.map((id) => ({ id, checks: [{ argv: ['node', 'serve.cjs'] }] }));
  const backend = { planner: 'fake', implementer: 'fake', resolver: 'fake' } as const;
  const request = { template: 'wide@1', requirements: requirementsFor(tasks), backend, extra: { verify: [['true']] } };
  const runId = await startRun(daemon, { repo: repo.dir, ...request, allowSetup: true });
  const driving = drive(daemon, runId, { patienceMs: 300_000 });
  const inLanes = () => readdirSync(room).filter((name) => name.startsWith('lane-'));
  await until('eight servers listen', () => inLanes().length === TASKS.length || undefined);
  const portsOf = async () => {
    const { setups = [] } = await daemon.ask('run.get', { runId });
    return Object.fromEntries(setups.map(({ laneId, ports }) => [laneId, ports.PORT]));
  };
  const before = await portsOf();
  expect(new Set(Object.values(before)).size).toBe(TASKS.length + 1);
  await daemon.kill('SIGKILL');
  await daemon.start();
  expect(await portsOf()).toEqual(before);
  writeFileSync(join(room, 'go'), '');
  await driving;
  const { events } = await proveEnd(daemon, runId, 'completed');
  expect(payloads(events, 'worktree.placed')).toHaveLength(TASKS.length + 1);
  for (const lane of inLanes()) {
    // By its set-up, and by a check after the kill.
    const used = readFileSync(join(room, lane), 'utf8').trim().split('\n');
    expect(used.length).toBeGreaterThan(1);
    expect(new Set(used)).toEqual(new Set([String(before[lane])]));
  }
});
