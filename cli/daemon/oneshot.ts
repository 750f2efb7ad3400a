import { spawn } from 'node:child_process';
import { CATALOGUE, DevflowError, type ErrorRecord } from '../../schemas/errors.ts';
import { contractFamilyOf } from '../../schemas/rpc/contractFamilies.ts';
import type { MethodWithoutDaemon, RpcParams, RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { Io } from '../io/io.ts';
import { contractsModule, daemonProgram } from './daemonProgram.ts';
import { notRunning } from './keeper.ts';
import { readDaemon } from './withDaemon.ts';

/** Linux accepts at most 128 KB in one argument. Longer parameters go to standard input. */
const MAX_ARGUMENT = 100_000;

type Answer = { result: unknown } | { error: ErrorRecord & { data?: Record<string, unknown> } };

/** Calls a method without a running daemon. `daemon.stop` only finds out whether the caller may stop one. */
export async function oneshot<N extends MethodWithoutDaemon | 'daemon.stop'>(
  io: Io,
  method: N,
  params: RpcParams<N>,
): Promise<RpcResult<N>> {
  const json = JSON.stringify(params);
  const answer = contractFamilyOf(method) ? await askModule(io, method, json) : await askProgram(io, method, json);
  if ('result' in answer) return answer.result as RpcResult<N>;
  const { code: errorCode, message, hint, data } = answer.error;
  const known = Object.hasOwn(CATALOGUE, errorCode) ? errorCode : 'internal';
  if (known === 'daemon_not_running') throw notRunning(io.env, message);
  throw new DevflowError(known, message, { recoveryHint: hint, data });
}

/**
 * Contracts have a file of their own, which this process loads. To start another Node would take longer than most
 * answers.
 */
async function askModule(io: Io, method: string, json: string): Promise<Answer> {
  const { answerContract } = await import(contractsModule());
  return JSON.parse(await answerContract(method, json, io.env));
}

/** `daemon.cjs oneshot <method> <params-json|->` prints `{"result"}` or `{"error"}`. */
async function askProgram(io: Io, method: string, json: string): Promise<Answer> {
  const inline = Buffer.byteLength(json) <= MAX_ARGUMENT;
  const { stdout, stderr, code } = await runProgram(io, ['oneshot', method, inline ? json : '-'], inline ? '' : json);
  const answer = parseAnswer(stdout);
  if (answer !== undefined) return answer;
  const last = stderr.trim().split('\n').at(-1) || `exit code ${code}`;
  throw new DevflowError('internal', `the daemon program gave no answer to ${method}: ${last}`);
}

/** Finds the last line that is an answer, because a library may have printed other lines. */
function parseAnswer(stdout: string): Answer | undefined {
  for (const line of stdout.trim().split('\n').reverse()) {
    try {
      const value = JSON.parse(line) as Answer;
      if (value && typeof value === 'object' && ('result' in value || 'error' in value)) return value;
    } catch {
      // Another line.
    }
  }
  return undefined;
}

function runProgram(io: Io, args: string[], input: string) {
  return new Promise<{ stdout: string; stderr: string; code: number | null }>((resolve, reject) => {
    const child = spawn(process.execPath, [daemonProgram(), ...args], { env: io.env, cwd: io.cwd, stdio: 'pipe' });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk) => stdout.push(chunk));
    child.stderr.on('data', (chunk) => stderr.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString(), code }),
    );
    // A program that ends early closes it. Its exit code says why.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** Calls a method of the running daemon. Without one, the daemon program answers it once. */
export async function callDaemonOrOneshot<N extends MethodWithoutDaemon>(
  io: Io,
  method: N,
  params: RpcParams<N>,
): Promise<RpcResult<N>> {
  const answer = await readDaemon(io, (client) => client.request(method, params));
  return answer === undefined ? oneshot(io, method, params) : (answer as RpcResult<N>);
}

/** The action of a command that calls one method, with or without a daemon. `print` returns the exit code. */
export function answers<M extends MethodWithoutDaemon>(
  method: M,
  print: (io: Io, answer: RpcResult<M>, json: boolean | undefined) => number,
) {
  return async (params: RpcParams<M>, { json }: { json?: boolean }, io: Io): Promise<number> =>
    print(io, await callDaemonOrOneshot(io, method, params), json);
}
