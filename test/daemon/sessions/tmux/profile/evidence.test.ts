import { describe, expect, it } from 'vitest';
import {
  type AgentState,
  OVERRIDE_MS,
  QUOTA_RETRY_MS,
  reconsiderIn,
  type Signal,
  type Source,
  weighEvidence,
} from '../../../../../daemon/sessions/tmux/profile/evidence.ts';

const NOW = 100_000;
const signal = (source: Source, says: AgentState, ago = 1000, more: Partial<Signal> = {}): Signal => {
  return { source, says, at: NOW - ago, fact: `${source} ${says}`, ...more };
};
const moment = (now: number) => ({ steady: now, wall: now });
const judge = (...signals: Signal[]) => weighEvidence(signals, moment(NOW));

describe('what an agent is', () => {
  it('is unknown without a signal, and says so', () => {
    expect(judge()).toMatchObject({ state: 'UNKNOWN', rule: 'no signal says its state' });
    const { says: _, ...silent } = signal('title', 'READY');
    expect(judge(silent).state).toBe('UNKNOWN');
  });

  it.each<[string, AgentState, Signal[]]>([
    ['a death ends all other talk', 'DEAD', [signal('state file', 'BUSY', 1), signal('process', 'DEAD')]],
    ['the state file goes before the hook', 'READY', [signal('hook', 'BUSY', 500), signal('state file', 'READY', 10)]],
    [
      'a hook that has just told of work goes before an older state file',
      'BUSY',
      [signal('hook', 'BUSY', OVERRIDE_MS - 1), signal('state file', 'READY', 5000)],
    ],
    [
      'one that told of it a while ago does not',
      'READY',
      [signal('hook', 'BUSY', OVERRIDE_MS), signal('state file', 'READY', 5000)],
    ],
    ['the hook goes before the title', 'BUSY', [signal('title', 'READY', 2000), signal('hook', 'BUSY', 1000)]],
    ['the title goes before the screen', 'READY', [signal('screen', 'READY'), signal('title', 'READY')]],
    ['READY needs no repeating', 'READY', [signal('hook', 'READY', 9_000_000)]],
    ['a living process alone says little', 'STARTING', [signal('process', 'STARTING')]],
    ['a dialog bars all keys', 'DIALOG', [signal('state file', 'READY'), signal('dialog', 'DIALOG')]],
    ['a dialog that a hook explains', 'WAITING', [signal('hook', 'WAITING'), signal('dialog', 'DIALOG')]],
    [
      'a dialog after a question that nobody answered',
      'DIALOG',
      [signal('hook', 'WAITING', 2000), signal('state file', 'READY', 1000), signal('dialog', 'DIALOG', 10)],
    ],
    [
      'work shown by the title bars what a late hook says',
      'BUSY',
      [signal('hook', 'READY', 1), signal('title', 'BUSY')],
    ],
    [
      'a title that was last seen before the end of the turn is soon out of date',
      'READY',
      [signal('title', 'BUSY', 5000, { seenAt: NOW - 2000 }), signal('hook', 'READY', OVERRIDE_MS, { endsTurn: true })],
    ],
    [
      'the news of a title may be late',
      'BUSY',
      [
        signal('title', 'BUSY', 5000, { seenAt: NOW - 2000 }),
        signal('hook', 'READY', OVERRIDE_MS - 1, { endsTurn: true }),
      ],
    ],
    [
      'a title that was seen again since is not: another hook continued the turn',
      'BUSY',
      [signal('title', 'BUSY', 5000, { seenAt: NOW - 20 }), signal('hook', 'READY', OVERRIDE_MS, { endsTurn: true })],
    ],
    ['work on the screen bars it too', 'BUSY', [signal('state file', 'READY', 1), signal('screen', 'BUSY')]],
    ['an idle one into which nobody is logged', 'LOGIN', [signal('state file', 'READY'), signal('screen', 'LOGIN')]],
    ['a turn that failed is over', 'QUOTA', [signal('hook', 'QUOTA'), signal('state file', 'READY', 1)]],
    ['the menu of a limit is the limit', 'QUOTA', [signal('hook', 'QUOTA'), signal('state file', 'WAITING', 1)]],
    ['also while the title shows work', 'QUOTA', [signal('title', 'BUSY', 1), signal('dialog', 'QUOTA')]],
    [
      'and a dialog once the limit is over',
      'DIALOG',
      [signal('title', 'BUSY', 1), signal('dialog', 'QUOTA', 9, { until: NOW })],
    ],
    [
      'a menu that outlasts its limit',
      'WAITING',
      [signal('hook', 'QUOTA', 10, { until: NOW }), signal('state file', 'WAITING', 1)],
    ],
    [
      'a quota that came back',
      'READY',
      [signal('hook', 'QUOTA', 10, { until: NOW }), signal('state file', 'READY', 1)],
    ],
  ])('%s: %s', (_, state, signals) => expect(judge(...signals).state).toBe(state));

  it('believes a lasting title against the hook after Esc, which fires no hook', () => {
    const hook = signal('hook', 'BUSY', 10_000);
    expect(judge(hook, signal('title', 'READY', OVERRIDE_MS - 1)).state).toBe('BUSY');
    expect(judge(hook, signal('title', 'READY', OVERRIDE_MS))).toMatchObject({
      state: 'READY',
      rule: 'the title has contradicted it for a while',
    });
  });

  it('keeps a question open while the title rests', () => {
    const hook = signal('hook', 'WAITING', 10_000);
    expect(judge(hook, signal('title', 'READY', 5000)).state).toBe('WAITING');
    expect(judge(hook, signal('screen', 'READY', 5000)).state).toBe('READY');
  });

  it('names the rule, the time, and every signal, oldest first', () => {
    const [file, title] = [signal('state file', 'BUSY', 10), signal('title', 'BUSY', 20)];
    expect(judge(file, title)).toEqual({
      state: 'BUSY',
      rule: 'the state file of the living process decides',
      since: NOW - 10,
      detail: 'state file BUSY',
      about: 'state file BUSY',
      until: undefined,
      signals: [title, file],
    });
  });

  it('retries after 15 minutes if the end of a usage limit is unknown', () => {
    const end = NOW - 1000 + QUOTA_RETRY_MS;
    const retry = moment(end);
    const hook = signal('hook', 'QUOTA', 1000, { retry });
    expect(judge(hook)).toMatchObject({ state: 'QUOTA', until: end });
    expect(judge(hook).about).toMatch(/its end is unknown; next try after 15 minutes/);
    expect(reconsiderIn([hook], moment(NOW))).toBe(end - NOW);
    expect(weighEvidence([hook], moment(end)).state).toBe('READY');
    // The wall clock was set back by a day: the duration is over nevertheless.
    expect(weighEvidence([hook], { steady: end, wall: end - 86_400_000 }).state).toBe('READY');
  });

  it.each<[string, AgentState, Signal[]]>([
    ['a turn that began', 'BUSY', [signal('hook', 'READY', 2000), signal('record', 'BUSY', 1000)]],
    ['its end, of which no hook told', 'READY', [signal('hook', 'BUSY', 2000), signal('record', 'READY', 1000)]],
    [
      'and why it ended',
      'QUOTA',
      [signal('hook', 'BUSY', 2000), signal('record', 'READY', 1000), signal('screen', 'QUOTA', 900)],
    ],
    [
      'but an error of earlier that still stands there is none of a turn that ended well',
      'READY',
      [signal('hook', 'READY', 1000), signal('record', 'READY', 1000), signal('screen', 'ERROR', 900)],
    ],
    ['a newer prompt', 'BUSY', [signal('record', 'READY', 2000), signal('hook', 'BUSY', 1000)]],
    ['a question in a turn', 'WAITING', [signal('record', 'BUSY', 2000), signal('hook', 'WAITING', 1000)]],
    ['one that was answered', 'READY', [signal('hook', 'WAITING', 2000), signal('record', 'READY', 1000)]],
    ['a Stop before the record has the end', 'BUSY', [signal('record', 'BUSY', 2000), signal('hook', 'READY', 100)]],
    ['a Stop that the record never has', 'READY', [signal('record', 'BUSY', 9000), signal('hook', 'READY', 8000)]],
    ['work in the title', 'BUSY', [signal('record', 'READY', 1000), signal('title', 'BUSY', 2000)]],
  ])("the agent's own record of turns, %s: %s", (_, state, signals) => expect(judge(...signals).state).toBe(state));
});
