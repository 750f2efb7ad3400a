import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evolve } from '../../../daemon/core/evolve/evolve.ts';
import { isFrozen } from '../../../daemon/core/run/query.ts';
import type { Run } from '../../../daemon/core/run/state.ts';
import { takesPlace } from '../../../daemon/core/takesPlace.ts';
import { waitsFor } from '../../../daemon/core/waitsFor.ts';
import { isTerminal } from '../../../schemas/enums.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import { packageRoot } from '../../../schemas/files/paths.ts';
import { stallSentence } from '../../../schemas/states/stall.ts';
import { bound, firstPhaseDone, given, pause, resume, sent, stalls, started } from './support/given.ts';

const DIRECTORY = join(packageRoot(), 'test', 'fixtures', 'histories');

describe.each(readdirSync(DIRECTORY))('in the recorded history %s', (file) => {
  const { events } = JSON.parse(readFileSync(join(DIRECTORY, file), 'utf8')) as { events: RunEvent[] };

  it('takes a place exactly while somebody other than a person or a limit has to act', () => {
    let run: Run | undefined;
    for (const event of events) {
      run = evolve(run, event);
      expect([event.seq, event.type, takesPlace(run)]).toEqual([event.seq, event.type, isAtWork(run)]);
    }
  });
});

/** By what lists say that the run waits for. In the middle of a transition nothing has begun yet. */
function isAtWork(run: Run): boolean {
  if (isTerminal(run.state) || run.state === 'created' || isFrozen(run)) return false;
  const others = [
    'the next step',
    ...run.sessions.flatMap(({ stall, ...each }) => (stall ? [stallSentence({ ...each, stall })] : [])),
  ];
  return waitsFor(run).some(({ party, sentence }) => party !== 'person' && !others.includes(sentence));
}

const working = [bound, started, sent] as const;

it.each<[string, Run, boolean]>([
  ['before it begins', given({}).run, false],
  ['while its agent starts', given({}, bound).run, true],
  ['while its agent works', given({}, ...working).run, true],
  ['while its agent asks for permission', given({}, ...working, stalls('planner', 'permission')).run, false],
  ['while a draft keeps its agent from the prompt', given({}, bound, started, stalls('planner', 'draft')).run, false],
  [
    'once the agent was answered',
    given({}, ...working, stalls('planner', 'permission'), stalls('planner', null)).run,
    true,
  ],
  ['while its agent is at a usage limit', given({}, ...working, stalls('planner', 'quota')).run, false],
  ['when its agent ended its turn', given({}, ...working, stalls('planner', 'idle')).run, false],
  ['while a hung agent is restarted', given({}, ...working, stalls('planner', 'hung')).run, true],
  ['while its gate waits', given({}, ...firstPhaseDone).run, false],
  ['while it is paused', given({}, ...working, pause).run, false],
  ['once it is resumed', given({}, ...working, pause, resume).run, true],
])('%s it takes a place or not', (_, run, expected) => expect(takesPlace(run)).toBe(expected));
