import { randomUUID } from 'node:crypto';
import { isAbsolute, resolve } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import type { RpcParams } from '../../schemas/rpc/methods/index.ts';
import type { Client } from '../client/connect.ts';
import { parseArgv } from '../client/parseArgv.ts';
import { withDaemon } from '../daemon/withDaemon.ts';
import { draftFile } from '../input/drafts.ts';
import { parsePairs, usage } from '../input/parse.ts';
import { parseBackends } from '../input/parseBackends.ts';
import { waitLimit } from '../input/parseDuration.ts';
import { readDrafts } from '../input/readDrafts.ts';
import { readJson } from '../input/readInput.ts';
import { withRepositoryHint } from '../input/repositoryHint.ts';
import { areGiven, keepText, type RequirementsOptions, readRequirements } from '../input/requirements.ts';
import type { Action, Io } from '../io/io.ts';
import { printDryRun } from '../print/dryRun.ts';
import { printJson } from '../print/output.ts';
import { asOverrides, type LastBackends, printLastBackends, printWarnings } from '../print/startNotes.ts';
import { shortId } from '../print/text.ts';
import { withStartProgress } from '../run/startProgress.ts';
import { waitForRun } from '../run/waitForRun.ts';

export interface StartOptions extends RequirementsOptions {
  json?: boolean;
  repo?: string;
  host?: string;
  template: string;
  draft?: boolean;
  base?: string;
  objective?: string;
  extra?: string;
  verify?: string[];
  bind?: string[];
  backend?: string[];
  parallel?: boolean;
  wait?: boolean;
  timeout?: string;
  dryRun?: boolean;
}

type Request = RpcParams<'run.start'>;

export const action: Action = async (_args: [], options: StartOptions, io) => {
  if (options.timeout !== undefined && !options.wait) throw usage('--timeout needs --wait');
  const limit = waitLimit(options.timeout);
  const settings = await readSettings(io, options);
  // Given requirements are read before any call. If the person writes them, errors of the daemon come first.
  const given = areGiven(options) ? await readRequirements(io, options) : undefined;
  const { started, last } = await withDaemon(io, (client) => start(io, client, { options, settings, given }));
  if ('dryRun' in started) {
    if (options.json) printJson(io, { ...started, lastBackends: last.remembered });
    else printDryRun(io, started);
    return 0;
  }
  if (options.wait) return waitForRun(io, started.runId, options.json ?? false, limit);
  if (options.json) printJson(io, { ...started, lastBackends: last.remembered });
  else io.out(`Run ${started.runId} is started. Follow it with devflow run show ${shortId(started.runId)}.\n`);
  return 0;
};

async function start(
  io: Io,
  client: Client,
  { options, settings, given }: { options: StartOptions; settings: Omit<Request, 'requirements'>; given?: string },
) {
  const { repo, template, bind } = settings;
  const last = !options.draft
    ? await client
        .call('run.lastBackends', { repo, template, bind, backend: settings.backend, host: settings.host })
        .catch((error) => {
          const hinted = withDraftHint(io, error, template);
          throw options.repo === undefined ? withRepositoryHint(hinted, '--repo <dir>') : hinted;
        })
    : NOTHING_REMEMBERED;
  const backend = { ...settings.backend, ...asOverrides(last) };
  const requirements = given ?? (await readRequirements(io, options, `${template} in ${repo}`));
  const clientToken = randomUUID();
  const request = { ...settings, backend, requirements, clientToken };
  try {
    const started = await withStartProgress(io, client, clientToken, () => client.call('run.start', request));
    printLastBackends(io, last);
    printWarnings(io, started);
    return { started, last };
  } catch (error) {
    if (given === undefined) keepText(io, requirements);
    throw error;
  }
}

/** The options with their files read. Paths become absolute, because the daemon has another working directory. */
export async function readSettings(io: Io, options: StartOptions): Promise<Omit<Request, 'requirements'>> {
  const bind = parsePairs('--bind', options.bind);
  const backend = parseBackends(options.backend);
  const verify = options.verify?.map((text) => parseArgv('--verify', text));
  const stdin = [options.requirements, options.objective, options.extra].filter((file) => file === '-');
  if (stdin.length > 1) throw usage('only one of --requirements, --objective and --extra can read standard input');
  return {
    repo: options.host === undefined ? resolve(io.cwd, options.repo ?? '.') : farDirectory(options),
    host: options.host,
    template: options.template,
    base: options.base,
    objective: options.objective === undefined ? undefined : await readJson(io, options.objective, 'the objective'),
    extra: await readExtra(io, options.extra, verify),
    bind,
    backend,
    ...(options.draft ? await readDrafts(io, options.template, bind) : {}),
    parallel: options.parallel ?? false,
    dryRun: options.dryRun ?? false,
  };
}

const NOTHING_REMEMBERED: LastBackends = { remembered: [], unusable: [] };

/** A draft is no template yet. */
function withDraftHint(io: Io, error: unknown, template: string): unknown {
  const isMissing = error instanceof DevflowError && error.code === 'template_not_found';
  const file = isMissing ? draftFile(io, 'template', template) : undefined;
  if (!isMissing || file === undefined) return error;
  return new DevflowError('template_not_found', `${error.message} There is a draft: ${file}.`, {
    recoveryHint: `Publish it with devflow template publish ${template}, or add --draft.`,
    cause: error,
  });
}

/** A path here says nothing about another host. */
function farDirectory({ host, repo }: StartOptions): string {
  if (repo !== undefined && isAbsolute(repo)) return repo;
  throw usage(`a run on host ${host} needs --repo with an absolute path, which names a directory there`);
}

async function readExtra(io: Io, file: string | undefined, verify: string[][] | undefined) {
  const extra = file === undefined ? undefined : await readJson(io, file, 'the extra inputs');
  if (extra !== undefined && (typeof extra !== 'object' || extra === null || Array.isArray(extra))) {
    throw usage(`the extra inputs ${file} are not a JSON object`);
  }
  if (verify === undefined) return extra as Record<string, unknown> | undefined;
  return { ...extra, verify };
}
