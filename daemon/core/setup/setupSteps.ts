import type { NewEvent } from '../../../schemas/events/index.ts';
import { SETUP_GATE } from '../../../schemas/gates/ownGates.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { expandWords } from '../../../schemas/repository/variables.ts';
import { escalate } from '../gates/escalate.ts';
import { commandStarted } from '../run/commandStarted.ts';
import { laneEnvironment } from '../run/setupEnvironment.ts';
import { setupCommandId, setupCommands } from '../run/setupOf.ts';
import type { Lane, Phase, Run } from '../run/state.ts';
import { lanesInSetup } from './lanesToSetUp.ts';

/** The next command of each lane that is set up, or a gate. */
export function setupSteps(run: Run, phase: Phase): NewEvent[] {
  return lanesInSetup(run, phase).flatMap((lane) => stepsOf(run, phase, lane));
}

function stepsOf(run: Run, phase: Phase, lane: Lane): NewEvent[] {
  const { setup } = lane;
  if (setup?.state === 'failed') return askAboutSetup(run, phase, lane);
  if (setup?.state !== 'placed') return [];
  const ran = setupCommands(run, lane.id, setup.nth);
  const index = ran.length;
  const argv = setup.commands[index];
  if (!argv || ran.some(({ state }) => state !== 'completed')) return [];
  const facts = {
    commandId: setupCommandId(run.id, lane.id, setup.nth, index),
    ...(lane.id === MAIN ? {} : { laneId: lane.id }),
    index,
    kind: 'setup' as const,
    argv: expandWords(argv, laneEnvironment(run, lane.id)),
    cwd: lane.path,
    timeoutMs: run.options.commandTimeoutMs,
  };
  return [commandStarted(run, phase, facts)];
}

/** `approve` sets it up again, `reject` goes on without. */
function askAboutSetup(run: Run, phase: Phase, { id: laneId, setup }: Lane): NewEvent[] {
  if (!setup) return [];
  const failed = setupCommands(run, laneId, setup.nth).find(({ state }) => state === 'failed');
  const reason = setup.reason ?? 'it failed';
  const output = failed && {
    argv: failed.argv,
    exitCode: failed.exitCode,
    tail: failed.tail,
    stdoutPath: failed.stdoutPath,
    stderrPath: failed.stderrPath,
  };
  const failure = { code: 'setup_failed' as const, reason: `The set-up of the worktree failed: ${reason}` };
  const subject = { laneId, nth: setup.nth, why: reason, ...output };
  return escalate(run, phase, { ...failure, gateKey: SETUP_GATE, subject }, { laneId });
}
