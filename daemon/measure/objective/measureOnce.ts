import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Measurement } from '../../../schemas/objective/measured.ts';
import { METRICS_VARIABLE, measuringEnvironment } from '../../../schemas/objective/measuringEnvironment.ts';
import type { Measure, Part, Range } from '../../../schemas/objective/objective.ts';
import type { MetricUnits } from '../../../schemas/objective/units.ts';
import { secretDirectory } from '../../commands/commandFiles.ts';
import { outputTail } from '../../commands/outputTail.ts';
import { makeHome, ownHome } from '../../commands/ownHome.ts';
import { endLeftovers, howEnded, startOrAdopt } from '../../commands/runner.ts';
import { COMMANDS } from '../../discovery/removeLeftovers.ts';
import { makeCheckout, removeCheckout } from '../../discovery/scratchCheckout.ts';
import { createGit } from '../../repository/git/git.ts';
import { commonDirectory } from '../../repository/git/repositoryFiles.ts';
import { withTemporaryGit } from '../../repository/privateGit/temporaryGit.ts';
import { NO_BRANCH } from '../../repository/worktree/detachedWorktree.ts';
import { readMeasurement } from '../metrics/readMeasurement.ts';

export interface MeasureOnce {
  repoPath: string;
  commit: string;
  /** A directory of devflow, for a checkout that is removed at the end. */
  scratchDir: string;
  measure: Omit<Measure, 'timeoutMs'> & { timeoutMs: number };
  part: Part;
  range: Range | null;
  units: MetricUnits;
}

export interface MeasuredOnce {
  measurement: Measurement;
  /** The last that the command printed. */
  output: string;
  tookMs: number;
}

/** Between TERM and KILL of a command that nobody waits for any more. */
const GRACE_MS = 2000;

/**
 * Measures a commit in a checkout of its own, as a run would. Leaves nothing behind, also when the signal aborts.
 * Throws git_failed, command_failed or the signal's reason.
 */
export async function measureOnce(input: MeasureOnce, signal: AbortSignal): Promise<MeasuredOnce> {
  signal.throwIfAborted();
  await mkdir(input.scratchDir, { recursive: true, mode: 0o700 });
  const scratch = await mkdtemp(join(await realpath(input.scratchDir), 'try-'));
  const path = join(scratch, 'checkout');
  try {
    await mkdir(path, { mode: 0o700 });
    const place = { repoPath: input.repoPath, path, branch: NO_BRANCH, head: input.commit };
    await withTemporaryGit(place, await commonDirectory(input.repoPath), createGit(), (privateGit) =>
      makeCheckout(privateGit, input.commit),
    );
    signal.throwIfAborted();
    return await run(input, scratch, path, signal);
  } finally {
    await removeCheckout(scratch);
  }
}

async function run(
  { measure, part, range, units }: MeasureOnce,
  scratch: string,
  cwd: string,
  signal: AbortSignal,
): Promise<MeasuredOnce> {
  const { argv, timeoutMs, ...source } = measure;
  const [dir, metrics, home] = [COMMANDS, 'metrics', 'home'].map((name) => join(scratch, name)) as [
    string,
    string,
    string,
  ];
  await makeHome(home);
  const commandId = randomUUID();
  const startedAt = new Date();
  const result = await startOrAdopt({
    commandId,
    argv,
    cwd,
    dir,
    env: { ...ownHome(home), ...measuringEnvironment({ nth: 0, part, range }) },
    fresh: metrics,
    secret: METRICS_VARIABLE,
    timeoutMs,
    startedAt,
    signal,
    graceMs: GRACE_MS,
  }).finally(() => endLeftovers(dir, commandId, scratch));
  signal.throwIfAborted();
  const { stdoutPath, stderrPath } = result;
  const ended = { ok: result.exitCode === 0 && !result.timedOut, reason: howEnded(result, timeoutMs) };
  const measurement = await readMeasurement({
    dir: secretDirectory(dir, commandId) ?? '',
    stdoutPath,
    stderrPath,
    ended,
    source,
    units,
  });
  const output = outputTail({ stdoutPath, stderrPath });
  return { measurement, output, tookMs: result.endedAt.getTime() - startedAt.getTime() };
}
