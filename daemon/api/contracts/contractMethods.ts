import { checkContracts } from '../../../schemas/contracts/checkContracts.ts';
import { conventionsOf } from '../../../schemas/contracts/conventions.ts';
import { PARTS, WANTED_OF_ALL } from '../../../schemas/contracts/registry.ts';
import { CODES, CONTRACTS } from '../../../schemas/contracts/report/codes.ts';
import { pidExists } from '../../../schemas/process/processes.ts';
import { type ContractPorts, contractNotFound, requireRepository } from '../../contracts/contractPorts.ts';
import { readTree } from '../../contracts/readTree.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';

/** The contracts that devflow knows, and those that a repository uses. */
export function createContractMethods({ now }: Pick<ContractPorts, 'now'>): HandlersOf<'contract'> {
  const read = (repo: string) => {
    requireRepository(repo);
    return readTree(repo, WANTED_OF_ALL, now());
  };
  return {
    'contract.list': () => [...CONTRACTS],
    'contract.show': ({ contract }) => {
      const found = CONTRACTS.find(({ id }) => id === contract);
      if (!found) throw contractNotFound('contract', `devflow knows no contract ${contract}.`);
      const codes = Object.entries(CODES).filter(([, { contracts }]) =>
        (contracts as readonly string[]).includes(contract),
      );
      return { ...found, codes: codes.map(([code, { strict, soft, meaning }]) => ({ code, strict, soft, meaning })) };
    },
    'contract.detect': ({ repo }) => {
      const tree = read(repo);
      return PARTS.flatMap((part) => part.detect(tree));
    },
    'contract.check': ({ repo, contract, mode }) => checkContracts(read(repo), { contract, mode }),
    'contract.status': ({ repo }) => conventionsOf(read(repo), pidExists),
  };
}
