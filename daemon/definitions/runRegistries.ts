import type { Brought } from '../../schemas/definitions/brought.ts';
import { extendRegistry } from '../../schemas/definitions/extendRegistry.ts';
import type { Registry } from '../../schemas/definitions/registry.ts';

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
