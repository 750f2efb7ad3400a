import { CONTRACT_PARAMS } from '../../schemas/rpc/methods/contracts/contractParams.ts';
import { createContractMethods } from '../api/contracts/contractMethods.ts';
import { answerFamily } from '../startup/answerFamily.ts';

export const answer = answerFamily({
  methods: async () => (await import('../../schemas/rpc/methods/contracts/contract.ts')).CONTRACT_METHODS,
  params: CONTRACT_PARAMS,
  createHandlers: createContractMethods,
});
