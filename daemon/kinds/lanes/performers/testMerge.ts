import { defined } from '../../../../schemas/defined.ts';
import type { FailedSetup } from '../../../../schemas/events/worktree.ts';
import { derivedId } from '../../../../schemas/ids.ts';
import type { CheckResult, MergeTest } from '../../../../schemas/kinds/lanes/events.ts';
import { forgetCommand, wasAborted, wasStarted } from '../../../commands/commandFiles.ts';
import { failureSigns } from '../../../commands/failureSigns.ts';
import { type CommandResult, endLeftovers, howEnded, startOrAdopt } from '../../../commands/runner.ts';
import type { EffectOf } from '../../../core/effect/effect.ts';
import { keepWorktree } from '../../../engine/performers/keepWorktree.ts';
import type { Performer, PerformerPorts } from '../../../engine/performers/performer.ts';
import { assertSetUp, isSettingUp, setUpPlace } from '../../../engine/performers/setUpPlace.ts';
import { tailOf } from '../../../engine/performers/tailOf.ts';
import { withinSandbox } from '../../../engine/performers/withinSandbox.ts';
import { type LaneChain, mergeLanes } from '../../../repository/merge/mergeLanes.ts';
import { checkoutDetached, NO_BRANCH } from '../../../repository/worktree/detachedWorktree.ts';
import { maskSecrets } from '../../../sessions/transcript/maskSecrets.ts';
import type { SetupEnd } from '../../../setup/setUpDirectly.ts';
import { systemClock } from '../../../system/clock.ts';

/** The most failed checks whose output an event keeps. */
const MOST_TAILS = 5;

/**
 * Merges the lanes without a checkout, and runs all checks at the resulting tree. A lane that conflicts with the base is
 * reported. A lane that conflicts with an earlier lane waits until that one has landed.
 */
export const testMerge: Performer<'testMerge'> = async (effect, ports, signal) => {
  const { runId, phaseId, base, main, at } = effect;
  await keepWorktree(runId, main, ports);
  const input = { worktree: main, base, runId, at };
  let lanes = effect.lanes;
  let merged = await mergeLanes({ ...input, lanes });
  if ('conflict' in merged) {
    const { laneId, paths } = merged.conflict;
    const nth = lanes.findIndex((lane) => lane.laneId === laneId);
    const { head = '' } = lanes[nth] ?? {};
    if (nth <= 0) return { type: 'mergeConflicted', phaseId, laneId, head, base, paths };
    lanes = lanes.slice(0, nth);
    merged = await mergeLanes({ ...input, lanes });
    if ('conflict' in merged) return { type: 'mergeConflicted', phaseId, laneId, head, base, paths };
  }
  ports.faults.at('testMerge.merged');
  const found = await resultsAt(effect, merged, ports, signal);
  if (!found) return undefined;
  ports.faults.at('testMerge.tested');
  const { commits, tree } = merged;
  const facts = { base, lanes, commits, commit: commits.at(-1) ?? base, tree };
  return { type: 'mergeTested', phaseId, test: { ...facts, checks: effect.checks.hash, nth: effect.nth, ...found } };
};

type Found = Pick<MergeTest, 'failed' | 'results' | 'setup'>;

/** The results of the checks at a tree. A known tree is not tested again, unless it is asked for. */
async function resultsAt(
  effect: EffectOf<'testMerge'>,
  { commits, tree }: LaneChain,
  ports: PerformerPorts,
  signal: AbortSignal,
): Promise<Found | undefined> {
  const { checks, nth, known, base } = effect;
  const earlier = known.findLast((test) => test.tree === tree);
  if (checks.commands.length === 0) return { failed: [], results: [] };
  if (earlier && nth === 1) return { failed: earlier.failed, results: earlier.results };
  const ran = await runChecks(effect, commits.at(-1) ?? base, tree, ports, signal);
  if (!ran) return undefined;
  const { results } = ran;
  return { ...ran, failed: results.flatMap((result, index) => (result.exitCode === 0 ? [] : [index])) };
}

