import { randomUUID } from 'node:crypto';
import { DevflowError } from '../../../schemas/errors.ts';
import { derivedId } from '../../../schemas/ids.ts';
import type { RpcParams } from '../../../schemas/rpc/methods/index.ts';
import type { QueuePlace } from '../../../schemas/rpc/views/queue.ts';
import { runState } from '../../../schemas/states/run.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import type { Client } from '../../client/connect.ts';
import { askConsent } from '../../input/askConsent.ts';
import { confirm, DECLINED } from '../../input/confirm.ts';
import { eachItems, type Item } from '../../input/eachItems.ts';
import { readInput } from '../../input/readInput.ts';
import type { Io } from '../../io/io.ts';
import { printJson } from '../../print/output.ts';
import { printWarnings } from '../../print/run/startNotes.ts';
import { shortId, visible } from '../../print/text.ts';
import { isAway } from '../../run/followRun.ts';

type Request = Omit<RpcParams<'run.start'>, 'requirements' | 'clientToken' | 'title' | 'parallel'>;

/** What `--each` and its companions say. */
export interface EachOptions {
  /** `-` for standard input. */
  each: string;
  /** Also the items that have a run. */
  again?: boolean | undefined;
  yes?: boolean | undefined;
  json?: boolean | undefined;
}

interface Planned {
  item: Item;
  clientToken: string;
  /** The state of the run that an earlier call has started. */
  known: string | undefined;
}

/**
 * Starts one run for each item of a file, after one question. The same items again start nothing, so an interrupted call is simply
 * repeated. Exits with 1 if an item could not be started; the others are.
 */
export async function startEach(io: Io, client: Client, request: Request, options: EachOptions): Promise<number> {
  const items = eachItems(await readInput(io, options.each, 'the list'), options.each);
  const planned = await plan(client, items, request, options);
  const open = planned.filter(({ known }) => known === undefined);
  if (!options.json) printPlan(io, planned);
  const [first] = open;
  if (first === undefined) {
    if (options.json) printJson(io, { started: [], failed: [] });
    else io.err('Each of them has its run. --again starts new ones.\n');
    return 0;
  }
  if (request.dryRun) {
    await client.call('run.start', { ...request, requirements: first.item.text, parallel: true });
    io.err(`${counted(open.length, 'run')} would start. Nothing is started.\n`);
    return 0;
  }
  const unasked = { message: '--each asks before it starts runs', hint: 'Add --yes to start them without a question.' };
  const question = `Start ${counted(open.length, 'run')} with ${request.template ?? 'the template of the settings'}?`;
  if (!options.yes && !(await confirm(io, question, unasked))) return DECLINED;
  if (!options.json && !(await askConsent(io, client, { ...request, requirements: first.item.text, parallel: true }))) {
    io.err('Nothing is started.\n');
    return DECLINED;
  }
  return startAll(io, client, { open, request, json: options.json ?? false });
}

/** The token says where the run is and what it does, so a second call finds it. Equal items are counted. */
async function plan(
  client: Client,
  items: readonly Item[],
  request: Request,
  { again }: EachOptions,
): Promise<Planned[]> {
  const { host = '', repo, template = '', base = '' } = request;
  const call = again ? randomUUID() : '';
  const seen = new Map<string, number>();
  return Promise.all(
    items.map(async (item): Promise<Planned> => {
      const nth = (seen.get(item.text) ?? 0) + 1;
      seen.set(item.text, nth);
      const clientToken = derivedId('each', call, host, repo, template, base, item.text, nth);
      return { item, clientToken, known: again ? undefined : await stateOfRun(client, clientToken) };
    }),
  );
}

async function stateOfRun(client: Client, runId: string): Promise<string | undefined> {
  try {
    return runState(await client.call('run.get', { runId })).word;
  } catch (error) {
    if (error instanceof DevflowError && error.code === 'not_found') return undefined;
    throw error;
  }
}

function printPlan(io: Io, planned: readonly Planned[]): void {
  for (const [index, { item, clientToken, known }] of planned.entries()) {
    const has = known === undefined ? '' : `  (run ${shortId(clientToken)}: ${known})`;
    io.err(`${String(index + 1).padStart(4)}. ${visible(item.title)}${has}\n`);
  }
}

async function startAll(
  io: Io,
  client: Client,
  { open, request, json }: { open: readonly Planned[]; request: Request; json: boolean },
): Promise<number> {
  const started: { title: string; runId: string; queue?: QueuePlace }[] = [];
  const failed: { title: string; code: string; message: string }[] = [];
  for (const [index, { item, clientToken }] of open.entries()) {
    const { title, text: requirements } = item;
    try {
      const answer = await client.call('run.start', { ...request, requirements, parallel: true, clientToken });
      if ('dryRun' in answer) continue;
      const { runId, queue } = answer;
      // What stays out of the runs is the same for all of them.
      if (index === 0 && !json) printWarnings(io, answer);
      started.push({ title, runId, ...(queue && { queue }) });
      if (!json) io.out(`${shortId(runId)}  ${placeWords(queue)}  ${visible(title)}\n`);
    } catch (error) {
      if (isAway(error) || !(error instanceof DevflowError)) throw error;
      failed.push({ title, code: error.code, message: error.message });
      if (!json) io.err(`Not started: ${visible(title)}: ${visible(error.message)}\n`);
    }
  }
  if (json) printJson(io, { started, failed });
  return failed.length === 0 ? 0 : 1;
}

function placeWords(queue: QueuePlace | undefined): string {
  return queue ? `queued, ${queue.position} of ${queue.of}` : 'started';
}
