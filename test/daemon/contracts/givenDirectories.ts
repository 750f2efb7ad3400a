import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createContractHandlers } from '../../../daemon/api/contracts/contractHandlers.ts';
import type { ContractPorts } from '../../../daemon/contracts/contractPorts.ts';
import { DevflowError } from '../../../schemas/errors.ts';

/** An empty repository, a directory outside of it, and the methods of contracts on it. */
export function givenDirectories(family: string, ports: ContractPorts) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `devflow-${family}-`)));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [repo, outside] = [join(root, 'repo'), join(root, 'outside')];
  for (const each of [repo, outside]) mkdirSync(each);
  return { root, repo, outside, call: callsOn(repo, ports) };
}

/** Calls a handler as a client would, without a connection. */
export function callsOn(repo: string, ports: ContractPorts) {
  const methods = createContractHandlers(ports);
  return async (method: keyof typeof methods, params: object = {}) => {
    // biome-ignore lint/suspicious/noExplicitAny: a test calls handlers without a connection
    return (methods as any)[method]({ repo, ...params });
  };
}

/** The code and the data of a refusal. */
export async function refusalOf(answer: Promise<unknown>): Promise<[string, unknown]> {
  try {
    await answer;
  } catch (error) {
    if (error instanceof DevflowError) return [error.code, error.data];
    throw error;
  }
  return ['nothing was refused', {}];
}

export async function codeOf(answer: Promise<unknown>): Promise<string> {
  const [code] = await refusalOf(answer);
  return code;
}
