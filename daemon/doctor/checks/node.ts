import { type Check, fail, pass, warn } from '../probe/check.ts';
import { ask, isBelow, readVersion, type Version } from '../probe/program.ts';

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

/** npm or pnpm, needed only to install. With `strict` it must be pnpm. */
export const packageManager: Check = {
  name: 'package-manager',
  async run({ env, strict }) {
    const [npm, pnpm] = await Promise.all([versionOf('npm'), versionOf('pnpm')]);
    const found = [npm && `npm ${npm.join('.')}`, pnpm && `pnpm ${pnpm.join('.')}`].filter(Boolean).join(', ');
    const detail = found || 'neither npm nor pnpm is on PATH';
    if (pnpm && !isBelow(pnpm, [9, 0])) return pass(detail);
    if (strict) return fail(detail, 'Install pnpm 9 or later.');
    if (npm && !isBelow(npm, [10, 0])) return pass(detail);
    return warn(detail, 'Install npm 10 or later (it comes with Node 22) before you update devflow.');

    async function versionOf(program: string): Promise<Version | undefined> {
      const ran = await ask(program, ['--version'], env);
      return ran?.ok ? readVersion(ran.out) : undefined;
    }
  },
};
