import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NETWORK_VARIABLES } from '../../schemas/process/environment.ts';
import { requirementsFor } from '../e2e/plannedTasks.ts';
import { payloads } from '../e2e/support.ts';
import { shareDaemon } from '../helpers/daemon.ts';
import { installByHand, type Played, play, setupMs, writePersonsFile } from './oneProject.ts';
import { makeCheckout, PREPARED_AT, type Prepared, type Row } from './prepared.ts';
import { PROJECTS } from './projects.ts';

const prepared = JSON.parse(readFileSync(process.env[PREPARED_AT] ?? '', 'utf8')) as Prepared;
const network = NETWORK_VARIABLES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
const daemon = shareDaemon({ env: { ...Object.fromEntries(network), HOME: prepared.home, PATH: prepared.path } });

const byName = prepared.projects.map((given) => [given.project.name, given] as const);

test('the list has more than 20 projects, of seven languages and ten package managers', () => {
  expect(PROJECTS.length).toBeGreaterThan(20);
  expect(new Set(PROJECTS.map(({ language }) => language.split(',')[0])).size).toBe(7);
  expect(new Set(PROJECTS.flatMap(({ tools }) => tools)).size).toBe(10);
});

test.concurrent.for(byName)('%s in main, in two lanes and in the queue', async ([, given]) => {
  const { project } = given;
  const checkout = join(daemon().root, 'projects', project.name);
  const { env } = daemon();
  const base = makeCheckout(checkout, given, env);
  const row: Row = {
    name: project.name,
    language: project.language,
    release: project.release.spec,
    setup: [],
    verify: [],
    reason: 'it did not end',
  };
  const keep = (more: Partial<Row>) => {
    Object.assign(row, more);
    writeFileSync(join(prepared.rows, `${project.name}.json`), JSON.stringify(row));
  };
  keep({});

  writePersonsFile(daemon(), checkout, {});
  const first = await play(daemon(), checkout, 'x');
  const { setup, verify } = first;
  const words = (commands: readonly string[][]) => commands.map((argv) => argv.join(' '));
  keep({
    setup: words(setup?.commands.map(({ argv }) => argv) ?? []),
    verify: words(verify),
    installMs: setupMs(first.events, 'main'),
    reason: first.faults[0]?.split('\n')[0] ?? row.reason,
  });
  const { red } = project;
  if (red && !red.inLanes) {
    expect(first.faults.join('\n')).toContain(red.says);
    keep({ reason: red.because });
    return;
  }
  expect(first.faults).toEqual([]);
  if (setup) expect(lanesSetUp(first)).toContain('main');
  expect(verify).not.toEqual([]);

  if (setup) await installByHand(checkout, setup, env);
  writePersonsFile(daemon(), checkout, { template: 'parallel-development@1' });
  const checks = verify.map((argv) => ({ argv }));
  const tasks = ['A', 'B'].map((id) => ({ id, checks }));
  const second = await play(daemon(), checkout, requirementsFor(tasks));
  const placed = payloads(second.events, 'worktree.placed');
  const isCloned = placed.length > 0 && placed.every(({ commands }) => (commands as unknown[]).length === 0);
  keep({
    cloneMs: isCloned ? setupMs(second.events, 'lane-1') : undefined,
    reason: second.faults[0]?.split('\n')[0] ?? row.reason,
  });
  if (red && second.faults.length > 0) {
    expect(second.faults.join('\n')).toContain(red.says);
    keep({ reason: red.because });
    return;
  }
  expect(second.faults).toEqual([]);
  if (setup) expect(lanesSetUp(second)).toEqual(expect.arrayContaining(['lane-1', 'lane-2']));
  expect(payloads(second.events, 'lane.landed')).toHaveLength(2);
  const tested = payloads(second.events, 'merge.tested');
  expect(tested).not.toEqual([]);
  expect(tested.flatMap(({ failed }) => failed)).toEqual([]);

  // Nothing of the set-up is committed, and the checkout is as it was.
  const git = (...args: string[]) => execFileSync('git', args, { cwd: checkout, env, encoding: 'utf8' }).trim();
  const made = git('diff', '--name-only', base, `devflow/${second.runId}/main`).split('\n');
  expect(made.sort()).toEqual(['src/A/A.txt', 'src/B/B.txt']);
  expect(git('rev-parse', 'HEAD')).toBe(base);
  for (const { runId } of [first, second]) {
    expect(await daemon().call('run.verify', { runId })).toEqual({ runId, ok: true, differences: [] });
    const { code } = await daemon().cli(['cleanup', runId, '--json']);
    if (!project.rewrites) expect(code).toBe(0);
  }
  keep({ reason: undefined });
});

const lanesSetUp = ({ events }: Played) => payloads(events, 'worktree.set_up').map(({ laneId }) => laneId);
