import { expect, test } from 'vitest';
import type { Outcome } from '../../../../daemon/engine/core/effect.ts';
import { createAgentNews } from '../../../../daemon/engine/local/agentNews.ts';
import type { AgentStall } from '../../../../daemon/sessions/adapter.ts';
import type { LostListener, StallListener } from '../../../../daemon/sessions/manager.ts';
import { DevflowError } from '../../../../schemas/errors.ts';
import { bound, given, stalls, started } from '../core/support/given.ts';
import { quiet } from './support/performing.ts';

const PERMISSION: AgentStall = { cause: 'permission', detail: 'Bash' };
const ready = given({}, bound, started);
const id = ready.run.sessions[0]?.id ?? '';

/** News of agents, with what `told` last and what they `show` when they are looked at. */
function givenNews(told?: AgentStall, shows?: AgentStall) {
  const outcomes: Outcome[] = [];
  const tell = (outcome: Outcome) => void outcomes.push(outcome);
  let lose: LostListener | undefined;
  let stall: StallListener | undefined;
  const news = createAgentNews({
    actorOf: (sessionId) => (sessionId === id ? { tell } : undefined),
    sessions: {
      onLost: (listener) => {
        lose = listener;
        return () => {
          lose = undefined;
        };
      },
      onStall: (listener) => {
        stall = listener;
        return () => {
          stall = undefined;
        };
      },
      stallOf: () => told,
      probe: async () => ({ alive: true, paneActive: false, ...(shows ? { stall: shows } : {}) }),
    },
  });
  return { news, outcomes, tell, lose: () => lose, stall: () => stall };
}

test('what keeps an agent from going on, and its end, reach its run', () => {
  const { outcomes, stall, lose, news } = givenNews();
  stall()?.(id, { cause: 'quota', detail: 'limit', until: new Date('2026-01-01T10:00:00Z') });
  stall()?.(id, PERMISSION);
  stall()?.(id, undefined);
  stall()?.('of no run', PERMISSION);
  lose()?.(id, new DevflowError('pane_briefly_unresponsive', 'it ended'));
  expect(outcomes).toEqual([
    {
      ...{ type: 'sessionStalled', sessionId: id },
      stall: { cause: 'quota', detail: 'limit', until: '2026-01-01T10:00:00.000Z' },
    },
    { type: 'sessionStalled', sessionId: id, stall: { cause: 'permission', detail: 'Bash', until: null } },
    { type: 'sessionStalled', sessionId: id, stall: null },
    expect.objectContaining({ type: 'sessionLost', sessionId: id }),
  ]);
  news.stop();
  expect([stall(), lose()]).toEqual([undefined, undefined]);
});

test('one that asked before its prompt was on record is looked at, and asks still', async () => {
  const { news, outcomes, tell } = givenNews(PERMISSION, PERMISSION);
  news.moved(ready.news, tell);
  await quiet();
  expect(outcomes).toEqual([expect.objectContaining({ type: 'sessionStalled', sessionId: id })]);
});

test('one that came to rest before its prompt was on record is looked at, and rests still', async () => {
  const rests: AgentStall = { cause: 'idle', detail: 'its turn has ended' };
  const { news, outcomes, tell } = givenNews(rests, rests);
  news.moved(ready.news, tell);
  await quiet();
  expect(outcomes).toEqual([expect.objectContaining({ type: 'sessionStalled', sessionId: id })]);
});

test.each<[string, AgentStall | undefined, AgentStall | undefined]>([
  ['was told of nothing', undefined, PERMISSION],
  ['goes on by now', PERMISSION, undefined],
  ['hung before', PERMISSION, { cause: 'hung', detail: 'it does not move' }],
])('an agent that %s is told of no more', async (_, told, shows) => {
  const { news, outcomes, tell } = givenNews(told, shows);
  news.moved(ready.news, tell);
  news.moved(ready.on(stalls('planner', 'draft')).news, tell);
  await quiet();
  expect(outcomes).toEqual([]);
});
