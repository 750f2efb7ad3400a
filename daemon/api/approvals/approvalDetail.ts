import { defined } from '../../../schemas/defined.ts';
import type { CommittedWork } from '../../../schemas/events/phase.ts';
import { decidable } from '../../../schemas/gates/decidable.ts';
import { gateFacts } from '../../../schemas/gates/gateKinds.ts';
import { consequencesOf } from '../../../schemas/gates/ownGates.ts';
import { shownHash } from '../../../schemas/gates/shownHash.ts';
import type { ApprovalDetail, ApprovalSummary, RefusedDecision } from '../../../schemas/rpc/views/approval.ts';
import type { CommandView } from '../../../schemas/rpc/views/command.ts';
import { changeAt } from '../../core/comments/changeAt.ts';
import { commentViews } from '../../core/comments/commentViews.ts';
import { phaseAsked } from '../../core/comments/phaseAsked.ts';
import { isConfirmingEdit } from '../../core/run/boundary.ts';
import type { CommandRun } from '../../core/run/commandRun.ts';
import { producerOf } from '../../core/run/producer.ts';
import type { Approval, Decision, Run } from '../../core/run/state.ts';
import { runTitle } from '../../core/run/title.ts';
import { boundWorktree, describeChange, isSameWorktree } from '../../core/run/worktreeState.ts';
import { worktreeOf } from '../../repository/git/worktreePlace.ts';
import { listWorktree, readListed } from '../../repository/worktree/readWorktree.ts';
import { countedFiles } from '../../repository/worktree/worktreeStatus.ts';
import { commandsAt } from '../../sheet/checks.ts';
import { artifactsAt, composeSheet, sheetArtifacts } from '../../sheet/composeSheet.ts';
import { measuredLines } from '../../sheet/measuredLines.ts';
import { questionOf } from '../../sheet/question.ts';
import { artifactContent, withinLimit } from '../artifacts/artifactView.ts';
import { diffAtGate, unreadChange } from './changeAtGate.ts';
import { placeViews } from './placeViews.ts';
import { sheetFacts } from './sheetFacts.ts';

export function approvalSummary(run: Run, approval: Approval): ApprovalSummary {
  const { id, gateKey, kind, phaseKey, assignment, laneId, attempt, state, createdAt, resolvedAt } = approval;
  const about = { phaseKey, assignment, laneId, attempt };
  // As `listApprovals` (`daemon/store/lists.ts`) has them.
  const { said } = gateFacts(approval);
  const words = approval.subject.words ?? (said === null ? undefined : approval.subject[said]);
  return {
    id,
    runId: run.id,
    runTitle: runTitle(run),
    gateKey,
    kind,
    ...about,
    ...defined({ words: typeof words === 'string' ? words : undefined }),
    state,
    createdAt,
    resolvedAt,
  };
}

/** A gate with everything that it asks about: its sheet, artifacts, the diff and command results. */
export async function approvalDetail(
  run: Run,
  approval: Approval,
  refused: readonly RefusedDecision[] = [],
): Promise<ApprovalDetail> {
  const phase = run.phases.find((candidate) => candidate.id === approval.phaseId);
  const [contents, diff, { uncommittedFiles, moved, unread }, comments] = await Promise.all([
    Promise.all(sheetArtifacts(run, approval).map((artifact) => artifactContent(run, artifact))),
    diffAtGate(run, approval),
    worktreeNow(run, approval),
    commentsAt(run, approval),
  ]);
  const decidedOn = artifactsAt(run, approval).map(({ id }) => id);
  const measured = measuredLines(run);
  const more = { ...defined({ moved }), ...(refused.length > 0 ? { refused: [...refused] } : {}) };
  const unreadable = [unreadChange(approval, diff), unread].filter((sentence) => sentence !== undefined);
  const facts = sheetFacts(run, approval, { contents, diff, uncommittedFiles, unreadable, ...comments, ...more });
  const { decision } = approval;
  return {
    ...approvalSummary(run, approval),
    question: questionOf(run, approval),
    ...consequencesIn(approval),
    artifactHash: approval.artifactHash,
    timeoutMs: approval.timeoutMs,
    subject: approval.subject,
    actions: decidable(approval, run.state),
    artifacts: withinLimit(contents.filter(({ artifactId }) => decidedOn.includes(artifactId))),
    diff,
    uncommittedFiles,
    ...nestedOf(approval),
    ...(measured.length > 0 ? { measured } : {}),
    ...more,
    shown: shownHash(approval),
    ...(phaseAsked(run, approval) ? { takesComments: true } : {}),
    ...comments,
    commands: commandsAt(run, approval).map((command) => commandView(run, command)),
    sessionIds: phase ? producerOf(run, phase).assignments.map(({ sessionId }) => sessionId) : [],
    decisions: decision ? [decisionView(decision)] : [],
    ...defined({ rule: approval.rule }),
    sheet: composeSheet(run, approval, facts),
  };
}

