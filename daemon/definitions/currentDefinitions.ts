import { type Definitions, loadDefinitions } from '../../schemas/definitions/definitions.ts';
import { createRegistry, type Registry } from '../../schemas/definitions/registry.ts';
import type { Paths } from '../../schemas/files/paths.ts';
import { definitionPlaces, type PackagePlaces } from '../startup/places.ts';
import { schemaFingerprint } from './schemaFingerprint.ts';

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
