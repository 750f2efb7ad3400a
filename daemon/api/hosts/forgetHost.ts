import { isTerminal } from '../../../schemas/enums.ts';
import { toErrorRecord } from '../../../schemas/errors/errorRecord.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { Here } from '../../core/run/place.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import type { HostRow, OpenRunRow } from '../../store/hosts.ts';
import { hostTrouble } from './hostSentence.ts';

export interface ForgetParts {
  here: Here;
  engine: Pick<RunEngine, 'abortRun' | 'readRun'>;
  listHosts(): Promise<HostRow[]>;
  listOpenRunsOf(host: string, isUnpinned: boolean): Promise<OpenRunRow[]>;
  /** Takes it out of the list. False if it is up. */
  forgetHost(host: string): Promise<boolean>;
}

/** Aborts the open runs of a host that is gone for good, and takes it out of the list. Runs cannot move to another host. */
export async function forgetHost(
  parts: ForgetParts,
  { host, dryRun }: { host: string; dryRun: boolean },
): Promise<RpcResult<'host.forget'>> {
  const { here, engine, listHosts, listOpenRunsOf } = parts;
  const known = (await listHosts()).find(({ id }) => id === host);
  if (!known) {
    throw new DevflowError('not_found', `There is no host ${host}.`, { recoveryHint: 'See devflow host list.' });
  }
  if (host === here.id) throw notGone(`Host ${host} is this one.`);
  if (known.state === 'ready') throw notGone(`Host ${host} is up.`);
  const runs = await listOpenRunsOf(host, host === here.unpinned);
  const found = { host, trouble: hostTrouble(known), runs };
  if (dryRun) return { ...found, notAborted: [], forgotten: false };
  const notAborted: RpcResult<'host.forget'>['notAborted'] = [];
  for (const { runId } of runs) {
    const reason = await whyNotAborted(engine, runId, `its host ${host} is gone for good`);
    if (reason !== undefined) notAborted.push({ runId, reason });
  }
  if (!(await parts.forgetHost(host))) throw notGone(`Host ${host} came back while its runs were aborted.`);
  return { ...found, notAborted, forgotten: true };
}

/** One unreadable log must not keep the host in the list. A run that has ended needs no abort. */
async function whyNotAborted(
  engine: ForgetParts['engine'],
  runId: string,
  reason: string,
): Promise<string | undefined> {
  try {
    await engine.abortRun(runId, reason);
  } catch (error) {
    const run = await engine.readRun(runId).catch(() => undefined);
    return run && isTerminal(run.state) ? undefined : toErrorRecord(error).message;
  }
}

function notGone(why: string): DevflowError {
  return new DevflowError('state_conflict', `${why} Only a host that is gone can be forgotten.`, {
    recoveryHint: 'Stop devflow there first: devflow down.',
  });
}
