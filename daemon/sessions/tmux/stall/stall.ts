import type { StallCause } from '../../../../schemas/enums.ts';
import type { AgentStall } from '../../adapter.ts';
import type { AgentStatus } from '../observe/evidence.ts';

/** What is known of an agent beside its evidence. */
export interface StallFacts {
  waitsForDraft: boolean;
  /** What it is hung at. */
  hung: string | undefined;
  /** Of its profile. */
  logIn: string;
  /** For so long it has been at rest after a turn; undefined where it is not, or never had one. */
  idleMs: number | undefined;
}

/** So long after its last turn an agent counts as idle: an artifact that it wrote at the end has been judged by then. */
export const IDLE_AFTER_MS = 15_000;

/** What keeps an agent from going on by itself, by all that is known of it at one moment; undefined for nothing. Pure. */
export function stallOf(
  verdict: AgentStatus,
  { waitsForDraft, hung, logIn, idleMs }: StallFacts,
): AgentStall | undefined {
  const { state, about } = verdict;
  const until = verdict.until === undefined ? {} : { until: new Date(verdict.until) };
  const mustLogIn = { cause: 'login', detail: `${about} (run ${logIn})` } as const;
  switch (state) {
    case 'WAITING':
      return waiting(verdict);
    case 'DIALOG':
      return DIALOGS[about] === 'login' ? mustLogIn : { cause: DIALOGS[about] ?? 'dialog', detail: about };
    case 'QUOTA':
      return { cause: 'quota', detail: about, ...until, ...(verdict.after === 'BUSY' ? { resumesItself: true } : {}) };
    case 'ERROR':
      return { cause: 'error', detail: about, ...until };
    case 'LOGIN':
      return mustLogIn;
    case 'BUSY':
      if (hung !== undefined) return { cause: 'hung', detail: hung };
  }
  if (waitsForDraft) return { cause: 'draft', detail: 'a person has begun to write in the composer' };
  return idleMs !== undefined && idleMs >= IDLE_AFTER_MS ? { cause: 'idle', detail: 'its turn has ended' } : undefined;
}

/** Of the names that profiles give to dialogs. */
const DIALOGS: Readonly<Record<string, StallCause>> = {
  permission: 'permission',
  login: 'login',
  question: 'question',
  choice: 'question',
};

/** A hook says more of what is asked than a state file, whichever of them decides. */
function waiting({ about, signals }: AgentStatus): AgentStall {
  const hook = signals.findLast(({ source, says }) => source === 'hook' && says === 'WAITING');
  const detail = hook?.about ?? about;
  const isPermission =
    /permission|approv/i.test(detail) ||
    signals.some(({ source, fact }) => source === 'dialog' && DIALOGS[fact] === 'permission');
  return { cause: isPermission ? 'permission' : 'question', detail };
}

/** Whether the verdict says how the agent stands; what it was told to be lasts until then. */
export function isKnown({ state }: AgentStatus): boolean {
  return state !== 'STARTING' && state !== 'UNKNOWN' && state !== 'DEAD';
}

/** A stall, and its end, must stand for so long before it is told: a blip is none. */
export const DEBOUNCE_MS = 300;

/** What was told last of a session, if anything was; and what will be, if it still stands then. */
export interface StallReport {
  readonly last?: { readonly stall: AgentStall | undefined; readonly at: number };
  readonly next?: { readonly stall: AgentStall | undefined; readonly since: number };
}

export interface ReportStep {
  report: StallReport;
  isNew: boolean;
  /** When to look again, though nothing changes. */
  againMs?: number;
}

/** Pure. */
export function debounce({ last, next }: StallReport, stall: AgentStall | undefined, now: number): ReportStep {
  if (last && isSame(last.stall, stall)) return { report: { last }, isNew: false };
  const since = next && isSame(next.stall, stall) ? next.since : now;
  const againMs = since + DEBOUNCE_MS - now;
  if (againMs > 0) return { report: { last, next: { stall, since } }, isNew: false, againMs };
  return { report: { last: { stall, at: now } }, isNew: true };
}

function isSame(a: AgentStall | undefined, b: AgentStall | undefined): boolean {
  return a?.cause === b?.cause && a?.detail === b?.detail && a?.until?.getTime() === b?.until?.getTime();
}
