import { METRICS_VARIABLE } from '../../../schemas/objective/measuringEnvironment.ts';
import { wasStarted } from '../../commands/commandFiles.ts';
import { ownHome } from '../../commands/ownHome.ts';
import { type CommandInput, endLeftovers, howEnded, startOrAdopt } from '../../commands/runner.ts';
import type { EffectOf } from '../../core/effect/effect.ts';
import { isSameWorktree } from '../../core/run/worktreeState.ts';
import type { MeasuringCommand } from '../../kinds/evaluate/effect.ts';
import { restoreEvaluationPlace } from '../../measure/objective/evaluationPlace.ts';
import { NO_BRANCH } from '../../repository/worktree/detachedWorktree.ts';
import { readWorktree } from '../../repository/worktree/readWorktree.ts';
import { registerWorktree } from '../../repository/worktree/restoreWorktree.ts';
import { onThisMachine } from '../../system/clock.ts';
import { keepWorktree } from './keepWorktree.ts';
import { outdatedSetup } from './outdatedSetup.ts';
import type { Performer, PerformerPorts } from './performer.ts';
import { evaluationVariables, setUpEvaluation } from './setUpEvaluation.ts';
import { tailOf } from './tailOf.ts';
import { withinSandbox } from './withinSandbox.ts';

/**
 * Runs a command of devflow itself in the worktree. If it outlived an earlier daemon, adopts it. An abort of the run kills
 * it; a shutdown leaves it for the next daemon. A command that the policy blocks has failed.
 */
export const runCommand: Performer<'runCommand'> = async (effect, ports, signal) => {
  const { faults } = ports;
  const { key, commandId, argv, cwd, lane, dir, startedAt, timeoutMs, from, measuring } = effect;
  await keepWorktree(effect.runId, lane, ports);
  faults.at('runCommand.before_start');
  const outdated = wasStarted(dir, commandId) ? undefined : await outdatedSetup(lane, effect.setup, ports);
  if (outdated) return outdated;
  // A command that was already started may have changed files itself.
  if (from && !wasStarted(dir, commandId)) {
    const { repoPath, branch, approved, except } = from;
    const place = { repoPath, path: lane.path, branch };
    await registerWorktree({ ...place, startCommit: approved.head, filters: ports.config.git.filters });
    const worktree = await readWorktree({ ...place, lastKnown: approved.head, except });
    if (!isSameWorktree(approved, worktree)) return { type: 'worktreeMoved', key, worktree };
  }
  const end = await startOrAdopt({
    commandId,
    argv,
    cwd,
    dir,
    startedAt: onThisMachine(new Date(startedAt), ports.clock),
    timeoutMs,
    signal,
    makesEnvFiles: effect.kind === 'setup',
    prepare: measuring && (() => prepareMeasuring(effect, measuring, ports, signal)),
    ...environmentOf(effect, measuring && (await evaluationVariables(lane, measuring, ports))),
    ...withinSandbox(placeIn(effect)),
  });
  // Measured code may leave processes, which must not write what is read next.
  if (measuring) await endLeftovers(dir, commandId, measuring.worktree);
  if (end.aborted) return undefined;
  faults.at('runCommand.after_end');
  const reason = howEnded(end, timeoutMs);
  const { exitCode } = end;
  const isShown = effect.laneId !== undefined || effect.kind === 'setup';
  const tail = isShown ? tailOf(exitCode, end) : {};
  return { type: 'commandEnded', commandId, exitCode, ok: exitCode === 0, reason, ...tail };
};

/** Where it runs. A command that measures runs in a worktree of devflow's own, and writes its results and a home. */
function placeIn({ sandbox, lane, cwd, dir, measuring }: EffectOf<'runCommand'>): Parameters<typeof withinSandbox>[0] {
  if (!measuring) return { sandbox, place: lane, cwd, dir };
  const { worktree: path, commit: head, home, metrics } = measuring;
  const place = { repoPath: lane.repoPath, path, branch: NO_BRANCH, head };
  return { sandbox, place, cwd, dir, writes: [home, metrics] };
}

/** Agents may have left processes that could write for the command, or over its files. */
async function prepareMeasuring(
  { runId, lane }: EffectOf<'runCommand'>,
  measuring: MeasuringCommand,
  ports: PerformerPorts,
  signal: AbortSignal,
): Promise<void> {
  const { worktree, home, commit } = measuring;
  await ports.sessions.endLeftovers(runId);
  await restoreEvaluationPlace({ ...lane, worktree, home }, { commit, filters: ports.config.git.filters });
  // Somebody may have removed the place since it was set up.
  await setUpEvaluation({ runId, lane }, { ...measuring, signal }, ports);
}

/** Behaviours before 6 name the directory for the metrics in the event. */
function environmentOf(
  { env, measuring }: EffectOf<'runCommand'>,
  ofPlace: Record<string, string> = {},
): Pick<CommandInput, 'env' | 'fresh' | 'secret'> {
  if (measuring)
    return {
      env: { ...env, ...ofPlace, ...ownHome(measuring.home) },
      fresh: measuring.metrics,
      secret: METRICS_VARIABLE,
    };
  const fresh = env?.[METRICS_VARIABLE];
  return { ...(env ? { env } : {}), ...(fresh ? { fresh } : {}) };
}
