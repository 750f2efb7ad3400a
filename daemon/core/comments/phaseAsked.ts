import type { Comment } from '../../../schemas/comments/comment.ts';
import { hasWriters } from '../../../schemas/definitions/template.ts';
import { asksForIteration, takesComments } from '../../../schemas/gates/takesComments.ts';
import { blockOf, isInIteration } from '../run/iterations.ts';
import { producerOf } from '../run/producer.ts';
import { definitionOf } from '../run/query.ts';
import type { Approval, Phase, Run } from '../run/state.ts';

/** The phase whose agents answer comments at a gate; undefined if the gate takes none. */
export function phaseAsked(run: Run, approval: Approval): Phase | undefined {
  if (!takesComments(approval)) return undefined;
  const phase = run.phases.find(({ id }) => id === approval.phaseId);
  if (!phase) return undefined;
  // A review has gates of its own. Its fix answers.
  if (approval.laneId !== null) return phase;
  const producer = producerOf(run, phase);
  const isNextIteration = asksForIteration(approval) || (isInIteration(run, producer) && !isInIteration(run, phase));
  const asked = isNextIteration ? (editorOf(run) ?? producer) : producer;
  return hasWriters(definitionOf(run, asked)) ? asked : undefined;
}

/** Records the comments of a decision. */
export function withComments(
  run: Run,
  approval: Approval,
  { at, comments = [] }: { at: string; comments?: readonly Comment[] | undefined },
): Run {
  const phaseId = comments.length > 0 ? phaseAsked(run, approval)?.id : undefined;
  if (phaseId === undefined) return run;
  const { id: approvalId, gateKey } = approval;
  const fresh = comments.map((comment) => ({ ...comment, approvalId, gateKey, at, phaseId, answers: [] }));
  return { ...run, comments: [...run.comments, ...fresh] };
}

/** The first phase of an iteration that changes code. Others write plans and reports, and are often skipped. */
function editorOf(run: Run): Phase | undefined {
  const canEdit = (role: string) =>
    run.template.roles.some(
      ({ id, requiredCapabilities }) => id === role && requiredCapabilities.includes('code_edit'),
    );
  return blockOf(run).find((phase) => definitionOf(run, phase).roles.some(canEdit));
}
