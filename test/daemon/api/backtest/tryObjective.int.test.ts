import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createTries } from '../../../../daemon/api/backtest/tryObjective.ts';
import { readStartTime } from '../../../../daemon/commands/processIdentity.ts';
import { packagePlaces } from '../../../../daemon/definitions/places.ts';
import type { Held } from '../../../../daemon/rpc/peer.ts';
import { readTemplateFile } from '../../../../schemas/definitions/definitionFile.ts';
import { createRegistry } from '../../../../schemas/definitions/registry.ts';
import { scratchRepo } from '../../../helpers/repo.ts';

/** Tries in a repository of the test's own, by callers that can go. */
function given() {
  const repo = scratchRepo();
  onTestFinished(() => repo.cleanup());
  repo.write({ file: 'one\n' });
  repo.git('add', '.');
  repo.git('commit', '-qm', 'One');
  const { artifacts, templates } = packagePlaces();
  const registry = createRegistry({ builtinDir: artifacts });
  const read = readTemplateFile(join(templates, 'backtest-strategy@1.yaml'), registry);
  if (!read.ok) throw new TypeError('there is no template');
  const workspaceRoot = join(repo.root, 'workspace');
  const config = { workspaceRoot, recovery: { commandTimeoutMs: 60_000 } };
  const definitions = { getTemplate: async () => ({ template: read.value.definition }) };
  const tries = createTries({ definitions, registry, config } as never);
  onTestFinished(() => tries.close());
  const ask = (script: string) => {
    const held: Held[] = [];
    const peer = { hold: (each: Held) => held.push(each), release: () => true };
    const objective = {
      targets: [{ metric: 'sharpe', op: 'gte', value: 1 }],
      measure: { argv: ['sh', '-c', script], parser: 'keyvalue', file: 'metrics.txt' },
      guards: [],
    };
    const params = { repo: repo.dir, objective, template: 'backtest-strategy' };
    const answer = Promise.resolve(tries.tryObjective(params, { peer } as never));
    answer.catch(() => {});
    return { answer, goAway: () => held.forEach((each) => void each.close()) };
  };
  return { ask, tries, repo, left: () => readdirSync(join(workspaceRoot, 'tries')) };
}

it('tells the command what a run tells it, and a directory whose name nobody can guess', async () => {
  const { ask, repo, left } = given();
  const seen = join(repo.root, 'seen');
  const { answer } = ask(`env > ${seen}; echo sharpe=2 > "$DEVFLOW_METRICS/metrics.txt"`);
  expect((await answer).measurement).toMatchObject({ fault: null, metrics: { sharpe: 2 } });
  const lines = readFileSync(seen, 'utf8').split('\n');
  expect(lines).toEqual(expect.arrayContaining(['DEVFLOW_MEASUREMENT=0', 'DEVFLOW_SPLIT=all']));
  expect(lines.find((line) => line.startsWith('DEVFLOW_METRICS='))).toMatch(/\/metrics\/[0-9a-f]{32}$/);
  expect(left()).toEqual([]);
});

it.each([
  ['its caller is gone', 'goAway'],
  ['the daemon stops', 'close'],
])('ends its command, what that left and the checkout when %s', async (_, how) => {
  const { ask, tries, repo, left } = given();
  const pids = join(repo.root, 'pids');
  const { answer, goAway } = ask(`sleep 1000 & echo $$ $! > ${pids}; trap '' TERM; wait; sleep 1000`);
  await expect.poll(() => existsSync(pids) && readFileSync(pids, 'utf8')).toMatch(/\d+ \d+\n/);
  const waiting = ask(`touch ${join(repo.root, 'second')}`);
  waiting.goAway();
  if (how === 'goAway') goAway();
  else await tries.close();
  await expect(answer).rejects.toMatchObject({ code: 'command_failed' });
  await expect(waiting.answer).rejects.toMatchObject({ code: 'command_failed' });
  const started = readFileSync(pids, 'utf8').trim().split(' ').map(Number);
  // Their new parent may not have collected them yet.
  const startTimes = await Promise.all(started.map(readStartTime));
  const alive = started.filter((_, at) => startTimes[at] !== undefined);
  expect([alive, left(), existsSync(join(repo.root, 'second'))]).toEqual([[], [], false]);
});

it('removes at the start what a killed daemon left', async () => {
  const { repo } = given();
  const workspaceRoot = join(repo.root, 'other');
  mkdirSync(join(workspaceRoot, 'tries', 'try-old', 'checkout'), { recursive: true });
  writeFileSync(join(workspaceRoot, 'tries', 'try-old', 'checkout', 'file'), '');
  await createTries({ config: { workspaceRoot } } as never).close();
  expect(readdirSync(join(workspaceRoot, 'tries'))).toEqual([]);
});
