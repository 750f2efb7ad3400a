import { randomUUID } from 'node:crypto';
import { isAbsolute, resolve } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import type { RpcParams } from '../../../schemas/rpc/methods/index.ts';
import type { Client } from '../../client/connect.ts';
import { withDaemon } from '../../daemon/withDaemon.ts';
import type { Action, OwnOf, ParamsOf } from '../../define/command.ts';
import type { RUN } from '../../define/run.ts';
import { askConsent } from '../../input/askConsent.ts';
import { DECLINED } from '../../input/confirm.ts';
import { draftFile } from '../../input/drafts.ts';
import { usage, withRepositoryHint } from '../../input/parse.ts';
import { readDrafts } from '../../input/readDrafts.ts';
import { readExtra } from '../../input/readExtra.ts';
import { readJson } from '../../input/readInput.ts';
import { areGiven, keepText, readRequirements } from '../../input/requirements.ts';
import type { Io } from '../../io/io.ts';
import { printJson } from '../../print/output.ts';
import { printDryRun } from '../../print/run/dryRun.ts';
import {
  asOverrides,
  type LastBackends,
  printLastBackends,
  printWarnings,
  startedSentence,
} from '../../print/run/startNotes.ts';
import { withStartProgress } from '../../run/startProgress.ts';
import { waitForRun } from '../../run/waitForRun.ts';
import { startEach } from './startEach.ts';

type Params = ParamsOf<typeof RUN.start>;
type StartOptions = OwnOf<typeof RUN.start>;
type Request = RpcParams<'run.start'>;

export const action: Action<typeof RUN.start> = (params, options, io) =>
  startRun(io, params, options, {
    readGiven: async () => (areGiven(options) ? await readRequirements(io, options) : undefined),
    said: startedSentence,
  });

/** The difference between the ways to start a run. */
interface Way {
  /** The requirements; undefined: the person is asked for them. */
  readGiven(): Promise<string | undefined>;
  said(started: Parameters<typeof startedSentence>[0]): string;
  /** A question of its own, before anything starts. */
  mayStart?(client: Client, request: Request): Promise<boolean>;
  /** What follows once it is started. */
  onceStarted?(runId: string): Promise<void>;
}

export async function startRun(io: Io, params: Params, options: StartOptions, way: Way): Promise<number> {
  if (options.timeout !== undefined && !options.wait) throw usage('--timeout needs --wait');
  const settings = await readSettings(io, params, options);
  const { each } = options;
  if (each !== undefined) {
    return withDaemon(io, async (client) => {
      const { last, backend } = await chooseBackends(io, client, { options, settings });
      printLastBackends(io, last);
      return startEach(io, client, { ...settings, backend }, { ...options, each });
    });
  }
  if (options.again) throw usage('--again needs --each');
  // Given requirements are read before any call. If the person writes them, errors of the daemon come first.
  const given = await way.readGiven();
  const answer = await withDaemon(io, (client) => start(io, client, { options, settings, given, way }));
  if (answer === undefined) return DECLINED;
  const { started, last } = answer;
  if ('dryRun' in started) {
    if (options.json) printJson(io, { ...started, lastBackends: last.remembered });
    else printDryRun(io, started);
    return 0;
  }
  if (options.wait) return waitForRun(io, started.runId, options.json ?? false, options.timeout);
  if (options.json) printJson(io, { ...started, lastBackends: last.remembered });
  else io.out(way.said(started));
  await way.onceStarted?.(started.runId);
  return 0;
}

async function start(
  io: Io,
  client: Client,
  {
    options,
    settings,
    given,
    way,
  }: { options: StartOptions; settings: Omit<Request, 'requirements'>; given?: string; way: Pick<Way, 'mayStart'> },
) {
  const { repo, template } = settings;
  const { last, backend } = await chooseBackends(io, client, { options, settings });
  const requirements = given ?? (await readRequirements(io, options, `${template ?? 'a run'} in ${repo}`));
  const clientToken = randomUUID();
  const request = { ...settings, backend, requirements, clientToken };
  try {
    const isAgreed = request.dryRun || ((await way.mayStart?.(client, request)) ?? true);
    const mayRun = isAgreed && (options.json || request.dryRun || (await askConsent(io, client, request)));
    if (!mayRun) {
      io.err('Nothing is started.\n');
      if (given === undefined) keepText(io, requirements);
      return undefined;
    }
    const started = await withStartProgress(io, client, clientToken, () => client.call('run.start', request));
    printLastBackends(io, last);
    printWarnings(io, started);
    return { started, last };
  } catch (error) {
    if (given === undefined) keepText(io, requirements);
    throw error;
  }
}

/** The backends of the last runs of the repository, for roles without a choice. */
async function chooseBackends(
  io: Io,
  client: Client,
  { options, settings }: { options: StartOptions; settings: Omit<Request, 'requirements'> },
): Promise<{ last: LastBackends; backend: Request['backend'] }> {
  const { repo, template, base, bind, backend: chosen, host, settings: isUsed } = settings;
  const last = !options.draft
    ? await client
        .call('run.lastBackends', { repo, template, base, bind, backend: chosen, host, settings: isUsed })
        .catch((error) => {
          const hinted = withDraftHint(io, error, template);
          throw options.repo === undefined ? withRepositoryHint(hinted, '--repo <dir>') : hinted;
        })
    : NOTHING_REMEMBERED;
  return { last, backend: { ...chosen, ...asOverrides(last) } };
}

/** The options with their files read. Paths become absolute, because the daemon has another working directory. */
export async function readSettings(
  io: Io,
  params: Params,
  options: StartOptions,
): Promise<Omit<Request, 'requirements'>> {
  const stdin = [options.requirements, options.objective, options.extra, options.each].filter((file) => file === '-');
  if (stdin.length > 1)
    throw usage('only one of --requirements, --each, --objective and --extra can read standard input');
  return {
    ...params,
    repo: params.host === undefined ? resolve(io.cwd, options.repo ?? '.') : farDirectory(params.host, options.repo),
    objective: options.objective === undefined ? undefined : await readJson(io, options.objective, 'the objective'),
    extra: await readExtra(io, options),
    ...(options.draft && (await readDrafts(io, draftName(params), params.bind))),
  };
}

function draftName({ template }: Params): string {
  if (template === undefined) throw usage('--draft needs --template');
  return template;
}

const NOTHING_REMEMBERED: LastBackends = { remembered: [], unusable: [] };

/** A draft is no template yet. */
function withDraftHint(io: Io, error: unknown, template: string | undefined): unknown {
  const isMissing = error instanceof DevflowError && error.code === 'template_not_found';
  const file = isMissing && template !== undefined ? draftFile(io, 'template', template) : undefined;
  if (!isMissing || file === undefined) return error;
  return new DevflowError('template_not_found', `${error.message} There is a draft: ${file}.`, {
    recoveryHint: `Publish it with devflow template publish ${template}, or add --draft.`,
    cause: error,
  });
}

/** A path here says nothing about another host. */
function farDirectory(host: string, repo: string | undefined): string {
  if (repo !== undefined && isAbsolute(repo)) return repo;
  throw usage(`a run on host ${host} needs --repo with an absolute path, which names a directory there`);
}
