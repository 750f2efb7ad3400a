import type { Effect, EffectOf, PublishedFile } from '../../../../daemon/core/effect/effect.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import type { Signal } from '../../../../daemon/core/handleSignal.ts';
import type { Approval, Run } from '../../../../daemon/core/run/state.ts';
import { driftsAt, resultsOf } from './outcomes.ts';

/** What is at a path: a text by its hash, something that is no file, or nothing. */
type There = { sha256: string; isValid: boolean } | 'no file' | 'nothing';

/** What people do to a file. */
export const CHANGES = ['edit', 'break', 'remove', 'block', 'put back'] as const;
export type Change = (typeof CHANGES)[number];

/** The published files of a run in a model of its worktree, where people change them at any moment. */
export function createPublishedFiles() {
  const files = new Map<string, There>();
  let changes = 0;
  const at = (path: string): There => files.get(path) ?? 'nothing';

  function driftOf(file: PublishedFile) {
    const there = at(file.path);
    const [valid, broken, gone] = driftsAt(file);
    if (there === 'no file' || there === 'nothing') return gone;
    if (there.sha256 === file.sha256) return undefined;
    const drift = there.isValid ? valid : broken;
    return drift && { ...drift, found: there.sha256 };
  }

  function publish(effect: EffectOf<'publishArtifact'>): Outcome {
    const { phaseId, assignment, contract, path, bytes, over, restores } = effect;
    const there = at(path);
    const isOwn = typeof there === 'object' && (there.sha256 === over || there.sha256 === bytes.hash);
    if (there !== 'nothing' && !isOwn) {
      const drift = restores && driftOf(restores);
      return { type: 'publishingRefused', phaseId, path, ...(drift ? { drift } : {}) };
    }
    files.set(path, { sha256: bytes.hash, isValid: true });
    return { type: 'artifactPublished', phaseId, assignment, contract, path, sha256: bytes.hash };
  }

  /** What the effect finds and does here; undefined if it is not about these files. */
  function outcomeOf(effect: Effect, run: Run): Outcome | undefined {
    if (effect.type === 'publishArtifact') return publish(effect);
    if (effect.type !== 'inspectWorktree') return undefined;
    const [read] = resultsOf(effect, run);
    const drifts = effect.published.flatMap((file) => driftOf(file) ?? []);
    return read?.type === 'worktreeRead' && drifts.length > 0 ? { ...read, drifts } : read;
  }

  return {
    outcomeOf,
    /** Whether the outcome is one that these files give. */
    isAbout: ({ type }: Effect) => type === 'publishArtifact' || type === 'inspectWorktree',
    change(run: Run, how: Change, pick: number): void {
      const file = run.published[pick % run.published.length];
      if (!file) return;
      changes += 1;
      const theirs = { sha256: `theirs ${changes}`, isValid: how === 'edit' };
      if (how === 'put back') files.set(file.path, { sha256: file.sha256, isValid: true });
      else if (how === 'remove') files.set(file.path, 'nothing');
      else files.set(file.path, how === 'block' ? 'no file' : theirs);
    },
    /** What a person does who wants the run to end well, and changes no file any more. */
    help(run: Run, { id: approvalRequestId, gateKey, subject }: Approval): Signal {
      // What is no file is moved away; so is the file in the way of a new one.
      const inTheWay = / is not what /.test(String(subject.reason))
        ? String(subject.reason).split(' is not what ')[0]
        : '';
      for (const [path, there] of files) if (there === 'no file' || path === inTheWay) files.set(path, 'nothing');
      const action = gateKey === 'contract_drift' ? 'request_changes' : 'approve';
      return { type: 'decide', approvalRequestId, action, comment: null, clientToken: `help ${run.lastSeq}` };
    },
  };
}
export type PublishedFiles = ReturnType<typeof createPublishedFiles>;
