import { DevflowError } from '../../../schemas/errors.ts';
import { trySandbox } from '../../sandbox/trySandbox.ts';
import { type Check, pass, warn } from '../probe/check.ts';

/** No run needs a sandbox unless somebody asks for it. */
export const sandbox: Check = {
  name: 'sandbox',
  async run({ env }) {
    try {
      const { by, open = [] } = await trySandbox({ level: 'all' }, env);
      if (open.length === 0) return pass(`runs with a sandbox can start (${by})`);
      const detail = `runs with a sandbox can start (${by}), but ${open.join(', ')} stay open while its network is on`;
      return warn(detail, 'Linux 6.12 or later closes them. Or set network: off.');
    } catch (error) {
      if (!(error instanceof DevflowError)) throw error;
      return warn(error.message.replace(/\.$/, ''), error.recoveryHint ?? '');
    }
  },
};
