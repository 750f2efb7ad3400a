import { WANTED_FOR_DETECTION } from '../../../schemas/contracts/autodev/autodevPart.ts';
import { ordinalOf } from '../../../schemas/contracts/autodev/flows.ts';
import { reconcile } from '../../../schemas/contracts/autodev/reconcile.ts';
import type { Template } from '../../../schemas/definitions/template.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { findSource } from '../../contracts/findSource.ts';
import { readTree } from '../../contracts/readTree.ts';

/** The start of a run in a repository whose flow has begun already. */
export interface Reentry {
  /** Phases whose work is there. */
  skips: { phase: string; reason: string; evidence: string }[];
  /** The number of the feature cycle. */
  cycle: number;
}

/**
 * Reads where the pointer and the folders of a repository say that a flow stands. A template without a flow begins at its first
 * phase. Throws `usage` if the repository follows another flow than the template.
 */
export function findReentry({ name, flow, phases }: Template, repo: string, now: number): Reentry | undefined {
  if (!flow) return undefined;
  const { parsed } = reconcile({ tree: readTree(repo, WANTED_FOR_DETECTION, now), source: findSource(repo) });
  const { pointer, detected, source, before } = parsed;
  if (pointer.flow !== flow) {
    // Without a pointer the folders are only a guess, and the person named the template.
    if (before === null) return { skips: [], cycle: 1 };
    const done = before.step === 'done' && before.flow === flow ? ` The flow ${flow} is done here.` : '';
    const message = `The repository follows the flow ${pointer.flow}, and ${name} follows ${flow}.${done}`;
    throw new DevflowError('usage', message, {
      recoveryHint: `Start autodev-${pointer.flow}, or look: devflow autodev reconcile.`,
    });
  }
  const evidence = source === 'state-file' ? `the pointer is at step ${pointer.step}` : detected.rule;
  if (pointer.step === 'done') {
    const message = `The flow ${flow} is done in this repository.`;
    throw new DevflowError('usage', message, { recoveryHint: 'Look at it: devflow autodev show.' });
  }
  const first = ordinalOf(flow, pointer.step);
  const skips = phases.slice(0, first - 1).map(({ key }) => ({ phase: key, reason: 'already done', evidence }));
  return { skips, cycle: pointer.cycle };
}
