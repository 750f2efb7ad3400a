import type { Model, Place } from './model.ts';

const MAX_HISTORY = 50;

/** Shows another place. `back` returns to this one. */
export function goTo(model: Model, place: Place): Model {
  const { place: here } = model;
  if (here.screen === place.screen && here.id === place.id) return model;
  return { ...model, place, history: [...model.history, here].slice(-MAX_HISTORY), overlay: undefined };
}

/** Shows the previous place, if there is one. */
export function goBack(model: Model): Model {
  const before = model.history.at(-1);
  return before === undefined ? model : { ...model, place: before, history: model.history.slice(0, -1) };
}
