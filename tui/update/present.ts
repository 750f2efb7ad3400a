import type { Binding } from '../keys/binding.ts';
import type { Model } from '../model/model.ts';
import { screenOf } from '../screens/index.ts';

/** What the keys of the screen stand for just now. */
export function presentBindings(model: Model): readonly Binding[] {
  return screenOf(model).bindings.filter(({ when }) => when?.(model) ?? true);
}
