import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { Look } from '../../schemas/states/state.ts';
import { widthOf } from '../client/textWidth.ts';
import { oneshot } from '../daemon/oneshot.ts';
import { readDaemon } from '../daemon/withDaemon.ts';
import type { Action, OwnOf, ParamsOf } from '../define/command.ts';
import type { DOCTOR } from '../define/daemon.ts';
import { confirm, DECLINED } from '../input/confirm.ts';
import type { Io } from '../io/io.ts';
import { paintState, printJson } from '../print/output.ts';
import { visible } from '../print/text.ts';

type Check = RpcResult<'daemon.doctor'>[number];

/** Exits with 0 if nothing fails, 1 if something does, and 2 if the checks could not run. */
export const action: Action<typeof DOCTOR> = async ({ removeOrphanedData, ...params }, own, io) => {
  const { json, quiet } = own;
  if (removeOrphanedData) return removeData(io, own);
  if (params.agents && !json) io.err('Starting each installed agent. This takes at most a minute.\n');
  const checks = await ask(io, params);
  const shown = quiet ? checks.filter(({ status }) => status !== 'pass') : checks;
  if (json) printJson(io, shown);
  else if (params.listOrphans) printOrphans(io, checks);
  else printChecks(io, shown, checks);
  return checks.some(({ status }) => status === 'fail') ? 1 : 0;
};

type Params = Omit<ParamsOf<typeof DOCTOR>, 'removeOrphanedData'>;

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

/** Shows what can be removed, asks, and removes what it has shown. */
async function removeData(io: Io, { json, yes }: OwnOf<typeof DOCTOR>): Promise<number> {
  const remove = (confirmed: string[]) => oneshot(io, 'daemon.doctor', { removeOrphanedData: true, confirmed });
  const print = (results: Check[]) => (json ? printJson(io, results) : printResults(io, results));
  const found = await remove([]);
  const removable = found.filter(({ status }) => status === 'pass').map(({ name }) => name);
  if (removable.length === 0 || !yes) print(found);
  // Somebody who reads JSON is a program, which cannot answer.
  if (removable.length === 0 || (json && !yes)) return 0;
  if (!yes) io.err(LOOK_FIRST);
  if (!yes && !(await confirm(io, 'Remove it?', UNASKED))) return DECLINED;
  print(await remove(removable));
  return 0;
}

const LOOK_FIRST = 'Check first that each home was removed: one that was moved has also gone from its place.\n';

const UNASKED = { message: 'doctor asks before it removes data, and there is no terminal', hint: 'Say --yes.' };

function printResults(io: Io, results: Check[]): void {
  for (const { detail, remediation } of results)
    io.out(`${visible([detail, remediation].filter(Boolean).join('. '))}\n`);
  if (results.length === 0) io.out('There is no orphaned data.\n');
}
