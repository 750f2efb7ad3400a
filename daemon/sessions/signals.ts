import type { SessionSignal } from './adapter.ts';

export interface Why {
  sessionId: string;
  /** What the signals say of the agent now. */
  verdict: 'unknown' | 'starting' | 'ready' | 'busy' | 'lost';
  /** The rule that decided, in a sentence. */
  rule: string;
  signals: SessionSignal[];
}

/** What the manager saw of one session, newest last; the oldest are forgotten. */
export interface SignalLog {
  note(source: SignalSource, fact: string): void;
  list(): SessionSignal[];
}

export type SignalSource = 'start' | 'prompt' | 'probe' | 'exit' | 'recover';

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

/** The verdict over a session's signals: the newest one that says something decides. Pure. */
export function judge(signals: readonly SessionSignal[]): Pick<Why, 'verdict' | 'rule'> {
  const decisive = signals.findLast(({ source, fact }) => rules[source as SignalSource]?.(fact) !== undefined);
  const verdict = decisive && rules[decisive.source as SignalSource]?.(decisive.fact);
  if (!decisive || !verdict) return { verdict: 'unknown', rule: 'nothing was seen of it since the daemon started' };
  return { verdict, rule: `the newest signal decides: ${decisive.source}: ${decisive.fact}` };
}

const rules: Record<SignalSource, (fact: string) => Why['verdict'] | undefined> = {
  start: (fact) => (fact === 'asked' ? 'starting' : fact.startsWith('failed') ? 'lost' : 'ready'),
  prompt: (fact) => (fact.startsWith('taken') ? 'busy' : undefined),
  probe: (fact) =>
    fact.startsWith('BUSY') ? 'busy' : fact === 'READY' ? 'ready' : fact.startsWith('dead') ? 'lost' : undefined,
  exit: () => 'lost',
  recover: (fact) => (fact.startsWith('done') ? 'ready' : 'lost'),
};
