import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Run } from '../../../../daemon/engine/core/run/state.ts';
import { createLaneAgents } from '../../../../daemon/engine/local/laneAgents.ts';
import type { LaneState, RunState } from '../../../../schemas/enums.ts';
import { givenLanes, lane } from '../../api/runs/lanes/givenLanes.ts';
import { givenRun } from '../../report/givenRun.ts';

/** A run with an agent in `main` and one in each of these lanes. */
function runWith(states: LaneState[], state: RunState = 'executing'): Run {
  const [session] = givenRun().sessions;
  if (!session) throw new TypeError('the run has a session');
  const own = states.map((each, nth) => lane(`lane-${nth + 1}`, { state: each }));
  const ofLane = own.map(({ id }) => ({ ...session, id: `agent of ${id}`, laneId: id }));
  const more = { state, lanes: [...givenRun().lanes, ...own], sessions: [{ ...session, laneId: 'main' }, ...ofLane] };
  return { ...givenLanes({}), ...more };
}

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
  const before = runWith(['queued', 'open', 'landed']);
  end(before, runWith(['landed', 'abandoned', 'landed']));
  end(before, { ...before, state: 'awaiting_approval' });
  expect(ended).toEqual([['agent of lane-1', 'agent of lane-2']]);
});

test('ends agents of ended lanes that the last daemon left running', () => {
  const { ended, end } = given();
  end(undefined, runWith(['landed', 'open']));
  expect(ended).toEqual([['agent of lane-1']]);
});

test('leaves the agents of an ended run to the end of the run', () => {
  const { ended, end } = given();
  end(runWith(['open']), runWith(['landed'], 'aborted'));
  expect(ended).toEqual([]);
});

test('logs a warning if an agent cannot be ended', async () => {
  const { warnings, end } = given(true);
  end(runWith(['open']), runWith(['landed']));
  await turn();
  expect(warnings).toMatchObject([{ err: { message: 'no tmux server' } }]);
});
