import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLaneAgents } from '../../../../daemon/engine/local/laneAgents.ts';
import { runWithLanes } from './support/runWithLanes.ts';

function given(fails = false) {
  const ended: string[][] = [];
  const warnings: unknown[] = [];
  const laneAgents = createLaneAgents({
    sessions: {
      endAgents: async (_runId, sessions) => {
        ended.push(sessions.map(({ sessionId }) => sessionId));
        if (fails) throw new Error('no tmux server');
      },
    },
    log: { warn: (facts: unknown) => void warnings.push(facts) },
  });
  return { ended, warnings, end: laneAgents.endThoseOfEndedLanes };
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
