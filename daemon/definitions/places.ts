import { join } from 'node:path';
import type { DefinitionPlaces } from '../../schemas/definitions/definitions.ts';
import type { Registry } from '../../schemas/definitions/registry.ts';
import { type Paths, packageRoot } from '../../schemas/files/paths.ts';
import { version } from '../../schemas/files/release.ts';
import type { UserDefinitions } from './factory/promoteTemplate.ts';

/** Files of the installed package. */
export interface PackagePlaces {
  root: string;
  version: string;
  migrations: string;
  composeFile: string;
  templates: string;
  personas: string;
  checked: string;
  artifacts: string;
  fixtures: string;
  temporalWorkflow: string;
}

export function packagePlaces(): PackagePlaces {
  const root = packageRoot();
  return {
    root,
    version: version(),
    migrations: join(root, 'daemon', 'db', 'migrations'),
    composeFile: join(root, 'docker-compose.yml'),
    templates: join(root, 'schemas', 'templates'),
    personas: join(root, 'schemas', 'personas'),
    checked: join(root, 'dist', 'checkedDefinitions.json'),
    artifacts: join(root, 'schemas', 'artifacts'),
    fixtures: join(root, 'schemas', 'artifacts', 'fixtures'),
    temporalWorkflow: join(root, 'dist', 'temporalWorkflow.cjs'),
  };
}

/** The directories of the person's own definitions. */
export function userDefinitionPlaces(
  paths: Pick<Paths, 'userTemplates' | 'userPersonas' | 'userArtifacts'>,
): UserDefinitions {
  return { templates: paths.userTemplates, personas: paths.userPersonas, artifacts: paths.userArtifacts };
}

/** Where templates and personas come from, with and without a daemon. */
export function definitionPlaces(schemas: Registry, builtin: PackagePlaces, paths: Paths): DefinitionPlaces {
  return { builtin, user: userDefinitionPlaces(paths), schemas };
}
