import { type Check, pass, warn } from '../check.ts';
import { ask } from '../program.ts';

/** daemon/rpc/peerProcess.ts: one of them tells who connected. */
export const whoDecides: Check = {
  name: 'who-decides',
  async run({ env }) {
    const remediation = 'Install perl or python3. Without them only DEVFLOW_AGENT tells an agent that calls devflow.';
    if (process.platform !== 'linux' && process.platform !== 'darwin') {
      return warn('this system does not tell which process asks the daemon', remediation);
    }
    for (const [program, ...nothing] of [
      ['perl', '-e', ''],
      ['python3', '-c', ''],
    ] as const) {
      if ((await ask(program, nothing, env))?.ok) {
        return pass(`decisions from inside of an agent are refused (${program} tells who asks)`);
      }
    }
    return warn('perl and python3 are not on PATH, so an agent can decide over the socket', remediation);
  },
};
