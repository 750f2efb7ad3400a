import { type Convention, conventionsOf } from '../../../schemas/contracts/conventions.ts';
import { WANTED_OF_ALL } from '../../../schemas/contracts/registry.ts';
import type { ContractCode } from '../../../schemas/contracts/report/codes.ts';
import { pidExists } from '../../../schemas/process/processes.ts';
import { counted, shorten } from '../../../schemas/text/phrases.ts';
import { readTree } from '../../contracts/readTree.ts';
import { type Check, pass, warn } from '../probe/check.ts';

/** Further contracts are only counted. */
const MOST_NAMED = 5;

/** Warns of contract files in the person's directory that are not valid, stale, or locked by nobody. It never fails. */
export const contracts: Check = {
  name: 'contracts',
  run({ cwd }) {
    let found: Convention[];
    try {
      found = conventionsOf(readTree(cwd, WANTED_OF_ALL, Date.now()), pidExists);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return warn(`not checked: ${why}`, 'Make the contract files of this directory readable.');
    }
    if (found.length === 0) return pass(`${cwd} uses no contract`);
    const troubles = found.flatMap((each) => troubleOf(each));
    if (troubles.length === 0) return pass(`${counted(found.length, 'contract is', 'contracts are')} valid in ${cwd}`);
    const rest = troubles.length - MOST_NAMED;
    const named = troubles.slice(0, MOST_NAMED).join('; ');
    return warn(
      `in ${cwd}: ${named}${rest > 0 ? `; and ${counted(rest, 'more contract')}` : ''}`,
      'Run devflow contract check there. devflow state cleanup shows what to archive.',
    );
  },
};

/** The faults in the files of one contract, as at most one part of a sentence. */
function troubleOf({ path, errors, findings }: Convention): string[] {
  const count = (wanted: ContractCode) => findings.filter(({ code }) => code === wanted).length;
  const stale = count('STATE_STALE');
  const troubles = [
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(stale > 0 ? [counted(stale, 'stale file')] : []),
    ...(count('LOCK_STALE') > 0 ? ['a stale .lock'] : []),
    ...(count('PROBE_FAILURES_RECENT') > 0 ? ['probes that failed in the last 24 hours'] : []),
  ];
  return troubles.length === 0 ? [] : [`${shorten(path)} has ${troubles.join(', ')}`];
}
