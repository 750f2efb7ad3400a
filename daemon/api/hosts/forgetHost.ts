import { DevflowError } from '../../../schemas/errors.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { Here } from '../../engine/core/run/place.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import type { HostRow, OpenRunRow } from '../../store/hosts.ts';
import { hostTrouble } from './hostSentence.ts';

export interface ForgetParts {
  here: Here;
  engine: Pick<RunEngine, 'abortRun'>;
  listHosts(): Promise<HostRow[]>;
  listOpenRunsOf(host: string, isUnpinned: boolean): Promise<OpenRunRow[]>;
  /** Takes it out of the list. */
  forgetHost(host: string): Promise<void>;
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
  if (host === here.id || known.state === 'ready') {
    const message = host === here.id ? `Host ${host} is this one.` : `Host ${host} is up.`;
    throw new DevflowError('state_conflict', `${message} Only a host that is gone can be forgotten.`, {
      recoveryHint: 'Stop devflow there first: devflow down.',
    });
  }
  const runs = await listOpenRunsOf(host, host === here.unpinned);
  const found = { host, trouble: hostTrouble(known), runs };
  if (dryRun) return { ...found, forgotten: false };
  for (const { runId } of runs) await engine.abortRun(runId, `its host ${host} is gone for good`);
  await parts.forgetHost(host);
  return { ...found, forgotten: true };
}
