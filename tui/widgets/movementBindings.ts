import type { Binding } from '../model/binding.ts';
import type { Model } from '../model/model.ts';
import type { Step } from '../model/step.ts';

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