function decisionView({
  id: decisionId,
  action,
  comment,
  decidedAt,
  by,
}: Decision): ApprovalDetail['decisions'][number] {
  return { decisionId, action, comment, decidedAt, ...defined({ by }) };
}

/** Those that people made up to this gate, at the commit that it shows. */
async function commentsAt(run: Run, approval: Approval): Promise<Pick<ApprovalDetail, 'comments'>> {
  const { resolvedAt } = approval;
  const views = commentViews(run).filter(({ at }) => resolvedAt === null || at <= resolvedAt);
  return views.length === 0 ? {} : { comments: await placeViews(run, views, changeAt(run, approval).to) };
}

function consequencesIn(approval: Approval): Pick<ApprovalDetail, 'consequences'> {
  const found = consequencesOf(approval);
  if (!found) return {};
  const { approve, request_changes, reject } = found;
  const entries = Object.entries({ approve, request_changes, reject }).filter(([, sentence]) => sentence !== null);
  return { consequences: Object.fromEntries(entries) };
}

function nestedOf({ subject }: Approval): Pick<ApprovalDetail, 'nestedRepositories'> {
  const { nestedRepositories } = (subject.work ?? {}) as Partial<CommittedWork>;
  return nestedRepositories ? { nestedRepositories } : {};
}

interface WorktreeNow {
  /** Null if there is no worktree, or git cannot read it. */
  uncommittedFiles: number | null;
  moved?: string;
  unread?: string;
}

/** Of an open gate: a command may have changed files after the commit that it shows. */
async function worktreeNow(run: Run, approval: Approval): Promise<WorktreeNow> {
  if (approval.state !== 'pending' && approval.state !== 'paused') return { uncommittedFiles: null };
  const place = worktreeOf(run);
  const listed = listWorktree(place);
  const uncommittedFiles = await listed.then(
    (found) => found && countedFiles(found.status, place.except).length,
    () => undefined,
  );
  return { uncommittedFiles: uncommittedFiles ?? null, ...(await movedOf(run, approval, listed)) };
}

/** Warns before the decision: the daemon would refuse to approve a worktree that moved. */
async function movedOf(
  run: Run,
  approval: Approval,
  listed: ReturnType<typeof listWorktree>,
): Promise<Pick<WorktreeNow, 'moved' | 'unread'>> {
  const bound = boundWorktree(approval.subject);
  if (!bound || run.branch === null) return {};
  const now = await listed.then((found) => readListed(worktreeOf(run), found)).catch(() => undefined);
  if (!now) return { unread: 'The worktree cannot be read, so nobody knows if it changed since this gate opened.' };
  if (isSameWorktree(bound, now) || isConfirmingEdit(run, approval, now)) return {};
  return { moved: `${describeChange(run, bound, now)} since this gate opened; an approval opens a new gate.` };
}

export function commandView(run: Run, command: CommandRun): CommandView {
  const { id, phaseId, attempt, index, kind, argv, cwd, exitCode, reason, stdoutPath, stderrPath } = command;
  const phaseKey = run.phases.find((phase) => phase.id === phaseId)?.key ?? null;
  const { startedAt, endedAt } = command;
  const files = { stdoutPath, stderrPath };
  return { commandId: id, phaseKey, attempt, index, kind, argv, cwd, exitCode, reason, ...files, startedAt, endedAt };
}
