import { defined } from '../../schemas/defined.ts';
import { whyNotJoined } from '../../schemas/definitions/joinTemplates.ts';
import { gatesOf } from '../../schemas/definitions/template.ts';
import { isTerminal } from '../../schemas/enums.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { NewEvent } from '../../schemas/events/index.ts';
import type { Continued } from '../../schemas/events/run.ts';
import { phaseSignal } from './phaseSignals.ts';
import { phaseId } from './run/keys.ts';
import { isLedPhase } from './run/led.ts';
import { currentPhase, definitionOf, isFrozen, openGates } from './run/query.ts';
import type { Approval, Run } from './run/state.ts';
import { stateConflict } from './run/stateConflict.ts';
import type { Observed } from './run/worktreeState.ts';

/** Another template is to follow. What it adds is prepared: the core reads no definitions. */
export interface ContinueSignal extends Omit<Continued, 'nth' | 'phases'> {
  type: 'continue';
  /** Also if the agent is in a turn, or has messages left. */
  now: boolean;
  /** The hash of what the person was shown at the gate. */
  shown?: string;
  /** The subject of the gate, as the interpreter read it just before. */
  observed?: Observed;
}

/** The decision of the gate that the run waits at. */
interface Approving extends Pick<ContinueSignal, 'clientToken' | 'shown' | 'observed'> {
  approvalRequestId: string;
  action: 'approve';
  comment: string;
}

type Result = { events: NewEvent[] } | { refused: DevflowError; events?: NewEvent[] };

/**
 * Lets the phases of another template follow. At the gate of the last phase it approves, as any decision does. At work it finishes
 * the work. Either is one step. The same signal again has no events.
 */
export function continueRun(run: Run, signal: ContinueSignal, decide: (approving: Approving) => Result): Result {
  const { template, clientToken, shown, observed } = signal;
  if (run.continued?.clientToken === clientToken) return { events: [] };
  const refused = whyNotContinued(run, template);
  if (refused) return { refused };
  const continued = continuedBy(run, signal);
  const gate = gateToPass(run);
  if (!gate) {
    const finished = phaseSignal(run, { type: 'finish', now: signal.now });
    return finished instanceof DevflowError ? { refused: finished } : { events: [...finished, continued] };
  }
  const decided = decide({
    approvalRequestId: gate.id,
    action: 'approve',
    comment: `continued with ${template.name}@${template.version}`,
    clientToken,
    ...defined({ shown, observed }),
  });
  return 'refused' in decided ? decided : { events: [...decided.events, continued] };
}

/** The open gate of the template at which the last phase waits; undefined if the run is elsewhere. */
export function gateToPass(run: Run): Approval | undefined {
  const phase = currentPhase(run);
  if (!phase || phase !== run.phases.at(-1)) return undefined;
  const own = gatesOf(run.template, definitionOf(run, phase));
  return openGates(run).find(
    ({ phaseId: of, kind, gateKey }) => of === phase.id && kind === 'gate' && own.includes(gateKey),
  );
}

/** Why this template cannot follow in the run; undefined if it can. */
export function whyNotContinued(run: Run, next: Continued['template']): DevflowError | undefined {
  const ref = `${run.template.name}@${run.template.version}`;
  if (isTerminal(run.state)) return stateConflict(run, 'has ended');
  if (run.continued) return refusal(run, `Another template follows in run ${run.id} already: ${ref}.`);
  if (run.here) return refusal(run, `Run ${run.id} works in your checkout, so no template can follow in it.`);
  if (!run.phases.some(isLedPhase))
    return refusal(run, `The template ${ref} of run ${run.id} says itself what follows.`);
  if (isFrozen(run)) return stateConflict(run, 'must be resumed before a template can follow');
  const why = whyNotJoined(run.template, next);
  if (why === undefined) return undefined;
  return new DevflowError('usage', why, {
    runId: run.id,
    recoveryHint: 'Choose another template: devflow template list.',
  });
}

function refusal({ id: runId }: Run, message: string): DevflowError {
  const recoveryHint = 'Start another run for it: devflow run start.';
  return new DevflowError('state_conflict', message, { runId, recoveryHint });
}

function continuedBy(run: Run, signal: ContinueSignal): NewEvent {
  const { type: _, now: __, shown: ___, observed: ____, ...payload } = signal;
  const last = Math.max(...run.phases.map(({ seq }) => seq));
  const phases = signal.template.phases.map(({ key }, at) => ({ id: phaseId(run.id, key), key, seq: last + at + 1 }));
  return { type: 'run.continued', phaseId: null, payload: { nth: 1, ...payload, phases } };
}
