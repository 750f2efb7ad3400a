import { defined } from '../../../schemas/defined.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import type { CommittedWork } from '../../../schemas/events/phase.ts';
import { hash } from '../../../schemas/hash.ts';
import { KIND_DEFINITIONS } from '../../../schemas/kinds/index.ts';
import { BOUNDARY, boundarySubject } from '../run/boundary.ts';
import { approvalKey } from '../run/keys.ts';
import { isLeftOut, tasksNotDone } from '../run/notDone.ts';
import { commandsStarted, lastCommit } from '../run/query.ts';
import type { Phase, Run } from '../run/state.ts';
import type { WorktreeState } from '../run/worktreeState.ts';
import { requestApproval } from './requestApproval.ts';

export interface Subject {
  /** The phase that made what is under decision, and that makes it again if changes are requested. */
  producer: Phase;
  work: CommittedWork | null;
  worktree?: WorktreeState;
}

/** Opens a gate of a phase about the work of its producer. */
export function gateRequest(run: Run, phase: Phase, gateKey: string, { producer, work, worktree }: Subject): NewEvent {
  const artifacts = [producer, ...stepsBetween(run, producer, phase)].flatMap((each) => artifactsOf(run, each));
  const notDone = tasksNotDone(run);
  const hashes = artifacts.map((artifact) => artifact.hash);
  const artifactHash = hashes.length <= 1 ? (hashes[0] ?? null) : hash(hashes);
  const key = approvalKey(run, phase, gateKey, artifactHash, { worktree });
  const made = work ?? producer.work;
  return requestApproval(phase.id, {
    approvalKey: key,
    gateKey,
    kind: 'gate',
    phaseKey: phase.key,
    attempt: phase.attempts,
    artifactHash,
    subject: {
      producedBy: producer.key,
      ...(gateKey === BOUNDARY ? boundarySubject(run, phase) : {}),
      artifacts,
      ...(notDone.length > 0 ? { notDone } : {}),
      work: made,
      diff: { from: run.baseCommit, to: worktree ? changedHead(run, worktree) : lastCommit(run, made) },
      ...defined({ worktree }),
      commands: commandsStarted(run, phase).map(({ argv, exitCode, reason, stdoutPath, stderrPath }) => ({
        argv,
        exitCode,
        reason,
        stdoutPath,
        stderrPath,
      })),
    },
    timeoutMs: run.options.approvalTimeoutMs,
  });
}

function artifactsOf(run: Run, { assignments }: Phase) {
  return assignments.flatMap((assignment) => {
    const { roleId, artifact } = assignment;
    if (!artifact || isLeftOut(run, assignment)) return [];
    const { path, storedPath, schema, hash: hashed } = artifact;
    return [{ roleId, path, storedPath, schema, hash: hashed }];
  });
}

/** Facts that devflow itself found about the work, such as a rehearsal, are under decision with it. */
function stepsBetween(run: Run, producer: Phase, phase: Phase): Phase[] {
  const at = ({ id }: Phase) => run.phases.findIndex((each) => each.id === id);
  return run.phases.slice(at(producer) + 1, at(phase)).filter(({ kind }) => KIND_DEFINITIONS[kind].isOwnWork);
}

/** The head under decision; null while the branch has no commit after the base commit. */
function changedHead(run: Run, { head }: WorktreeState): string | null {
  return head === run.baseCommit ? null : head;
}
