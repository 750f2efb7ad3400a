import type { Binding } from '../model/binding.ts';
import type { Model } from '../model/model.ts';
import type { Step } from '../model/step.ts';

/** Makes the bindings by which one moves in a list or a text; `name` begins their ids, and each is labelled by its own. */
export function movementBindings(name: string) {
  return (id: string, keys: string[], help: string, run: (model: Model) => Step): Binding => ({
    ...{ id: `${name}.${id}`, keys, label: id, help, run, movement: true },
  });
}
