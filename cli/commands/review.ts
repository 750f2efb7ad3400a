import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { defined } from '../../schemas/defined.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { RpcParams, RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { ReviewSummary } from '../../schemas/rpc/views/reviews.ts';
import { runState } from '../../schemas/states/run.ts';
import type { Client } from '../client/connect.ts';
import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action, OwnOf, ParamsOf } from '../define/command.ts';
import type { REVIEW } from '../define/review.ts';
import { usage, withRepositoryHint } from '../input/parse.ts';
import { INTERRUPTED } from '../io/interrupt.ts';
import type { Io } from '../io/io.ts';
import { printFailure, toFailure } from '../print/failure.ts';
import { printJson } from '../print/output.ts';
import { printFindings } from '../print/run/findings.ts';
import { sarifLog } from '../print/run/sarif.ts';
import { asOverrides, printLastBackends, printWarnings } from '../print/run/startNotes.ts';
import { shortId, visible } from '../print/text.ts';
import { withStartProgress } from '../run/startProgress.ts';
import { followToEnd } from '../run/waitForRun.ts';

type ReviewParams = ParamsOf<typeof REVIEW>;
export type ReviewOptions = OwnOf<typeof REVIEW>;
type Request = RpcParams<'run.start'>;

const NOTHING_SAID = 'Nothing was said about the change. Its commits and its code show what it is for.';

export const action: Action<typeof REVIEW> = async (params, options, io) => {
  try {
    return await review(io, params, options);
  } catch (error) {
    const failure = toFailure(error);
    if (failure.exit !== 1) throw error;
    // 1 says that there are defects.
    printFailure(io, failure, options.json === true);
    return FAILED;
  }
};

const FAILED = 2;

async function review(io: Io, params: ReviewParams, options: ReviewOptions): Promise<number> {
  const request = reviewRequest(io.cwd, params, options);
  const runId = await withDaemon(io, (client) => start(io, client, request));
  // Standard output is only for the findings.
  const run = await followToEnd({ ...io, out: io.err, outIsTty: io.errIsTty }, runId, options.timeout);
  if (run === undefined) return INTERRUPTED;
  const answer = await withDaemon(io, (client) => client.call('run.findings', { runId }));
  if (run.state !== 'completed') {
    throw new DevflowError(
      'state_conflict',
      `the review was not completed: run ${shortId(runId)} is ${runState(run).word}`,
      {
        recoveryHint: `See devflow run show ${shortId(runId)}; devflow run findings ${shortId(runId)} lists what was found.`,
        data: { runId, state: run.state },
      },
    );
  }
  const { findings, notes } = answer;
  const reviewed = reviewIn(answer);
  if (options.json) {
    const { phaseKey: _, ...facts } = reviewed;
    printJson(io, { runId: answer.runId, ...facts, ...defined({ outcome: run.outcome }), findings, notes });
  } else if (options.sarif) printJson(io, sarifLog(findings));
  else {
    printFindings(io, answer, 'The reviewers have no findings.');
    for (const line of failedChecks(reviewed)) io.out(`${visible(line)}\n`);
  }
  if (isRehearsal(reviewed)) io.err(REHEARSED);
  return exitOf(reviewed);
}

/** What `fake` says is scripted, so the change is neither good nor bad. */
const REHEARSAL = 6;
const REHEARSED =
  'A rehearsal: fake took part, so nothing is known about the change. Name real agents with --backend.\n';

export function exitOf(reviewed: Pick<ReviewSummary, 'verdict' | 'backends'>): number {
  if (isRehearsal(reviewed)) return REHEARSAL;
  return reviewed.verdict === 'pass' || reviewed.verdict === 'accepted' ? 0 : 1;
}

/** An older daemon does not say it. */
function isRehearsal({ backends }: Pick<ReviewSummary, 'backends'>): boolean {
  return backends.some(({ backend }) => backend === 'fake');
}

/** The verdict of a completed run. */
export function reviewIn({ runId, reviews }: Pick<RpcResult<'run.findings'>, 'runId' | 'reviews'>): ReviewSummary {
  if (reviews === undefined) {
    throw new DevflowError('version_mismatch', 'The daemon is older than this command and does not know the verdict.', {
      recoveryHint: `Restart it with devflow up. The findings: devflow run findings ${shortId(runId)}.`,
    });
  }
  const [reviewed] = reviews;
  if (reviewed) return reviewed;
  throw new DevflowError('internal_state_corruption', `run ${shortId(runId)} completed without a review`);
}

/** The checks of the project that keep the change from passing, a line for each. */
export function failedChecks({ commands }: Pick<ReviewSummary, 'commands'>): string[] {
  const last = commands.at(-1)?.round;
  const failed = commands.filter((each) => each.round === last && each.findingId === null && each.exitCode !== 0);
  return failed.map(({ argv, reason }) => `Failed check: ${argv.join(' ')}: ${reason}`);
}

/**
 * The request for the words of the command line. The path becomes absolute: the daemon has another working directory.
 */
export function reviewRequest(cwd: string, params: ReviewParams, options: ReviewOptions): Request {
  const { json, sarif, dir = '.', base, head, staged, worktree, message, verify } = options;
  if (base === '' || head === '')
    throw usage(`${base === '' ? '--base' : '--head'} needs a branch, a tag or a commit id`);
  if (json && sarif) throw usage('--json and --sarif cannot be used together');
  if (staged && worktree) throw usage('--staged and --worktree cannot be used together');
  if (head !== undefined && (staged || worktree)) {
    throw usage(`--head and ${staged ? '--staged' : '--worktree'} cannot be used together`);
  }
  const requirements = message?.join('\n\n') ?? '';
  return {
    ...params,
    repo: resolve(cwd, dir),
    template: 'review@1',
    requirements: requirements.trim() === '' ? NOTHING_SAID : requirements,
    change: { base, head, of: staged ? 'staged' : worktree ? 'worktree' : 'commits' },
    // The key of the template's phase.
    extra: verify && { review: verify },
    parallel: true,
  };
}

async function start(io: Io, client: Client, given: Request): Promise<string> {
  const { repo, template, bind, backend } = given;
  const last = await client.call('run.lastBackends', { repo, template, bind, backend }).catch((error) => {
    throw withRepositoryHint(error, 'devflow review <dir>');
  });
  const clientToken = randomUUID();
  const request = { ...given, backend: { ...backend, ...asOverrides(last) }, clientToken };
  const started = await withStartProgress(io, client, clientToken, () => client.call('run.start', request));
  printLastBackends(io, last);
  printWarnings(io, started);
  // The token becomes the id of the run.
  return clientToken;
}
