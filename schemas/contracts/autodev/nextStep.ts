import { FLOWS, stepName } from './flows.ts';
import { awaitingInvocation, type Pointer } from './pointer.ts';

/** The end of a session between two steps. */
export interface Boundary {
  completed: string;
  next: string;
  /** The flow's question instead of the shared one. */
  override: string | null;
  /** The question for the person; null if the flow asks another. */
  choose: string | null;
}

/** The pointer at the step that follows. A flow that has no end begins its loop again. */
export function nextStep(pointer: Pointer): Pointer {
  const { flow, step, cycle } = pointer;
  const { steps, afterLast } = FLOWS[flow];
  const at = (next: number, status: Pointer['status'], inCycle: number): Pointer => ({
    flow,
    step: next > steps.length ? 'done' : next,
    name: stepName(flow, next > steps.length ? 'done' : next) as string,
    status,
    sub_step: awaitingInvocation(),
    retry_count: 0,
    cycle: inCycle,
  });
  if (step === 'done') return pointer;
  if (step < steps.length) return at(step + 1, 'not_started', cycle);
  if (afterLast === 'done') return at(step + 1, 'completed', cycle);
  return at(afterLast.step, 'not_started', afterLast.cycle === undefined ? cycle : cycle + 1);
}

/** The confirmation of a person after a step: a file, and its key that must be true. Undefined if none. */
export function confirmedAfter({ flow, step }: Pick<Pointer, 'flow' | 'step'>): Confirmation | undefined {
  const { boundaries, rules } = FLOWS[flow];
  if (boundaries[step]?.override !== HUMAN_REVIEW) return undefined;
  const asked = rules.filter((rule) => rule.step === step).flatMap(({ all = [], any = [] }) => [...all, ...any]);
  const [flag] = asked.flatMap((each) => ('flagFalse' in each ? [each.flagFalse] : []));
  return flag && { path: flag[0], key: flag[1] };
}

const HUMAN_REVIEW = 'human-review';

export interface Confirmation {
  path: string;
  key: string;
}

/** The boundary after a step; null if the next step begins at once. */
export function boundaryAfter({ flow, step }: Pick<Pointer, 'flow' | 'step'>): Boundary | null {
  const declared = FLOWS[flow].boundaries[step];
  if (!declared) return null;
  const { completed, next, override = null } = declared;
  return { completed, next, override, choose: override === null ? chooseBlock(declared) : null };
}

const RULE = '══════════════════════════════════════';

/** The question at the end of a session. All flows ask it in these words, unless one has its own. */
export function chooseBlock({ completed, next }: { completed: string; next: string }): string {
  return [
    RULE,
    `DECISION REQUIRED: ${completed} — start ${next}?`,
    RULE,
    `A) Start a new conversation for ${next} (recommended for context freshness)`,
    'B) Continue in this conversation (NOT recommended — context may degrade)',
    `Warning: if context fills mid-${next}, state will be saved and you will`,
    'still be asked to resume in a new conversation — option B only delays that.',
    RULE,
    `Recommendation: A — ${next} is long; fresh context helps`,
    RULE,
  ].join('\n');
}
