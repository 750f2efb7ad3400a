import { createCycleMethods } from '../api/contracts/cycleMethods.ts';
import { answerFamily } from '../startup/answerFamily.ts';

export const answer = answerFamily({
  methods: async () => (await import('../../schemas/rpc/methods/contracts/cycle.ts')).CYCLE_METHODS,
  createHandlers: createCycleMethods,
});
