import { createStateMethods } from '../api/contracts/stateMethods.ts';
import { answerFamily } from '../startup/answerFamily.ts';

export const answer = answerFamily({
  methods: async () => (await import('../../schemas/rpc/methods/contracts/state.ts')).STATE_METHODS,
  createHandlers: createStateMethods,
});
