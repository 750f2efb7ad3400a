import { defined } from '../../../schemas/defined.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import type { OwnGate } from '../../../schemas/gates/ownGates.ts';
import { hash } from '../../../schemas/hash.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { requestApproval } from '../gates/requestApproval.ts';
import { isBaseEnough, isMeasured, lastJudged } from '../objective/measuring.ts';
import { missedByBest } from '../objective/verdictOf.ts';
import { asksBeyondLimit, ranksByTargets } from '../run/behaviour.ts';
import type { Iteration } from '../run/exchangeState.ts';
import { blockOf, isInIteration, iterationOf } from '../run/iterations.ts';
import { openGates } from '../run/query.ts';
import type { Approval, Phase, Run } from '../run/state.ts';
import { type Judgement, judge } from './judge.ts';

export const EXHAUSTED = 'iterations_exhausted';

/** The next events of the run's iterations, before those of its phases. */
export function iterationSteps(run: Run, phase: Phase | undefined): NewEvent[] {
  const { iterate } = run.template;
  if (!iterate) return [];
  const last = iterationOf(run);
  if (!last) return phase && isInIteration(run, phase) && !isBaseEnough(run) ? [begin(1)] : [];
  if (last.endedAt === null) return isBlockDone(run) ? [end(run, last)] : [];
  if (last.isResolved || gateOf(run, last)?.state === 'approved') return [];
  if (gateOf(run, last)) return [];
  return [mayGoOn(run, last) ? begin(last.nth + 1) : askForMore(run, last)];
}

/**
 * What follows once the phases of the open iteration are done: another iteration, or a gate that asks about it. Nothing if
 * the run goes on to the phases after them.
 */
export function stepsAfterBlock(run: Run): NewEvent[] {
  const last = iterationOf(run);
  if (!last || last.endedAt !== null || !isBlockDone(run)) return [];
  const { isResolved, issues } = outcomeOf(run);
  const ended = { ...last, endedAt: run.updatedAt, isResolved, issues };
  return iterationSteps({ ...run, iterations: [...run.iterations.slice(0, -1), ended] }, undefined);
}

/** Without a person: as often as the template says, or until the evaluation says why to stop. */
function mayGoOn(run: Run, { nth }: Iteration): boolean {
  if (isMeasured(run)) return lastJudged(run)?.judgement?.stop === null;
  return nth < (run.template.iterate?.max ?? 1);
}

/** The gate at which a person decides whether the phases begin once more. */
function gateKeyOf(run: Run): OwnGate {
  return isMeasured(run) ? 'objective_not_met' : EXHAUSTED;
}

/** True while a person decides whether the phases begin once more. */
export function waitsForIteration(run: Run): boolean {
  return openGates(run).some(({ gateKey }) => gateKey === gateKeyOf(run));
}

/** Changes that a person wants of the result. Beyond the limit of the template, a gate asks about the limit first. */
export function wantMore(run: Run, comment: string | null): NewEvent[] {
  const last = iterationOf(run);
  const isWithin = !last || last.nth < (run.template.iterate?.max ?? 1);
  if (isWithin || isMeasured(run) || !asksBeyondLimit(run)) return extendIterations(run, comment);
  const limit = counted(run.template.iterate?.max ?? 1, 'iteration');
  const reason = `the template allows ${limit}, and these changes would be number ${last.nth + 1}`;
  return [iterationGate(run, last, { reason, wanted: comment ?? '' })];
}

/** The next iteration, because a person wants more. */
export function extendIterations(run: Run, comment: string | null): NewEvent[] {
  const last = iterationOf(run);
  if (!last) return [];
  const done = last.endedAt === null ? [end(run, last)] : [];
  return [...done, begin(last.nth + 1, comment)];
}

function begin(iteration: number, extension: string | null = null): NewEvent {
  const payload = defined({ iteration, extension: extension ?? undefined });
  return { type: 'iteration.started', phaseId: null, payload };
}

/** Without a judgement, because the phase that judges was skipped, nothing is resolved. */
function outcomeOf(run: Run): Judgement {
  return judge(run) ?? { isResolved: false, issues: [] };
}

function end(run: Run, { nth: iteration }: Iteration): NewEvent {
  const { isResolved: resolved, issues } = outcomeOf(run);
  return { type: 'iteration.completed', phaseId: null, payload: { iteration, resolved, issues } };
}

function isBlockDone(run: Run): boolean {
  return blockOf(run).every(({ state }) => state === 'completed' || state === 'skipped');
}

function gateOf(run: Run, { nth }: Iteration): Approval | undefined {
  return run.approvals.findLast(({ gateKey, subject }) => gateKey === gateKeyOf(run) && subject.iteration === nth);
}

/** The last iteration may be worse than the state that goes on. */
const isAboutBest = (run: Run) => isMeasured(run) && ranksByTargets(run);

/** The limit of the template is reached with something open: a person raises it, accepts what is open, or ends the run. */
function askForMore(run: Run, last: Iteration): NewEvent {
  const { nth, issues } = last;
  const reason = isMeasured(run)
    ? (lastJudged(run)?.judgement?.stop?.detail ?? 'the objective is not met')
    : `after ${counted(nth, 'iteration')}, ${counted(issues.length, 'issue')} of the last one ${issues.length === 1 ? 'is' : 'are'} open`;
  return iterationGate(run, last, { reason });
}

function iterationGate(run: Run, { nth, issues }: Iteration, facts: { reason: string; wanted?: string }): NewEvent {
  const [phase] = blockOf(run).slice(-1);
  if (!phase) throw new TypeError(`run ${run.id} iterates no phase`);
  const gateKey = gateKeyOf(run);
  const isSame = ({ subject, ...gate }: Approval) => gate.gateKey === gateKey && subject.iteration === nth;
  const { length: before } = run.approvals.filter(isSame);
  return requestApproval(phase.id, {
    approvalKey: hash({ runId: run.id, gateKey, iteration: nth, ...(before > 0 ? { nth: before + 1 } : {}) }),
    gateKey,
    kind: 'recovery',
    phaseKey: phase.key,
    attempt: phase.attempts,
    artifactHash: null,
    subject: { code: gateKey, iteration: nth, issues: isAboutBest(run) ? missedByBest(run) : issues, ...facts },
    timeoutMs: null,
  });
}
