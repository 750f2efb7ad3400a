import { decide } from '../../../../../daemon/core/decide.ts';
import type { Effect } from '../../../../../daemon/core/effect/effect.ts';
import type { Outcome } from '../../../../../daemon/core/effect/outcome.ts';
import { isDelivering } from '../../../../../daemon/core/exchange/deliver.ts';
import { isLedPhase } from '../../../../../daemon/core/run/led.ts';
import { currentPhase, openGates } from '../../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../../daemon/core/run/state.ts';
import { onOutcome } from '../../../../../daemon/core/transition.ts';
import type { Perform } from '../../../../../daemon/engine/local/perform.ts';
import type { RunEngine } from '../../../../../daemon/engine/runEngine.ts';
import type { RunLog } from '../../../../../daemon/store/runLog.ts';
import { isTerminal } from '../../../../../schemas/enums.ts';
import { derivedId } from '../../../../../schemas/ids.ts';
import { until } from '../../../../helpers/until.ts';
import { resultsOf } from '../../../core/support/outcomes.ts';
import { markReported } from './markReported.ts';

/** Effects that wait until the test says how they end. */
export interface Stage {
  performOn(runLog: RunLog): Perform;
  /** Ends the effect, once the engine has begun it. */
  end(key: string, outcome: Outcome): Promise<void>;
}

export function createStage(): Stage {
  const begun = new Map<string, (outcome?: Outcome) => void>();
  return {
    performOn: (runLog) => async (effect, signal) => {
      if (effect.type === 'composeReport') return markReported(runLog, effect.runId);
      if (effect.type === 'disposeSessions') return undefined;
      return new Promise((resolve) => {
        begun.set(effect.key, resolve);
        signal.addEventListener('abort', () => {
          begun.delete(effect.key);
          resolve(undefined);
        });
      });
    },
    async end(key, outcome) {
      const settle = await until(`${key} has begun`, () => begun.get(key));
      begun.delete(key);
      settle(outcome);
    },
  };
}

/** After so many steps everything goes well, and after twice as many the run is aborted. */
const TROUBLED_STEPS = 60;

/**
 * Plays a run to its end, one step at a time. What happens next is a function of the run alone: so every engine that keeps to
 * the core writes the same log. `steps`: stop after so many.
 */
export async function playRun(
  engine: RunEngine,
  stage: Stage,
  runId: string,
  isTroubled: boolean,
  steps = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (let step = 0; ; step += 1) {
    if (step === steps) return;
    const run = await readRun(engine, runId);
    if (isTerminal(run.state) && !isDelivering(run)) break;
    if (step === 2 * TROUBLED_STEPS && !isTerminal(run.state)) await engine.abortRun(runId, 'It takes too long.');
    else await playStep(engine, stage, run, isTroubled && step < TROUBLED_STEPS);
    await until(`${runId} moves`, async () => (await readRun(engine, runId)).lastSeq > run.lastSeq);
  }
  await until(`${runId} has its report`, async () => (await engine.readRun(runId))?.reportPath);
}

async function readRun(engine: RunEngine, runId: string): Promise<Run> {
  const run = await engine.readRun(runId);
  if (!run) throw new Error(`there is no run ${runId}`);
  return run;
}

async function playStep(engine: RunEngine, stage: Stage, run: Run, isTroubled: boolean): Promise<void> {
  const possible = decide(run).flatMap((effect) => movesOf(run, effect, isTroubled));
  const next = possible[(run.lastSeq * 7) % possible.length];
  if (next) return stage.end(next.key, next.outcome);
  const [gate] = run.frozen ? [] : openGates(run);
  const token = derivedId('token', String(run.lastSeq));
  if (gate) await engine.signalApproval(run.id, gate.id, 'approve', token);
  else if (run.frozen || !isLed(run)) await engine.resumeRun(run.id);
  else await engine.finishWork(run.id, true);
}

/** True while nothing goes on before a person says that the work is finished. */
function isLed(run: Run): boolean {
  const phase = currentPhase(run);
  return phase !== undefined && isLedPhase(phase);
}

/** The outcomes of an effect that lead anywhere; the expected one alone if nothing is to go wrong. */
function movesOf(run: Run, effect: Effect, isTroubled: boolean): { key: string; outcome: Outcome }[] {
  if (effect.type === 'expireApproval') return [];
  const moves = resultsOf(effect, run).filter((outcome) => onOutcome(run, outcome, run.updatedAt).events.length > 0);
  return (isTroubled ? moves : moves.slice(0, 1)).map((outcome) => ({ key: effect.key, outcome }));
}
