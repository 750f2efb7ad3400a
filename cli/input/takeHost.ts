import { DevflowError } from '../../schemas/errors.ts';
import type { Io } from '../io/io.ts';
import { visible } from '../print/text.ts';
import { confirm } from './confirm.ts';

/** The answer of a person who does not want to take the host over. */
export const NOT_TAKEN = Symbol('not taken');

interface Taken {
  host: string;
  machine: string | null;
  installation: string;
  isUp: boolean;
}

/**
 * Starts a daemon. If another installation has the id of this host, asks whether this one takes the host over, and starts
 * again. The permission is for that installation and that start: later starts need none. `isUntaken`: there was nothing to take.
 */
export async function startTaking<T>(
  io: Io,
  start: (words: readonly string[]) => Promise<T>,
  { yes }: { yes?: boolean },
): Promise<{ started: T; isUntaken: boolean } | typeof NOT_TAKEN> {
  let error: unknown;
  try {
    return { started: await start([]), isUntaken: true };
  } catch (thrown) {
    error = thrown;
  }
  if (!(error instanceof DevflowError) || error.code !== 'host_taken') throw error;
  const taken = error.data as unknown as Taken;
  if (taken.isUp) {
    throw new DevflowError('host_taken', error.message, {
      data: error.data,
      recoveryHint:
        'A host that is up is not taken over. Run devflow down there first. If its daemon is gone, wait 5 s.',
    });
  }
  if (!yes && !(await isWanted(io, taken))) return NOT_TAKEN;
  io.err(`Taking over host ${visible(taken.host)}.\n`);
  return { started: await start(['--take-from', taken.installation]), isUntaken: false };
}

/** The note after a start that took over no installation. The id of the host is known if there are several hosts. */
export function nothingTaken(hosts: readonly { id: string; here: boolean }[] = []): string {
  const own = hosts.find(({ here }) => here);
  const name = own ? `host ${visible(own.id)}` : 'this host';
  return `No other installation has the id of ${name}, so nothing was taken over.\n`;
}

function isWanted(io: Io, { host, machine }: Taken): Promise<boolean> {
  const name = visible(host);
  const where = machine === null ? '' : `, last on machine ${visible(machine)}`;
  io.err(
    `Host ${name} belongs to another installation of devflow${where}. It is stopped or silent.\n` +
      `If you take it over, its runs go on here. They need their worktrees and files on this disk.\n` +
      `The other installation is refused from then on.\n`,
  );
  const unasked = {
    message: `nobody was asked whether to take over host ${name}`,
    hint: 'Without a terminal, add --yes.',
  };
  return confirm(io, `Take over host ${name}?`, unasked);
}
