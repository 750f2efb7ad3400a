import { defined } from '../../../schemas/defined.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import { isAtLeast } from '../../../schemas/findings/severity.ts';
import type { ReportedFinding, Seat } from '../../../schemas/kinds/review/events.ts';
import type { Anchor } from '../../../schemas/place/place.ts';
import { isInFix } from '../../core/place/carry.ts';
import { comparesClaims } from '../../core/run/behaviour.ts';
import { getBinding } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import { artifactOf, type Batch } from './artifacts.ts';
import { matchBatch, newFindingId } from './finding/sameFinding.ts';
import { type ReviewPhase, reviewOf } from './reviewOf.ts';
import type { Look, ReviewRound } from './state.ts';

/** The findings of a reviewer, each with its id: a known one keeps its own. */
export function batchEvent(
  run: Run,
  phase: ReviewPhase,
  { round, reason }: ReviewRound,
  look: Look,
  seat: Seat,
): NewEvent {
  const { assignment, roleId } = seat;
  const made = artifactOf<Batch>(phase, assignment);
  const { findings: known } = reviewOf(phase);
  const reported = made.findings.map(({ claim, ...facts }) => ({ ...facts, summary: claim }));
  const same = matchBatch(known, reported, { claims: comparesClaims(run) });
  const ids = new Set(known.map(({ id }) => id));
  const findings = reported.map(({ ref: _, path, preExisting, reproduce, ...facts }, index): ReportedFinding => {
    const match = same[index] ?? null;
    const findingId = match ?? freshId(run, phase, { path, ...facts }, ids);
    ids.add(findingId);
    const { anchor, category, severity, quote, symbol, summary, failure, evidence } = facts;
    const line = anchor?.line ?? facts.line;
    // Only known fields: an agent may write more, and the log would refuse them.
    return {
      category,
      severity,
      quote,
      symbol,
      summary,
      failure,
      evidence,
      anchor: anchor && anchorFacts(anchor),
      line,
      endLine: line + facts.endLine - facts.line,
      findingId,
      isNew: match === null,
      filePath: path,
      reproduce: reproduce?.argv ?? null,
      isPreExisting: preExisting,
      isLate: isTooLate(reason, look, { path, ...facts }),
    };
  });
  const { backend } = getBinding(run, roleId);
  const prior = made.prior.map(({ id: findingId, verdict, evidence }) => ({ findingId, verdict, evidence }));
  return {
    type: 'review.batch_recorded',
    phaseId: phase.id,
    payload: { round, assignment, reviewerRole: roleId, backend, findings, prior },
  };
}

type Place = Pick<ReportedFinding, 'line' | 'endLine' | 'quote' | 'symbol' | 'anchor' | 'severity'> & { path: string };

function anchorFacts({ line, text, occurrence, removed }: Anchor): Anchor {
  return defined({ line, text, occurrence, removed: removed && { path: removed.path, line: removed.line } });
}

/** Two defects on one line have the same identity but for their number. */
function freshId(run: Run, phase: ReviewPhase, first: Place, taken: ReadonlySet<string>): string {
  for (let nth = 1; ; nth++) {
    const id = newFindingId(run.id, phase.key, first, nth);
    if (!taken.has(id)) return id;
  }
}

/** A look at a fix is about the fix, and the closing look about what is severe. Otherwise a review would never end. */
function isTooLate(reason: ReviewRound['reason'], { fixed }: Look, finding: Place): boolean {
  if (reason === 'closing') return !isAtLeast(finding.severity, 'high');
  const line = finding.anchor?.line ?? finding.line;
  return reason === 'delta' && !isInFix(fixed, finding.path, line, line + finding.endLine - finding.line);
}
