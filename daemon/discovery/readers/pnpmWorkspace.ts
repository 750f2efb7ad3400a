import { nameOf } from '../candidate/paths.ts';
import { type Reader, recordOf, textsIn } from '../candidate/reader.ts';
import { shallowYaml } from '../candidate/shallowYaml.ts';
import { membersOf } from '../candidate/wildcards.ts';

export const pnpmWorkspace: Reader = {
  reads: (path) => nameOf(path) === 'pnpm-workspace.yaml',
  read: (file) => {
    const yaml = shallowYaml(file);
    const patterns = textsIn(recordOf(yaml.value).packages);
    return { candidates: [], workspaces: membersOf(file, patterns, 'package.json') };
  },
};
