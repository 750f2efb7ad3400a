import type { StallCause } from '../../../schemas/enums.ts';
import { STALLS } from '../../../schemas/states/stall.ts';
import type { AgentStall, SessionSignal } from './adapter.ts';

export interface Why {
  sessionId: string;
  /** The agent's state by all signals. */
  verdict: 'unknown' | 'starting' | 'ready' | 'busy' | 'waiting' | 'quota' | 'error' | 'login' | 'hung' | 'lost';
  /** The rule that decided, as a sentence. */
  rule: string;
  signals: SessionSignal[];
}

/** The signals that the manager saw of one session, newest last. It keeps the newest `limit`. */
export interface SignalLog {
  note(source: Exclude<SignalSource, 'stall'>, fact: string): void;
  /** The end of a stall is a fact only where one was noted before. */
  noteStall(stall: AgentStall | undefined): void;
  list(): SessionSignal[];
}

export type SignalSource = 'start' | 'prompt' | 'probe' | 'exit' | 'recover' | 'stall';

export function createSignalLog(limit = 50): SignalLog {
  const signals: SessionSignal[] = [];
  let isStalled = false;
  function note(source: SignalSource, fact: string): void {
    if (source === 'exit') isStalled = false;
    signals.push({ at: new Date(), source, fact });
    if (signals.length > limit) signals.shift();
  }
  return {
    note,
    noteStall(stall) {
      if (stall || isStalled) note('stall', stall ? stallFact(stall) : STALL_OVER);
      isStalled = stall !== undefined;
    },
    list: () => [...signals],
  };
}

/** The text of the end of a stall. */
const STALL_OVER = 'over';
export function stallFact({ cause, detail, until }: AgentStall): string {
  return `${cause}: ${detail}${until ? ` until ${until.toISOString()}` : ''}`;
}

/**
 * The verdict over all signals of a session, oldest first. If the adapter names its own rule, that rule decides; else
 * the newest meaningful signal. A stall outweighs both, but not the end of a turn for an agent without work. Pure.
 */
export function verdictOf(signals: readonly SessionSignal[], isAtWork: boolean): Pick<Why, 'verdict' | 'rule'> {
  const ownRule = signals.findLast(({ source }) => source === 'rule');
  const by = ownRule ? ofAdapter(ownRule.fact) : ofNewest(signals);
  const stall = openStall(signals);
  const kind = stall ? STALLS[stall.slice(0, stall.indexOf(':')) as StallCause] : undefined;
  if (!kind?.verdict || (kind.endsTurn && !isAtWork)) return by;
  const { verdict } = kind;
  return { verdict, rule: `${by.rule}; it waits: ${stall}` };
}

/** The fact reads `STATE: rule`. */
function ofAdapter(fact: string): Pick<Why, 'verdict' | 'rule'> {
  const [, state = '', rule = fact] = /^([A-Z]+): (.*)$/s.exec(fact) ?? [];
  return { verdict: ADAPTER_STATES[state] ?? 'unknown', rule };
}

function ofNewest(signals: readonly SessionSignal[]): Pick<Why, 'verdict' | 'rule'> {
  const said = ({ source, fact }: SessionSignal) => RULES[source as DecidingSource]?.(fact);
  const decisive = signals.findLast((signal) => said(signal) !== undefined);
  const verdict = decisive && said(decisive);
  if (!decisive || !verdict) return { verdict: 'unknown', rule: 'no signal since the daemon started' };
  return { verdict, rule: `the newest signal decides: ${decisive.source}: ${decisive.fact}` };
}

/** A stall lasts until it is reported over, another stall replaces it, or the agent ends. */
function openStall(signals: readonly SessionSignal[]): string | undefined {
  const last = signals.findLast(({ source }) => ['stall', 'exit', 'recover'].includes(source));
  return last?.source === 'stall' && last.fact !== STALL_OVER ? last.fact : undefined;
}

/** An adapter's words for its agent's state. Any other word says nothing. */
const ADAPTER_STATES: Partial<Record<string, Why['verdict']>> = {
  STARTING: 'starting',
  READY: 'ready',
  BUSY: 'busy',
  WAITING: 'waiting',
  DIALOG: 'waiting',
  QUOTA: 'quota',
  ERROR: 'error',
  LOGIN: 'login',
  DEAD: 'lost',
};

type DecidingSource = Exclude<SignalSource, 'stall'>;
const RULES: Record<DecidingSource, (fact: string) => Why['verdict'] | undefined> = {
  start: (fact) => (fact === 'requested' ? 'starting' : fact.startsWith('failed') ? 'lost' : 'ready'),
  prompt: (fact) => (fact.startsWith('taken') ? 'busy' : undefined),
  probe: (fact) =>
    fact.startsWith('BUSY') ? 'busy' : fact === 'READY' ? 'ready' : fact.startsWith('dead') ? 'lost' : undefined,
  exit: () => 'lost',
  recover: (fact) => (fact.startsWith('done') ? 'ready' : 'lost'),
};
