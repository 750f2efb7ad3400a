import { createContractMethods } from '../api/contracts/contractMethods.ts';
import { answerFamily } from '../startup/answerFamily.ts';

/** The parameters of the methods of this family. CI calls `contract.check` often. */
export const PLAIN_PARAMS = {
  'contract.list': {},
  'contract.show': { contract: 'text' },
  'contract.detect': { repo: 'text' },
  'contract.check': { repo: 'text', 'contract?': 'text', 'mode?': ['strict', 'soft'] },
  'contract.status': { repo: 'text' },
} as const;

export const answer = answerFamily({
  methods: async () => (await import('../../schemas/rpc/methods/contracts/contract.ts')).CONTRACT_METHODS,
  plainParams: PLAIN_PARAMS,
  createHandlers: createContractMethods,
});
