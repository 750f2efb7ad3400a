import { createHandoverMethods } from '../api/contracts/handoverMethods.ts';
import { answerFamily } from '../startup/answerFamily.ts';

export const answer = answerFamily({
  methods: async () => (await import('../../schemas/rpc/methods/contracts/handover.ts')).HANDOVER_METHODS,
  createHandlers: createHandoverMethods,
});
