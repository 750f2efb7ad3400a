import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import type { ArtifactContent, ArtifactView } from '../../../schemas/rpc/views/artifact.ts';
import { known, type Need, type NeedOf, need } from '../../model/data.ts';
import type { Model } from '../../model/model.ts';

export const approvalNeed = (approvalId: string): NeedOf<'approval.get'> => need('approval.get', { approvalId });

export function approvalOf(model: Model): ApprovalDetail | undefined {
  return known(model.data, approvalNeed(model.place.about ?? ''));
}

/** Of one gate: itself, what the attempt before has written and been told, and the agent it is about. */
export function approvalNeeds(model: Model, approvalId: string): Need[] {
  const first = approvalNeed(approvalId);
  const approval = known(model.data, first);
  if (!approval) return [first];
  const needs: Need[] = [first];
  const session = sessionIdOf(approval);
  if (session !== undefined) needs.push(need('session.get', { sessionId: session }));
  if (approval.kind === 'recovery') {
    needs.push(artifactsOfRun(approval));
    const refused = refusedNeed(model, approval);
    return refused ? [...needs, refused] : needs;
  }
  if (!approval.artifacts.some(({ attempt }) => attempt > 1)) return needs;
  needs.push(artifactsOfRun(approval), gatesOfRun(approval));
  for (const artifact of approval.artifacts) {
    const before = previousView(model, approval, artifact);
    if (before) needs.push(need('artifact.get', { artifactId: before.artifactId }));
  }
  const asked = previousGateNeed(model, approval);
  return asked ? [...needs, asked] : needs;
}

/** The agent that made what is under decision, or that the trouble is with. */
export function sessionIdOf({ subject, sessionIds }: ApprovalDetail): string | undefined {
  return typeof subject.sessionId === 'string' ? subject.sessionId : sessionIds.at(-1);
}

/** Where what its pane showed last says what the trouble is. */
export function isAboutAgent({ kind }: Pick<ApprovalDetail, 'kind'>): boolean {
  return kind === 'recovery' || kind === 'agent';
}

const artifactsOfRun = ({ runId }: ApprovalDetail) => need('artifact.list', { runId });
const gatesOfRun = ({ runId }: ApprovalDetail) => need('approval.list', { runId, limit: 1000 });

/** At a recovery gate nothing is under decision, but what was written last says what went wrong. */
function refusedNeed(model: Model, approval: ApprovalDetail): NeedOf<'artifact.get'> | undefined {
  const { phaseKey, attempt } = approval;
  const last = (known(model.data, artifactsOfRun(approval)) ?? [])
    .filter((each) => !each.valid && each.phaseKey === phaseKey && each.attempt === attempt)
    .sort((a, b) => a.createdAt.localeCompare(b.createdAt))
    .at(-1);
  return last && need('artifact.get', { artifactId: last.artifactId });
}

export function refusedArtifact(model: Model, approval: ApprovalDetail): ArtifactContent | undefined {
  const refused = approval.kind === 'recovery' ? refusedNeed(model, approval) : undefined;
  return refused && known(model.data, refused);
}

/** The role's artifact from the newest earlier attempt; if that attempt has several, the valid one. */
function previousView(model: Model, approval: ApprovalDetail, artifact: ArtifactView): ArtifactView | undefined {
  const { attempt, roleId } = artifact;
  return (known(model.data, artifactsOfRun(approval)) ?? [])
    .filter((other) => other.phaseKey === artifact.phaseKey && other.roleId === roleId && other.attempt < attempt)
    .sort((a, b) => b.attempt - a.attempt || Number(b.valid) - Number(a.valid))
    .at(0);
}

export function previousOf(
  model: Model,
  approval: ApprovalDetail,
  artifact: ArtifactView,
): ArtifactContent | undefined {
  const before = previousView(model, approval, artifact);
  return before && known(model.data, need('artifact.get', { artifactId: before.artifactId }));
}

function previousGateNeed(model: Model, approval: ApprovalDetail): NeedOf<'approval.get'> | undefined {
  const before = (known(model.data, gatesOfRun(approval)) ?? [])
    .filter(({ gateKey, phaseKey }) => gateKey === approval.gateKey && phaseKey === approval.phaseKey)
    .filter(({ state, attempt }) => state === 'changes_requested' && attempt < approval.attempt)
    .sort((a, b) => b.attempt - a.attempt)
    .at(0);
  return before && approvalNeed(before.id);
}

/** What a person asked to be changed the last time. */
export function askedBefore(model: Model, approval: ApprovalDetail): string | undefined {
  const before = previousGateNeed(model, approval);
  return (before && known(model.data, before)?.decisions.at(-1)?.comment) ?? undefined;
}
