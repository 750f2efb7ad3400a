import { defined } from '../../../schemas/defined.ts';
import type { Registry } from '../../../schemas/definitions/registry.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { isCommentOptional } from '../../../schemas/gates/ownGates.ts';
import type { RefusedDecision } from '../../../schemas/rpc/views/approval.ts';
import type { Approval, Run } from '../../core/run/state.ts';
import { placeComments } from '../../engine/local/placeComments.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';
import type { Lists } from '../../store/lists.ts';
import type { RunLog } from '../../store/runLog.ts';
import { getRun, type Ids, runNamed } from '../lookup/ids.ts';
import { listFilterOf } from '../lookup/listFilterOf.ts';
import { approvalDetail } from './approvalDetail.ts';
import { fileDiffAtGate } from './changeAtGate.ts';
import { checkedEdit, textToEdit } from './editMethods.ts';

export function createApprovalMethods(parts: {
  ids: Ids;
  engine: Pick<RunEngine, 'readRun' | 'signalApproval' | 'editDocument'>;
  lists: Pick<Lists, 'listApprovals'>;
  runLog: Pick<RunLog, 'readRun'>;
  /** The decisions of agents at a gate, which devflow refused. */
  refusedAt(approvalId: string): RefusedDecision[];
  /** The artifact schemas of a run. */
  registryOf(runId: string): Promise<Registry>;
}): HandlersOf<'approval'> {
  const { ids, engine, lists, runLog, refusedAt, registryOf } = parts;

  async function find(approvalId: string, runId: string): Promise<{ run: Run; approval: Approval }> {
    const known = await getRun(engine, runId);
    const isThere = ({ approvals }: Run) => approvals.some(({ id }) => id === approvalId);
    // Another host may have written it a moment ago. The log outranks what this daemon remembers.
    const run = isThere(known) ? known : ((await runLog.readRun(runId)) ?? known);
    const approval = run.approvals.find((candidate) => candidate.id === approvalId);
    if (approval) return { run, approval };
    throw new DevflowError('not_found', `There is no approval ${approvalId}.`);
  }

  async function needsNoComment(approvalId: string, runId: string): Promise<boolean> {
    const { approvals } = await getRun(engine, runId);
    return approvals.some((each) => each.id === approvalId && isCommentOptional(each));
  }

  return {
    'approval.list': async ({ runId, state, all, limit, ...asked }) => {
      const run = await runNamed(ids, runId);
      return lists.listApprovals({ runId: run, state, all, limit: limit || undefined, ...(await listFilterOf(asked)) });
    },
    'approval.get': async ({ approvalId: ref }) => {
      const { approvalId, runId } = await ids.approval(ref);
      const { run, approval } = await find(approvalId, runId);
      return approvalDetail(run, approval, refusedAt(approvalId));
    },
    'approval.diff': async ({ approvalId: ref, path }) => {
      const { approvalId, runId } = await ids.approval(ref);
      const { run, approval } = await find(approvalId, runId);
      const diff = await fileDiffAtGate(run, approval, path);
      if (diff) return { path, ...diff };
      throw new DevflowError('not_found', `The change of approval ${approvalId} has no file ${path}.`);
    },
    'approval.decide': async ({ approvalId: ref, action, clientToken, comment, comments = [], shown }) => {
      const { approvalId, runId } = await ids.approval(ref);
      const isEmpty = action === 'request_changes' && !comment?.trim();
      if (isEmpty && comments.length === 0 && !(await needsNoComment(approvalId, runId))) {
        throw new DevflowError('usage', `Requesting changes at approval ${approvalId} needs a comment.`, {
          runId,
          recoveryHint: 'Say in a comment what the agent must change.',
        });
      }
      const decision = await engine.signalApproval(
        runId,
        approvalId,
        action,
        clientToken,
        isEmpty ? undefined : comment,
        comments.length === 0 && shown === undefined ? undefined : { comments, ...defined({ shown }) },
      );
      return { ...decision, approvalId, runId, action };
    },
    'approval.editText': async ({ approvalId: ref, artifact }) => {
      const { approvalId, runId } = await ids.approval(ref);
      return textToEdit(await find(approvalId, runId), artifact, await registryOf(runId));
    },
    'approval.edit': async (params) => {
      const { approvalId, runId } = await ids.approval(params.approvalId);
      const at = await find(approvalId, runId);
      const edit = await checkedEdit(at, params, await registryOf(runId));
      if (edit) return { ...(await engine.editDocument(runId, edit)), runId };
      const same = at.run.artifacts.find(({ hash }) => hash === params.artifact);
      return { approvalId, runId, artifactId: same?.id ?? '', hash: params.artifact, created: false };
    },
    'approval.checkComments': async ({ approvalId: ref, comments }) => {
      const { approvalId, runId } = await ids.approval(ref);
      const { run, approval } = await find(approvalId, runId);
      const placed = await placeComments(run, approval, comments);
      return placed.map(({ place, ...found }, at) => {
        const line = 'line' in found ? found.line : undefined;
        const quote = 'quote' in found ? found.quote : undefined;
        return { at, place, ...defined({ line, quote, reason: 'reason' in found ? found.reason : undefined }) };
      });
    },
  };
}
