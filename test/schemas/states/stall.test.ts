import { expect, test } from 'vitest';
import type { StallCause } from '../../../schemas/enums.ts';
import { STALLS, stallSentence, stallState, stallWords } from '../../../schemas/states/stall.ts';

const CAUSES = Object.keys(STALLS) as StallCause[];

test.each(CAUSES)('no list says of %s that the agent does nothing', (cause) => {
  for (const until of [null, '2026-03-01T12:00:00.000Z']) {
    const stall = { cause, detail: '', until };
    const whole = stallSentence({ id: 'session', roleId: 'planner', laneId: 'main', backend: 'claude', stall });
    for (const text of [whole, stallWords(stall, String), stallState(cause).word]) {
      expect(text).not.toMatch(/does nothing|turn has ended/);
    }
  }
});
