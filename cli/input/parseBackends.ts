import type { Backend } from '../../schemas/enums.ts';
import { BACKENDS } from '../../schemas/names.ts';
import { parsePairs, usage } from './parse.ts';

/** The values of repeatable `--backend role=backend` options. Throws usage for a backend that does not exist. */
export function parseBackends(given: readonly string[] | undefined): Record<string, Backend> {
  const pairs = parsePairs('--backend', given);
  for (const [role, name] of Object.entries(pairs)) {
    if ((BACKENDS as readonly string[]).includes(name)) continue;
    throw usage(`--backend ${role}=${name}: there is no backend ${name}`, `Choose one of ${BACKENDS.join(', ')}.`);
  }
  return pairs as Record<string, Backend>;
}
