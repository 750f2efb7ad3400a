import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { runCli } from '../../../cli/commandLine.ts';
import { createContractHandlers } from '../../../daemon/api/contracts/contractHandlers.ts';
import { answerContract } from '../../../daemon/contractsMain.ts';
import type { Handlers } from '../../../daemon/rpc/handlers.ts';
import { startRpc } from '../../../daemon/rpc/start.ts';
import { packageRoot, resolvePaths } from '../../../schemas/files/paths.ts';
import { fakeIo } from '../fakeIo.ts';

/** A repository with these files, and a server of the daemon's own methods. `run` calls the commands of one family. */
export async function givenRepository(family: string, files: Record<string, string> = {}, now = 0) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `devflow-${family}-cli-`)));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const repo = join(root, 'repo');
  mkdirSync(repo);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const env = { DEVFLOW_HOME: join(root, 'home'), PATH: process.env.PATH };
  const { socketPath } = resolvePaths(env);
  mkdirSync(dirname(socketPath), { recursive: true, mode: 0o700 });
  const handlers = createContractHandlers({ now: () => now, isInUse: async () => false }) as unknown as Handlers;
  const log = { error: (...facts: unknown[]) => expect.unreachable(String(facts)) };
  const server = await startRpc({ socketPath, handlers, log });
  onTestFinished(() => server.close(100));
  const runWith = async (input: string | undefined, ...words: string[]) => {
    const io = fakeIo({ env, cwd: repo, input });
    const code = await runCli([family, ...words], io);
    return { code, ...io.written };
  };
  const run = (...words: string[]) => runWith(undefined, ...words);
  const json = async (...words: string[]) => {
    const { code, out, err } = await run(...words, '--json');
    return { code, value: JSON.parse(out === '' ? err : out) };
  };
  const paramsOf = (params: object) => JSON.stringify({ repo, ...params });
  /** What the CLI answers without a daemon: it loads the same module. */
  const oneshot = async (method: string, params: object = {}, more: Record<string, string> = {}) =>
    JSON.parse(await answerContract(`${family}.${method}`, paramsOf(params), { ...env, ...more }));
  /** The same from a process of its own. */
  const program = async (method: string, params: object = {}) => {
    const args = [join(packageRoot(), 'daemon/contractsMain.ts'), 'oneshot', `${family}.${method}`, paramsOf(params)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env }).catch((error) => error);
    return JSON.parse(stdout);
  };
  return { root, repo, env, write, run, runWith, json, oneshot, program };
}
