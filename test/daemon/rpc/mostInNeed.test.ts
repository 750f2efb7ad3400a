import { expect, test } from 'vitest';
import { sessionAttachTarget } from '../../../daemon/rpc/handlers/session.attachTarget.ts';
import { mostInNeed, nextInNeed } from '../../../daemon/rpc/mostInNeed.ts';
import type { HandlerContext, ReadsPort } from '../../../daemon/rpc/ports.ts';
import { DevflowError } from '../../../schemas/errors.ts';

type Given = {
  runs: Record<string, string>;
  gates?: string[];
  sessions: [id: string, run: string, state: string, cause?: string][];
};

function reads({ runs, gates = [], sessions }: Given): ReadsPort {
  return {
    listRuns: async () => Object.entries(runs).map(([runId, state]) => ({ runId, state })),
    listApprovals: async () => gates.map((runId, nth) => ({ runId, createdAt: String(nth) })).reverse(),
    listSessions: async () =>
      sessions.map(([sessionId, runId, state, cause]) => ({
        ...{ sessionId, runId, state, stall: cause === undefined ? null : { cause } },
      })),
  } as unknown as ReadsPort;
}

const OPEN = { a: 'executing', b: 'awaiting_approval', c: 'planning' };

test.each<[string, Given, string]>([
  ['the only one', { runs: OPEN, sessions: [['s1', 'a', 'READY']] }, 's1'],
  [
    'one at work before an idle one',
    {
      runs: OPEN,
      sessions: [
        ['s1', 'a', 'READY'],
        ['s2', 'c', 'BUSY'],
      ],
    },
    's2',
  ],
  [
    'one at a gate before one at work',
    {
      runs: OPEN,
      gates: ['b'],
      sessions: [
        ['s1', 'a', 'BUSY'],
        ['s2', 'b', 'READY'],
      ],
    },
    's2',
  ],
  [
    'the gate that has waited longest',
    {
      runs: OPEN,
      gates: ['c', 'b'],
      sessions: [
        ['s1', 'b', 'READY'],
        ['s2', 'c', 'READY'],
      ],
    },
    's2',
  ],
  [
    'trouble before any gate',
    {
      runs: OPEN,
      gates: ['b'],
      sessions: [
        ['s1', 'b', 'READY'],
        ['s2', 'a', 'CRASHED'],
      ],
    },
    's2',
  ],
  [
    'one that asks a person before one that crashed',
    {
      runs: OPEN,
      sessions: [
        ['s1', 'a', 'CRASHED'],
        ['s2', 'c', 'FAILED_NEEDS_HUMAN'],
      ],
    },
    's2',
  ],
  [
    'one that holds a draft of a person before one that crashed',
    {
      runs: OPEN,
      sessions: [
        ['s1', 'a', 'CRASHED'],
        ['s2', 'c', 'READY', 'draft'],
      ],
    },
    's2',
  ],
  [
    'one at a gate before one whose usage limit is reached',
    {
      runs: OPEN,
      gates: ['b'],
      sessions: [
        ['s1', 'a', 'BUSY', 'quota'],
        ['s2', 'b', 'READY'],
      ],
    },
    's2',
  ],
  [
    'never one of an ended run',
    {
      runs: { ...OPEN, z: 'failed' },
      sessions: [
        ['s1', 'z', 'FAILED_NEEDS_HUMAN'],
        ['s2', 'a', 'READY'],
      ],
    },
    's2',
  ],
])('%s', async (_name, given, session) => {
  expect((await mostInNeed(reads(given)))[0]).toBe(session);
});

test('with no agent there is none', async () => {
  await expect(mostInNeed(reads({ runs: OPEN, sessions: [] }))).rejects.toMatchObject({ code: 'not_found' });
});

test('each that needs a person has its turn, in order of need, beginning after the one that is shown', async () => {
  const given: Given = {
    runs: { ...OPEN, z: 'failed' },
    gates: ['b'],
    sessions: [
      ['s1', 'a', 'BUSY'],
      ['s2', 'b', 'READY'],
      ['s3', 'c', 'READY', 'question'],
      ['s4', 'a', 'CRASHED'],
      ['s5', 'z', 'CRASHED'],
    ],
  };
  const next = (shown?: string) => nextInNeed(reads(given), shown);
  expect(await next()).toEqual(['s3', 's4', 's2']);
  expect(await next('s3')).toEqual(['s4', 's2', 's3']);
  expect(await next('s2')).toEqual(['s3', 's4', 's2']);
  expect(await next('s1')).toEqual(['s3', 's4', 's2']);
  expect(await nextInNeed(reads({ runs: OPEN, sessions: [['s1', 'a', 'BUSY']] }))).toEqual([]);
});

test('attach without a target passes over those in need that have no pane, and says so of the first where none has', async () => {
  const given: Given = {
    runs: OPEN,
    sessions: [
      ['gone', 'a', 'FAILED_NEEDS_HUMAN'],
      ['asks', 'c', 'BUSY', 'question'],
    ],
  };
  const attach = (panes: string[]) => {
    const attachTarget = async (sessionId: string) => {
      if (panes.includes(sessionId)) return { sessionId };
      throw new DevflowError('state_conflict', `${sessionId} has no pane.`);
    };
    const context = { reads: reads(given), sessions: { attachTarget } } as unknown as HandlerContext;
    return sessionAttachTarget({}, context);
  };
  expect(await attach(['asks'])).toMatchObject({ sessionId: 'asks' });
  await expect(attach([])).rejects.toMatchObject({ code: 'state_conflict' });
});
