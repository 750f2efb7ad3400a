import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { Backend } from '../../schemas/enums.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { RpcParams } from '../../schemas/rpc/methods/index.ts';
import { parseArgv } from '../client/argv.ts';
import { printDryRun } from '../dryRun.ts';
import type { Action, Io } from '../io.ts';
import { printJson } from '../output.ts';
import { parsePairs, usage } from '../parse.ts';
import { readInput, readJson } from '../readInput.ts';
import { shortId } from '../text.ts';
import { waitForRun } from '../waitForRun.ts';
import { withDaemon } from '../withDaemon.ts';

export interface StartOptions {
  json?: boolean;
  repo: string;
  template: string;
  requirements: string;
  base?: string;
  objective?: string;
  extra?: string;
  verify?: string[];
  bind?: string[];
  backend?: string[];
  wait?: boolean;
  dryRun?: boolean;
}

export const action: Action = async (_args: [], options: StartOptions, io) => {
  const request = await readRequest(io, options);
  const started = await withDaemon(io, (client) => client.call('run.start', request));
  if ('dryRun' in started) {
    if (options.json) printJson(io, started);
    else printDryRun(io, started);
    return 0;
  }
  if (options.wait) return waitForRun(io, started.runId, options.json ?? false);
  if (options.json) printJson(io, started);
  else io.out(`Run ${started.runId} is started. Follow it with devflow run show ${shortId(started.runId)}.\n`);
  return 0;
};

/** The options with their files read; paths are made absolute because the daemon has another working directory. */
export async function readRequest(io: Io, options: StartOptions): Promise<RpcParams<'run.start'>> {
  const bind = parsePairs('--bind', options.bind);
  const backend = parsePairs('--backend', options.backend) as Record<string, Backend>;
  const verify = options.verify?.map((text) => parseArgv('--verify', text));
  const stdin = [options.requirements, options.objective, options.extra].filter((file) => file === '-');
  if (stdin.length > 1) throw usage('only one of --requirements, --objective and --extra can be standard input');
  const requirements = await readInput(io, options.requirements, 'the requirements file', 'requirements_missing');
  if (requirements.trim() === '') throw new DevflowError('requirements_missing', 'the requirements are empty');
  return {
    repo: resolve(io.cwd, options.repo),
    template: options.template,
    requirements,
    base: options.base,
    objective: options.objective === undefined ? undefined : await readJson(io, options.objective, 'the objective'),
    extra: await readExtra(io, options.extra, verify),
    bind,
    backend,
    dryRun: options.dryRun ?? false,
    clientToken: randomUUID(),
  };
}

async function readExtra(io: Io, file: string | undefined, verify: string[][] | undefined) {
  const extra = file === undefined ? undefined : await readJson(io, file, 'the extra inputs');
  if (extra !== undefined && (typeof extra !== 'object' || extra === null || Array.isArray(extra))) {
    throw usage(`the extra inputs ${file} are not a JSON object`);
  }
  if (verify === undefined) return extra as Record<string, unknown> | undefined;
  return { ...extra, verify };
}
