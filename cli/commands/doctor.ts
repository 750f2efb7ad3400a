import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { Look } from '../../schemas/states/state.ts';
import { widthOf } from '../client/textWidth.ts';
import { oneshot } from '../daemon/oneshot.ts';
import { readDaemon } from '../daemon/withDaemon.ts';
import type { Action, Io } from '../io/io.ts';
import { paintState, printJson } from '../print/output.ts';
import { visible } from '../print/text.ts';

type Check = RpcResult<'daemon.doctor'>[number];

interface Options {
  json?: boolean;
  quiet?: boolean;
  listOrphans?: boolean;
  strict?: boolean;
  agents?: boolean;
  removeOrphanedData?: boolean;
}

/** Exits with 0 if nothing fails, 1 if something does, and 2 if the checks could not run. */
export const action: Action = async (_args: [], options: Options, io) => {
  const { json, quiet, listOrphans = false, strict = false, agents = false, removeOrphanedData = false } = options;
  if (agents && !json) io.err('Starting each installed agent. This takes at most a minute.\n');
  const checks = await ask(io, { strict, listOrphans, agents, removeOrphanedData });
  const shown = quiet ? checks.filter(({ status }) => status !== 'pass') : checks;
  if (json) printJson(io, shown);
  else if (listOrphans) printOrphans(io, checks);
  else if (removeOrphanedData) printRemoved(io, checks);
  else printChecks(io, shown, checks);
  return checks.some(({ status }) => status === 'fail') ? 1 : 0;
};

type Params = Required<Pick<Options, 'strict' | 'listOrphans' | 'agents' | 'removeOrphanedData'>>;

/** Runs the checks in this shell's environment, without the daemon. Only orphans need the daemon's database. */
async function ask(io: Io, params: Params): Promise<Check[]> {
  const orphans = params.listOrphans
    ? await readDaemon(io, (client) => client.call('daemon.doctor', params))
    : undefined;
  return orphans ?? oneshot(io, 'daemon.doctor', params);
}

const LOOKS: Readonly<Record<Check['status'], Look>> = { pass: 'good', warn: 'ask', fail: 'bad' };

function printChecks(io: Io, shown: Check[], all: Check[]): void {
  const width = Math.max(0, ...shown.map(({ name }) => widthOf(name)));
  for (const { name, status, detail, remediation } of shown) {
    io.out(
      `${paintState(io, { word: status, look: LOOKS[status] }, status.padEnd(4))}  ${name.padEnd(width)}  ${visible(detail)}\n`,
    );
    if (status !== 'pass' && remediation) io.out(`${' '.repeat(width + 8)}${visible(remediation)}\n`);
  }
  const count = (wanted: Check['status']) => all.filter(({ status }) => status === wanted).length;
  io.out(`\n${count('pass')} pass, ${count('warn')} warn, ${count('fail')} fail\n`);
}

function printOrphans(io: Io, orphans: Check[]): void {
  for (const { detail } of orphans) io.out(`${visible(detail)}\n`);
  if (orphans.length === 0) io.out('There are no orphaned worktrees.\n');
}

function printRemoved(io: Io, results: Check[]): void {
  for (const { detail, remediation } of results)
    io.out(`${visible([detail, remediation].filter(Boolean).join('. '))}\n`);
  if (results.length === 0) io.out('There is no orphaned data.\n');
}
