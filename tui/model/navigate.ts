import type { Model, Place } from './model.ts';

const MOST_STEPS = 50;

/** Goes somewhere; `back` leads here again. */
export function goTo(model: Model, place: Place): Model {
  const { place: here } = model;
  if (here.screen === place.screen && here.id === place.id) return model;
  return { ...model, place, history: [...model.history, here].slice(-MOST_STEPS), overlay: undefined };
}

/** Where one was before; the first screen has nothing behind it. */
export function goBack(model: Model): Model {
  const before = model.history.at(-1);
  return before === undefined ? model : { ...model, place: before, history: model.history.slice(0, -1) };
}
