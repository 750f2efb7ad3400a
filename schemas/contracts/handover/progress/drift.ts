import { textOfInstant } from '../../document/calendar.ts';
import { isMap } from '../../document/fields.ts';
import { jsonDocument } from '../../document/json.ts';
import { type Finding, finding, type Report } from '../../report/report.ts';
import { handoverReport } from '../document/handoverReport.ts';
import type { PlanStep } from '../plan/manifests.ts';
import type { Progress } from './progress.ts';

/** A commit of git, as far as drift needs it. */
export interface CommitFact {
  sha: string;
  subject: string;
  /** Milliseconds since 1970. */
  at: number;
}

/**
 * The first text that the pattern matches, from an index on; -1 if none does. `unchecked` for a pattern that takes more than linear
 * time (lookaround, backreferences) or is too large.
 */
export type FindMatch = (pattern: string, texts: readonly string[], from: number) => number | 'unchecked';

export interface Derived {
  currentStep: number;
  /** The step that git has reached. It is never less than the current one. */
  derivedStep: number;
  /** The commit of each step beyond the current one. */
  commits: Map<number, CommitFact>;
  /** Why nothing, or not all, was compared. */
  unchecked: string | undefined;
}

/**
 * The step that the commits have reached, beyond the recorded one. The commits are those since the start of the
 * session, the oldest first. Recorded steps take theirs first, so that steps with the same pattern do not run ahead.
 */
export function deriveStep(
  progress: Progress,
  steps: readonly PlanStep[],
  commits: readonly CommitFact[],
  findMatch: FindMatch,
): Derived {
  const currentStep = progress.current_step as number;
  const subjects = commits.map(({ subject }) => subject);
  const found = new Map<number, CommitFact>();
  const indexOf = commitIndex(commits);
  const derived = (derivedStep: number, unchecked?: string) => ({
    currentStep,
    derivedStep,
    commits: found,
    unchecked,
  });
  let next = 0;
  const last = Math.min(steps.length, progress.total_steps as number);
  for (const { number, manifest } of steps.slice(0, last)) {
    const isRecorded = number <= currentStep;
    const recorded = isRecorded ? indexOf(recordOf(progress, number).commit) : -1;
    if (recorded >= 0) {
      next = Math.max(next, recorded + 1);
      continue;
    }
    const at = manifest ? findMatch(manifest.commit_message_pattern, subjects, next) : -1;
    if (at === 'unchecked') {
      const step = Math.max(currentStep, number - 1);
      return derived(
        step,
        `devflow cannot match the pattern of step ${number} (lookaround, a backreference, or too large)`,
      );
    }
    if (at >= 0) {
      next = at + 1;
      if (!isRecorded) found.set(number, commits[at] as CommitFact);
    } else if (!isRecorded) return derived(number - 1);
  }
  return derived(Math.max(currentStep, last));
}

function recordOf({ steps }: Progress, step: number): Record<string, unknown> {
  const record = isMap(steps) && Object.hasOwn(steps, String(step)) ? steps[String(step)] : undefined;
  return isMap(record) ? record : {};
}

const SHORTEST_ID = 7;

/** Where a recorded commit is. Steps may record only the beginning of its id. */
function commitIndex(commits: readonly CommitFact[]): (recorded: unknown) => number {
  const byStart = Map.groupBy(commits.keys(), (index) => (commits[index] as CommitFact).sha.slice(0, SHORTEST_ID));
  return (recorded) => {
    if (typeof recorded !== 'string' || recorded.length < SHORTEST_ID) return -1;
    const candidates = byStart.get(recorded.slice(0, SHORTEST_ID)) ?? [];
    return candidates.find((index) => (commits[index] as CommitFact).sha.startsWith(recorded)) ?? -1;
  };
}

/** The text of `progress.json` after git's facts were taken over. Only later steps change, and what devflow does not know stays. */
export function reconciledText(progress: Progress, { derivedStep, commits }: Derived, now: number): string {
  const steps: Record<string, unknown> = { ...(progress.steps as Record<string, unknown>) };
  for (const [step, { sha, at }] of commits) {
    const before = recordOf(progress, step);
    steps[step] = {
      manifest_audit: 'n/a',
      ...before,
      status: 'completed',
      attempts: typeof before.attempts === 'number' && before.attempts > 0 ? before.attempts : 1,
      error: null,
      completed_at: textOfInstant(at),
      commit: sha,
      note: 'reconciled from git',
    };
  }
  const after = { ...progress, updated_at: textOfInstant(now), current_step: derivedStep, steps };
  return jsonDocument(after);
}

/** The fate of the session state: `left alone` if it needs no refresh. */
export type SessionRefresh = 'absent' | 'invalid' | 'left alone' | 'would refresh' | 'refreshed';

export interface Drift {
  drift: boolean;
  currentStep: number | null;
  derivedStep: number | null;
  written: boolean;
  sessionState: SessionRefresh;
}

/** The report of a drift. It is always valid, because it never holds anybody up. */
export function driftReport(
  { subject, path }: { subject: string; path: string },
  derived:
    | Pick<Derived, 'derivedStep' | 'unchecked' | 'currentStep'>
    | { unchecked: string; currentStep: number | null },
  { written, sessionState }: Pick<Drift, 'written' | 'sessionState'>,
): Report<Drift> {
  const { unchecked, currentStep } = derived;
  const derivedStep = 'derivedStep' in derived ? derived.derivedStep : null;
  const drift = currentStep !== null && derivedStep !== null && derivedStep > currentStep;
  const findings: Finding[] = [];
  if (drift) {
    const message = `git has reached step ${derivedStep}, and current_step is ${currentStep}.`;
    findings.push(finding('PROGRESS_DRIFT', message, { path, field: 'current_step', step: derivedStep }));
  }
  if (unchecked !== undefined) {
    findings.push(
      finding('PROGRESS_DRIFT_UNCHECKED', `The progress was not compared with git: ${unchecked}.`, { path }),
    );
  }
  const parsed = { drift, currentStep, derivedStep, written, sessionState };
  return handoverReport({ kind: 'progress', subject, mode: 'strict', findings, parsed });
}
