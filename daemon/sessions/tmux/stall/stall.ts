import type { StallCause } from '../../../../schemas/enums.ts';
import type { AgentStall } from '../../contract/adapter.ts';
import { type AgentState, type AgentStatus, OVERRIDE_MS, type Signal, type Source } from '../profile/evidence.ts';
import { beginningOf, tidy } from './tidy.ts';

/** The facts about an agent besides its evidence. */
export interface StallFacts {
  waitsForDraft: boolean;
  /** Why it counts as hung. */
  hung: string | undefined;
  /** From its profile. */
  logIn: string;
  /** The time since its last turn; undefined if it is not idle, or never had a turn. */
  idleMs: number | undefined;
  /** True if the end of its turn is known. */
  hasEndedTurn: boolean;
  /** The agent's last words. */
  words(): string;
}

/** The time after its last turn until an agent counts as idle, if nothing tells the end of that turn. */
export const IDLE_AFTER_MS = 15_000;
/** The same if its end is known. Most artifacts that were written at the end have been validated by then. */
export const ENDED_AFTER_MS = 1_000;

/** Why an agent cannot continue alone, by everything known at one moment; undefined if it can. Pure. */
export function stallOf(status: AgentStatus, facts: StallFacts): AgentStall | undefined {
  const stall = foundStall(status, facts);
  // It may be the agent's own text.
  return stall && { ...stall, detail: beginningOf(tidy(stall.detail)) };
}

function foundStall(
  status: AgentStatus,
  { waitsForDraft, hung, logIn, idleMs, hasEndedTurn, words }: StallFacts,
): AgentStall | undefined {
  const { state, about } = status;
  const until = status.until === undefined ? {} : { until: new Date(status.until) };
  const mustLogIn = { cause: 'login', detail: `${about} (run ${logIn})` } as const;
  switch (state) {
    case 'WAITING':
      return waiting(status);
    case 'DIALOG':
      return DIALOGS[about] === 'login' ? mustLogIn : { cause: DIALOGS[about] ?? 'dialog', detail: about };
    case 'QUOTA':
      return { cause: 'quota', detail: about, ...until, ...(status.after === 'BUSY' ? { resumesItself: true } : {}) };
    case 'ERROR':
      return { cause: 'error', detail: about, ...until };
    case 'LOGIN':
      return mustLogIn;
    case 'BUSY':
      if (hung !== undefined) return { cause: 'hung', detail: hung };
  }
  if (waitsForDraft) return { cause: 'draft', detail: 'a person has begun to write in the composer' };
  if (idleMs === undefined || idleMs < ENDED_AFTER_MS) return undefined;
  return idleMs >= IDLE_AFTER_MS || hasEndedTurn ? { cause: 'idle', detail: words() } : undefined;
}

/** Causes by the names that profiles give to dialogs. */
const DIALOGS: Readonly<Record<string, StallCause>> = {
  permission: 'permission',
  login: 'login',
  question: 'question',
  choice: 'question',
};

/** A hook says more about the question than a state file, whichever decides. */
function waiting({ about, signals }: AgentStatus): AgentStall {
  const hook = signals.findLast(({ source, says }) => source === 'hook' && says === 'WAITING');
  const detail = hook?.about ?? about;
  // Profiles begin a question so (`claudeQuestion.ts`, `opencodeEvents.ts`). Its words may be about permissions.
  const isQuestion = /^(?:a )?question\b/.test(detail);
  const isPermission =
    /permission|approv/i.test(detail) ||
    signals.some(({ source, fact }) => source === 'dialog' && DIALOGS[fact] === 'permission');
  return { cause: isPermission && !isQuestion ? 'permission' : 'question', detail };
}

/** True if the status shows the agent's state. Until then the reported stall remains. */
export function isKnown({ state, signals }: AgentStatus, now: number): boolean {
  if (state === 'WAITING') return !isAnswered(signals, now);
  return state !== 'STARTING' && state !== 'UNKNOWN' && state !== 'DEAD';
}

/**
 * True if a hook has just said that it works, while its state file still waits. Claude writes the file after its hook,
 * and the file calls a question a permission too.
 */
function isAnswered(signals: readonly Signal[], now: number): boolean {
  const newest = (source: Source) => signals.findLast((each) => each.source === source && each.says !== undefined);
  const [hook, file] = [newest('hook'), newest('state file')];
  return hook?.says === 'BUSY' && file?.says === 'WAITING' && hook.at > file.at && now - hook.at < OVERRIDE_MS;
}

/**
 * True if a second source says that the agent asks. One alone may come early. Claude's hook runs before its dialog, and
 * without one if its settings answer. Pure.
 */
export function isConfirmed({ state, signals }: AgentStatus): boolean {
  return ASKS.includes(state) && signals.filter(({ says }) => says !== undefined && ASKS.includes(says)).length > 1;
}

const ASKS: readonly AgentState[] = ['WAITING', 'DIALOG'];

/** A stall that one source alone reports must last this long before it is reported. So must the end of a stall. */
const DEBOUNCE_MS = 300;

/** The stall that was last reported about a session, and the next one, which must last first. */
export interface StallReport {
  readonly last?: { readonly stall: AgentStall | undefined; readonly at: number };
  readonly next?: { readonly stall: AgentStall | undefined; readonly since: number };
}

export interface ReportStep {
  report: StallReport;
  isNew: boolean;
  /** When to look again without a change. */
  againMs?: number;
}

/** `isSure`: the stall needs no time to prove itself. Its end does, because agents ask several questions in a row. Pure. */
export function debounce(
  { last, next }: StallReport,
  { stall, isSure }: { stall: AgentStall | undefined; isSure: boolean },
  now: number,
): ReportStep {
  if (last && isSame(last.stall, stall)) return { report: { last }, isNew: false };
  const since = next && isSame(next.stall, stall) ? next.since : now;
  const againMs = isSure && stall !== undefined ? 0 : since + DEBOUNCE_MS - now;
  if (againMs > 0) return { report: { last, next: { stall, since } }, isNew: false, againMs };
  return { report: { last: { stall, at: now } }, isNew: true };
}

function isSame(a: AgentStall | undefined, b: AgentStall | undefined): boolean {
  return a?.cause === b?.cause && a?.detail === b?.detail && a?.until?.getTime() === b?.until?.getTime();
}
