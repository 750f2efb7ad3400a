import { type Check, fail, pass, warn } from '../check.ts';
import { isBelow, readVersion } from '../version.ts';

export const node: Check = {
  name: 'node',
  run({ nodeVersion, strict }) {
    const version = readVersion(nodeVersion);
    const remediation = 'Use Node 22: it is in .nvmrc, and npm installs it beside devflow.';
    if (!version || isBelow(version, [22, 0])) return fail(`Node ${nodeVersion}; devflow needs 22`, remediation);
    if (version[0] > 22) {
      return (strict ? fail : warn)(`Node ${nodeVersion}; devflow is tested on 22`, remediation);
    }
    if (isBelow(version, [22, 18])) return warn(`Node ${nodeVersion}; 22.18 or later is supported`, remediation);
    return pass(`Node ${nodeVersion}`);
  },
};
