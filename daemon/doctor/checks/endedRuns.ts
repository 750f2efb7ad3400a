import type { EndsCount } from '../../../schemas/rpc/views/ends.ts';
import { endsSentence } from '../../../schemas/states/ends.ts';
import { countEnds } from '../../repository/ends/countEnds.ts';
import { endedRunsIn } from '../../store/endedRuns.ts';
import { type Check, type Diagnosis, pass, unchecked, warn } from '../probe/check.ts';
import { lookForDatabase } from '../probe/databaseProbe.ts';

/** Less than the time that a check may take. */
const COUNTING_MS = 8_000;
const MANY = 50;
const LARGE = 10e9;

/** Says how much ended runs left. */
export const endedRuns: Check = {
  name: 'ended-runs',
  async run(subject) {
    if (!subject.config) return unchecked();
    const found = await lookForDatabase(subject);
    if (found.state !== 'up') return pass('not counted: the database does not run');
    try {
      // A database without its newest migrations cannot answer.
      const rows = await endedRunsIn(found.pool)({}).catch(() => undefined);
      if (rows === undefined) return pass('not counted: the database needs its migrations');
      return endsDiagnosis(await countEnds(rows, COUNTING_MS));
    } finally {
      await found.close();
    }
  },
};

/** Warns of many worktrees, or large ones. */
export function endsDiagnosis(count: EndsCount): Diagnosis {
  const detail = endsSentence(count) ?? 'no worktree or branch is left';
  if (count.worktrees < MANY && count.bytes < LARGE) return pass(detail);
  return warn(detail, 'See what can go, then say yes: devflow cleanup --ended.');
}
