import { expect, test } from 'vitest';
import { type Attach, attachMostUrgent } from '../../../../daemon/api/sessions/attachInOrder.ts';
import {
  type AttentionReads,
  attentionOrder,
  nextForAttention,
} from '../../../../daemon/api/sessions/attentionOrder.ts';
import { DevflowError } from '../../../../schemas/errors.ts';

type Given = {
  gates?: string[];
  sessions: [id: string, run: string, state: string, cause?: string][];
};

function reads({ gates = [], sessions }: Given): AttentionReads {
  return {
    listApprovals: async () => gates.map((runId, nth) => ({ runId, createdAt: String(nth) })).reverse(),
    listSessions: async () =>
      sessions.map(([sessionId, runId, state, cause]) => ({
        sessionId,
        runId,
        state,
        stall: cause === undefined ? null : { cause },
      })),
  } as unknown as AttentionReads;
}

test.each<[string, Given, string]>([
  ['the only one', { sessions: [['s1', 'a', 'READY']] }, 's1'],
  [
    'one at work before an idle one',
    {
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
      gates: ['b'],
      sessions: [
        ['s1', 'a', 'BUSY', 'quota'],
        ['s2', 'b', 'READY'],
      ],
    },
    's2',
  ],
  [
    'never one that has ended',
    {
      sessions: [
        ['s1', 'z', 'ENDED'],
        ['s2', 'a', 'READY'],
      ],
    },
    's2',
  ],
])('%s', async (_name, given, session) => {
  expect((await attentionOrder(reads(given)))[0]).toBe(session);
});

test('fails when there is no agent', async () => {
  await expect(attentionOrder(reads({ sessions: [] }))).rejects.toMatchObject({ code: 'not_found' });
});

test('visits each session that needs a person in turn, beginning after the shown one', async () => {
  const given: Given = {
    gates: ['b'],
    sessions: [
      ['s1', 'a', 'BUSY'],
      ['s2', 'b', 'READY'],
      ['s3', 'c', 'READY', 'question'],
      ['s4', 'a', 'CRASHED'],
      ['s5', 'z', 'ENDED'],
    ],
  };
  const next = (shown?: string) => nextForAttention(reads(given), shown);
  expect(await next()).toEqual(['s3', 's4', 's2']);
  expect(await next('s3')).toEqual(['s4', 's2', 's3']);
  expect(await next('s2')).toEqual(['s3', 's4', 's2']);
  expect(await next('s1')).toEqual(['s3', 's4', 's2']);
  expect(await nextForAttention(reads({ sessions: [['s1', 'a', 'BUSY']] }))).toEqual([]);
});

test('attach without a target skips sessions without a pane, and fails for the first if none has one', async () => {
  const given: Given = {
    sessions: [
      ['gone', 'a', 'FAILED_NEEDS_HUMAN'],
      ['asks', 'c', 'BUSY', 'question'],
    ],
  };
  const attach = (panes: string[]) => {
    return attachMostUrgent(reads(given), async (sessionId) => {
      if (panes.includes(sessionId)) return { sessionId } as Awaited<ReturnType<Attach>>;
      throw new DevflowError('state_conflict', `${sessionId} has no pane.`);
    });
  };
  expect(await attach(['asks'])).toMatchObject({ sessionId: 'asks' });
  await expect(attach([])).rejects.toMatchObject({ code: 'state_conflict' });
});
