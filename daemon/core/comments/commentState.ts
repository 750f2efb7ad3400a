import { isTerminal } from '../../../schemas/enums.ts';
import { asksForIteration } from '../../../schemas/gates/takesComments.ts';
import { stateRulesOf } from '../../kinds/states.ts';
import type { RunComment } from '../run/comment.ts';
import { isLedPhase } from '../run/led.ts';
import { openGates } from '../run/query.ts';
import type { Assignment, Phase, Run } from '../run/state.ts';
import { isAbandonedIn, standingAnswers } from './comments.ts';

export type CommentState =
  /** `told`: an agent that a person leads has it, and has no file to answer in. */
  | { state: 'open' | 'answered' | 'told'; reason: null }
  /** `reason`: a sentence for people. */
  | { state: 'unanswered'; reason: string };

const OPEN: CommentState = { state: 'open', reason: null };
const ANSWERED: CommentState = { state: 'answered', reason: null };
const TOLD: CommentState = { state: 'told', reason: null };

/** True if agents may still answer in the present attempt. */
const IS_AHEAD: readonly Phase['state'][] = ['pending', 'running', 'awaiting_artifact', 'validating'];

/** What became of a comment. It follows from the run, so a phase that begins again opens it again. */
export function commentState(run: Run, comment: RunComment): CommentState {
  const phase = run.phases.find(({ id }) => id === comment.phaseId);
  if (!phase) return unanswered('Its phase is gone.');
  if (isLedPhase(phase) && !IS_AHEAD.includes(phase.state)) return TOLD;
  const standing = standingAnswers(run, comment);
  const hasAnswered = ({ key }: Assignment) => standing.some(({ assignment }) => assignment === key);
  const waited = askedNow(run, phase, comment).filter((each) => !hasAnswered(each));
  if (waited.length === 0 && standing.length > 0) return ANSWERED;
  if (isTerminal(run.state)) return unanswered('The run ended first.');
  const ended = waited.find(isAbandonedIn(run));
  if (ended && !stateRulesOf(phase).willAnswer?.(phase, comment.id)) {
    const isLost = comment.answers.length > 0;
    return unanswered(isLost ? `Its fix is lost with ${ended.laneId}.` : `${ended.laneId} was abandoned.`);
  }
  if (phase.state === 'skipped') return unanswered(`Phase ${phase.key} was skipped.`);
  if (IS_AHEAD.includes(phase.state) || waited.length > 0) return OPEN;
  // A person decides first whether the phase begins again.
  if (openGates(run).some(asksForIteration)) return OPEN;
  return unanswered(`Phase ${phase.key} ended without it.`);
}

/**
 * The assignments that must answer a comment. A phase with steps of its own asks one after the other: the newest that can
 * answer stands for those before it. Otherwise all of them are asked at once.
 */
function askedNow(run: Run, phase: Phase, { id }: RunComment): Assignment[] {
  const asked = phase.assignments.filter(({ comments }) => comments.includes(id));
  if (stateRulesOf(phase).endsWithAssignments) return asked;
  const isAbandoned = isAbandonedIn(run);
  const newest = asked.findLast((each) => !isAbandoned(each)) ?? asked.at(-1);
  return newest ? [newest] : [];
}

function unanswered(reason: string): CommentState {
  return { state: 'unanswered', reason };
}

/** The comments that nobody answered, each as a sentence. `until`: of those that were recorded by then. */
export function unansweredNotes(run: Run, until?: string): { id: string; sentence: string }[] {
  return run.comments.flatMap((comment) => {
    if (until !== undefined && comment.at > until) return [];
    const { state, reason } = commentState(run, comment);
    return state === 'unanswered'
      ? [{ id: comment.id, sentence: `Comment ${comment.id} has no answer: ${reason}` }]
      : [];
  });
}
