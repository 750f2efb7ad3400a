import { sortedFindings } from '../../schemas/findings/findingGroups.ts';
import { placeOf } from '../../schemas/findings/findingWords.ts';
import type { FindingView } from '../../schemas/rpc/views/findings.ts';
import type { ReviewSummary } from '../../schemas/rpc/views/reviews.ts';
import type { CheckView, Sheet } from '../../schemas/rpc/views/sheet.ts';
import { FINDING_STATES } from '../../schemas/states/findings.ts';
import { stateOf } from '../../schemas/states/state.ts';
import { counted, cutTo } from '../../schemas/text/phrases.ts';
import { phasesOf } from '../core/run/query.ts';
import type { Run } from '../core/run/state.ts';
import { findingViews } from '../kinds/review/findingViews.ts';
import { reviewSummaries } from '../kinds/review/reviewSummaries.ts';

const MOST_BLOCKERS = 50;
const MOST_CHARACTERS = 1_000;

/** The newest review up to a phase, in three lines, and what blocks the change; null without a review. */
export function reviewPart(run: Run, untilSeq: number): Sheet['review'] {
  const keys = run.phases.filter(({ seq }) => seq <= untilSeq).map(({ key }) => key);
  const review = reviewSummaries(run).findLast(({ phaseKey }) => keys.includes(phaseKey));
  if (!review) return null;
  const findings = findingViews(run).filter(({ phaseKey }) => phaseKey === review.phaseKey);
  const blockers = sortedFindings(findings.filter(({ isBlocker }) => isBlocker));
  return {
    lines: [verdictLine(review, blockers.length), findingsLine(findings), ...commandsLine(review)],
    blockers: blockers.slice(0, MOST_BLOCKERS).map((finding) => ({
      findingId: finding.findingId,
      severity: finding.severity,
      place: placeOf(finding),
      summary: cutTo(finding.summary, MOST_CHARACTERS),
    })),
  };
}

/** The project's checks in the newest round of the newest review up to a phase, with what failures printed. */
export function reviewChecks(run: Run, untilSeq: number): CheckView[] {
  return checkedInReview(run, untilSeq).results.map(({ argv, exitCode, reason, tail }) => ({
    argv,
    exitCode,
    reason: exitCode === null ? reason : null,
    tail: exitCode === 0 ? null : (tail ?? null),
    ms: null,
    laneId: null,
  }));
}

/** What these checks found, and the commit that they ran on. */
export function checkedInReview(run: Run, untilSeq: number) {
  const phase = phasesOf('review', run).findLast(({ seq, review }) => seq <= untilSeq && review !== null);
  const checked = phase?.review?.rounds.flatMap(({ look, checked }) =>
    checked.filter(({ what }) => what === 'checks').map(({ results }) => ({ results, commit: look?.head })),
  );
  return checked?.at(-1) ?? { results: [], commit: undefined };
}

function verdictLine({ verdict, backends, head }: ReviewSummary, blockers: number): string {
  const names = [...new Set(backends.map(({ backend }) => backend))].join(', ');
  const what = {
    pass: 'passed',
    findings: `is blocked by ${counted(blockers, 'finding')}`,
    accepted: 'passed because a person accepted what is open',
    open: blockers === 0 ? 'is not over' : `is not over, and ${counted(blockers, 'finding')} blocks it`,
  }[verdict];
  return `The review ${what}, at ${head.slice(0, 12)}, by ${names}.`;
}

function findingsLine(findings: readonly FindingView[]): string {
  if (findings.length === 0) return 'Nobody found anything.';
  const counts = new Map<string, number>();
  for (const { state } of findings) {
    const { word } = stateOf(FINDING_STATES, state);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return `${counted(findings.length, 'finding')}: ${[...counts].map(([word, count]) => `${count} ${word}`).join(', ')}.`;
}

/** The project's own checks in the newest round that ran them. */
function commandsLine({ commands }: ReviewSummary): string[] {
  const checks = commands.filter(({ findingId }) => findingId === null);
  const newest = checks.filter(({ round }) => round === checks.at(-1)?.round);
  if (newest.length === 0) return [];
  const failed = newest.filter(({ exitCode }) => exitCode !== 0).map(({ argv }) => cutTo(argv.join(' '), 80));
  const ran = `${counted(newest.length, 'check')} ran in the review`;
  return [failed.length === 0 ? `${ran}, and none failed.` : `${ran}; failed: ${failed.join(', ')}.`];
}
