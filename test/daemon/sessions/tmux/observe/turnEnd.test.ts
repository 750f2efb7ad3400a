import { describe, expect, it } from 'vitest';
import { awaitsScreen, seemingEndOf, turnEndOf } from '../../../../../daemon/sessions/tmux/observe/turnEnd.ts';
import {
  type AgentState,
  type Signal,
  type Source,
  weighEvidence,
} from '../../../../../daemon/sessions/tmux/profile/evidence.ts';
import type { Profile } from '../../../../../daemon/sessions/tmux/profile/profile.ts';

const SINCE = 1000;
const signal = (source: Source, says: AgentState, at: number, endsTurn?: true): Signal => {
  return { source, says, at, fact: says, ...(endsTurn ? { endsTurn } : {}) };
};
const stateFile = { directory: () => '', read: () => undefined };
type Kept = Pick<Profile, 'stateFile' | 'readRecord'>;
const [CLAUDE, CODEX, PLUGIN]: Kept[] = [{ stateFile }, { readRecord: () => undefined }, {}];
const STOP = signal('hook', 'READY', 2000, true);

describe('the proof of the end of a turn', () => {
  it.each<[string, number | undefined, Kept | undefined, Signal[]]>([
    ['a hook, where the program keeps nothing else', 2000, PLUGIN, [STOP]],
    ['a hook and the state file', 2000, CLAUDE, [STOP, signal('state file', 'READY', 2001)]],
    ['a hook and the record', 2010, CODEX, [STOP, signal('record', 'READY', 2010, true)]],
    [
      'the record, if a hook was lost',
      2010,
      CODEX,
      [signal('hook', 'BUSY', 1500), signal('record', 'READY', 2010, true)],
    ],
    ['no hook of an earlier turn', undefined, PLUGIN, [signal('hook', 'READY', 999, true)]],
    ['no hook of a new conversation', undefined, PLUGIN, [signal('hook', 'READY', 2000)]],
    ['no hook while the state file says busy', undefined, CLAUDE, [STOP, signal('state file', 'BUSY', 1500)]],
    ['no hook without the state file', undefined, CLAUDE, [STOP]],
    [
      'no state file without the hook',
      undefined,
      CLAUDE,
      [signal('hook', 'BUSY', 1500), signal('state file', 'READY', 2001)],
    ],
    ['no hook before the record', undefined, CODEX, [STOP, signal('record', 'BUSY', 1500)]],
    ['no interrupted turn', undefined, CODEX, [signal('hook', 'READY', 2000), signal('record', 'READY', 2010)]],
    ['no hook while the title works', undefined, PLUGIN, [STOP, signal('title', 'BUSY', 1500)]],
    ['no prompt after it', undefined, PLUGIN, [signal('hook', 'BUSY', 2001)]],
    ['no failed turn', undefined, PLUGIN, [signal('hook', 'ERROR', 2000)]],
  ])('%s', (_, at, kept, signals) => {
    expect(turnEndOf(weighEvidence(signals, { steady: 10_000, wall: 10_000 }), kept ?? {}, SINCE)).toBe(at);
  });
});

describe('the seeming end of a turn that its program does not report', () => {
  const profile = { readRecord: () => undefined, isRestingTitle: (title: string) => title.startsWith('◇') };
  const answer: Signal = { source: 'record', at: 2000, fact: 'answer', mayEndTurn: true };
  const title: Signal = { source: 'title', at: 2010, fact: '◇ Ready' };
  const screen = signal('screen', 'READY', 2400);

  it.each<[string, number | undefined, Signal[]]>([
    ['an answer, and then a title and a screen that rest', 2010, [answer, title, screen]],
    ['no end: the answer is of an earlier turn', undefined, [{ ...answer, at: 999 }, title, screen]],
    ['no end: a message follows the answer', undefined, [{ source: 'record', at: 2005, fact: 'info' }, title, screen]],
    ['no end: the title is from before the answer', undefined, [answer, { ...title, at: 1999 }, screen]],
    [
      'no end: the title works, so the answer has a tool call',
      undefined,
      [answer, signal('title', 'BUSY', 1500), screen],
    ],
    ['no end: another title', undefined, [answer, { ...title, fact: 'Gemini CLI (repo)' }, screen]],
    ['no end: the screen was not read', undefined, [answer, title]],
    ['no end: the screen shows work', undefined, [answer, title, signal('screen', 'BUSY', 2400)]],
    ['no end: the screen shows a failure', undefined, [answer, title, signal('screen', 'ERROR', 2400)]],
    ['no end: a dialog is open', undefined, [answer, title, screen, signal('dialog', 'DIALOG', 2400)]],
  ])('%s', (_, at, signals) => {
    const status = weighEvidence(signals, { steady: 10_000, wall: 10_000 });
    expect(seemingEndOf(status, profile, SINCE)).toBe(at);
    expect(turnEndOf(status, profile, SINCE)).toBeUndefined();
  });

  it('is told by no program that has no such title', () => {
    const status = weighEvidence([answer, title, screen], { steady: 10_000, wall: 10_000 });
    expect(seemingEndOf(status, {}, SINCE)).toBeUndefined();
  });
});

describe('a dialog that was on the screen', () => {
  const dialog = signal('dialog', 'DIALOG', 1500);
  const idle = signal('state file', 'READY', 2001);

  it.each<[string, boolean, Kept | undefined, Signal[]]>([
    ['is all that speaks against a proven end', true, CLAUDE, [dialog, STOP, idle]],
    ['is not all while the state file says busy', false, CLAUDE, [dialog, STOP, signal('state file', 'BUSY', 1500)]],
    ['is not all without a report of the end', false, CLAUDE, [dialog, signal('hook', 'WAITING', 1500), idle]],
    ['is gone', false, CLAUDE, [STOP, idle]],
  ])('%s', (_, isAll, kept, signals) => {
    const status = weighEvidence(signals, { steady: 10_000, wall: 10_000 });
    expect(awaitsScreen(status, kept ?? {}, SINCE)).toBe(isAll);
    if (isAll) expect(turnEndOf(status, kept ?? {}, SINCE)).toBeUndefined();
  });
});
