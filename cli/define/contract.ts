import type { Command } from 'commander';
import { repoOption, softOrStrict } from './contractOptions.ts';
import { type Cli, group } from './leaf.ts';

const load = () => import('../commands/contract.ts');

/** Contracts: rules about files that programs and agents hand to each other. */
export function defineContract(program: Command, cli: Cli): void {
  group(program, cli, 'contract', 'check files that programs and agents hand to each other', ({ dataLeaf }) => {
    dataLeaf('list', 'list the contracts that devflow knows', load);
    dataLeaf('show <contract>', 'show a contract and its codes', load);
    repoOption(dataLeaf('detect', 'list the contracts that a repository uses', load));
    softOrStrict(repoOption(dataLeaf('check', 'check all contract files of a repository', load))).option(
      '--contract <contract>',
      'only this contract, or all of a family such as handover',
    );
  });
}
