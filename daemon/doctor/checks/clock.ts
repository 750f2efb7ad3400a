import type pg from 'pg';
import { SET_CLOCK, wrongClock } from '../../../schemas/time/duration.ts';
import { steadyNow } from '../../../schemas/time/steadyTime.ts';
import { type Check, pass, unchecked, warn } from '../probe/check.ts';
import { lookForDatabase } from '../probe/databaseProbe.ts';

/** devflow goes by the database's clock. A person who reads its times goes by this machine's. */
export const clock: Check = {
  name: 'clock',
  async run(subject) {
    if (!subject.config) return unchecked();
    const found = await lookForDatabase(subject);
    if (found.state !== 'up') return pass('not compared: the database does not run');
    try {
      const wrong = wrongClock('this machine', await readSkew(found.pool));
      return wrong === undefined ? pass("agrees with the database's") : warn(`the ${wrong}`, SET_CLOCK);
    } finally {
      await found.close();
    }
  },
};

/** As much of the difference as the time of the question leaves no doubt about. */
async function readSkew(pool: pg.Pool): Promise<number> {
  const askedAt = steadyNow();
  const { rows } = await pool.query('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now');
  const doubt = steadyNow() - askedAt;
  const skew = Date.now() - doubt / 2 - rows[0].now;
  return Math.sign(skew) * Math.max(0, Math.abs(skew) - doubt / 2);
}
