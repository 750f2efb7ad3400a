import type { Binding } from '../keys/binding.ts';
import { ranked } from '../keys/fuzzy.ts';
import { GLOBAL } from '../keys/global.ts';
import type { Model } from '../model/model.ts';
import { screenOf } from '../screens/index.ts';

/** The actions that match, best first; what cannot be done now comes last and says why. */
export function foundActions(model: Model, query: string): Binding[] {
  const closed = { ...model, overlay: undefined };
  const all = [...screenOf(closed).bindings, ...GLOBAL].filter(({ id }) => id !== 'palette');
  const found = ranked(query, all, ({ label, help, id }) => `${label} ${help} ${id}`);
  const isOff = (binding: Binding) => Number(binding.disabled?.(closed) !== undefined);
  return found.sort((a, b) => isOff(a) - isOff(b));
}
