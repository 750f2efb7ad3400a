import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { takeLeadership } from '../../../daemon/db/leader.ts';
import { MIGRATIONS_DIR } from '../../helpers/globalPostgres.ts';
import { openNetwork } from '../../helpers/network.ts';
import { useEmbedded } from './givenEmbedded.ts';

const embedded = useEmbedded();

/** Runs a script after these words until it has printed a line. */
async function startBy(
  [program = '', ...words]: readonly string[],
  script: string,
  ...args: string[]
): Promise<ChildProcess> {
  const file = join(import.meta.dirname, script);
  const child = spawn(program, [...words, process.execPath, file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${script} ended`))),
  ]);
  return child;
}

async function killHard(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test('a database ends the sessions of a machine that is gone without a word', async ({ skip }) => {
  const network = openNetwork();
  if (!network) return skip('needs root and network namespaces');
  onTestFinished(() => network.close());
  const machine = network.add();
  onTestFinished(() => machine.close());
  const { options, open, givenCluster } = embedded();
  givenCluster();
  const database = await open({ settings: { listen_addresses: network.address } });
  appendFileSync(join(options.dataDir, 'pg_hba.conf'), `host all all ${network.range} trust\n`);
  await database.pool.query('SELECT pg_reload_conf()');
  const url = `postgres://devflow@${network.address}/postgres`;
  const far = await startBy(machine.words, 'leadForever.ts', url, MIGRATIONS_DIR);
  const sessions = async () =>
    (await database.pool.query('SELECT query FROM pg_stat_activity WHERE client_port > 0 ORDER BY 1')).rows;
  // The pool, the committer, the listener and the leader.
  expect(await sessions()).toHaveLength(4);
  machine.powerOff();
  await killHard(far);
  await expect.poll(sessions).toEqual([]);
  await (await takeLeadership(database, { host: 'far', onLost: () => {} })).release();
});
