import { hasMark } from '../../schemas/agentMark.ts';
import type { Env } from '../../schemas/files/paths.ts';
import type { Method } from '../../schemas/rpc/contract.ts';
import { type ContractPorts, isBelowAny } from '../contracts/contractPorts.ts';
import { systemClock } from '../system/clock.ts';
import { answerOnce, paramsOnce } from './answerOnce.ts';
import { type PlainParams, readPlainParams } from './plainParams.ts';

/** The answer to one call as JSON: `{"result"}` or `{"error"}`. */
export type AnswerFamily = (method: string, json: string, env: Env) => Promise<string>;

export interface Family {
  /** Only loaded for parameters that are not plain, and for agents. */
  methods(): Promise<readonly Method[]>;
  /** By the name of the method. */
  plainParams?: Readonly<Record<string, PlainParams>>;
  createHandlers(ports: ContractPorts): object;
}

/** Answers the methods of one family of contracts without a daemon. */
export function answerFamily({ methods, plainParams = {}, createHandlers }: Family): AnswerFamily {
  return (method, json, env) =>
    answerOnce(json, async (given) => {
      const isPlain = Object.hasOwn(plainParams, method) && !hasMark(env);
      const plain = isPlain && readPlainParams(plainParams[method] as PlainParams, given);
      const params = plain || (await paramsOnce(env, await methods(), method, given));
      const handlers = createHandlers(portsOf(env));
      // biome-ignore lint/suspicious/noExplicitAny: the parameters are parsed by the method's own schema
      return (handlers as any)[method](params);
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
