import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentStall } from '../../../../../daemon/sessions/contract/adapter.ts';
import { createChanges } from '../../../../../daemon/sessions/tmux/observe/changes.ts';
import type { Observer } from '../../../../../daemon/sessions/tmux/observe/observer.ts';
import {
  type AgentState,
  type AgentStatus,
  type Signal,
  type Source,
  weighEvidence,
} from '../../../../../daemon/sessions/tmux/profile/evidence.ts';
import { ENDED_AFTER_MS, IDLE_AFTER_MS, stallOf } from '../../../../../daemon/sessions/tmux/stall/stall.ts';
import { watchStall } from '../../../../../daemon/sessions/tmux/stall/watchStall.ts';
import { steadyNow } from '../../../../../schemas/time/steadyTime.ts';

const AT = Date.parse('2026-01-05T12:00:00Z');
const signal = (source: Source, says: AgentState, about?: string): Signal => {
  return { source, says, at: AT, fact: about ?? says, ...(about ? { about } : {}) };
};
const AT_REST = {
  waitsForDraft: false,
  hung: undefined,
  logIn: 'agent login',
  idleMs: undefined,
  hasEndedTurn: false,
  words: () => 'Which one?',
};
const judge = (...signals: Signal[]) => weighEvidence(signals, { steady: AT + 1000, wall: AT + 1000 });

describe('what keeps an agent from going on', () => {
  it.each<[string, AgentStall | undefined, Signal[]]>([
    [
      'a hook',
      { cause: 'permission', detail: 'permission for Write' },
      [signal('hook', 'WAITING', 'permission for Write')],
    ],
    [
      'a state file, of which the hook says more',
      { cause: 'permission', detail: 'permission for Write' },
      [signal('hook', 'WAITING', 'permission for Write'), signal('state file', 'WAITING', 'permission prompt')],
    ],
    [
      'a question about permissions, which 2.1.197 calls a permission too',
      { cause: 'question', detail: 'question: Do you want to approve the permission model?' },
      [
        signal('hook', 'WAITING', 'question: Do you want to approve the permission model?'),
        signal('state file', 'WAITING', 'permission prompt'),
        { ...signal('dialog', 'DIALOG'), fact: 'permission' },
      ],
    ],
    ['a state file', { cause: 'question', detail: 'input needed' }, [signal('state file', 'WAITING', 'input needed')]],
    [
      'a state file, of which the dialog says more',
      { cause: 'permission', detail: 'WAITING' },
      [signal('state file', 'WAITING'), { ...signal('dialog', 'DIALOG'), fact: 'permission' }],
    ],
    ['a dialog', { cause: 'dialog', detail: 'trust' }, [signal('dialog', 'DIALOG', 'trust')]],
    ['a log-in dialog', { cause: 'login', detail: 'login (run agent login)' }, [signal('dialog', 'DIALOG', 'login')]],
    ['a choice', { cause: 'question', detail: 'choice' }, [signal('dialog', 'DIALOG', 'choice')]],
    [
      'a permission on the screen',
      { cause: 'permission', detail: 'permission' },
      [signal('dialog', 'DIALOG', 'permission')],
    ],
    [
      'a log-in',
      { cause: 'login', detail: 'authentication (run agent login)' },
      [signal('hook', 'LOGIN', 'authentication')],
    ],
    [
      'a quota',
      { cause: 'quota', detail: 'limit', until: new Date(AT + 5000) },
      [{ ...signal('hook', 'QUOTA', 'limit'), until: AT + 5000 }],
    ],
    [
      'a quota after which it goes on by itself',
      { cause: 'quota', detail: 'limit', until: new Date(AT + 5000), resumesItself: true },
      [{ ...signal('hook', 'QUOTA', 'limit'), until: AT + 5000, after: 'BUSY' }],
    ],
    ['nothing once it goes on', undefined, [{ ...signal('hook', 'QUOTA', 'limit'), until: AT + 500, after: 'BUSY' }]],
    ['nothing at work', undefined, [signal('hook', 'BUSY')]],
    ['nothing at rest', undefined, [signal('hook', 'READY')]],
    [
      'an error that ended its turn',
      { cause: 'error', detail: 'overloaded', until: new Date(AT + 5000) },
      [{ ...signal('hook', 'ERROR', 'overloaded'), until: AT + 5000 }],
    ],
    [
      'nothing once the time after an error is over',
      undefined,
      [{ ...signal('hook', 'ERROR', 'overloaded'), until: AT + 500 }],
    ],
  ])('%s', (_, stall, signals) => expect(stallOf(judge(...signals), AT_REST)).toEqual(stall));

  it("a person's draft, if there is no other cause", () => {
    expect(stallOf(judge(signal('hook', 'READY')), { ...AT_REST, waitsForDraft: true })).toMatchObject({
      cause: 'draft',
    });
    expect(stallOf(judge(signal('hook', 'LOGIN')), { ...AT_REST, waitsForDraft: true })).toMatchObject({
      cause: 'login',
    });
  });

  it('no progress, but only while it is busy', () => {
    expect(stallOf(judge(signal('hook', 'BUSY')), { ...AT_REST, hung: 'nothing' })).toEqual({
      cause: 'hung',
      detail: 'nothing',
    });
    expect(stallOf(judge(signal('hook', 'READY')), { ...AT_REST, hung: 'nothing' })).toBeUndefined();
  });
});

