import { DevflowError } from '../../../schemas/errors.ts';
import type { Here } from '../../core/run/place.ts';
import type { Route } from './route.ts';

/** For a daemon that works alone: it answers everything, and knows no other host. Looks nothing up. */
export function routeAlone(here: Here): Route {
  return (_name, params, answer) => {
    const { host = here.id } = params as { host?: string };
    if (host === here.id) return answer();
    throw new DevflowError(
      'not_found',
      `There is no host ${host}: devflow works on ${here.id} alone (engine: local).`,
      {
        recoveryHint: 'Several hosts need engine: temporal.',
      },
    );
  };
}
