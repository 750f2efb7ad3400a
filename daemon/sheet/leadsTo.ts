import { NESTED_GATE } from '../../schemas/definitions/template.ts';
import type { ApprovalDecisionAction } from '../../schemas/enums.ts';
import { gateFacts, holdsFailure } from '../../schemas/gates/gateKinds.ts';
import { gateWords } from '../../schemas/gates/gateWords.ts';
import { consequencesOf } from '../../schemas/gates/ownGates.ts';
import { cutTo } from '../../schemas/text/phrases.ts';
import { stepsAfterBlock, wantMore } from '../core/iterate/steps.ts';
import { BOUNDARY } from '../core/run/boundary.ts';
import { isInIteration } from '../core/run/iterations.ts';
import { producerOf } from '../core/run/producer.ts';
import { definitionOf, isUndecided, nextGate } from '../core/run/query.ts';
import type { Approval, Phase, Run } from '../core/run/state.ts';
import { skipOf } from '../core/skip.ts';

export interface Consequence {
  action: ApprovalDecisionAction;
  sentence: string;
}

/** The order in which a person reads them. */
const ORDER: readonly ApprovalDecisionAction[] = ['approve', 'request_changes', 'reject', 'abort'];

type Sentences = Readonly<Record<ApprovalDecisionAction, string>>;

const ENDS = {
  reject: 'The run ends as failed. Its branch and its worktree stay.',
  abort: 'The run is aborted. Its branch and its worktree stay.',
} as const;

/** The consequence of each decision that the gate takes; none once it is decided. */
export function leadsTo(run: Run, approval: Approval): Consequence[] {
  if (!isUndecided(approval)) return [];
  const own = consequencesOf(approval);
  const sentences = sentencesOf(run, approval);
  const { takes } = gateFacts(approval);
  return ORDER.filter((action) => takes.includes(action)).flatMap((action) => {
    const sentence = own === undefined || action === 'abort' ? sentences[action] : own[action];
    return sentence === null ? [] : [{ action, sentence }];
  });
}

/** The sentences of a gate whose decisions are those of its kind. */
function sentencesOf(run: Run, approval: Approval): Sentences {
  // A rejection that keeps something ends nothing.
  if (gateWords(approval).keep !== null) {
    return {
      ...ENDS,
      approve: "devflow removes the worktree and keeps a copy in the run's directory.",
      request_changes: 'The worktree stays.',
      reject: 'The worktree stays. devflow removes nothing.',
    };
  }
  const phase = run.phases.find(({ id }) => id === approval.phaseId);
  if (!phase) return { ...ENDS, approve: 'The run goes on.', request_changes: 'The run goes on with your comment.' };
  if (holdsFailure(approval)) return { ...ENDS, ...retry(run, phase) };
  return { ...ENDS, approve: afterApproval(run, phase, approval), request_changes: again(run, phase) };
}

function retry(run: Run, phase: Phase): Pick<Sentences, 'approve' | 'request_changes'> {
  const producer = producerOf(run, phase);
  const attempt = `attempt ${phase.attempts + 1}`;
  return {
    approve: `${nameOf(run, phase)} begins again, as ${attempt}.`,
    request_changes:
      producer === phase ? `${nameOf(run, phase)} begins again with your comment, as ${attempt}.` : again(run, phase),
  };
}

function afterApproval(run: Run, phase: Phase, { gateKey }: Approval): string {
  if (gateKey === NESTED_GATE) return 'The run goes on without these repositories.';
  const gate = nextGate(run, { ...phase, gatesPassed: [...phase.gatesPassed, gateKey] });
  if (gate === BOUNDARY) return 'devflow asks next in which conversation the run goes on.';
  if (gate !== undefined) return `The gate ${gate} of this phase opens next.`;
  const next = nextAfter(run, phase);
  if (next === 'iteration') return 'One more iteration begins.';
  if (next === 'question') return 'devflow asks next if one more iteration may begin.';
  if (next) return `${nameOf(run, next)} begins.`;
  return 'The run completes. Its work stays on its branch until you apply it.';
}

/** What begins once a phase is completed: what has nothing to do is passed over, and iterations end as they would then. */
function nextAfter(run: Run, phase: Phase): Phase | 'iteration' | 'question' | undefined {
  let after = withState(run, phase, 'completed');
  for (;;) {
    const [step] = stepsAfterBlock(after);
    if (step) return step.type === 'iteration.started' ? 'iteration' : 'question';
    const next = after.phases.find(({ seq, state }) => seq > phase.seq && state !== 'completed' && state !== 'skipped');
    if (!next || !skipOf(after, next)) return next;
    after = withState(after, next, 'skipped');
  }
}

function withState(run: Run, { id }: Phase, state: Phase['state']): Run {
  return { ...run, phases: run.phases.map((each) => (each.id === id ? { ...each, state } : each)) };
}

/** The phase that makes what a person asks for. */
function again(run: Run, phase: Phase): string {
  const producer = producerOf(run, phase);
  if (isInIteration(run, producer) && !isInIteration(run, phase)) {
    return wantMore(run, null).some(({ type }) => type === 'approval.requested')
      ? 'devflow asks first if one more iteration may begin: the template allows no more.'
      : 'One more iteration begins, with your comment.';
  }
  const later = producer.seq < phase.seq ? ' The phases after it run again.' : '';
  if (producer.kind === 'review')
    return `The implementer fixes it as your comment says, and the review looks again.${later}`;
  if (producer.kind === 'lanes') return `One more task does what your comment says, and devflow merges it.${later}`;
  return `${nameOf(run, producer)} begins again with your comment, as attempt ${producer.attempts + 1}.${later}`;
}

const MOST_CHARACTERS = 50;

function nameOf(run: Run, phase: Phase): string {
  return `"${cutTo(definitionOf(run, phase).title, MOST_CHARACTERS)}"`;
}
