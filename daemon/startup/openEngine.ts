import type { Config } from '../../schemas/config/config.ts';
import type { Paths } from '../../schemas/files/paths.ts';
import { createEngine, type EngineOptions } from '../engine/local/engine.ts';
import { PERFORMERS } from '../engine/performers/index.ts';
import type { RunEngine } from '../engine/runEngine.ts';
import type { TemporalOptions } from '../engine/temporal/engine.ts';
import type { PackagePlaces } from './places.ts';

/** The engine of the configuration. Only Temporal's loads Temporal's packages. */
export async function openEngine(
  options: EngineOptions & Pick<TemporalOptions, 'here' | 'log' | 'pool' | 'life'>,
  { config, paths, places }: { config: Config; paths: Paths; places: PackagePlaces },
): Promise<RunEngine> {
  if (config.engine === 'local') return createEngine(options);
  const { openTemporalEngine } = await import('../engine/temporal/engine.ts');
  return openTemporalEngine({
    ...options,
    settings: config.temporal,
    packages: paths.temporalPackages,
    workflow: places.temporalWorkflow,
    performers: PERFORMERS,
  });
}
