import type { Backend } from '../../schemas/enums.ts';
import { BACKENDS } from '../../schemas/names.ts';

/** The same for every backend. */
export function everyBackend<S>(same: S): Record<Backend, S> {
  return Object.fromEntries(BACKENDS.map((id) => [id, same])) as Record<Backend, S>;
}
