import { type Check, fail, pass, warn } from '../probe/check.ts';
import { ask } from '../probe/program.ts';

/** `daemon/rpc/peerProcess.ts` needs one of these programs to identify a caller. */
export const whoDecides: Check = {
  name: 'who-decides',
  async run({ env }) {
    if (process.platform !== 'linux' && process.platform !== 'darwin') {
      const remediation = 'Watch the agents. devflow recognizes one only by DEVFLOW_AGENT, on the command line.';
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
    return fail(
      'perl and python3 are not on PATH, so devflow cannot tell a person from an agent and refuses all decisions',
      'Install perl or python3.',
    );
  },
};