/** Runs all checks, also after one has failed. After a restart it adopts those that were started. */
async function runChecks(
  { phaseId, main, worktree, checks, nth, dir, setup, sandbox }: EffectOf<'testMerge'>,
  commit: string,
  tree: string,
  ports: PerformerPorts,
  signal: AbortSignal,
): Promise<Pick<Found, 'results' | 'setup'> | undefined> {
  const { config } = ports;
  const ids = checks.commands.map((_, index) => derivedId('check', phaseId, tree, checks.hash, nth, index));
  await forgetAborted(dir, ids);
  const id = derivedId('setup', phaseId, tree, checks.hash, nth);
  const place = { repoPath: main.repoPath, path: worktree, branch: NO_BRANCH, head: commit };
  // A check that was started works on these files, or a command of their set-up.
  const isUnderWay = ids.some((each) => wasStarted(dir, each)) || (setup && (await isSettingUp(place, id)));
  const cwd = isUnderWay
    ? worktree
    : await checkoutDetached({ repoPath: main.repoPath, path: worktree, commit, filters: config.git.filters });
  const made = setup && (await setUpPlace({ place, setup, id, signal }, ports));
  if (setup && made?.failed && !setup.setup.isGuess) {
    if (setup.isCheck) return { results: [resultOf(made.failed, cwd, setup.timeoutMs)] };
    assertSetUp(setup, made, 'the worktree for checks');
  }
  const env = made?.env;
  const results: CheckResult[] = [];
  for (const [index, { argv, timeoutMs }] of checks.commands.entries()) {
    const commandId = ids[index] ?? '';
    const startedAt = systemClock.now();
    const given = { commandId, argv, cwd, dir, startedAt, timeoutMs, signal, ...defined({ env }) };
    const end = await startOrAdopt({ ...given, ...withinSandbox({ sandbox, place, dir }) });
    if (end.aborted) return undefined;
    const { tail, ...result } = resultOf({ argv, result: end }, cwd, timeoutMs);
    const hasRoom = results.filter((each) => each.tail !== undefined).length < MOST_TAILS;
    results.push({ ...result, ...defined({ tail: hasRoom ? tail : undefined }) });
  }
  // A check may start a server for the checks after it.
  for (const id of ids) await endLeftovers(dir, id);
  return { results, ...defined({ setup: setup && failedSetup(made, cwd, setup.timeoutMs) }) };
}

/** A guess that failed, and after which the checks ran all the same. */
function failedSetup(made: SetupEnd | undefined, cwd: string, timeoutMs: number): FailedSetup | undefined {
  if (!made?.failed) return undefined;
  const { signs: _, ...shown } = resultOf(made.failed, cwd, timeoutMs);
  return shown;
}

function resultOf(
  { argv, result }: { argv: readonly string[]; result: CommandResult },
  cwd: string,
  timeoutMs: number,
): CheckResult {
  const { exitCode, stdoutPath, stderrPath } = result;
  const signs = exitCode === 0 ? undefined : failureSigns(result, cwd, maskSecrets);
  const facts = { argv: [...argv], exitCode, reason: howEnded(result, timeoutMs), stdoutPath, stderrPath };
  return { ...facts, ...defined({ signs }), ...tailOf(exitCode, result) };
}

/**
 * Forgets the checks of a test that a pause or another batch stopped. The worktree may have another tree since, so those that
 * ended run again too.
 */
async function forgetAborted(dir: string, ids: readonly string[]): Promise<void> {
  const aborted: string[] = [];
  for (const id of ids) if (await wasAborted(dir, id)) aborted.push(id);
  if (aborted.length === 0) return;
  const ended = ids.filter((id) => !aborted.includes(id));
  for (const id of [...ended, ...aborted]) forgetCommand(dir, id);
}
