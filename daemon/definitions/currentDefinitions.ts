import { join } from 'node:path';
import type { Brought } from '../../schemas/definitions/brought.ts';
import { type Definitions, loadDefinitions } from '../../schemas/definitions/definitions.ts';
import { createRegistry, extendRegistry, type Registry } from '../../schemas/definitions/registry.ts';
import { listSchemaIds } from '../../schemas/definitions/schemaIds.ts';
import { readSettingsFile } from '../../schemas/files/openRegular.ts';
import type { Paths } from '../../schemas/files/paths.ts';
import { sha256hex } from '../../schemas/hash.ts';
import { definitionPlaces, type PackagePlaces } from './places.ts';

/** The definitions that hold now. Ask at the moment of use, because a person may change a file at any time. */
export interface CurrentDefinitions {
  current(): Definitions;
  /** Always answers from the current artifact schemas. */
  registry: Registry;
  /**
   * The artifact schemas of a run. When a schema changes, an open run keeps the earlier ones until the daemon restarts,
   * because its agents know those. Its template and bindings are frozen in its log. A run that still has no bindings
   * binds the personas of that moment, as after a restart.
   */
  registryOf(runId: string): Registry;
  /** The current schemas if their files have this fingerprint, else a registry that reads them again. */
  registryFor(fingerprint: string): Registry;
  /** Takes up definitions and the schemas that they were checked by. Returns whether these schemas are new. */
  replace(definitions: Definitions, schemas?: NewSchemas): boolean;
}

interface NewSchemas {
  schemas: Registry;
  fingerprint: string;
  openRuns: readonly string[];
}

/** Begins with the files as they are now. */
export function createCurrentDefinitions(places: PackagePlaces, paths: Paths): CurrentDefinitions {
  const freshRegistry = () => createRegistry({ builtinDir: places.artifacts, userDir: paths.userArtifacts });
  // Before the schemas are read: what changes in between counts as a change.
  let fingerprint = schemaFingerprint(paths.userArtifacts);
  let schemas = freshRegistry();
  let definitions = loadDefinitions(definitionPlaces(schemas, places, paths));
  let ofRuns = new Map<string, Registry>();
  return {
    current: () => definitions,
    registry: {
      loadSchema: (id) => schemas.loadSchema(id),
      validateArtifact: (id, data) => schemas.validateArtifact(id, data),
      schemaFault: (id) => schemas.schemaFault(id),
      listSchemas: () => schemas.listSchemas(),
      fixturePath: (id, scenario) => schemas.fixturePath(id, scenario),
    },
    registryOf: (runId) => ofRuns.get(runId) ?? schemas,
    registryFor: (wanted) => (wanted === fingerprint ? schemas : freshRegistry()),
    replace(next, changed) {
      definitions = next;
      if (!changed || changed.schemas === schemas) return false;
      const before = schemas;
      ofRuns = new Map(changed.openRuns.map((runId) => [runId, ofRuns.get(runId) ?? before]));
      schemas = changed.schemas;
      fingerprint = changed.fingerprint;
      return true;
    },
  };
}

/** Changes when an artifact schema in the directory comes, goes or changes. */
export function schemaFingerprint(directory: string): string {
  const facts = listSchemaIds([directory]).map((id) => {
    const read = readSettingsFile(join(directory, `${id}.json`));
    return `${id} ${read.ok ? sha256hex(read.bytes) : read.fault}`;
  });
  return facts.join('\n');
}

/** The artifact schemas of a run: those that hold for it (`CurrentDefinitions.registryOf`), and those of its drafts. */
export function createRunRegistries(
  registryOf: (runId: string) => Registry,
  readRun: (runId: string) => Promise<{ brought: Brought | null } | undefined>,
): (runId: string) => Promise<Registry> {
  const known = new WeakMap<Brought, { base: Registry; registry: Registry }>();
  return async (runId) => {
    const base = registryOf(runId);
    const brought = (await readRun(runId))?.brought;
    if (!brought || brought.schemas.length === 0) return base;
    const before = known.get(brought);
    if (before?.base === base) return before.registry;
    const registry = extendRegistry(base, brought.schemas);
    known.set(brought, { base, registry });
    return registry;
  };
}
