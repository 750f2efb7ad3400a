import { type Check, fail, pass, warn } from '../probe/check.ts';
import { ask } from '../probe/program.ts';
import { isBelow, readVersion, type Version } from '../probe/version.ts';

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
