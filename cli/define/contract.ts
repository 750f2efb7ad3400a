import { type Actions, command } from './command.ts';
import { argument, directory, flag, own, parsed, text } from './entry.ts';

/** The repository that a command of contracts is about. */
export const REPO = { repo: directory('the repository; without it, the current directory') };

const WARNS = 'only warn of what is missing';

/** `--soft` and `--strict`, of which a command takes one. */
export const SOFT = flag(WARNS, { conflicts: ['strict'] });
export const STRICT = own(flag('what is missing is an error'));

/** `--soft` alone. */
export function softMode(about = WARNS) {
  return parsed(flag(about, { long: 'soft' }), () => 'soft' as const);
}

/** Contracts: rules about files that programs and agents hand to each other. */
export const CONTRACT = {
  list: command('contract.list', 'list the contracts that devflow knows'),
  show: command('contract.show', 'show a contract and its codes', { contract: argument('<contract>') }),
  detect: command('contract.detect', 'list the contracts that a repository uses', REPO),
  check: command('contract.check', 'check all contract files of a repository', {
    ...REPO,
    soft: own(SOFT),
    strict: STRICT,
    contract: text('<contract>', 'only this contract, or all of a family such as handover'),
  }),
};
export type Contract = Actions<typeof CONTRACT>;
