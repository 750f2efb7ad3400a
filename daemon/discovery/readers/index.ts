import type { Reader } from '../candidate/reader.ts';
import { cargo } from './cargo.ts';
import { composerJson } from './composerJson.ts';
import { documents } from './documents.ts';
import { githubActions } from './githubActions.ts';
import { gitlabCi } from './gitlabCi.ts';
import { goMod, goWork } from './goMod.ts';
import { gradle } from './gradle.ts';
import { make } from './make.ts';
import { maven } from './maven.ts';
import { packageJson, pnpmWorkspace } from './packageJson.ts';
import { pyproject } from './pyproject.ts';
import { requirements, setupCfg, toxIni } from './pythonFiles.ts';
import { gemfile, rakefile } from './ruby.ts';

/** One kind of file each. A file is read by the first one that wants it. */
export const READERS: readonly Reader[] = [
  githubActions,
  gitlabCi,
  packageJson,
  pnpmWorkspace,
  pyproject,
  toxIni,
  setupCfg,
  requirements,
  goMod,
  goWork,
  cargo,
  maven,
  gradle,
  gemfile,
  rakefile,
  composerJson,
  make,
  documents,
];
