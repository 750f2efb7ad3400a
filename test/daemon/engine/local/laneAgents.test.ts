import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { createLaneAgents } from '../../../../daemon/engine/local/laneAgents.ts';
import { runWithLanes } from './support/runWithLanes.ts';

function given(fails = false) {
  const ended: string[][] = [];
  const removed: string[] = [];
  const warnings: unknown[] = [];
  const laneAgents = createLaneAgents({
    sessions: {
      endAgents: async (_runId, sessions) => {
        ended.push(sessions.map(({ sessionId }) => sessionId));
        if (fails) throw new Error('no tmux server');
      },
    },
    removeWorktree: async ({ path }) => void removed.push(path),
    log: { warn: (facts: unknown) => void warnings.push(facts) },
  });
  return { ended, warnings, removed, end: laneAgents.clearEndedLanes };
}

test('ends the agents of lanes when they land or are abandoned, once', () => {
  const { ended, end } = given();
  const before = runWithLanes(['queued', 'open', 'landed']);
  end(before, runWithLanes(['landed', 'abandoned', 'landed']));
  end(before, { ...before, state: 'awaiting_approval' });
  expect(ended).toEqual([['agent of lane-1', 'agent of lane-2']]);
});

test('ends agents of ended lanes that the last daemon left running', () => {
  const { ended, end } = given();
  end(undefined, runWithLanes(['landed', 'open']));
  expect(ended).toEqual([['agent of lane-1']]);
});

const readers = (run: Run): Run => ({
  ...run,
  lanes: run.lanes.map((lane) => (lane.id === 'main' ? lane : { ...lane, branch: '' })),
});

test('removes the worktree of a closed reader after its agent ended, once', async () => {
  const { ended, removed, end } = given();
  const [before, after] = [readers(runWithLanes(['open', 'closed'])), readers(runWithLanes(['closed', 'closed']))];
  end(before, after);
  expect([ended, removed]).toEqual([[['agent of lane-1']], []]);
  await turn();
  expect(removed).toEqual([after.lanes[1]?.path]);
  end(after, { ...after, lanes: [...after.lanes] });
  await turn();
  expect(removed).toHaveLength(1);
});

test('removes the worktrees of closed readers that the last daemon left, and no worktree with a branch', async () => {
  const { removed, end } = given();
  end(undefined, readers(runWithLanes(['closed', 'open', 'closed'])));
  end(undefined, runWithLanes(['landed', 'abandoned']));
  await turn();
  expect(removed).toHaveLength(2);
});

test('keeps the worktree of a reader whose agent cannot be ended', async () => {
  const { removed, end } = given(true);
  end(undefined, readers(runWithLanes(['closed'])));
  await turn();
  expect(removed).toEqual([]);
});

test('leaves the agents of an ended run to the end of the run', () => {
  const { ended, end } = given();
  end(runWithLanes(['open']), runWithLanes(['landed'], 'aborted'));
  expect(ended).toEqual([]);
});

test('logs a warning if an agent cannot be ended', async () => {
  const { warnings, end } = given(true);
  end(runWithLanes(['open']), runWithLanes(['landed']));
  await turn();
  expect(warnings).toMatchObject([{ err: { message: 'no tmux server' } }]);
});
