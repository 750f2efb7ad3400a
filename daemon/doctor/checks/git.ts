import { type Check, fail, pass, warn } from '../probe/check.ts';
import { ask, isBelow, readVersion } from '../probe/program.ts';

/** 2.38 is the first with `merge-tree --write-tree`. */
export const git: Check = {
  name: 'git',
  async run({ env, strict }) {
    const ran = await ask('git', ['--version'], env);
    const remediation = 'Install git 2.40 or later (at least 2.38).';
    if (!ran) return fail('git is not on PATH', remediation);
    if (!ran.ok) return fail(`git --version failed: ${ran.why}`, remediation);
    const version = readVersion(ran.out);
    if (!version) return warn(`${ran.out}: unknown version`, remediation);
    if (isBelow(version, strict ? [2, 40] : [2, 38])) {
      return fail(`${ran.out} is too old: devflow needs ${strict ? '2.40' : '2.38'}`, remediation);
    }
    return isBelow(version, [2, 40]) ? warn(`${ran.out} works, but 2.40 is recommended`, remediation) : pass(ran.out);
  },
};
