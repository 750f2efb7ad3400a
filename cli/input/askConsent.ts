import { undecidedWall } from '../../schemas/repository/undecidedWall.ts';
import type { RpcParams } from '../../schemas/rpc/methods/index.ts';
import type { Client } from '../client/connect.ts';
import type { Io } from '../io/io.ts';
import { visible } from '../print/text.ts';
import { choose } from './confirm.ts';

const ANSWERS = { y: 'yes', n: 'no', v: 'never' } as const;

/**
 * Asks once about what the settings of a repository would run, and records a yes or a never. Without a terminal it asks
 * nothing. False if the person left the question.
 */
export async function askConsent(io: Io, client: Client, request: RpcParams<'run.start'>): Promise<boolean> {
  if (!io.inIsTty || !io.errIsTty || request.settings === false || request.allowSetup) return true;
  const { clientToken: _, ...asked } = request;
  const { settings } = await client.call('run.start', { ...asked, dryRun: true });
  const open = settings?.consents.filter(({ state }) => state === 'unknown') ?? [];
  if (open.length === 0) return true;
  io.err('In worktrees of this repository, devflow would:\n');
  for (const line of open.flatMap(({ lines }) => lines)) io.err(`  ${visible(line)}\n`);
  // Nothing stands in for a template.
  const isTemplate = open.some(({ part }) => part === 'template');
  const startsNothing = isTemplate || undecidedWall(open) !== undefined;
  const no = startsNothing ? 'no (start nothing)' : 'no (start without it)';
  const never = startsNothing && !isTemplate ? 'never (start without it)' : 'never';
  const answer = await choose(io, `Allow exactly this? yes, ${no}, ${never}`, ANSWERS);
  if (answer === undefined || (startsNothing && answer === 'no')) return false;
  const { repo, base, host } = request;
  const about = { repo, base, host, hashes: open.map(({ hash }) => hash) };
  if (answer === 'yes') await client.call('repository.allow', about);
  if (answer === 'never') await client.call('repository.forbid', about);
  return true;
}
