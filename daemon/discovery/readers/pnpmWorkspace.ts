import { nameOf } from '../candidate/paths.ts';
import { plainYaml } from '../candidate/plainYaml.ts';
import { type Reader, recordOf, textsIn } from '../candidate/reader.ts';
import { membersOf } from '../candidate/wildcards.ts';

export const pnpmWorkspace: Reader = {
  reads: (path) => nameOf(path) === 'pnpm-workspace.yaml',
  read: (file) => {
    const yaml = plainYaml(file);
    const patterns = textsIn(recordOf(yaml.value).packages);
    return { candidates: [], workspaces: membersOf(file, patterns, 'package.json') };
  },
};
