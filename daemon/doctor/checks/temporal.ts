import { DevflowError } from '../../../schemas/errors.ts';
import { connectClient } from '../../engine/temporal/connect.ts';
import { installLine, listPackages, loadClient } from '../../engine/temporal/loadSdk.ts';
import { type Check, fail, pass, unchecked } from '../probe/check.ts';
import { judgeVersions } from '../probe/temporalVersions.ts';

/** Shorter than the patience of a daemon, which may start together with the server. */
const PATIENCE_MS = 4_000;

/** Only `engine: temporal` needs the packages, the server and the namespace. */
export const temporal: Check = {
  name: 'temporal',
  async run({ config, paths }) {
    if (!config) return unchecked();
    if (config.engine !== 'temporal') return pass(`not needed: the engine is ${config.engine}`);
    try {
      const sdk = loadClient(paths.temporalPackages);
      const connection = await connectClient(sdk, config.temporal, PATIENCE_MS);
      try {
        const { serverVersion } = await connection.withDeadline(Date.now() + PATIENCE_MS, () =>
          connection.workflowService.getSystemInfo({}),
        );
        const { address, namespace } = config.temporal;
        const packages = listPackages(paths.temporalPackages);
        const wrong = judgeVersions(serverVersion ?? '', packages, installLine(paths.temporalPackages));
        if (wrong) return wrong;
        return pass(`Temporal ${serverVersion} at ${address}, namespace ${namespace}, SDK ${sdk.version}`);
      } finally {
        await connection.close();
      }
    } catch (error) {
      if (error instanceof DevflowError) return fail(error.message, error.recoveryHint);
      throw error;
    }
  },
};
