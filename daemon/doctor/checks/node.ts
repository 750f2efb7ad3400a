import { type Check, fail, pass, warn } from '../probe/check.ts';
import { isBelow, readVersion } from '../probe/version.ts';

export const node: Check = {
  name: 'node',
  run({ nodeVersion, strict }) {
    const version = readVersion(nodeVersion);
    const remediation = 'Use Node 22 (see .nvmrc). npm also installs it beside devflow.';
    if (!version || isBelow(version, [22, 0]))
      return fail(`Node ${nodeVersion} is too old: devflow needs 22`, remediation);
    if (version[0] > 22) {
      return (strict ? fail : warn)(`Node ${nodeVersion} is newer than 22, on which devflow is tested`, remediation);
    }
    if (isBelow(version, [22, 18]))
      return warn(`Node ${nodeVersion} is old: devflow supports 22.18 or later`, remediation);
    return pass(`Node ${nodeVersion}`);
  },
};
