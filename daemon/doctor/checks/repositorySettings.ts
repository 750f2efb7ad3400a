import { counted } from '../../../schemas/text/phrases.ts';
import { checkSettings } from '../../settings/checkSettings.ts';
import { personsFaults } from '../../settings/personsFaults.ts';
import { type Check, pass, warn } from '../probe/check.ts';

/** Looks at the person's files for repositories, and at devflow.yaml of the repository where the person is. */
export const repositorySettings: Check = {
  name: 'repository-settings',
  async run({ paths, cwd }) {
    const { files, faults } = personsFaults(paths);
    // The person may be in no repository.
    const here = await checkSettings({ repo: cwd }, paths).catch(() => []);
    const all = [...new Set([...faults, ...here.flatMap((each) => each.faults)])];
    if (all.length > 0) {
      return warn(all.join('; '), 'Fix these lines; devflow repository check shows them for one repository.');
    }
    const own = files === 0 ? 'no file of yours for a repository' : counted(files, 'file of yours', 'files of yours');
    const has = here.some(({ where }) => where !== 'person') ? ', and devflow.yaml here is right' : '';
    return pass(`${own}${has}`);
  },
};
