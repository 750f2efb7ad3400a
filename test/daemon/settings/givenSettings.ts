import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createRepositorySettings } from '../../../daemon/settings/repositorySettings.ts';
import { systemClock } from '../../../daemon/system/clock.ts';
import { findDefinition } from '../../../schemas/definitions/findDefinition.ts';
import type { Template } from '../../../schemas/definitions/template.ts';
import type { AutoGate } from '../../../schemas/gates/autoGates.ts';
import { personsFiles } from '../../../schemas/repository/personsFile.ts';
import { isolatedEnv, makeRepo } from '../../helpers/testRepo.ts';

/** The settings of a repository with these files. */
export function givenSettings(files: Record<string, string>, defaults = { backends: {} }, auto: AutoGate[] = []) {
  const root = mkdtempSync(join(tmpdir(), 'devflow-settings-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const repo = makeRepo(join(root, 'thing'), isolatedEnv(join(root, 'home')));
  const commit = (more: Record<string, string>) => {
    repo.write(more);
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'change');
  };
  commit({ 'README.md': 'A thing.', ...files });
  const [configDir, stateDir] = [join(root, 'config'), join(root, 'state')];
  mkdirSync(join(configDir, 'repositories'), { recursive: true });
  const places = personsFiles(configDir, realpathSync.native(join(repo.dir, '.git')));
  const own = (text: string) => writeFileSync(places.exact, text);
  /** The file for each repository of this name. */
  const shared = (text: string) => writeFileSync(places.shared, text);
  const templates: Template[] = [];
  const findTemplate = async (ref: string) => findDefinition(templates, ref, 'template');
  const paths = { configDir, stateDir, configFile: join(configDir, 'config.yaml') };
  const settings = createRepositorySettings({
    config: { defaults, gates: { auto } },
    paths,
    clock: systemClock,
    searchPath: '',
    findTemplate,
  });
  const at = { repo: repo.dir };
  return {
    root,
    repo,
    commit,
    own,
    shared,
    places,
    settings,
    at,
    paths,
    configDir,
    templates,
    findTemplate,
    consents: join(stateDir, 'consents.json'),
  };
}
