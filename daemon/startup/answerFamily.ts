import type { Env } from '../../schemas/files/paths.ts';
import { hasMark } from '../../schemas/process/agentMark.ts';
import type { Method, ParamsSchema } from '../../schemas/rpc/contract.ts';
import { type ContractPorts, isBelowAny } from '../contracts/contractPorts.ts';
import { systemClock } from '../system/clock.ts';
import { answerOnce, paramsOnce } from './answerOnce.ts';

/** The answer to one call as JSON: `{"result"}` or `{"error"}`. */
export type AnswerFamily = (method: string, json: string, env: Env) => Promise<string>;

export interface Family {
  /** Loaded for wrong parameters, for agents, and if `params` lacks the method. */
  methods(): Promise<readonly Method[]>;
  /** By the name of the method. They load faster than the methods. */
  params?: Readonly<Record<string, ParamsSchema>>;
  createHandlers(ports: ContractPorts): object;
}

/** Answers the methods of one family of contracts without a daemon. */
export function answerFamily({ methods, params = {}, createHandlers }: Family): AnswerFamily {
  return (method, json, env) =>
    answerOnce(json, async (given) => {
      const schema = Object.hasOwn(params, method) && !hasMark(env) ? params[method] : undefined;
      const parsed = schema?.safeParse(given).data ?? (await paramsOnce(env, await methods(), method, given));
      const handlers = createHandlers(portsOf(env));
      // biome-ignore lint/suspicious/noExplicitAny: the parameters are parsed by the method's own schema
      return (handlers as any)[method](parsed);
    });
}

function portsOf(env: Env): ContractPorts {
  return {
    now: () => systemClock.now().getTime(),
    // Nobody can say which runs are open, so any of them may be.
    isInUse: async (directory) => {
      // Loaded only here, because most commands write nothing.
      const { readConfig } = await import('../../schemas/config/configLoad.ts');
      return isBelowAny([readConfig(env).workspaceRoot], directory);
    },
  };
}
