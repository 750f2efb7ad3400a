import type { Config } from '../../schemas/config/config.ts';
import type { Paths } from '../../schemas/files/paths.ts';
import type { PackagePlaces } from '../definitions/places.ts';
import { PERFORMERS } from '../engine/allPerformers.ts';
import { createEngine, type EngineOptions } from '../engine/local/engine.ts';
import type { RunEngine } from '../engine/runEngine.ts';
import type { TemporalEngine, TemporalOptions } from '../engine/temporal/engine.ts';

/** The engine of the configuration; `shared` if other hosts have one too. Only Temporal's loads Temporal's packages. */
export async function openEngine(
  options: EngineOptions & Pick<TemporalOptions, 'here' | 'log' | 'pool' | 'life'>,
  { config, paths, places }: { config: Config; paths: Paths; places: PackagePlaces },
): Promise<{ engine: RunEngine; shared?: TemporalEngine }> {
  if (config.engine === 'local') return { engine: createEngine(options) };
  const { openTemporalEngine } = await import('../engine/temporal/engine.ts');
  const shared = await openTemporalEngine({
    ...options,
    settings: config.temporal,
    packages: paths.temporalPackages,
    workflow: places.temporalWorkflow,
    performers: PERFORMERS,
  });
  return { engine: shared, shared };
}
