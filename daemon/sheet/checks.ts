import { SETUP_GATE } from '../../schemas/gates/ownGates.ts';
import { MAIN } from '../../schemas/mainLane.ts';
import type { CheckView } from '../../schemas/rpc/views/sheet.ts';
import type { CommandRun } from '../core/run/commandRun.ts';
import { producerOf } from '../core/run/producer.ts';
import { commandsStarted } from '../core/run/query.ts';
import { setupCommands } from '../core/run/setupOf.ts';
import type { Approval, Run } from '../core/run/state.ts';

/** The commands of the gate's phase, or of the set-up that failed. */
export function commandsAt(run: Run, { gateKey, phaseId, laneId, subject }: Approval): CommandRun[] {
  if (gateKey === SETUP_GATE && laneId !== null) return setupCommands(run, laneId, Number(subject.nth));
  const phase = run.phases.find(({ id }) => id === phaseId);
  return phase ? commandsStarted(run, phase) : [];
}

/** The commands that checked what the gate asks about: those of its phase, else of the phase that made it. */
export function checksOf(run: Run, approval: Approval): CommandRun[] {
  const own = commandsAt(run, approval);
  const phase = run.phases.find(({ id }) => id === approval.phaseId);
  if (own.length > 0 || !phase) return newest(own);
  const producer = producerOf(run, phase);
  const between = run.phases.filter(({ seq }) => seq >= producer.seq && seq <= phase.seq);
  return newest(between.flatMap((each) => commandsStarted(run, each)));
}

/** The last run of each command in each lane. */
function newest(commands: readonly CommandRun[]): CommandRun[] {
  const keyOf = ({ laneId, cwd, argv }: CommandRun) => JSON.stringify([laneId, cwd, argv]);
  const last = new Map(commands.map((command) => [keyOf(command), command]));
  return commands.filter((command) => last.get(keyOf(command)) === command);
}

const MOST_CHECKS = 50;

/** Failures are never left out before what went well. */
export function checkViews(commands: readonly CommandRun[], tails: ReadonlyMap<string, string>): CheckView[] {
  const failed = commands.filter(isFailed).slice(-MOST_CHECKS);
  const good = commands.filter((command) => !isFailed(command)).slice(0, MOST_CHECKS - failed.length);
  return commands
    .filter((command) => failed.includes(command) || good.includes(command))
    .map((command) => {
      const { id, argv, exitCode, reason, tail, startedAt, endedAt, laneId } = command;
      return {
        argv,
        exitCode,
        reason: exitCode === null ? reason : null,
        tail: isFailed(command) ? (tails.get(id) ?? tail ?? null) : null,
        ms: endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt),
        laneId: laneId === MAIN ? null : laneId,
      };
    });
}

export function isFailed({ endedAt, exitCode }: Pick<CommandRun, 'endedAt' | 'exitCode'>): boolean {
  return endedAt !== null && exitCode !== 0;
}
