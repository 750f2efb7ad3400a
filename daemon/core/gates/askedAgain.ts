import type { Approval, Run } from '../run/state.ts';

/** A gate that a person decided before, and that shows the same again. */
export interface Again {
  times: number;
  /** The newest decision. */
  action: 'approve' | 'request_changes';
}

/** Counts a person's decisions about what the gate asks once more; undefined if it shows something new. */
export function askedAgain(run: Run, approval: Approval): Again | undefined {
  const at = run.approvals.findIndex(({ id }) => id === approval.id);
  const before = at < 0 ? run.approvals : run.approvals.slice(0, at);
  const decided = before.filter((gate) => isSamePlace(gate, approval) && gate.decision !== null).reverse();
  const now = shownBy(approval);
  const other = decided.findIndex((gate) => shownBy(gate) !== now);
  const times = other < 0 ? decided.length : other;
  const action = decided[0]?.decision?.action;
  return times > 0 && (action === 'approve' || action === 'request_changes') ? { times, action } : undefined;
}

function isSamePlace(gate: Approval, other: Approval): boolean {
  return PLACE.every((key) => gate[key] === other[key]);
}
const PLACE = ['phaseId', 'gateKey', 'kind', 'laneId', 'assignment'] as const;

/** Fields that differ each time although nothing changed: names of attempts, counters, and paths of outputs. */
const INCIDENTAL = new Set([
  ...['nth', 'attempt', 'round', 'because', 'supersedes', 'sessionId', 'recoveryAttempts', 'since', 'at', 'dueBy'],
  ...['stdoutPath', 'stderrPath', 'tail', 'work', 'diff', 'head', 'base', 'commit', 'commits', 'landings'],
]);

/** The facts that a person decides by, as one text. */
function shownBy({ subject, artifactHash }: Approval): string {
  const { artifacts, ejections, ...facts } = subject;
  // Paths differ in each attempt, so hashes stand for artifacts. Of the returns, the newest says what is wrong now.
  const files = Array.isArray(artifacts) ? artifacts.map((artifact) => (artifact as { hash?: string }).hash) : [];
  const newest = Array.isArray(ejections) ? ejections.at(-1) : undefined;
  return JSON.stringify([artifactHash, files, newest ?? null, facts], (key, value) =>
    INCIDENTAL.has(key) ? undefined : sorted(WORDS.has(key) ? withoutIds(value) : value),
  );
}

/** Fields with sentences that may name commits. */
const WORDS = new Set(['reason', 'faults']);

function withoutIds(value: unknown): unknown {
  return JSON.stringify(value ?? null).replace(/\b[0-9a-f]{7,64}\b/g, '#');
}

function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
