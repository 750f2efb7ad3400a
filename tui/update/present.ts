import type { Binding } from '../model/binding.ts';
import type { Model } from '../model/model.ts';
import { screenOf } from '../screens/index.ts';

/** What the keys of the screen stand for just now. */
export function activeBindings(model: Model): readonly Binding[] {
  return screenOf(model).bindings.filter(({ when }) => when?.(model) ?? true);
}