it.each<[idleMs: number, hasEndedTurn: boolean, stall: AgentStall | undefined]>([
  [ENDED_AFTER_MS - 1, true, undefined],
  [ENDED_AFTER_MS, true, { cause: 'idle', detail: 'Which one?' }],
  [IDLE_AFTER_MS - 1, false, undefined],
  [IDLE_AFTER_MS, false, { cause: 'idle', detail: 'Which one?' }],
])('an agent that rests for %i ms, and the end of its turn is known: %s', (idleMs, hasEndedTurn, stall) => {
  const facts = { ...AT_REST, idleMs, hasEndedTurn };
  expect(stallOf(judge(signal('hook', 'READY')), facts)).toEqual(stall);
});

describe('a stall is reported', () => {
  beforeEach(() => void vi.useFakeTimers({ now: AT }));
  afterEach(() => void vi.useRealTimers());

  function watching(
    lastTakenAt = (): number | undefined => undefined,
    endOf = (_: AgentStatus): number | undefined => undefined,
  ) {
    const changes = createChanges();
    let signals: Signal[] = [];
    let isScreenStale = false;
    let printedAt = AT;
    const readScreen = vi.fn(async () => {
      isScreenStale = false;
      return { screen: { lines: [] } };
    });
    const status = vi.fn((): AgentStatus => {
      const seen = signals.filter(({ source }) => source !== 'screen' || !isScreenStale);
      return weighEvidence(seen, { steady: steadyNow(), wall: Date.now() });
    });
    const observer: Observer = {
      changes,
      readScreen,
      isScreenStale: () => isScreenStale,
      status,
      changesIn: ({ until }: AgentStatus) => (until === undefined ? undefined : Math.max(1, until - Date.now())),
      lastOutputAt: () => printedAt,
      lastScreen: () => ({ lines: ['Which one?'] }),
    } as Partial<Observer> as Observer;
    const causes: (string | undefined)[] = [];
    const reported = { now: {} };
    const hung = { follow: vi.fn(), found: () => undefined };
    const ports = {
      observer,
      hung,
      waitsForDraft: () => false,
      logIn: 'agent login',
      lastTakenAt,
      lastTypedAt: lastTakenAt,
      endOf,
      reported,
    };
    const watch = watchStall({ ...ports, report: (stall) => causes.push(stall?.cause) });
    return {
      causes,
      readScreen,
      status,
      close: watch.close,
      again: () => watchStall({ ...ports, report: (s) => causes.push(s?.cause) }),
      async becomes(...now: Signal[]) {
        signals = now;
        changes.notify();
        await vi.advanceTimersByTimeAsync(0);
      },
      print: () => {
        isScreenStale = true;
        printedAt = Date.now();
        changes.notify('output');
      },
    };
  }
  const ASKS = signal('hook', 'WAITING', 'permission for Write');
  const RESTS = signal('hook', 'READY');

  it('once it has lasted, like its end; the first state comes at once', async () => {
    const { becomes, causes } = watching();
    await vi.advanceTimersByTimeAsync(5000);
    expect(causes).toEqual([]);
    await becomes(RESTS);
    await vi.advanceTimersByTimeAsync(600);
    expect(causes).toEqual([undefined]);
    await becomes(ASKS);
    await vi.advanceTimersByTimeAsync(600);
    await becomes(RESTS);
    await vi.advanceTimersByTimeAsync(600);
    expect(causes).toEqual([undefined, 'permission', undefined]);
  });

  it('before it has lasted if a second source says so, but not its end', async () => {
    const { becomes, causes } = watching();
    await becomes(RESTS);
    await vi.advanceTimersByTimeAsync(600);
    await becomes(ASKS);
    await vi.advanceTimersByTimeAsync(100);
    expect(causes).toEqual([undefined]);
    await becomes(ASKS, signal('state file', 'WAITING', 'permission prompt'));
    await vi.advanceTimersByTimeAsync(50);
    expect(causes).toEqual([undefined, 'permission']);
    await becomes(signal('hook', 'BUSY'), signal('title', 'BUSY'));
    await vi.advanceTimersByTimeAsync(200);
    expect(causes).toEqual([undefined, 'permission']);
    await vi.advanceTimersByTimeAsync(200);
    expect(causes).toEqual([undefined, 'permission', undefined]);
  });

  it('not again as another one while a state file is behind the hook that has ended it', async () => {
    const { becomes, causes } = watching();
    const file = signal('state file', 'WAITING', 'permission prompt');
    await becomes(signal('hook', 'WAITING', 'question: Which?'), file);
    await vi.advanceTimersByTimeAsync(600);
    await becomes({ ...signal('hook', 'BUSY'), at: Date.now() }, file);
    await vi.advanceTimersByTimeAsync(1400);
    expect(causes).toEqual(['question']);
    await becomes(signal('hook', 'BUSY'), { ...signal('state file', 'BUSY'), at: Date.now() });
    await vi.advanceTimersByTimeAsync(600);
    expect(causes).toEqual(['question', undefined]);
  });

  it('if its state file still asks some time after a hook that says that it works', async () => {
    const { becomes, causes } = watching();
    const signals = [{ ...signal('hook', 'BUSY'), at: AT + 1 }, signal('state file', 'WAITING', 'permission prompt')];
    await becomes(...signals);
    await vi.advanceTimersByTimeAsync(1600);
    expect(causes).toEqual([]);
    await becomes(...signals);
    await vi.advanceTimersByTimeAsync(600);
    expect(causes).toEqual(['permission']);
  });

  it('neither for a blip nor twice', async () => {
    const { becomes, causes } = watching();
    await becomes(RESTS);
    await vi.advanceTimersByTimeAsync(600);
    await becomes(ASKS);
    await vi.advanceTimersByTimeAsync(50);
    await becomes(RESTS);
    await vi.advanceTimersByTimeAsync(5000);
    await becomes(signal('hook', 'BUSY'));
    await vi.advanceTimersByTimeAsync(5000);
    expect(causes).toEqual([undefined]);
  });

  it('and lasts while the state is unknown, also for the next program', async () => {
    const { becomes, causes, close, again } = watching();
    await becomes(ASKS);
    await vi.advanceTimersByTimeAsync(600);
    close();
    await becomes();
    const next = again();
    await vi.advanceTimersByTimeAsync(5000);
    expect(causes).toEqual(['permission']);
    await becomes(RESTS);
    await vi.advanceTimersByTimeAsync(600);
    expect(causes).toEqual(['permission', undefined]);
    next.close();
  });

  it('as idle a while after the turn, until the agent moves', async () => {
    const { becomes, causes } = watching(() => AT);
    await becomes(signal('hook', 'BUSY'));
    await vi.advanceTimersByTimeAsync(600);
    await becomes({ ...RESTS, at: Date.now() });
    await vi.advanceTimersByTimeAsync(IDLE_AFTER_MS - 100);
    expect(causes).toEqual([undefined]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(causes).toEqual([undefined, 'idle']);
    await becomes({ ...signal('hook', 'BUSY'), at: Date.now() });
    await vi.advanceTimersByTimeAsync(1000);
    expect(causes).toEqual([undefined, 'idle', undefined]);
  });

  it('as idle soon if the end of the turn is known', async () => {
    const { becomes, causes } = watching(
      () => AT,
      ({ since }) => since,
    );
    await becomes(signal('hook', 'BUSY'));
    await vi.advanceTimersByTimeAsync(600);
    await becomes({ ...RESTS, at: Date.now() });
    await vi.advanceTimersByTimeAsync(ENDED_AFTER_MS - 100);
    expect(causes).toEqual([undefined]);
    await vi.advanceTimersByTimeAsync(500);
    expect(causes).toEqual([undefined, 'idle']);
  });

  it('as idle soon only once the screen is read, which may tell of a failure', async () => {
    const { becomes, causes, print } = watching(
      () => AT,
      ({ since }) => since,
    );
    await becomes(signal('hook', 'BUSY'));
    await vi.advanceTimersByTimeAsync(600);
    await becomes({ ...RESTS, at: Date.now() });
    for (let printed = 0; printed < ENDED_AFTER_MS + 1000; printed += 200) {
      print();
      await vi.advanceTimersByTimeAsync(200);
    }
    expect(causes).toEqual([undefined]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(causes).toEqual([undefined, 'idle']);
  });

  it('as idle some time after the end of the turn, though the screen showed it later', async () => {
    const endedAt = AT + 600;
    const { becomes, causes } = watching(
      () => AT,
      () => endedAt,
    );
    await becomes(signal('screen', 'BUSY'));
    await vi.advanceTimersByTimeAsync(1100);
    await becomes({ ...signal('screen', 'READY'), at: Date.now() });
    await vi.advanceTimersByTimeAsync(ENDED_AFTER_MS - 100);
    expect(causes).toEqual([undefined, 'idle']);
  });

  it('as idle again after a prompt, though nothing showed any work', async () => {
    let takenAt = AT;
    const { becomes, causes } = watching(() => takenAt);
    await becomes(RESTS);
    await vi.advanceTimersByTimeAsync(IDLE_AFTER_MS + 1000);
    takenAt = Date.now();
    await becomes(RESTS);
    await vi.advanceTimersByTimeAsync(IDLE_AFTER_MS - 100);
    expect(causes).toEqual([undefined, 'idle', undefined]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(causes).toEqual([undefined, 'idle', undefined, 'idle']);
  });

  it('as idle only after the end of another stall is reported', async () => {
    const { becomes, causes } = watching(() => AT);
    await becomes({ ...signal('hook', 'QUOTA'), until: AT + 60_000 });
    await vi.advanceTimersByTimeAsync(30_000);
    await becomes(RESTS);
    await vi.advanceTimersByTimeAsync(IDLE_AFTER_MS - 100);
    expect(causes).toEqual(['quota', undefined]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(causes).toEqual(['quota', undefined, 'idle']);
  });

  it('and ends by the clock if its end is known', async () => {
    const { becomes, causes } = watching();
    await becomes({ ...signal('hook', 'QUOTA'), until: AT + 60_000 });
    await vi.advanceTimersByTimeAsync(59_000);
    expect(causes).toEqual(['quota']);
    await vi.advanceTimersByTimeAsync(2000);
    expect(causes).toEqual(['quota', undefined]);
  });

  it('only after the first look at the screen, which may show a dialog', async () => {
    const { becomes, print, causes } = watching();
    print();
    await becomes(RESTS);
    await vi.advanceTimersByTimeAsync(390);
    print();
    await vi.advanceTimersByTimeAsync(5);
    expect(causes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(causes).toEqual([undefined]);
  });

  it.each([undefined, AT])(
    'and lasts while the screen that shows it is drawn anew (its last prompt: %s)',
    async (takenAt) => {
      const { becomes, print, causes } = watching(() => takenAt);
      await becomes(signal('record', 'READY'), { ...signal('screen', 'ERROR'), until: AT + 120_000 });
      await vi.advanceTimersByTimeAsync(60_000);
      expect(causes).toEqual(['error']);
      print();
      await vi.advanceTimersByTimeAsync(5000);
      expect(causes).toEqual(['error']);
    },
  );

  it('and nothing is asked while the agent only prints', async () => {
    const { becomes, print, status } = watching();
    await becomes(signal('hook', 'BUSY'));
    await vi.advanceTimersByTimeAsync(5_000);
    status.mockClear();
    for (let nth = 0; nth < 600; nth += 1) {
      print();
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(status).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(500);
    expect(status).toHaveBeenCalled();
  });

  it('and the screen is read once after the pane is silent', async () => {
    const { becomes, print, readScreen } = watching();
    await becomes(signal('hook', 'BUSY'));
    print();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(readScreen).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
