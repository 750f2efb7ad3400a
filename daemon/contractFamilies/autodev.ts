import { createAutodevMethods } from '../api/contracts/autodevMethods.ts';
import { answerFamily } from '../startup/answerFamily.ts';

export const answer = answerFamily({
  methods: async () => (await import('../../schemas/rpc/methods/contracts/autodev.ts')).AUTODEV_METHODS,
  createHandlers: createAutodevMethods,
});
