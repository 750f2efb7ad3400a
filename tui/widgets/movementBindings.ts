import type { Binding } from '../model/binding.ts';
import type { Model, Step } from '../model/model.ts';

/** Makes the bindings that move within a list or a text. `name` begins their ids. */
export function movementBindings(name: string) {
  return (label: string, keys: string[], help: string, run: (model: Model) => Step): Binding => ({
    id: `${name}.${label}`,
    keys,
    label,
    help,
    run,
    movement: true,
  });
}
