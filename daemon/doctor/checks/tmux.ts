import { type Check, fail, pass, warn } from '../check.ts';
import { ask } from '../program.ts';
import { isBelow, readVersion } from '../version.ts';

/** Plan 3.3. 3.5 is recommended for what it mended in popups and control mode. */
export const tmux: Check = {
  name: 'tmux',
  async run({ env, config }) {
    const program = config?.tmux.binaryPath ?? 'tmux';
    const ran = await ask(program, ['-V'], env);
    const remediation = 'Install tmux 3.5 or later (at least 3.3): apt-get install tmux, or brew install tmux.';
    if (!ran) return fail(`${program} is not on PATH`, remediation);
    if (!ran.ok) return fail(`${program} -V failed: ${ran.why}`, remediation);
    const version = readVersion(ran.out);
    if (!version) return warn(`${ran.out}: a version that is not known`, remediation);
    if (isBelow(version, [3, 3])) return fail(`${ran.out}; devflow needs 3.3`, remediation);
    return isBelow(version, [3, 5]) ? warn(`${ran.out} works; 3.5 is recommended`, remediation) : pass(ran.out);
  },
};
