import { DevflowError, type ErrorCode } from '../../../schemas/errors.ts';
import type { ApplyPlan, ApplyWay } from '../../../schemas/rpc/methods/runApply.ts';
import { acceptedName, movedQuestion } from '../../../schemas/rpc/views/movedNote.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { withDaemon } from '../../daemon/withDaemon.ts';
import type { Action, OwnOf } from '../../define/command.ts';
import type { RUN } from '../../define/run.ts';
import { confirm, DECLINED } from '../../input/confirm.ts';
import { onlyRun } from '../../input/onlyOne.ts';
import { usage } from '../../input/parse.ts';
import type { Io } from '../../io/io.ts';
import { printJson } from '../../print/output.ts';
import { shortId, visible } from '../../print/text.ts';

export const action: Action<typeof RUN.apply> = async (params, { run, json, print, yes, ...ways }, io) => {
  const { head: given } = params;
  const way = wayOf(ways, params.branch);
  return withDaemon(io, async (client) => {
    const wish = { ...params, runId: run ?? (await onlyRun(io, client, 'ended')), way };
    const plan = await client.call('run.apply', { ...wish, dryRun: true });
    if (print) return printLines(io, plan, json);
    if (plan.blocked) throw refused(io, plan, json);
    const { target, onto, head, moved } = plan;
    const agreed = { target, onto, head };
    // An apply that was interrupted after its work is recorded now.
    if (plan.does === 'nothing') return printEnd(io, await client.call('run.apply', { ...wish, agreed }), plan, json);
    if (!yes) {
      io.err(summaryOf(plan));
      const agrees = await confirm(io, `${plan.sentence} ${questionOf(plan, given)}`, {
        message: `Applying run ${shortId(plan.runId)} changes ${plan.repoPath}, and there is no terminal to ask on.`,
        hint: `See what it would do with devflow run apply ${shortId(plan.runId)} --print, or confirm with --yes.`,
      });
      if (!agrees) return DECLINED;
    }
    // The question showed the commits. With --yes nobody saw them, so the daemon refuses what is not approved.
    const seen = yes || !moved ? {} : { head: given ?? head };
    return printEnd(io, await client.call('run.apply', { ...wish, ...seen, agreed }), plan, json);
  });
};

/** With --head, the person has already accepted the commits. */
function questionOf({ moved }: ApplyPlan, given: string | undefined): string {
  if (!moved || given !== undefined) return 'Apply?';
  return movedQuestion(moved);
}

function wayOf({ merge, squash }: Pick<OwnOf<typeof RUN.apply>, 'merge' | 'squash'>, branch?: string): ApplyWay {
  const given = [merge && 'merge', squash && 'squash', branch !== undefined && 'branch'].filter(Boolean);
  if (given.length > 1) throw usage(`--${given.join(' and --')} cannot be used together`);
  return (given[0] as ApplyWay | undefined) ?? 'auto';
}

function printLines(io: Io, plan: ApplyPlan, json: boolean | undefined): number {
  if (json) printJson(io, plan);
  else for (const line of plan.lines) io.out(`${visible(line)}\n`);
  return 0;
}

/** Prints the commands first, so that the reason and the hint come last. */
function refused(io: Io, { blocked, lines, runId }: ApplyPlan, json: boolean | undefined): DevflowError {
  const { code, message, hint, files } = blocked as NonNullable<ApplyPlan['blocked']>;
  if (!json && code === 'apply_conflict') {
    io.err(`These files conflict:\n${files.map((file) => `  ${visible(file)}\n`).join('')}`);
    io.err(`To merge by hand:\n${lines.map((line) => `  ${visible(line)}\n`).join('')}`);
  }
  return new DevflowError(code as ErrorCode, message, { runId, recoveryHint: hint, data: { files, lines } });
}

function summaryOf(plan: ApplyPlan): string {
  const { runId, runState, repoPath, target, onto, commits, commitCount, totals, notes, moved } = plan;
  const { files, insertions, deletions } = totals;
  return [
    `Run ${shortId(runId)} is ${runState}.`,
    `  repository  ${visible(repoPath)}`,
    `  branch      ${visible(target ?? '')}${onto === null ? ' (new)' : `, now at ${onto.slice(0, 12)}`}`,
    `  work        ${counted(commitCount, 'commit')}, ${counted(files, 'file')}, +${insertions} −${deletions}`,
    ...commitLines({ commits, commitCount }),
    ...(moved?.hasApproved ? [`  after ${acceptedName(moved)}`, ...commitLines(moved)] : []),
    ...(moved && !moved.hasApproved ? [`  without ${acceptedName(moved)}`] : []),
    ...notes.map((note) => `  Note: ${visible(note)}`),
    '',
  ].join('\n');
}

function commitLines({ commits, commitCount }: Pick<ApplyPlan, 'commits' | 'commitCount'>): string[] {
  const more = commitCount - commits.length;
  const lines = commits.map(({ commit, subject }) => `    ${commit.slice(0, 12)} ${visible(subject)}`);
  return more > 0 ? [...lines, `    … and ${more} more`] : lines;
}

function printEnd(io: Io, done: ApplyPlan, plan: ApplyPlan, json: boolean | undefined): number {
  const { applied, sentence, target, commit, does, onto, repoPath, notes } = done;
  if (json) printJson(io, done);
  else if (!applied) io.out(`${visible(sentence)}\n`);
  else if (does === 'branch') io.out(`The branch ${visible(target ?? '')} is at ${commit?.slice(0, 12)}.\n`);
  else {
    io.out(`${visible(target ?? '')} is now at ${commit?.slice(0, 12)} in ${visible(repoPath)}.\n`);
    io.err(`Before, it was at ${onto?.slice(0, 12)} (ORIG_HEAD).\n`);
  }
  for (const note of notes) if (!plan.notes.includes(note)) io.err(`Note: ${visible(note)}\n`);
  return 0;
}
