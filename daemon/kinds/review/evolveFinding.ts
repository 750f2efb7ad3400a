import { isAtLeast, worse } from '../../../schemas/findings/severity.ts';
import type { ReportedFinding } from '../../../schemas/kinds/review/events.ts';
import { comparesClaims } from '../../core/run/behaviour.ts';
import type { Run } from '../../core/run/state.ts';
import type { Finding, FindingEvent, Resolution } from './state.ts';

/** A finding as it is first reported. */
export function newFinding(
  { findingId: id, isNew: _, filePath: path, ...facts }: ReportedFinding,
  seen: Finding['reporters'][number],
  identity: string,
): Finding {
  return {
    id,
    identity,
    path,
    ...facts,
    state: 'unverified',
    reporters: [seen],
    resolutions: [],
    duplicateOf: null,
    cameBackIn: [],
    history: [{ round: seen.round, what: 'reported', by: seen.roleId, note: facts.summary }],
  };
}

/** The same finding by another reviewer, or in a later round. */
export function seenAgain(
  run: Run,
  finding: Finding,
  report: ReportedFinding,
  seen: Finding['reporters'][number],
  /** The finding itself, unless it is a duplicate. */
  original: Finding,
): Finding {
  const isBack = original.state === 'fixed';
  // It was rejected as something less severe, or in other code.
  const isWorse = worse(finding.severity, seen.severity) !== finding.severity && isAtLeast(seen.severity, 'high');
  const isLater = seen.round > (original.resolutions.at(-1)?.round ?? 0);
  const isOpenAgain = original.state === 'rejected' && (isWorse || isLater);
  const what = isBack ? 'came_back' : 'reported';
  return {
    ...finding,
    ...joined(run, finding, report),
    reporters: [...finding.reporters, seen],
    ...(isBack ? { state: 'confirmed', duplicateOf: null, cameBackIn: [...finding.cameBackIn, seen.round] } : {}),
    ...(isOpenAgain ? { state: 'unverified', duplicateOf: null } : {}),
    ...noted(finding, { payload: seen }, what, seen.roleId, seen.summary),
  };
}

/** Adds the facts and reporters of a duplicate to the original: its reporters have seen that one, too. */
export function mergeDuplicate(
  run: Run,
  findings: readonly Finding[],
  duplicate: string,
  original: string | null,
): Finding[] {
  const seen = findings.find(({ id }) => id === duplicate);
  return findings.map((each) =>
    each.id === original && seen
      ? { ...each, ...joined(run, each, seen), reporters: [...each.reporters, ...seen.reporters] }
      : each,
  );
}

/** The facts of a finding after a second report of it. */
function joined(
  run: Run,
  finding: Finding,
  other: Pick<Finding, 'severity' | 'isLate' | 'isPreExisting' | 'anchor' | 'reproduce' | 'evidence'>,
): Partial<Finding> {
  const evidence = comparesClaims(run) ? [...new Set([...finding.evidence, ...other.evidence])] : finding.evidence;
  return {
    evidence,
    severity: worse(finding.severity, other.severity),
    isLate: finding.isLate && other.isLate,
    isPreExisting: finding.isPreExisting && other.isPreExisting,
    anchor: finding.anchor ?? other.anchor,
    reproduce: finding.reproduce ?? other.reproduce,
  };
}

/**
 * The finding after the verdict of a verifier or a person. A fixed one that is confirmed came back, unless it was
 * called fixed in this very round.
 */
export function resolvedAs(run: Run, finding: Finding, resolution: Resolution): Partial<Finding> {
  const { status, by, roleId, reason, duplicateOf, round } = resolution;
  const fixedIn = finding.history.findLast(({ what }) => what === 'fixed')?.round ?? round;
  const isBack = comparesClaims(run) && finding.state === 'fixed' && status === 'confirmed' && fixedIn < round;
  return {
    state: status,
    resolutions: [...finding.resolutions, resolution],
    duplicateOf,
    ...(isBack ? { cameBackIn: [...finding.cameBackIn, round] } : {}),
    ...(status === 'unverified'
      ? {}
      : noted(finding, { payload: resolution }, isBack ? 'came_back' : status, roleId ?? by, reason)),
  };
}

/** One more line of a finding's history. */
export function noted(
  { history }: Finding,
  { payload: { round } }: { payload: { round: number } },
  what: FindingEvent,
  by: string,
  note: string,
): Pick<Finding, 'history'> {
  return { history: [...history, { round, what, by, note }] };
}
