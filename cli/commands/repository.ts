import type { ConsentPart } from '../../schemas/repository/consent.ts';
import type { RpcParams } from '../../schemas/rpc/methods/index.ts';
import type { RepositoryView } from '../../schemas/rpc/views/repository.ts';
import { callDaemonOrOneshot } from '../daemon/oneshot.ts';
import { withDaemon } from '../daemon/withDaemon.ts';
import type { Repository } from '../define/repository.ts';
import { confirm, DECLINED, isYes } from '../input/confirm.ts';
import type { Io } from '../io/io.ts';
import { printJson } from '../print/output.ts';
import { printInit, printRepository } from '../print/repository.ts';
import { visible } from '../print/text.ts';

export const actions: Repository = {
  async show(params, { json }, io) {
    const view = await callDaemonOrOneshot(io, 'repository.show', params);
    if (json) printJson(io, view);
    else printRepository(io, view);
    return 0;
  },
  async check(params, { json }, io) {
    const answer = await callDaemonOrOneshot(io, 'repository.check', params);
    if (json) printJson(io, answer);
    else {
      for (const { file, where, faults, note } of answer.files) {
        const place = `${visible(file)}${where === 'base' ? ' of the base commit' : ''}`;
        if (faults.length === 0) io.out(`${place}: valid\n`);
        for (const fault of faults) io.out(`${visible(fault)}${where === 'base' ? ' (base commit)' : ''}\n`);
        if (note !== undefined) io.out(`${visible(note)}\n`);
      }
      if (answer.files.length === 0) io.out('There is no settings file: devflow guesses.\n');
    }
    return answer.files.some(({ faults }) => faults.length > 0) ? 1 : 0;
  },
  async init(params, { json, trial, yes }, io) {
    const hashes = trial ? await mayTry(io, params, yes) : undefined;
    const isTried = trial && (yes || hashes !== undefined);
    const answer = await withDaemon(io, (client) =>
      client.call('repository.init', { ...params, try: isTried, hashes }),
    );
    if (json) printJson(io, answer);
    else printInit(io, answer);
    return answer.tried && !(answer.tried.setUp && answer.tried.checks.every(({ ok }) => ok)) ? 1 : 0;
  },
  async allow({ part, ...params }, { json, yes }, io) {
    const before = await callDaemonOrOneshot(io, 'repository.show', params);
    const asked = ofPart(before.consents, part);
    const open = asked.filter(({ state }) => state !== 'allowed');
    if (open.length > 0 && !yes) {
      for (const line of open.flatMap(({ lines }) => lines)) io.err(`  ${visible(line)}\n`);
      const unasked = { message: 'nobody was asked whether this may run', hint: 'Without a terminal, add --yes.' };
      if (!(await confirm(io, `Allow exactly this in worktrees of ${before.repoPath}?`, unasked))) return DECLINED;
    }
    // Exactly what the person read: what changed meanwhile is refused.
    const hashes = asked.map(({ hash }) => hash);
    const view = await callDaemonOrOneshot(io, 'repository.allow', { ...params, hashes });
    printDecision(io, view, { json, part, word: 'Allowed' });
    return 0;
  },
  async forbid(params, { json }, io) {
    const view = await callDaemonOrOneshot(io, 'repository.forbid', params);
    printDecision(io, view, { json, part: params.part, word: 'Forbidden' });
    return 0;
  },
};

/** Asks a person at a terminal, and returns the hashes of what the person read. A script says it with an option. */
async function mayTry(
  io: Io,
  params: RpcParams<'repository.show'>,
  yes: boolean | undefined,
): Promise<string[] | undefined> {
  if (yes) return undefined;
  const { consents: all } = await callDaemonOrOneshot(io, 'repository.show', params);
  // A try has no template.
  const consents = all.filter((each) => each.part !== 'template');
  if (consents.length === 0) return undefined;
  if (!io.inIsTty || !io.errIsTty) {
    io.err('It is not tried, because nobody was asked. To try it without a terminal: --yes.\n');
    return undefined;
  }
  for (const line of consents.flatMap(({ lines }) => lines)) io.err(`  ${visible(line)}\n`);
  const isSure = await isYes(io, 'Try it now in a worktree that devflow removes?');
  return isSure ? consents.map(({ hash }) => hash) : undefined;
}

function ofPart(consents: RepositoryView['consents'], only: ConsentPart | undefined): RepositoryView['consents'] {
  return consents.filter(({ part }) => only === undefined || part === only);
}

function printDecision(
  io: Io,
  view: RepositoryView,
  { json, part, word }: { json: boolean | undefined; part: ConsentPart | undefined; word: string },
): void {
  if (json) {
    printJson(io, view);
    return;
  }
  const lines = ofPart(view.consents, part).flatMap((each) => each.lines);
  if (lines.length === 0) io.out(`Nothing in ${visible(view.repoPath)} needs consent.\n`);
  else io.out(`${word} in worktrees of ${visible(view.repoPath)}:\n`);
  for (const line of lines) io.out(`  ${visible(line)}\n`);
}
