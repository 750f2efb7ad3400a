import { type Check, pass, warn } from '../probe/check.ts';
import { ask } from '../probe/program.ts';

/** `daemon/rpc/peerProcess.ts` needs one of these programs to identify a caller. */
export const whoDecides: Check = {
  name: 'who-decides',
  async run({ env }) {
    const remediation = 'Install perl or python3. Without them devflow recognizes an agent only by DEVFLOW_AGENT.';
    if (process.platform !== 'linux' && process.platform !== 'darwin') {
      return warn('on this system devflow cannot identify the process that calls the daemon', remediation);
    }
    for (const [program, ...nothing] of [
      ['perl', '-e', ''],
      ['python3', '-c', ''],
    ] as const) {
      if ((await ask(program, nothing, env))?.ok) {
        return pass(`devflow refuses decisions of agents (${program} identifies the caller)`);
      }
    }
    return warn('perl and python3 are not on PATH, so an agent can decide over the socket', remediation);
  },
};
