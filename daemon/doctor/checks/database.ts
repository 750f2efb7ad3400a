import { type Check, fail, pass, unchecked } from '../probe/check.ts';
import { lookForDatabase } from '../probe/databaseProbe.ts';

/** The database answers. A database that devflow itself starts may be down, unless strict. */
export const database: Check = {
  name: 'database',
  async run(subject) {
    if (!subject.config) return unchecked();
    const found = await lookForDatabase(subject);
    try {
      if (found.state === 'up') return pass(found.detail);
      if (found.state === 'broken') return fail(found.detail, found.remediation);
      return subject.strict ? fail(found.detail, 'Run devflow up.') : pass(found.detail);
    } finally {
      if (found.state === 'up') await found.close();
    }
  },
};
