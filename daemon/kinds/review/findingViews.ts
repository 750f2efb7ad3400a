import { defined } from '../../../schemas/defined.ts';
import type { VerifierStatus } from '../../../schemas/enums.ts';
import { reviewSettings } from '../../../schemas/kinds/review/settings.ts';
import type { FindingView } from '../../../schemas/rpc/views/findings.ts';
import { definitionOf, phasesOf } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import { isBlocker } from './finding/blockers.ts';
import type { ReviewPhase } from './reviewOf.ts';
import type { Finding } from './state.ts';

/** All findings of a run, as people and programs see them. */
export function findingViews(run: Run): FindingView[] {
  return phasesOf('review', run).flatMap((phase) =>
    (phase.review?.findings ?? []).map((finding) => findingView(run, phase, finding)),
  );
}

export function findingView(run: Run, phase: ReviewPhase, finding: Finding): FindingView {
  const { id, identity, resolutions, anchor, cameBackIn: _, ...facts } = finding;
  const last = resolutions.at(-1);
  return {
    findingId: id,
    fingerprint: identity,
    phaseKey: phase.key,
    ...facts,
    verifierStatus: verifierStatusOf(finding),
    isBlocker: isBlocker(finding, reviewSettings(definitionOf(run, phase))),
    isAnchored: anchor !== null,
    ...defined({ removed: anchor?.removed }),
    resolution: last
      ? { by: last.by, roleId: last.roleId, backend: last.backend, reason: last.reason, quote: last.quote }
      : null,
  };
}

/** A finding that was fixed or accepted was confirmed before. */
function verifierStatusOf({ state }: Finding): VerifierStatus {
  return state === 'fixed' || state === 'accepted' ? 'confirmed' : state;
}
