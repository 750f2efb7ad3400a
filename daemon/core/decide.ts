import { defined } from '../../schemas/defined.ts';
import { isTerminal } from '../../schemas/enums.ts';
import { MAIN } from '../../schemas/mainLane.ts';
import { kindOf } from '../kinds/index.ts';
import type { Effect, EffectOf } from './effect/effect.ts';
import { deliverFiles, isDelivering } from './exchange/deliver.ts';
import { isRestoring, publishedFile, restoreEffects } from './exchange/publish.ts';
import { waitsForIteration } from './iterate/steps.ts';
import { messageEffects } from './messages/messageEffects.ts';
import { needsWorktree } from './needsWorktree.ts';
import { ruleChecks } from './rules/rulesAt.ts';
import type { CommandRun } from './run/commandRun.ts';
import { isInCheckout, laneOf, placeOf } from './run/lanes.ts';
import {
  commandsStarted,
  currentPhase,
  isFrozen,
  isHeld,
  isLaneHeld,
  isPhaseAtWork,
  lastCommit,
  openGates,
} from './run/query.ts';
import { commandSandbox } from './run/sandboxOf.ts';
import { setupCheck } from './run/setupCheck.ts';
import { laneEnvironment } from './run/setupEnvironment.ts';
import { runningSetupCommands } from './run/setupOf.ts';
import type { Phase, Run } from './run/state.ts';
import { lanesToSetUp, waitsForSetup } from './setup/lanesToSetUp.ts';
import { setupEffects } from './setup/setupEffects.ts';

/**
 * The effects that must be running in this state. The interpreter starts new effects, aborts those no longer in the set, and
 * calls this again after every event. Pure and total, so it gives the same answer after a crash.
 */
export function decide(run: Run): Effect[] {
  if (isTerminal(run.state)) return finalEffects(run);
  if (run.state === 'created') return [{ type: 'lockBindings', runId: run.id, key: `lockBindings:${run.id}` }];
  const phase = currentPhase(run);
  const commands = phase ? runningCommands(run, phase) : [];
  // A pause starts no effect, but it does not kill a running command.
  if (isFrozen(run)) return commands;
  const others = [...gateTimers(run), ...ruleChecks(run), ...commands, ...(phase ? phaseEffects(run, phase) : [])];
  return run.messages.length > 0 ? [...others, ...messageEffects(run, others)] : others;
}

function finalEffects(run: Run): Effect[] {
  if (run.reportPath) return [];
  const sessions = run.sessions.map(({ id: sessionId, backend }) => ({ sessionId, backend }));
  return [
    { type: 'disposeSessions', runId: run.id, key: `disposeSessions:${run.id}`, sessions },
    isDelivering(run)
      ? deliverFiles(run, sessions)
      : { type: 'composeReport', runId: run.id, key: `composeReport:${run.id}` },
  ];
}

function gateTimers(run: Run): Effect[] {
  return openGates(run).flatMap(({ id, state, pendingSince, timeoutMs }) => {
    if (state !== 'pending' || timeoutMs === null) return [];
    const key = `expireApproval:${id}:${pendingSince}`;
    return [{ type: 'expireApproval', runId: run.id, key, approvalRequestId: id, since: pendingSince, timeoutMs }];
  });
}

function phaseEffects(run: Run, phase: Phase): Effect[] {
  if (isHeld(run, phase) || waitsForIteration(run)) return [];
  if (isRestoring(run)) return restoreEffects(run);
  if (needsWorktree(run, phase)) return [inspectWorktree(run, phase)];
  if (!isPhaseAtWork(phase)) return [];
  const lanes = lanesToSetUp(run, phase);
  const effects = kindOf(phase).effects(run, phase);
  return [...setupEffects(run, phase), ...effects.filter((effect) => !waitsForSetup(effect, lanes))];
}

function runningCommands(run: Run, phase: Phase): Effect[] {
  const lanes = lanesToSetUp(run, phase);
  const ofPhase = commandsStarted(run, phase)
    .filter(({ state, laneId }) => state === 'started' && (laneId === MAIN || !isLaneHeld(run, phase, laneId)))
    .map((command) => commandEffect(run, phase, command))
    .filter((effect) => !waitsForSetup(effect, lanes));
  const ofSetups = runningSetupCommands(run).map((command) => setupCommandEffect(run, phase, command));
  return [...ofPhase, ...ofSetups];
}

function commandEffect(run: Run, phase: Phase, command: CommandRun): Effect {
  const { laneId, index } = command;
  const extras = kindOf(phase).commandExtras?.(run, phase, command);
  const { setup } = laneOf(run, laneId);
  return {
    ...setupCommandEffect(run, phase, command),
    from:
      index === 0 && laneId === MAIN && phase.from && run.branch
        ? { approved: phase.from, repoPath: run.repoPath, branch: run.branch, except: run.exchangePaths }
        : null,
    // The time of a set-up that it waited for counts for no limit.
    ...(setup?.endedAt && setup.endedAt > command.startedAt ? { startedAt: setup.endedAt } : {}),
    ...extras,
    ...(extras?.measuring ? {} : setupCheck(run, laneId)),
  };
}

function setupCommandEffect(run: Run, phase: Phase, command: CommandRun): EffectOf<'runCommand'> {
  const { id, kind, argv, laneId, cwd, env, stdoutPath, startedAt, timeoutMs } = command;
  const here = laneEnvironment(run, laneId);
  return {
    type: 'runCommand',
    runId: run.id,
    key: `runCommand:${id}`,
    phaseId: phase.id,
    commandId: id,
    kind,
    argv,
    cwd,
    lane: placeOf(run, laneId),
    ...defined({ laneId: laneId === MAIN ? undefined : laneId, env: run.setup ? { ...here, ...env } : env }),
    ...commandSandbox(run, laneId),
    dir: stdoutPath.slice(0, stdoutPath.lastIndexOf('/')),
    startedAt,
    timeoutMs,
    from: null,
  };
}

function inspectWorktree(run: Run, phase: Phase): Effect {
  const { id: phaseId, attempts, state, gatesPassed } = phase;
  return {
    type: 'inspectWorktree',
    runId: run.id,
    key: `inspectWorktree:${phaseId}:${attempts}:${state}:${gatesPassed.length}`,
    phaseId,
    repoPath: run.repoPath,
    worktree: run.worktreeRoot,
    branch: run.branch ?? '',
    ...defined({ checkoutBase: isInCheckout(run) ? run.baseCommit : undefined }),
    lastKnown: lastCommit(run) ?? run.baseCommit,
    except: run.exchangePaths,
    published: state === 'pending' ? run.published.map((each) => publishedFile(run, each)) : [],
  };
}
