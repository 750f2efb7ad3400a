import type { EarlyRequest } from './earlyRequests.ts';

export interface Waiting {
  succeed(result: unknown): void;
  fail(error: Error): void;
}

/** Gives each early request to the first caller who asks the same. */
export interface EarlyAnswers {
  /** The callers that wait for answers, by id. */
  readonly waiting: Map<number, Waiting>;
  /** False if nobody asked this early. */
  claim(method: string, params: unknown, caller: Waiting): boolean;
  /** The answers are old from now on. */
  forget(): void;
}

export function createEarlyAnswers(requests: readonly EarlyRequest[]): EarlyAnswers {
  const callers = new Map<string, (caller: Waiting) => void>();
  const waiting = new Map<number, Waiting>();
  for (const [nth, { method, params }] of requests.entries()) {
    const id = nth + 1;
    // Until it is claimed, an answer is kept.
    let claimAnswer = (caller: Waiting): void => {
      waiting.set(id, caller);
    };
    waiting.set(id, {
      succeed: (result) => {
        claimAnswer = (caller) => caller.succeed(result);
      },
      fail: (error) => {
        claimAnswer = (caller) => caller.fail(error);
      },
    });
    callers.set(keyOf(method, params), (caller) => claimAnswer(caller));
  }
  return {
    waiting,
    claim(method, params, caller) {
      const key = keyOf(method, params);
      const give = callers.get(key);
      callers.delete(key);
      give?.(caller);
      return give !== undefined;
    },
    forget: () => callers.clear(),
  };
}

function keyOf(method: string, params: unknown): string {
  return `${method} ${JSON.stringify(params)}`;
}
