import type { Env } from '../schemas/files/paths.ts';
import { type ContractFamily, contractFamilyOf } from '../schemas/rpc/contractFamilies.ts';
import type { AnswerFamily } from './startup/answerFamily.ts';
import { type Answer, printAnswer } from './startup/printAnswer.ts';

/**
 * Answers methods of contracts without a daemon. It loads only the family of the method, which is a file of its own in
 * dist/. A program for `oneshot <method> <params>`, and a module for the CLI, which then starts no second Node.
 */
type Load = () => Promise<{ answer: AnswerFamily }>;

const FAMILIES: Readonly<Record<ContractFamily, Load>> = {
  autodev: () => import('./contractFamilies/autodev.ts'),
  contract: () => import('./contractFamilies/contract.ts'),
  cycle: () => import('./contractFamilies/cycle.ts'),
  handover: () => import('./contractFamilies/handover.ts'),
  state: () => import('./contractFamilies/state.ts'),
};

if (process.argv[2] === 'oneshot') {
  const answer: Answer = (method, json) => answerContract(method, json, process.env);
  void printAnswer(process.argv.slice(3), answer).then((code) => {
    process.exitCode = code;
  });
}

/** The answer to one call as JSON: `{"result"}` or `{"error"}`. */
export async function answerContract(method: string, json: string, env: Env): Promise<string> {
  // Any family says of a method that it does not know that it needs the daemon.
  const { answer } = await FAMILIES[contractFamilyOf(method) ?? 'contract']();
  return answer(method, json, env);
}
