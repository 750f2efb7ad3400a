import { holdsFailure } from '../../../schemas/gates/gateKinds.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import type { ArtifactContent, ArtifactView } from '../../../schemas/rpc/views/artifact.ts';
import type { Model } from '../../model/model.ts';
import { answerOf, type Query, type QueryOf, query } from '../../model/query.ts';

export const approvalQuery = (approvalId: string): QueryOf<'approval.get'> => query('approval.get', { approvalId });

export function approvalOf(model: Model): ApprovalDetail | undefined {
  return answerOf(model.data, approvalQuery(model.place.id ?? ''));
}

/** Reads a gate, the artifacts of the previous attempt, and the session it is about. */
export function approvalQueries(model: Model, approvalId: string): Query[] {
  const first = approvalQuery(approvalId);
  const approval = answerOf(model.data, first);
  if (!approval) return [first];
  const queries: Query[] = [first];
  const session = sessionIdOf(approval);
  if (session !== undefined) queries.push(query('session.get', { sessionId: session }));
  if (holdsFailure(approval)) {
    queries.push(artifactsOfRun(approval));
    const refused = refusedQuery(model, approval);
    return refused ? [...queries, refused] : queries;
  }
  if (!approval.artifacts.some(({ attempt, edited }) => attempt > 1 || edited)) return queries;
  queries.push(artifactsOfRun(approval));
  for (const artifact of approval.artifacts) {
    const before = previousView(model, approval, artifact);
    if (before) queries.push(query('artifact.get', { artifactId: before.artifactId }));
  }
  return queries;
}

/** The session that did the work, or that has the problem. */
export function sessionIdOf({ subject, sessionIds }: ApprovalDetail): string | undefined {
  return typeof subject.sessionId === 'string' ? subject.sessionId : sessionIds.at(-1);
}

const artifactsOfRun = ({ runId }: ApprovalDetail) => query('artifact.list', { runId });

/** At a recovery gate, the last invalid artifact shows what went wrong. */
function refusedQuery(model: Model, approval: ApprovalDetail): QueryOf<'artifact.get'> | undefined {
  const { phaseKey, attempt } = approval;
  const last = (answerOf(model.data, artifactsOfRun(approval)) ?? [])
    .filter((each) => !each.valid && each.phaseKey === phaseKey && each.attempt === attempt)
    .sort((a, b) => a.createdAt.localeCompare(b.createdAt))
    .at(-1);
  return last && query('artifact.get', { artifactId: last.artifactId });
}

export function invalidArtifact(model: Model, approval: ApprovalDetail): ArtifactContent | undefined {
  const refused = holdsFailure(approval) ? refusedQuery(model, approval) : undefined;
  return refused && answerOf(model.data, refused);
}

/**
 * The role's artifact from the newest earlier attempt; if that attempt has several, the valid one. Of what a person edited, the
 * version of the agent.
 */
function previousView(model: Model, approval: ApprovalDetail, artifact: ArtifactView): ArtifactView | undefined {
  const { attempt, roleId } = artifact;
  return (answerOf(model.data, artifactsOfRun(approval)) ?? [])
    .filter((other) => other.phaseKey === artifact.phaseKey && other.roleId === roleId)
    .filter((other) => (artifact.edited ? other.path === artifact.path && !other.edited : other.attempt < attempt))
    .sort((a, b) => b.attempt - a.attempt || Number(b.valid) - Number(a.valid))
    .at(0);
}

export function previousOf(
  model: Model,
  approval: ApprovalDetail,
  artifact: ArtifactView,
): ArtifactContent | undefined {
  const before = previousView(model, approval, artifact);
  return before && answerOf(model.data, query('artifact.get', { artifactId: before.artifactId }));
}
