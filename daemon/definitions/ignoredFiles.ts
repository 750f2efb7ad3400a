import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Definitions } from '../../schemas/definitions/definitions.ts';
import type { Binding } from '../../schemas/definitions/persona.ts';
import type { Template } from '../../schemas/definitions/template.ts';
import type { Paths } from '../../schemas/files/paths.ts';
import { orElse } from '../../schemas/orElse.ts';
import type { PackagePlaces } from './places.ts';

/**
 * Files of the person that a run does not use, although their names suggest it. There are three kinds. A published
 * version was edited since, a newer version cannot be loaded, or a built-in schema hides an artifact schema.
 */
export function createIgnoredFiles(
  current: () => Pick<Definitions, 'errors'>,
  paths: Pick<Paths, 'userArtifacts'>,
  builtin: Pick<PackagePlaces, 'artifacts'>,
): (template: Template, ref: string, bindings: readonly Binding[]) => string[] {
  return (template, ref, bindings) => {
    const used = [
      { ...template, isNewest: !ref.includes('@') },
      ...bindings.map(({ personaName: name, personaVersion: version }) => ({ name, version, isNewest: true })),
    ];
    const faults = new Map(current().errors.map((problem) => [problem.file, problem]));
    const unloaded = [...faults.values()].flatMap(({ file, message }) => {
      const [, name, version] = /^(.+)@(\d+)\.ya?ml$/.exec(basename(file)) ?? [];
      const meant = used.find((each) => each.name === name && isMeant(each, Number(version)));
      if (!meant) return [];
      return [
        `${file} is not in force (${message}), so the run uses ${meant.name}@${meant.version} as it was published.`,
      ];
    });
    return [...new Set([...unloaded, ...hiddenSchemas(template, paths, builtin)])];
  };
}

function isMeant({ version, isNewest }: { version: number; isNewest: boolean }, other: number): boolean {
  return other === version || (isNewest && other > version);
}

function hiddenSchemas(
  { phases }: Template,
  paths: Pick<Paths, 'userArtifacts'>,
  builtin: Pick<PackagePlaces, 'artifacts'>,
) {
  return phases.flatMap(({ expectedArtifact }) => {
    if (!expectedArtifact) return [];
    const { schema } = expectedArtifact;
    const [own, published] = [paths.userArtifacts, builtin.artifacts].map((directory) =>
      join(directory, `${schema}.json`),
    );
    if (!own || !published || !existsSync(own) || !existsSync(published)) return [];
    if (textOf(own) === textOf(published)) return [];
    return [`${own} is not in force, because ${schema} is built in. Give yours another name or version.`];
  });
}

/** Undefined for what cannot be read. */
function textOf(file: string): string | undefined {
  return orElse(() => readFileSync(file, 'utf8'));
}
