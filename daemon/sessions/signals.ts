import type { StallCause } from '../../schemas/enums.ts';
import type { AgentStall, SessionSignal } from './adapter.ts';

export interface Why {
  sessionId: string;
  /** What the signals say of the agent now. */
  verdict: 'unknown' | 'starting' | 'ready' | 'busy' | 'waiting' | 'quota' | 'error' | 'login' | 'hung' | 'lost';
  /** The rule that decided, in a sentence. */
  rule: string;
  signals: SessionSignal[];
}

/** What the manager saw of one session, newest last; the oldest are forgotten. */
export interface SignalLog {
  note(source: SignalSource, fact: string): void;
  list(): SessionSignal[];
}

export type SignalSource = 'start' | 'prompt' | 'probe' | 'exit' | 'recover' | 'stall';

export function createSignalLog(limit = 50): SignalLog {
  const signals: SessionSignal[] = [];
  return {
    note(source, fact) {
      signals.push({ at: new Date(), source, fact });
      if (signals.length > limit) signals.shift();
    },
    list: () => [...signals],
  };
}

/** What the log says of a stall, and once it is over. */
export const STALL_OVER = 'over';
export function stallFact({ cause, detail, until }: AgentStall): string {
  return `${cause}: ${detail}${until ? ` until ${until.toISOString()}` : ''}`;
}

/**
 * The verdict over all signals of a session, oldest first. An adapter that weighs its agent's evidence itself says which
 * rule decided; else the newest signal that says something does. What the agent waits for is more than either. Pure.
 */
export function verdictOf(signals: readonly SessionSignal[]): Pick<Why, 'verdict' | 'rule'> {
  const weighed = signals.findLast(({ source }) => source === 'rule');
  const by = weighed ? ofAdapter(weighed.fact) : ofNewest(signals);
  const stall = openStall(signals);
  const cause = stall?.slice(0, stall.indexOf(':'));
  // One at rest waits for nothing that it knows of; whether its artifact is missing its run knows.
  if (cause === undefined || cause === 'idle') return by;
  return { verdict: STALLED[cause] ?? 'waiting', rule: `${by.rule}; it waits: ${stall}` };
}

/** `STATE: the rule, in a sentence`. */
function ofAdapter(fact: string): Pick<Why, 'verdict' | 'rule'> {
  const [, state = '', rule = fact] = /^([A-Z]+): (.*)$/s.exec(fact) ?? [];
  return { verdict: WEIGHED[state] ?? 'unknown', rule };
}

function ofNewest(signals: readonly SessionSignal[]): Pick<Why, 'verdict' | 'rule'> {
  const said = ({ source, fact }: SessionSignal) => RULES[source as Telling]?.(fact);
  const decisive = signals.findLast((signal) => said(signal) !== undefined);
  const verdict = decisive && said(decisive);
  if (!decisive || !verdict) return { verdict: 'unknown', rule: 'nothing was seen of it since the daemon started' };
  return { verdict, rule: `the newest signal decides: ${decisive.source}: ${decisive.fact}` };
}

/** A stall lasts until it is told to be over, or the agent is gone, or another one. */
function openStall(signals: readonly SessionSignal[]): string | undefined {
  const last = signals.findLast(({ source }) => ['stall', 'exit', 'recover'].includes(source));
  return last?.source === 'stall' && last.fact !== STALL_OVER ? last.fact : undefined;
}

const STALLED: Partial<Record<string, Why['verdict']>> = {
  quota: 'quota',
  error: 'error',
  login: 'login',
  hung: 'hung',
} satisfies Partial<Record<StallCause, Why['verdict']>>;

/** The words of an adapter for the state of its agent; a state that is not here says nothing. */
const WEIGHED: Partial<Record<string, Why['verdict']>> = {
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

type Telling = Exclude<SignalSource, 'stall'>;
const RULES: Record<Telling, (fact: string) => Why['verdict'] | undefined> = {
  start: (fact) => (fact === 'asked' ? 'starting' : fact.startsWith('failed') ? 'lost' : 'ready'),
  prompt: (fact) => (fact.startsWith('taken') ? 'busy' : undefined),
  probe: (fact) =>
    fact.startsWith('BUSY') ? 'busy' : fact === 'READY' ? 'ready' : fact.startsWith('dead') ? 'lost' : undefined,
  exit: () => 'lost',
  recover: (fact) => (fact.startsWith('done') ? 'ready' : 'lost'),
};
