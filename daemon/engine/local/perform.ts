import type { Registry } from '../../../schemas/definitions/registry.ts';
import { toErrorRecord } from '../../../schemas/errors/errorRecord.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { backoffMs } from '../../../schemas/time/steadyTime.ts';
import type { Effect } from '../../core/effect/effect.ts';
import type { Outcome } from '../../core/effect/outcome.ts';
import { type GitChange, recordingGit } from '../../repository/git/gitRecord.ts';
import { sleepUntil } from '../../system/clock.ts';
import type { Performer, PerformerPorts, Performers } from '../performers/performer.ts';
import { refuseInCheckout } from './refuseInCheckout.ts';

/** Performs an effect. Never rejects: a failure is an outcome too. */
export type Perform = (effect: Effect, signal: AbortSignal) => Promise<Outcome | undefined>;

const ATTEMPTS = 3;
const RETRY = { firstMs: 1_000, longestMs: 30_000 };

/**
 * Retries recoverable errors; a failure that remains becomes `effectFailed`. An aborted performer reports nothing. A shutdown
 * interrupts performers, which report nothing either: the next daemon performs their effects again.
 */
export function createPerform(
  performers: Performers,
  ports: PerformerPorts,
  registryOf: (runId: string) => Promise<Registry> = async () => ports.registry,
): Perform {
  async function attempt(effect: Effect, signal: AbortSignal): Promise<Outcome | undefined> {
    refuseInCheckout(effect);
    const performer = performers[effect.type] as Performer<typeof effect.type>;
    const mine = { ...ports, faults: ports.faults.during(effect.key), registry: await registryOf(effect.runId) };
    for (let turn = 1; ; turn += 1) {
      try {
        return await recordingGit(
          (changes) => keepGit(effect, changes),
          () => performer(effect as never, mine, signal),
        );
      } catch (error) {
        const again = error instanceof DevflowError && error.class === 'recoverable' && error.code !== 'shutting_down';
        if (!again || turn >= ATTEMPTS || signal.aborted) throw error;
        const delay = backoffMs(turn - 1, RETRY);
        await sleepUntil(new Date(ports.clock.now().getTime() + delay), ports.clock, signal);
      }
    }
  }

  /** The effect has succeeded, so a failed insert is only logged. */
  async function keepGit(effect: Effect, changes: GitChange[]): Promise<void> {
    const facts = { runId: effect.runId, phaseId: 'phaseId' in effect ? effect.phaseId : null };
    await ports.gitCommands
      .add(changes.map((change) => ({ ...facts, ...change })))
      .catch((err: unknown) => ports.log.warn({ ...factsOf(effect), err }, 'git commands were not recorded'));
  }

  return async (effect, signal) => {
    try {
      return await attempt(effect, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof DevflowError && error.code === 'shutting_down') return undefined;
      const failure = toErrorRecord(error);
      const level = failure.class === 'recoverable' ? 'warn' : 'error';
      ports.log[level]({ ...factsOf(effect), err: error }, 'the effect failed');
      return { type: 'effectFailed', key: effect.key, error: failure };
    }
  };
}

/** The ids that make log lines about an effect searchable. */
function factsOf(effect: Effect) {
  return {
    runId: effect.runId,
    ...('phaseId' in effect && { phaseId: effect.phaseId }),
    ...('roleId' in effect && { role: effect.roleId }),
    ...('session' in effect && { role: effect.session.roleId, sessionId: effect.session.sessionId }),
    effect: effect.type,
  };
}
